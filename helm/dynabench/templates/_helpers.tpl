{{- define "dynabench.fullname" -}}
{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride | trunc 36 | trimSuffix "-" }}
{{- else if contains "dynabench" .Release.Name }}{{ .Release.Name | trunc 36 | trimSuffix "-" }}
{{- else }}{{ printf "%s-dynabench" .Release.Name | trunc 36 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Labels that choose pods: (list root component) */}}
{{- define "dynabench.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: dynabench
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "dynabench.labels" -}}
{{- $root := index . 0 -}}
{{ include "dynabench.selector" . }}
app.kubernetes.io/part-of: dynabench
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- end }}

{{/* (list root image-values) */}}
{{- define "dynabench.image" -}}
{{- $root := index . 0 -}}{{- $image := index . 1 -}}
{{- if $image.digest }}{{ printf "%s@%s" $image.repository $image.digest }}
{{- else }}{{ printf "%s:%s" $image.repository ($image.tag | default $root.Chart.AppVersion) }}{{ end }}
{{- end }}

{{/* The component whose pods listen for a name of `calls` */}}
{{- define "dynabench.listener" -}}
{{- if has . (list "agent" "torchserve") }}serving{{ else }}{{ . }}-http{{ end }}
{{- end }}

{{/* The address of a name of `calls`: (list root name) */}}
{{- define "dynabench.address" -}}
{{- $root := index . 0 -}}{{- $name := index . 1 -}}
{{ include "dynabench.scheme" $root | lower }}://{{ include "dynabench.fullname" $root }}-{{ $name }}:{{ ternary 8085 8000 (eq $name "torchserve") }}
{{- end }}

{{- define "dynabench.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "dynabench.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Shared parts of all our pods: (list root placement-values component) */}}
{{- define "dynabench.placement" -}}
{{- $root := index . 0 -}}{{- $place := index . 1 -}}{{- $component := index . 2 -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $place.priorityClassName | default $root.Values.placement.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $place.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- with $place.nodeSelector | default $root.Values.placement.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $place.tolerations | default $root.Values.placement.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if $component }}
topologySpreadConstraints:
  {{- range $root.Values.placement.spreadOver }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "dynabench.selector" (list $root $component) | nindent 8 }}
  {{- end }}
{{- end }}
{{- end }}

{{/*
Add the defaults that values lack: an upgrade with --reuse-values brings those of the former chart. What stands under
`resources` is left alone, since null removes a limit there. (list values defaults)
*/}}
{{- define "dynabench.complete" -}}
{{- $values := index . 0 -}}
{{- range $key, $default := index . 1 -}}
{{- if not (hasKey $values $key) }}{{ $_ := set $values $key $default }}
{{- else if and (kindIs "map" $default) (kindIs "map" (get $values $key)) (ne $key "resources") }}{{ include "dynabench.complete" (list (get $values $key) $default) }}
{{- end -}}
{{- end -}}
{{- end }}
{{- define "dynabench.begin" -}}
{{- include "dynabench.complete" (list .Values (.Files.Get "files/values.yaml" | fromYaml)) -}}
{{- end }}

{{/* A suffix for Jobs, which can't be changed. It names values and chart too: outside of a cluster each revision is 1 */}}
{{- define "dynabench.revision" -}}
{{ list .Release.Revision .Chart.Version .Values | toJson | sha256sum | trunc 6 }}
{{- end }}

{{/* A reference to a key of a Secret: (list name key) */}}
{{- define "dynabench.secretKey" -}}
valueFrom:
  secretKeyRef:
    name: {{ index . 0 }}
    key: {{ index . 1 }}
{{- end }}

{{/* The Secret of a name: the one in the values, or the generated one of a quickstart: (list root existingSecret what) */}}
{{- define "dynabench.secretName" -}}
{{- $root := index . 0 -}}
{{- if index . 1 }}{{ index . 1 }}
{{- else if $root.Values.quickstart.enabled }}{{ include "dynabench.fullname" $root }}-quickstart-{{ index . 2 | kebabcase }}
{{- else }}{{ fail (printf "%s.existingSecret must name a Secret, unless quickstart.enabled is true" (index . 2)) }}{{ end }}
{{- end }}

{{/* The database role of a service's processes, and the key of its password: (list root service) */}}
{{- define "dynabench.runningRole" -}}
{{- $pg := (index . 0).Values.postgresql -}}
{{ $pg.prefix }}{{ index . 1 }}{{ if $pg.runningRoles }}_app{{ end }}
{{- end }}
{{- define "dynabench.runningKey" -}}
{{ index . 1 }}{{ if (index . 0).Values.postgresql.runningRoles }}-app{{ end }}-password
{{- end }}

{{/* Database settings of a service, as entries of env: (list root service) */}}
{{- define "dynabench.databaseEnv" -}}
{{- $root := index . 0 -}}{{- $service := index . 1 -}}{{- $pg := $root.Values.postgresql -}}{{- $role := include "dynabench.runningRole" . -}}
- name: DATABASE_PASSWORD
  {{- include "dynabench.secretKey" (list (include "dynabench.secretName" (list $root $pg.existingSecret "postgresql")) (include "dynabench.runningKey" .)) | nindent 2 }}
- name: DATABASE_URL
  value: {{ printf "postgresql+psycopg2://%s:$(DATABASE_PASSWORD)@%s:%v/%s%s?sslmode=%s" $role (include "dynabench.postgresHost" $root) $pg.port $pg.prefix $service (include "dynabench.sslmode" $root) | quote }}
{{- if $pg.direct.host }}
- name: DATABASE_DIRECT_URL
  value: {{ printf "postgresql+psycopg2://%s:$(DATABASE_PASSWORD)@%s:%v/%s%s?sslmode=%s" $role $pg.direct.host $pg.direct.port $pg.prefix $service (include "dynabench.sslmode" $root) | quote }}
{{- end }}
{{- end }}

{{/* Settings of migrations, which also connect as its owner: (list root service) */}}
{{- define "dynabench.databaseOwnerEnv" -}}
{{- $root := index . 0 -}}{{- $service := index . 1 -}}{{- $pg := $root.Values.postgresql -}}
{{- if $pg.runningRoles }}
{{- $host := $pg.direct.host | default (include "dynabench.postgresHost" $root) -}}{{- $port := ternary $pg.direct.port $pg.port (ne $pg.direct.host "") }}
- name: DATABASE_OWNER_PASSWORD
  {{- include "dynabench.secretKey" (list (include "dynabench.secretName" (list $root $pg.existingSecret "postgresql")) (printf "%s-password" $service)) | nindent 2 }}
- name: DATABASE_OWNER_URL
  value: {{ printf "postgresql+psycopg2://%s%s:$(DATABASE_OWNER_PASSWORD)@%s:%v/%s%s?sslmode=%s" $pg.prefix $service $host $port $pg.prefix $service (include "dynabench.sslmode" $root) | quote }}
{{- end }}
{{- end }}

{{/* The maximum number of a process's pods, for limits shared by all of them: (values of the process) */}}
{{- define "dynabench.mostReplicas" -}}
{{- if .autoscaling.enabled }}{{ .autoscaling.maxReplicas }}{{ else if .keda.enabled }}{{ .keda.maxReplicas }}{{ else }}{{ .replicas }}{{ end }}
{{- end }}

{{- define "dynabench.sslmode" -}}
{{- if .Values.quickstart.enabled }}disable{{ else }}{{ .Values.postgresql.sslmode }}{{ end }}
{{- end }}

{{- define "dynabench.postgresHost" -}}
{{- if .Values.quickstart.enabled }}{{ include "dynabench.fullname" . }}-postgres
{{- else }}{{ required "postgresql.host must name the server, unless quickstart.enabled is true" .Values.postgresql.host }}{{ end }}
{{- end }}

{{- define "dynabench.brokers" -}}
{{- if .Values.quickstart.enabled }}{{ include "dynabench.fullname" . }}-kafka:9092
{{- else if .Values.kafka.brokers }}{{ join "," .Values.kafka.brokers }}
{{- else }}{{ fail "kafka.brokers must name at least one broker, unless quickstart.enabled is true" }}{{ end }}
{{- end }}

{{/* The place of a service's password for the brokers: (list root service) */}}
{{- define "dynabench.kafkaPassword" -}}
{{- $root := index . 0 -}}{{- $kafka := $root.Values.kafka -}}
{{- if and $kafka.secretPerUser (not $root.Values.quickstart.enabled) }}
{{- include "dynabench.secretKey" (list (printf "%s%s" $kafka.prefix (index . 1)) "password") }}
{{- else }}
{{- include "dynabench.secretKey" (list (include "dynabench.secretName" (list $root $kafka.existingSecret "kafka")) (printf "%s-password" (index . 1))) }}
{{- end }}
{{- end }}

{{/* The brokers' address for a service whose password is in a variable: (list root service variable) */}}
{{- define "dynabench.kafkaAddress" -}}
{{- $root := index . 0 -}}{{- $kafka := $root.Values.kafka -}}
{{- $scheme := ternary "scram" $kafka.authentication $root.Values.quickstart.enabled -}}
{{- $authorities := ternary "?authorities=/etc/dynabench/trusted/kafka.crt" "" (ne $kafka.authority.secret "") -}}
{{ printf "%s://%s%s:$(%s)@%s%s" $scheme $kafka.prefix (index . 1) (index . 2) (include "dynabench.brokers" $root) $authorities | quote }}
{{- end }}

{{/* The brokers' address and credentials: (list root service) */}}
{{- define "dynabench.eventsEnv" -}}
{{- $root := index . 0 -}}{{- $service := index . 1 -}}{{- $kafka := $root.Values.kafka -}}
{{- if and (eq $kafka.authentication "none") (not $root.Values.quickstart.enabled) }}
- name: KAFKA_BOOTSTRAP_SERVERS
  value: {{ include "dynabench.brokers" $root | quote }}
{{- else }}
- name: KAFKA_PASSWORD
  {{- include "dynabench.kafkaPassword" . | nindent 2 }}
- name: KAFKA_BOOTSTRAP_SERVERS
  value: {{ include "dynabench.kafkaAddress" (append . "KAFKA_PASSWORD") }}
{{- end }}
{{- end }}

{{- define "dynabench.objectsEnv" -}}
{{- if or .Values.objectStore.existingSecret .Values.quickstart.enabled }}
{{- $secret := include "dynabench.secretName" (list . .Values.objectStore.existingSecret "objectStore") }}
- name: AWS_ACCESS_KEY_ID
  {{- include "dynabench.secretKey" (list $secret "access-key-id") | nindent 2 }}
- name: AWS_SECRET_ACCESS_KEY
  {{- include "dynabench.secretKey" (list $secret "secret-access-key") | nindent 2 }}
{{- end }}
{{- end }}

{{- define "dynabench.objectsEndpoint" -}}
{{- if .Values.quickstart.enabled }}http://{{ include "dynabench.fullname" . }}-s3:8333{{ else }}{{ .Values.objectStore.endpointUrl }}{{ end }}
{{- end }}

{{/* Authorities of one's own: one ConfigMap for all stores, and a Secret for each of them; Kafka's is in its address. */}}
{{- define "dynabench.trustEnv" -}}
{{- $all := "" -}}
{{- if .Values.trustedCertificates.configMap }}{{ $all = printf "/etc/dynabench/trusted/%s" .Values.trustedCertificates.key }}{{ end -}}
{{- with $all }}
- name: SSL_CERT_FILE
  value: {{ . }}
{{- end }}
{{- with ternary "/etc/dynabench/trusted/s3.crt" $all (ne .Values.objectStore.authority.secret "") }}
- name: AWS_CA_BUNDLE
  value: {{ . }}
{{- end }}
{{- with ternary "/etc/dynabench/trusted/postgresql.crt" $all (ne .Values.postgresql.authority.secret "") }}
- name: PGSSLROOTCERT
  value: {{ . }}
{{- end }}
{{- end }}

{{/* Their mounted parts, as sources of a projected volume */}}
{{- define "dynabench.trusted" -}}
{{- with .Values.trustedCertificates }}{{ if .configMap }}
- configMap:
    name: {{ .configMap }}
    items:
      - {key: {{ .key }}, path: {{ .key }}}
{{- end }}{{ end }}
{{- range $file, $of := dict "postgresql" .Values.postgresql "kafka" .Values.kafka "s3" .Values.objectStore }}{{ with $of.authority }}{{ if .secret }}
- secret:
    name: {{ .secret }}
    items:
      - {key: {{ .key }}, path: {{ $file }}.crt}
{{- end }}{{ end }}{{ end }}
{{- end }}

{{- define "dynabench.trustMount" -}}
{{- if include "dynabench.trusted" . }}
- name: trusted
  mountPath: /etc/dynabench/trusted
  readOnly: true
{{- end }}
{{- end }}

{{- define "dynabench.trustVolume" -}}
{{- with include "dynabench.trusted" . }}
- name: trusted
  projected:
    sources: {{- . | nindent 6 }}
{{- end }}
{{- end }}

{{/* The scheme between our processes, as probes name it */}}
{{- define "dynabench.scheme" -}}
{{- ternary "HTTPS" "HTTP" .Values.tls.enabled }}
{{- end }}

{{- define "dynabench.tlsMount" -}}
{{- if .Values.tls.enabled }}
- name: tls
  mountPath: /etc/dynabench/tls
  readOnly: true
{{- end }}
{{- end }}

{{/* Certificate, key and authority of the listener with a name, or the authority alone: (list root name listens) */}}
{{- define "dynabench.tlsVolume" -}}
{{- $root := index . 0 -}}{{- $tls := $root.Values.tls -}}
{{- if $tls.enabled }}
- name: tls
  secret:
    secretName: {{ required "tls.existingSecret must name a Secret, where tls.enabled is true" $tls.existingSecret }}{{ if $tls.secretPerService }}-{{ index . 1 }}{{ end }}
    defaultMode: 0440
    {{- if not (index . 2) }}
    items:
      - {key: ca.crt, path: ca.crt}
    {{- end }}
{{- end }}
{{- end }}

{{/* Plain settings of a process, as a map in YAML: (list root name process) */}}
{{- define "dynabench.settings" -}}
{{- $root := index . 0 -}}{{- $name := index . 1 -}}{{- $process := index . 2 -}}{{- $values := index $root.Values.processes $name -}}
{{- $stores := $process.stores | default list -}}
{{- $given := dict "LOG_LEVEL" $root.Values.logLevel "OMP_NUM_THREADS" "1" "OPENBLAS_NUM_THREADS" "1" -}}
{{- if $root.Values.metrics.existingSecret }}{{ $_ := set $given "METRICS_BIND" "0.0.0.0:9102" }}{{ end -}}
{{- if $root.Values.tracing.endpoint -}}
{{- $_ := set $given "OTEL_EXPORTER_OTLP_ENDPOINT" $root.Values.tracing.endpoint -}}
{{- $_ := set $given "OTEL_TRACES_SAMPLER_ARG" (toString $root.Values.tracing.ratio) -}}
{{- end -}}
{{- if eq $process.faces "worker" }}{{ $_ := set $given "WORKER_ALIVE_FILE" "/tmp/worker-alive" }}{{ end -}}
{{- if has $process.faces (list "http" "agent") -}}
{{- $_ := set $given "HTTP_BIND" "0.0.0.0:8000" -}}
{{- $_ := set $given "PUBLIC_URL" $root.Values.publicUrl -}}
{{- if $root.Values.tls.enabled -}}
{{- $_ := set $given "HTTP_CERTIFICATE_FILE" "/etc/dynabench/tls/tls.crt" -}}
{{- $_ := set $given "HTTP_PRIVATE_KEY_FILE" "/etc/dynabench/tls/tls.key" -}}
{{- end -}}
{{- end -}}
{{- if and $root.Values.tls.enabled $process.calls }}{{ $_ := set $given "HTTP_AUTHORITIES_FILE" "/etc/dynabench/tls/ca.crt" }}{{ end -}}
{{- if has $name (list "annotation-http" "gateway-http") }}{{ $_ := set $given "HTTP_REPLICAS" (include "dynabench.mostReplicas" $values) }}{{ end -}}
{{- if has $name (list "annotation-worker" "accounts-worker" "validation-worker") }}{{ $_ := set $given "PUBLIC_URL" $root.Values.publicUrl }}{{ end -}}
{{- range concat ($process.calls | default list) ($process.addresses | default list) -}}
{{- if eq . "accounts" -}}
{{- $_ := set $given "JWKS_URL" (printf "%s/api/accounts/v1/jwks" (include "dynabench.address" (list $root .))) -}}
{{- if or (eq $name "web-http") (eq $process.service "crowd") }}{{ $_ := set $given "ACCOUNTS_URL" (include "dynabench.address" (list $root .)) }}{{ end -}}
{{- else if eq . "torchserve" -}}
{{- $_ := set $given "TORCHSERVE_INFERENCE_URL" (include "dynabench.address" (list $root .)) -}}
{{- $_ := set $given "TORCHSERVE_KEY_FILE" "/dev/null" -}}
{{- else -}}
{{- $_ := set $given (printf "%s_URL" (upper .)) (include "dynabench.address" (list $root .)) -}}
{{- end -}}
{{- end -}}
{{- if has "objects" $stores -}}
{{- with include "dynabench.objectsEndpoint" $root }}{{ $_ := set $given "S3_ENDPOINT_URL" . }}{{ end -}}
{{- $_ := set $given "S3_REGION" $root.Values.objectStore.region -}}
{{- $_ := set $given "S3_BUCKET" $root.Values.objectStore.bucket -}}
{{- with $root.Values.objectStore.keyPrefix }}{{ $_ := set $given "S3_KEY_PREFIX" . }}{{ end -}}
{{- end -}}
{{- if and $root.Values.objectStore.publicEndpointUrl (or (has "objects" $stores) (eq $name "web-http")) }}{{ $_ := set $given "S3_PUBLIC_ENDPOINT_URL" $root.Values.objectStore.publicEndpointUrl }}{{ end -}}
{{- if and $root.Values.kafka.topicPrefix (or (has "events" $stores) $process.kafka) }}{{ $_ := set $given "KAFKA_TOPIC_PREFIX" $root.Values.kafka.topicPrefix }}{{ end -}}
{{- if $process.signingKey -}}
{{- $_ := set $given "SIGNING_KEY_FILE" "/run/dynabench/signing-key.json" -}}
{{- $_ := set $given "MALLOC_ARENA_MAX" "2" -}}
{{- $_ := set $given "MALLOC_MMAP_THRESHOLD_" "131072" -}}
{{- end -}}
{{- if eq ($process.reaches | default "") "mail" -}}
{{- $_ := set $given "MAIL_SENDER" $root.Values.mail.sender -}}
{{- if $root.Values.mail.host -}}
{{- $_ := set $given "SMTP_HOST" $root.Values.mail.host -}}
{{- $_ := set $given "SMTP_PORT" (toString $root.Values.mail.port) -}}
{{- $_ := set $given "SMTP_TLS" $root.Values.mail.tls -}}
{{- end -}}
{{- end -}}
{{- if $process.issuers -}}
{{- if $root.Values.signIn.existingSecret }}{{ $_ := set $given "SIGN_IN_ISSUERS" "/etc/dynabench/issuers/issuers.json" }}{{ end -}}
{{- if $root.Values.signIn.secondFactorRequired }}{{ $_ := set $given "SECOND_FACTOR_REQUIRED" "true" }}{{ end -}}
{{- end -}}
{{- if $process.platforms -}}
{{- if $root.Values.crowd.existingSecret }}{{ $_ := set $given "CROWD_PLATFORMS" "/etc/dynabench/crowd/platforms.json" }}{{ end -}}
{{- with $root.Values.crowd.floorHourly }}{{ $_ := set $given "CROWD_FLOOR_HOURLY_MINOR" . }}{{ end -}}
{{- with $root.Values.crowd.recommendedHourly }}{{ $_ := set $given "CROWD_RECOMMENDED_HOURLY_MINOR" . }}{{ end -}}
{{- end -}}
{{- if $process.models }}{{ $_ := set $given "MODELS_FILE" "/etc/dynabench/models/models.yaml" }}{{ $_ := set $given "WORK_FOLDER" "/tmp/submissions" }}{{ $_ := set $given "SANDBOXES" (toString $root.Values.sandboxes.mostAtOnce) }}{{ end -}}
{{- toYaml (mergeOverwrite $given (deepCopy ($values.settings | default dict))) -}}
{{- end }}

{{/* Secrets of a process, as entries of env: (list root name process) */}}
{{- define "dynabench.secretEnv" -}}
{{- $root := index . 0 -}}{{- $name := index . 1 -}}{{- $process := index . 2 -}}
{{- $stores := $process.stores | default list -}}
{{- $tokens := include "dynabench.secretName" (list $root $root.Values.serviceTokens.existingSecret "serviceTokens") }}
{{- if not (or (eq $process.service "accounts") (eq $name "leaderboard-worker")) }}
- name: SERVICE_TOKEN
  {{- include "dynabench.secretKey" (list $tokens $process.service) | nindent 2 }}
{{- end }}
{{- if $process.calledByServices }}
- name: SERVICE_TOKEN_DIGESTS
  {{- include "dynabench.secretKey" (list $tokens "digests") | nindent 2 }}
{{- end }}
{{- if has "database" $stores }}
{{ include "dynabench.databaseEnv" (list $root $process.service) }}
{{- end }}
{{- if or (has "events" $stores) $process.kafka }}
{{- include "dynabench.eventsEnv" (list $root $process.service) }}
{{- end }}
{{- if has "objects" $stores }}
{{- include "dynabench.objectsEnv" $root }}
{{- end }}
{{- if and (eq ($process.reaches | default "") "mail") $root.Values.mail.existingSecret }}
- name: SMTP_USER
  {{- include "dynabench.secretKey" (list $root.Values.mail.existingSecret "user") | nindent 2 }}
- name: SMTP_PASSWORD
  {{- include "dynabench.secretKey" (list $root.Values.mail.existingSecret "password") | nindent 2 }}
{{- end }}
{{- with $root.Values.metrics.existingSecret }}
- name: METRICS_TOKEN
  {{- include "dynabench.secretKey" (list . "metrics-token") | nindent 2 }}
{{- end }}
{{- include "dynabench.trustEnv" $root }}
{{- end }}
