{{/* Gives values that are missing their defaults; every template begins with it. Values of an older chart
  (helm upgrade --reuse-values) lack what came since, and a key with nothing behind it has no value. */}}
{{- define "gpu-reclaimer.defaults" -}}
{{- include "gpu-reclaimer.defaults.fill" (list .Values (.Files.Get "files/defaults/values.yaml" | fromYaml)) }}
{{- end }}

{{/* Takes values and their defaults. What Kubernetes defines may be taken away by null, and stays away. */}}
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
