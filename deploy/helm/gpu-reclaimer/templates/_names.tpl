{{/* Names, labels and other shared templates. */}}

{{- define "gpu-reclaimer.reclaimer.name" -}}
{{- .Values.nameOverride | default "gpu-reclaimer" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* Release name without dots, which Helm allows and Services do not. */}}
{{- define "gpu-reclaimer.release" -}}
{{- .Release.Name | replace "." "-" }}
{{- end }}

{{- define "gpu-reclaimer.reclaimer.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains "gpu-reclaimer" .Release.Name }}
{{- include "gpu-reclaimer.release" . | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-gpu-reclaimer" (include "gpu-reclaimer.release" .) | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "gpu-reclaimer.exporter.name" -}}
{{- .Values.exporter.nameOverride | default "gpu-exporter" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "gpu-reclaimer.exporter.fullname" -}}
{{- if .Values.exporter.fullnameOverride }}
{{- .Values.exporter.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if eq .Release.Name "gpu-reclaimer" -}}
gpu-exporter
{{- else }}
{{- printf "%s-exporter" (include "gpu-reclaimer.release" . | trunc 41 | trimSuffix "-") }}
{{- end }}
{{- end }}

{{/* Whether a new agent starts before the old one ends. */}}
{{- define "gpu-reclaimer.exporter.surges" -}}
{{- if not (regexMatch "^0+%?$" (toString .Values.exporter.rollingUpdate.maxSurge)) }}yes{{ end }}
{{- end }}

{{- define "gpu-reclaimer.exporter.namespace" -}}
{{- .Values.exporter.namespaceOverride | default .Release.Namespace }}
{{- end }}

{{- define "gpu-reclaimer.exporter.account" -}}
{{- if .Values.exporter.serviceAccount.create }}
{{- .Values.exporter.serviceAccount.name | default (include "gpu-reclaimer.exporter.fullname" .) }}
{{- else }}
{{- .Values.exporter.serviceAccount.name | default "default" }}
{{- end }}
{{- end }}

{{- define "gpu-reclaimer.reclaimer.account" -}}
{{- if .Values.reclaimer.serviceAccount.create }}
{{- .Values.reclaimer.serviceAccount.name | default (include "gpu-reclaimer.reclaimer.fullname" .) }}
{{- else }}
{{- .Values.reclaimer.serviceAccount.name | default "default" }}
{{- end }}
{{- end }}

{{/* Enabled kinds of actions, as JSON. An action on an owner requires the right to read owners. */}}
{{- define "gpu-reclaimer.reclaimer.actions" -}}
{{- $reclaimer := .Values.reclaimer }}
{{- $actions := list }}
{{- range $verb := list "evict" "scale" "suspend" "stop" }}
{{- if and (get $reclaimer.verbs $verb) (or (eq $verb "evict") $reclaimer.owners.read) }}
{{- $actions = append $actions $verb }}
{{- end }}
{{- end }}
{{- toJson $actions }}
{{- end }}

{{/* Whether any action is enabled. */}}
{{- define "gpu-reclaimer.reclaimer.acts" -}}
{{- if include "gpu-reclaimer.reclaimer.actions" . | fromJsonArray }}yes{{ end }}
{{- end }}

{{/* Whether any action on owners is enabled: scale, suspend or stop. */}}
{{- define "gpu-reclaimer.reclaimer.changesOwners" -}}
{{- if without (include "gpu-reclaimer.reclaimer.actions" . | fromJsonArray) "evict" }}yes{{ end }}
{{- end }}

{{/* Whether users may keep and restore workloads on the pages. */}}
{{- define "gpu-reclaimer.reclaimer.takesRequests" -}}
{{- if and (eq .Values.reclaimer.pages.readers "authorized") (include "gpu-reclaimer.reclaimer.acts" .) (include "gpu-reclaimer.admission.wanted" .) }}yes{{ end }}
{{- end }}

{{/* Properties of the reclaimer without a flag, as YAML. */}}
{{- define "gpu-reclaimer.reclaimer.properties" -}}
{{- $properties := deepCopy .Values.reclaimer.config }}
{{- $pages := .Values.reclaimer.pages }}
{{- if ne $pages.readers "localhost" }}
{{- $properties = merge $properties (dict "web" (dict "pages" $pages.readers)) }}
{{- end }}
{{- with .Values.prometheusRule.prices }}
{{- $prices := list }}
{{- range $model, $price := . }}
{{- $prices = append $prices (printf "%s=%v" $model $price) }}
{{- end }}
{{- $properties = merge $properties (dict "web" (dict "prices" $prices)) }}
{{- end }}
{{- if $pages.proxy.secretName }}
{{- $identity := dict "proxy-secret-file" "/etc/gpu-reclaimer/proxy-secret/secret" "proxy-peers" $pages.proxy.peers "user-header" $pages.proxy.userHeader "groups-header" $pages.proxy.groupsHeader "user-prefix" $pages.proxy.userPrefix "groups-prefix" $pages.proxy.groupsPrefix }}
{{- $properties = merge $properties (dict "web" (dict "identity" $identity)) }}
{{- end }}
{{- $actions := include "gpu-reclaimer.reclaimer.actions" . | fromJsonArray }}
{{- if lt (len $actions) 4 }}
{{- $properties = merge $properties (dict "actions" (dict "enabled" $actions)) }}
{{- end }}
{{- if and .Values.reclaimer.owners.scalable (has "scale" $actions) }}
{{- $kinds := list }}
{{- range .Values.reclaimer.owners.scalable }}
{{- $kinds = append $kinds (printf "%s.%s" .kind .apiGroup) }}
{{- end }}
{{- $properties = merge $properties (dict "actions" (dict "scalable" $kinds)) }}
{{- end }}
{{- with $properties }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* Labels of a selector. Takes the root and a name. */}}
{{- define "gpu-reclaimer.labels.selector" -}}
app.kubernetes.io/name: {{ .name }}
{{- if .root.Values.helmLabels }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}
{{- end }}

{{- define "gpu-reclaimer.labels" -}}
{{ include "gpu-reclaimer.labels.selector" . }}
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

{{- define "gpu-reclaimer.exporter.labels" -}}
{{ include "gpu-reclaimer.labels" (dict "root" . "name" (include "gpu-reclaimer.exporter.name" .)) }}
{{- end }}

{{- define "gpu-reclaimer.reclaimer.labels" -}}
{{ include "gpu-reclaimer.labels" (dict "root" . "name" (include "gpu-reclaimer.reclaimer.name" .)) }}
{{- end }}

{{- define "gpu-reclaimer.exporter.selector" -}}
{{ include "gpu-reclaimer.labels.selector" (dict "root" . "name" (include "gpu-reclaimer.exporter.name" .)) }}
{{- end }}

{{- define "gpu-reclaimer.reclaimer.selector" -}}
{{ include "gpu-reclaimer.labels.selector" (dict "root" . "name" (include "gpu-reclaimer.reclaimer.name" .)) }}
{{- end }}

{{/* Takes the root, and an image of the values. */}}
{{- define "gpu-reclaimer.image" -}}
{{- if .image.digest -}}
{{ .image.repository }}@{{ .image.digest }}
{{- else -}}
{{ .image.repository }}:{{ .image.tag | default .root.Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* "yes" for true, and for auto if the cluster has the API of the Prometheus operator. Takes the root and enabled. */}}
{{- define "gpu-reclaimer.monitored" -}}
{{- if eq (toString .enabled) "auto" }}
{{- if .root.Capabilities.APIVersions.Has "monitoring.coreos.com/v1" }}yes{{ end }}
{{- else if .enabled }}yes{{ end }}
{{- end }}

{{- define "gpu-reclaimer.exporter.podMonitored" -}}
{{ include "gpu-reclaimer.monitored" (dict "root" . "enabled" .Values.exporter.podMonitor.enabled) }}
{{- end }}

{{- define "gpu-reclaimer.exporter.serviceMonitored" -}}
{{- if and .Values.exporter.service.enable (not (include "gpu-reclaimer.exporter.podMonitored" .)) }}
{{- include "gpu-reclaimer.monitored" (dict "root" . "enabled" .Values.exporter.serviceMonitor.enabled) }}
{{- end }}
{{- end }}

{{- define "gpu-reclaimer.reclaimer.podMonitored" -}}
{{ include "gpu-reclaimer.monitored" (dict "root" . "enabled" .Values.reclaimer.podMonitor.enabled) }}
{{- end }}

{{- define "gpu-reclaimer.reclaimer.serviceMonitored" -}}
{{- if and .Values.reclaimer.service.enable (not (include "gpu-reclaimer.reclaimer.podMonitored" .)) }}
{{- include "gpu-reclaimer.monitored" (dict "root" . "enabled" .Values.reclaimer.serviceMonitor.enabled) }}
{{- end }}
{{- end }}

{{- define "gpu-reclaimer.rules.wanted" -}}
{{ include "gpu-reclaimer.monitored" (dict "root" . "enabled" .Values.prometheusRule.enabled) }}
{{- end }}

{{- define "gpu-reclaimer.rules.recording" -}}
{{- if eq (toString .Values.prometheusRule.recording) "auto" }}
{{- if not .Values.exporter.enabled }}yes{{ end }}
{{- else if .Values.prometheusRule.recording }}yes{{ end }}
{{- end }}

{{/* Whether admission policies are installed. */}}
{{- define "gpu-reclaimer.admission.wanted" -}}
{{- if eq (toString .Values.admissionPolicy.enabled) "auto" }}
{{- if semverCompare ">=1.30-0" .Capabilities.KubeVersion.Version }}yes{{ end }}
{{- else if .Values.admissionPolicy.enabled }}yes{{ end }}
{{- end }}

{{/* Why none are installed. */}}
{{- define "gpu-reclaimer.admission.missing" -}}
{{- if semverCompare ">=1.30-0" .Capabilities.KubeVersion.Version -}}
admissionPolicy.enabled is false
{{- else -}}
Kubernetes {{ .Capabilities.KubeVersion.Version }} has no ValidatingAdmissionPolicy; 1.30 has
{{- end }}
{{- end }}

{{/* Whether the agents have a certificate, a password, or both. */}}
{{- define "gpu-reclaimer.exporter.webConfigured" -}}
{{- if or .Values.exporter.tlsServerConfig.enabled .Values.exporter.basicAuth.users }}yes{{ end }}
{{- end }}

{{- define "gpu-reclaimer.exporter.readsPods" -}}
{{- if or .Values.exporter.kubernetes.enablePodUID .Values.exporter.kubernetes.enablePodLabels }}yes{{ end }}
{{- end }}

{{/* Whether the agents use the API server. */}}
{{- define "gpu-reclaimer.exporter.hasToken" -}}
{{- if or (include "gpu-reclaimer.exporter.readsPods" .) .Values.exporter.kubernetesDRA.enabled (include "gpu-reclaimer.exporter.knowsNode" .) }}yes{{ end }}
{{- end }}

{{/* Target of node labels: node, node-feature or nfd-file; empty if the agents do not label nodes. */}}
{{- define "gpu-reclaimer.exporter.labelsTo" -}}
{{- $plugin := .Values.exporter.devicePlugin }}
{{- if and $plugin.enabled $plugin.nodeLabels.enabled }}{{ $plugin.nodeLabels.to }}{{ end }}
{{- end }}

{{/* The same, if the target is in the API server; otherwise empty. */}}
{{- define "gpu-reclaimer.exporter.labelsBy" -}}
{{- include "gpu-reclaimer.exporter.labelsTo" . | replace "nfd-file" "" }}
{{- end }}

{{/* Whether the agents labeled Nodes before this upgrade, and no longer do. False without a cluster. */}}
{{- define "gpu-reclaimer.exporter.stopsLabeling" -}}
{{- if and .Values.lookAround (not (and .Values.exporter.enabled (eq (include "gpu-reclaimer.exporter.labelsTo" .) "node"))) }}
{{- $former := lookup "apps/v1" "DaemonSet" (include "gpu-reclaimer.exporter.namespace" .) (include "gpu-reclaimer.exporter.fullname" .) }}
{{- range dig "spec" "template" "spec" "containers" list $former }}
{{- if has "--node-labels=node" (.args | default list) }}yes{{ end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Whether a label of the node selects the device plugin's configuration. */}}
{{- define "gpu-reclaimer.exporter.configuredByNode" -}}
{{- $plugin := .Values.exporter.devicePlugin }}
{{- if and $plugin.enabled (or $plugin.config.name $plugin.config.map) }}yes{{ end }}
{{- end }}

{{/* Whether the agents read or write Nodes in the API server. */}}
{{- define "gpu-reclaimer.exporter.knowsNode" -}}
{{- if or (include "gpu-reclaimer.exporter.labelsBy" .) (include "gpu-reclaimer.exporter.configuredByNode" .) (include "gpu-reclaimer.exporter.reportsHealth" .) }}yes{{ end }}
{{- end }}

{{/* Whether the agents report unhealthy GPUs on their nodes: condition, taint, or empty. */}}
{{- define "gpu-reclaimer.exporter.reportsHealth" -}}
{{- $plugin := .Values.exporter.devicePlugin }}
{{- if and $plugin.enabled $plugin.nodeHealth.condition }}{{ ternary "taint" "condition" $plugin.nodeHealth.taint }}{{ end }}
{{- end }}

{{/* Whether the agents write Nodes. */}}
{{- define "gpu-reclaimer.exporter.writesNodes" -}}
{{- if or (eq (include "gpu-reclaimer.exporter.labelsTo" .) "node") (include "gpu-reclaimer.exporter.reportsHealth" .) }}yes{{ end }}
{{- end }}

{{/* Keys of all labels that the agents write, as a regular expression. Other programs write
  nvidia.com/mig.config and nvidia.com/device-plugin.config. */}}
{{- define "gpu-reclaimer.exporter.labelKeys" -}}
nvidia[.]com/(gfd[.]timestamp|
(gpu|mig-[0-9a-z.-]+)[.](product|count|replicas|sharing-strategy|memory|multiprocessors|slices[.](gi|ci)|
engines[.](copy|decoder|encoder|jpeg|ofa))|
gpu[.](family|compute[.](major|minor)|mode|machine|clique|product[.][0-9A-Za-z_.-]+[.](count|memory))|
cuda[.](driver|runtime)(-version)?[.](major|minor|rev|revision|full)|
mig[.](capable|strategy)|mps[.]capable|vgpu[.](present|host-driver-(version|branch)))
{{- end }}

{{- define "gpu-reclaimer.exporter.featureNamespace" -}}
{{- .Values.exporter.devicePlugin.nodeLabels.namespace | default (include "gpu-reclaimer.exporter.namespace" .) }}
{{- end }}

{{/* Counters file; empty for the built-in one. */}}
{{- define "gpu-reclaimer.exporter.rows" -}}
{{- if .Values.exporter.customMetrics }}
{{- .Values.exporter.customMetrics }}
{{- else if .Values.exporter.dashboardMetrics }}
{{- .Files.Get "files/counters/dashboards.csv" }}
{{- end }}
{{- end }}

{{/* Properties of the agents without a flag, as YAML. */}}
{{- define "gpu-reclaimer.exporter.properties" -}}
{{- $properties := deepCopy .Values.exporter.config }}
{{- if eq (include "gpu-reclaimer.exporter.labelsTo" .) "node-feature" }}
{{- $properties = merge $properties (dict "device-plugin" (dict "label-namespace" (include "gpu-reclaimer.exporter.featureNamespace" .))) }}
{{- end }}
{{- if and (include "gpu-reclaimer.exporter.knowsNode" .) (not .Values.exporter.devicePlugin.nodeEvents) }}
{{- $properties = merge $properties (dict "device-plugin" (dict "node-events" false)) }}
{{- end }}
{{- with include "gpu-reclaimer.exporter.reportsHealth" . }}
{{- $properties = merge $properties (dict "device-plugin" (dict "node-condition" true)) }}
{{- if eq . "taint" }}
{{- $properties = merge $properties (dict "device-plugin" (dict "node-taint" true)) }}
{{- end }}
{{- end }}
{{- with .Values.exporter.devicePlugin }}
{{- if and .enabled (ne .cdiPath "/var/run/cdi") }}
{{- $properties = merge $properties (dict "device-plugin" (dict "cdi-folder" .cdiPath)) }}
{{- end }}
{{- end }}
{{- with $properties }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* Whether the agents request the MIG monitor capability from NVIDIA's runtime. */}}
{{- define "gpu-reclaimer.exporter.watchesMig" -}}
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

{{/* The driver requires SYS_ADMIN for setting the compute mode of a GPU, as sharing by MPS does; NVIDIA's runtime
  requires it for monitoring MIG devices. */}}
{{- define "gpu-reclaimer.exporter.securityContext" -}}
{{- $context := .Values.exporter.securityContext | default dict | deepCopy }}
{{- $plugin := .Values.exporter.devicePlugin }}
{{- if and $plugin.enabled (or $plugin.mps.root (include "gpu-reclaimer.exporter.watchesMig" .)) }}
{{- $capabilities := $context.capabilities | default dict }}
{{- $added := append ($capabilities.add | default list) "SYS_ADMIN" | uniq }}
{{- $_ := set $context "capabilities" (set $capabilities "add" $added) }}
{{- end }}
{{- toYaml $context }}
{{- end }}

{{/* DaemonSets of NVIDIA's device plugin, by its own names and those of GKE. */}}
{{- define "gpu-reclaimer.found.devicePlugin" -}}
{{- include "gpu-reclaimer.found" (dict "root" . "like" "nvidia-(gpu-)?device-plugin") }}
{{- end }}

{{- define "gpu-reclaimer.exporter.tlsSecret" -}}
{{- .Values.exporter.tlsServerConfig.existingSecret | default (printf "%s-tls" (include "gpu-reclaimer.exporter.fullname" .)) }}
{{- end }}

{{/* DaemonSets of the cluster whose names match a pattern, separated by commas. Takes the root and the pattern. */}}
{{- define "gpu-reclaimer.found" -}}
{{- if .root.Values.lookAround }}
{{- $found := list }}
{{- range (lookup "apps/v1" "DaemonSet" "" "").items }}
{{- if and (regexMatch $.like .metadata.name) (ne (dig "metadata" "labels" "app.kubernetes.io/part-of" "" .) "gpu-reclaimer") }}
{{- $found = append $found (printf "%s/%s" .metadata.namespace .metadata.name) }}
{{- end }}
{{- end }}
{{- join ", " $found }}
{{- end }}
{{- end }}

{{/* Pod Security level that a namespace enforces; empty if it has none, or the namespace is unknown. Takes the root and the
  namespace. */}}
{{- define "gpu-reclaimer.found.podSecurity" -}}
{{- if .root.Values.lookAround }}
{{- $namespace := lookup "v1" "Namespace" "" .namespace }}
{{- dig "metadata" "labels" "pod-security.kubernetes.io/enforce" "" $namespace }}
{{- end }}
{{- end }}

{{/* Strictest Pod Security level that admits the reclaimer's pods. */}}
{{- define "gpu-reclaimer.reclaimer.podSecurity" -}}
{{- $reclaimer := .Values.reclaimer }}
{{- $pod := $reclaimer.podSecurityContext | default dict }}
{{- $container := $reclaimer.securityContext | default dict }}
{{- $capabilities := $container.capabilities | default dict }}
{{- $added := without ($capabilities.add | default list) "NET_BIND_SERVICE" }}
{{- $seccomp := dig "seccompProfile" "type" (dig "seccompProfile" "type" "" $pod) $container }}
{{- $hostPaths := false }}
{{- range $reclaimer.extraVolumes }}
{{- if hasKey . "hostPath" }}
{{- $hostPaths = true }}
{{- end }}
{{- end }}
{{- if or $hostPaths $added $container.privileged (eq $seccomp "Unconfined") -}}
privileged
{{- else if or (ne (toString (dig "runAsNonRoot" (dig "runAsNonRoot" false $pod) $container)) "true") (eq (toString (dig "runAsUser" (dig "runAsUser" 1 $pod) $container)) "0") (not $seccomp) (ne (toString (dig "allowPrivilegeEscalation" true $container)) "false") (not (has "ALL" ($capabilities.drop | default list))) -}}
baseline
{{- else -}}
restricted
{{- end }}
{{- end }}

{{/* Whether a NetworkPolicy limits connections to the agents. None applies to pods on the host network. */}}
{{- define "gpu-reclaimer.exporter.limitsPeers" -}}
{{- if and .Values.exporter.enabled .Values.exporter.networkPolicy.enabled (not .Values.exporter.hostNetwork) }}yes{{ end }}
{{- end }}

{{/* Peers of the agents: those of the values, otherwise the pods of the cluster; and the reclaimer, if it scrapes them. */}}
{{- define "gpu-reclaimer.exporter.peers" -}}
{{- $peers := .Values.exporter.networkPolicy.from | default (list (dict "namespaceSelector" dict)) }}
{{- if and .Values.exporter.networkPolicy.from .Values.reclaimer.enabled .Values.reclaimer.agents }}
{{- $namespace := dict "matchLabels" (dict "kubernetes.io/metadata.name" .Release.Namespace) }}
{{- $pods := dict "matchLabels" (include "gpu-reclaimer.reclaimer.selector" . | fromYaml) }}
{{- $peers = append $peers (dict "namespaceSelector" $namespace "podSelector" $pods) }}
{{- end }}
{{- toYaml $peers }}
{{- end }}

{{/* Peers of the reclaimer: those of the values, otherwise the pods of the cluster; and the API servers. */}}
{{- define "gpu-reclaimer.reclaimer.peers" -}}
{{- $peers := .Values.reclaimer.networkPolicy.from | default (list (dict "namespaceSelector" dict)) }}
{{- range include "gpu-reclaimer.apiServers" . | fromJsonArray }}
{{- $peers = append $peers (dict "ipBlock" (dict "cidr" .)) }}
{{- end }}
{{- toYaml $peers }}
{{- end }}

{{/* Addresses of the API servers as a JSON array: those of the values, otherwise those that the cluster reports. */}}
{{- define "gpu-reclaimer.apiServers" -}}
{{- $addresses := .Values.reclaimer.networkPolicy.apiServers }}
{{- if and .Values.lookAround (not $addresses) }}
{{- range (lookup "discovery.k8s.io/v1" "EndpointSlice" "default" "kubernetes").endpoints }}
{{- range .addresses }}
{{- $addresses = append $addresses (printf "%s/%s" . (ternary "128" "32" (contains ":" .))) }}
{{- end }}
{{- end }}
{{- end }}
{{- $addresses | uniq | sortAlpha | toJson }}
{{- end }}
