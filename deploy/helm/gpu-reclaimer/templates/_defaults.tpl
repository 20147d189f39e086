{{/* Sets the defaults of missing values; every template includes it first. Values of an older chart
  (helm upgrade --reuse-values) lack newer keys, and a key without a value is null. */}}
{{- define "gpu-reclaimer.defaults" -}}
{{- include "gpu-reclaimer.defaults.fill" (list .Values (.Files.Get "files/defaults/values.yaml" | fromYaml)) }}
{{- end }}

{{/* Takes values and their defaults. A null value removes a field that Kubernetes defines. */}}
{{- define "gpu-reclaimer.defaults.fill" -}}
{{- $values := first . }}
{{- $mayBeMissing := list "podSecurityContext" "securityContext" "resources" "startupProbe" "livenessProbe" "readinessProbe" "tolerations" }}
{{- range $key, $default := last . }}
{{- if not (has $key $mayBeMissing) }}
{{- if kindIs "invalid" (index $values $key) }}
{{- $_ := set $values $key $default }}
{{- else if kindIs "map" $default }}
{{- include "gpu-reclaimer.defaults.fill" (list (index $values $key) $default) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
