{{/* Names, labels, and what else several templates say. */}}

{{- define "reclaimer.name" -}}
{{- .Values.nameOverride | default "gpu-reclaimer" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* The release's name, in which Helm allows dots and Services do not. */}}
{{- define "release" -}}
{{- .Release.Name | replace "." "-" }}
{{- end }}

{{- define "reclaimer.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains "gpu-reclaimer" .Release.Name }}
{{- include "release" . | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-gpu-reclaimer" (include "release" .) | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "exporter.name" -}}
{{- .Values.exporter.nameOverride | default "gpu-exporter" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "exporter.fullname" -}}
{{- if .Values.exporter.fullnameOverride }}
{{- .Values.exporter.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if eq .Release.Name "gpu-reclaimer" -}}
gpu-exporter
{{- else }}
{{- printf "%s-exporter" (include "release" . | trunc 41 | trimSuffix "-") }}
{{- end }}
{{- end }}

{{/* Whether a new agent starts before the one in whose place it is ends. */}}
{{- define "exporter.surges" -}}
{{- if not (regexMatch "^0+%?$" (toString .Values.exporter.rollingUpdate.maxSurge)) }}yes{{ end }}
{{- end }}

{{- define "exporter.namespace" -}}
{{- .Values.exporter.namespaceOverride | default .Release.Namespace }}
{{- end }}

{{- define "exporter.account" -}}
{{- if .Values.exporter.serviceAccount.create }}
{{- .Values.exporter.serviceAccount.name | default (include "exporter.fullname" .) }}
{{- else }}
{{- .Values.exporter.serviceAccount.name | default "default" }}
{{- end }}
{{- end }}

{{- define "reclaimer.account" -}}
{{- if .Values.reclaimer.serviceAccount.create }}
{{- .Values.reclaimer.serviceAccount.name | default (include "reclaimer.fullname" .) }}
{{- else }}
{{- .Values.reclaimer.serviceAccount.name | default "default" }}
{{- end }}
{{- end }}

{{/* What a selector goes by. Takes the root and a name. */}}
{{- define "labels.selector" -}}
app.kubernetes.io/name: {{ .name }}
{{- if .root.Values.helmLabels }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}
{{- end }}

{{- define "labels" -}}
{{ include "labels.selector" . }}
{{- with .root }}
{{- if .Values.helmLabels }}
app.kubernetes.io/part-of: gpu-reclaimer
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- end }}

{{- define "exporter.labels" -}}
{{ include "labels" (dict "root" . "name" (include "exporter.name" .)) }}
{{- end }}

{{- define "reclaimer.labels" -}}
{{ include "labels" (dict "root" . "name" (include "reclaimer.name" .)) }}
{{- end }}

{{- define "exporter.selector" -}}
{{ include "labels.selector" (dict "root" . "name" (include "exporter.name" .)) }}
{{- end }}

{{- define "reclaimer.selector" -}}
{{ include "labels.selector" (dict "root" . "name" (include "reclaimer.name" .)) }}
{{- end }}

{{/* Takes the root, and an image of the values. */}}
{{- define "image" -}}
{{ .image.repository }}:{{ .image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* Says "yes" for true, and for auto if the cluster has the API of the Prometheus operator. Takes the root and enabled. */}}
{{- define "monitored" -}}
{{- if eq (toString .enabled) "auto" }}
{{- if .root.Capabilities.APIVersions.Has "monitoring.coreos.com/v1" }}yes{{ end }}
{{- else if .enabled }}yes{{ end }}
{{- end }}

{{- define "exporter.podMonitored" -}}
{{ include "monitored" (dict "root" . "enabled" .Values.exporter.podMonitor.enabled) }}
{{- end }}

{{- define "exporter.serviceMonitored" -}}
{{- if and .Values.exporter.service.enable (not (include "exporter.podMonitored" .)) }}
{{- include "monitored" (dict "root" . "enabled" .Values.exporter.serviceMonitor.enabled) }}
{{- end }}
{{- end }}

{{- define "reclaimer.podMonitored" -}}
{{ include "monitored" (dict "root" . "enabled" .Values.reclaimer.podMonitor.enabled) }}
{{- end }}

{{- define "reclaimer.serviceMonitored" -}}
{{- if and .Values.reclaimer.service.enable (not (include "reclaimer.podMonitored" .)) }}
{{- include "monitored" (dict "root" . "enabled" .Values.reclaimer.serviceMonitor.enabled) }}
{{- end }}
{{- end }}

{{- define "rules.wanted" -}}
{{ include "monitored" (dict "root" . "enabled" .Values.prometheusRule.enabled) }}
{{- end }}

{{- define "rules.recording" -}}
{{- if eq (toString .Values.prometheusRule.recording) "auto" }}
{{- if not .Values.exporter.enabled }}yes{{ end }}
{{- else if .Values.prometheusRule.recording }}yes{{ end }}
{{- end }}

{{- define "admission.wanted" -}}
{{- if eq (toString .Values.admissionPolicy.enabled) "auto" }}
{{- if and .Values.reclaimer.enabled (semverCompare ">=1.30-0" .Capabilities.KubeVersion.Version) }}yes{{ end }}
{{- else if .Values.admissionPolicy.enabled }}yes{{ end }}
{{- end }}

{{/* Whether the agents have a certificate, a password, or both. */}}
{{- define "exporter.webConfigured" -}}
{{- if or .Values.exporter.tlsServerConfig.enabled .Values.exporter.basicAuth.users }}yes{{ end }}
{{- end }}

{{- define "exporter.readsPods" -}}
{{- if or .Values.exporter.kubernetes.enablePodUID .Values.exporter.kubernetes.enablePodLabels }}yes{{ end }}
{{- end }}

{{/* Whether the agents talk to the API server at all. */}}
{{- define "exporter.hasToken" -}}
{{- if or (include "exporter.readsPods" .) .Values.exporter.kubernetesDRA.enabled (include "exporter.labelsBy" .) (include "exporter.configuredByNode" .) }}yes{{ end }}
{{- end }}

{{/* How the agents label nodes: node, node-feature, nfd-file; empty if they do not. */}}
{{- define "exporter.labelsTo" -}}
{{- $plugin := .Values.exporter.devicePlugin }}
{{- if and $plugin.enabled $plugin.nodeLabels.enabled }}{{ $plugin.nodeLabels.to }}{{ end }}
{{- end }}

{{/* The same, if it is by the API server. */}}
{{- define "exporter.labelsBy" -}}
{{- include "exporter.labelsTo" . | replace "nfd-file" "" }}
{{- end }}

{{/* Whether a label of the node chooses the device plugin's configuration. */}}
{{- define "exporter.configuredByNode" -}}
{{- $plugin := .Values.exporter.devicePlugin }}
{{- if and $plugin.enabled (or $plugin.config.name $plugin.config.map) }}yes{{ end }}
{{- end }}

{{/* Whether the agents speak to the API server of their nodes. */}}
{{- define "exporter.knowsNode" -}}
{{- if or (include "exporter.labelsBy" .) (include "exporter.configuredByNode" .) }}yes{{ end }}
{{- end }}

{{- define "exporter.featureNamespace" -}}
{{- .Values.exporter.devicePlugin.nodeLabels.namespace | default (include "exporter.namespace" .) }}
{{- end }}

{{/* The counters file, if it is not the compiled-in one. */}}
{{- define "exporter.rows" -}}
{{- if .Values.exporter.customMetrics }}
{{- .Values.exporter.customMetrics }}
{{- else if .Values.exporter.dashboardMetrics }}
{{- .Files.Get "files/counters/dashboards.csv" }}
{{- end }}
{{- end }}

{{/* Properties of the agents that have no flag, as YAML. */}}
{{- define "exporter.properties" -}}
{{- $properties := deepCopy .Values.exporter.config }}
{{- if eq (include "exporter.labelsTo" .) "node-feature" }}
{{- $properties = merge $properties (dict "device-plugin" (dict "label-namespace" (include "exporter.featureNamespace" .))) }}
{{- end }}
{{- if and (include "exporter.knowsNode" .) (not .Values.exporter.devicePlugin.nodeEvents) }}
{{- $properties = merge $properties (dict "device-plugin" (dict "node-events" false)) }}
{{- end }}
{{- with .Values.exporter.devicePlugin }}
{{- if and .enabled (ne .cdiPath "/var/run/cdi") }}
{{- $properties = merge $properties (dict "device-plugin" (dict "cdi-folder" .cdiPath)) }}
{{- end }}
{{- end }}
{{- with $properties }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* Whether the agents ask NVIDIA's runtime for what watches over MIG devices. */}}
{{- define "exporter.watchesMig" -}}
{{- $plugin := .Values.exporter.devicePlugin }}
{{- if $plugin.enabled }}
{{- if eq (toString $plugin.migMonitor) "auto" }}
{{- $strategies := list (index $plugin.settings "mig-strategy" | default "none") }}
{{- range $plugin.config.map }}
{{- if regexMatch "(?m)^[^#\n]*migStrategy[\"']?\\s*:\\s*[\"']?(single|mixed)" . }}
{{- $strategies = append $strategies "mixed" }}
{{- end }}
{{- end }}
{{- if without $strategies "none" }}yes{{ end }}
{{- else if $plugin.migMonitor }}yes{{ end }}
{{- end }}
{{- end }}

{{/* The driver lets nobody without SYS_ADMIN set the compute mode of a GPU, as sharing by MPS does; NVIDIA's runtime
  lets nobody without it watch over MIG devices. */}}
{{- define "exporter.securityContext" -}}
{{- $context := .Values.exporter.securityContext | default dict | deepCopy }}
{{- $plugin := .Values.exporter.devicePlugin }}
{{- if and $plugin.enabled (or $plugin.mps.root (include "exporter.watchesMig" .)) }}
{{- $capabilities := $context.capabilities | default dict }}
{{- $added := append ($capabilities.add | default list) "SYS_ADMIN" | uniq }}
{{- $_ := set $context "capabilities" (set $capabilities "add" $added) }}
{{- end }}
{{- toYaml $context }}
{{- end }}

{{/* NVIDIA's device plugin, under its own names and GKE's. */}}
{{- define "found.devicePlugin" -}}
{{- include "found" (dict "root" . "like" "nvidia-(gpu-)?device-plugin") }}
{{- end }}

{{- define "exporter.tlsSecret" -}}
{{- .Values.exporter.tlsServerConfig.existingSecret | default (printf "%s-tls" (include "exporter.fullname" .)) }}
{{- end }}

{{/* The DaemonSets of a cluster whose name a pattern fits, one by one with a comma in between. Takes the root and the pattern. */}}
{{- define "found" -}}
{{- if .root.Values.lookAround }}
{{- $found := list }}
{{- range (lookup "apps/v1" "DaemonSet" "" "").items }}
{{- if regexMatch $.like .metadata.name }}
{{- $found = append $found (printf "%s/%s" .metadata.namespace .metadata.name) }}
{{- end }}
{{- end }}
{{- join ", " $found }}
{{- end }}
{{- end }}
