package io.gpureclaimer.reclaimer.cli;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that every command knows, as picocli fills them in; what is null was not given. */
final class Settings {
  @Option(
      names = "--prometheus-url",
      paramLabel = "URL",
      converter = FlagConverters.OfUrl.class,
      description =
          "The Prometheus to ask, with its path prefix and without /api/v1."
              + " Variable GPU_RECLAIMER_PROMETHEUS_URL.")
  @Nullable URI prometheusUrl;

  @Option(
      names = "--prometheus-bearer-token-file",
      paramLabel = "FILE",
      description =
          "Holds a bearer token; read anew for every question."
              + " Variable GPU_RECLAIMER_PROMETHEUS_BEARER_TOKEN_FILE.")
  @Nullable Path prometheusBearerTokenFile;

  @Option(
      names = "--prometheus-username",
      paramLabel = "USER",
      description = "For basic authentication. Variable GPU_RECLAIMER_PROMETHEUS_USERNAME.")
  @Nullable String prometheusUsername;

  @Option(
      names = "--prometheus-password-file",
      paramLabel = "FILE",
      description =
          "Holds the password; read anew for every question."
              + " Variable GPU_RECLAIMER_PROMETHEUS_PASSWORD_FILE.")
  @Nullable Path prometheusPasswordFile;

  @Option(
      names = "--prometheus-ca-file",
      paramLabel = "FILE",
      description =
          "PEM certificates to trust instead of the JVM's."
              + " Variable GPU_RECLAIMER_PROMETHEUS_CA_FILE.")
  @Nullable Path prometheusCaFile;

  @Option(
      names = "--prometheus-tenant",
      paramLabel = "ID",
      description =
          "Sent as X-Scope-OrgID, which Mimir and Cortex expect."
              + " Variable GPU_RECLAIMER_PROMETHEUS_TENANT.")
  @Nullable String prometheusTenant;

  @Option(
      names = "--prometheus-timeout",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description = "For one whole answer; default 60s. Variable GPU_RECLAIMER_PROMETHEUS_TIMEOUT.")
  @Nullable Duration prometheusTimeout;

  @Option(
      names = "--prometheus-form",
      paramLabel = "FORM",
      description =
          "How the evidence is there: ledger, rules or series; default auto, which finds out."
              + " Variable GPU_RECLAIMER_PROMETHEUS_FORM.")
  @Nullable String prometheusForm;

  @Option(
      names = "--prometheus-labels",
      paramLabel = "STYLE",
      description =
          "How an exporter's series name pods: plain, exported or old; default auto, which finds"
              + " out. Variable GPU_RECLAIMER_PROMETHEUS_LABELS.")
  @Nullable String prometheusLabels;

  @Option(
      names = "--signals",
      paramLabel = "KIND",
      split = ",",
      description =
          "What else is looked at, separated by commas, or none; default"
              + " power,memory,pcie,nvlink,cpu,requests,jupyter. Variable GPU_RECLAIMER_SIGNALS.")
  @Nullable List<String> signals;

  @Option(
      names = "--agents",
      paramLabel = "URL",
      converter = FlagConverters.OfUrl.class,
      split = ",",
      description =
          "Instead of a Prometheus: the agents to scrape, such as http://node-1:9400/metrics,"
              + " separated by commas. Variable GPU_RECLAIMER_AGENTS.")
  @Nullable List<URI> agents;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Where the cluster is; else found as kubectl finds it, or the pod's service account.")
  @Nullable Path kubeconfig;

  @Option(names = "--context", paramLabel = "NAME", description = "Context of the kubeconfig.")
  @Nullable String context;

  @Option(
      names = "--gpu-resources",
      paramLabel = "NAME",
      split = ",",
      description =
          "Under which names the cluster offers whole GPUs, separated by commas; default"
              + " nvidia.com/gpu. Variable GPU_RECLAIMER_GPU_RESOURCES.")
  @Nullable List<String> gpuResources;

  @Option(
      names = "--untouchable-namespaces",
      paramLabel = "NAME",
      split = ",",
      description =
          "Whose pods are never touched, separated by commas, besides the system's and our own;"
              + " default gpu-reclaimer, gpu-exporter, gpu-operator and monitoring."
              + " Variable GPU_RECLAIMER_UNTOUCHABLE_NAMESPACES.")
  @Nullable List<String> untouchableNamespaces;

  @Option(
      names = "--idle-after",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description =
          "How long a workload must have been idle, of whatever class, where no annotation says"
              + " otherwise; by default, interactive and elastic 1h, serving 2h, batch 90m,"
              + " all others 4h."
              + " Variable GPU_RECLAIMER_IDLE_AFTER.")
  @Nullable Duration idleAfter;

  @Option(
      names = "--min-idle-after",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description =
          "The shortest idle time that an annotation may ask for; default 10m."
              + " Variable GPU_RECLAIMER_MIN_IDLE_AFTER.")
  @Nullable Duration minIdleAfter;

  @Option(
      names = "--warn-before",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description =
          "How long before that it is warned; default 15m. Variable GPU_RECLAIMER_WARN_BEFORE.")
  @Nullable Duration warnBefore;

  @Option(
      names = "--min-warn-before",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description =
          "The shortest warning that an annotation may ask for; default 5m."
              + " Variable GPU_RECLAIMER_MIN_WARN_BEFORE.")
  @Nullable Duration minWarnBefore;

  @Option(
      names = "--startup-grace",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description =
          "How long after its start the idle time of a workload begins; default 15m."
              + " Variable GPU_RECLAIMER_STARTUP_GRACE.")
  @Nullable Duration startupGrace;

  @Option(
      names = "--max-evictions",
      paramLabel = "N",
      description = "In one cycle; default 2. Variable GPU_RECLAIMER_MAX_EVICTIONS.")
  @Nullable Integer maxEvictions;

  @Option(
      names = "--max-evictions-per-hour",
      paramLabel = "N",
      description = "In any hour; default 30. Variable GPU_RECLAIMER_MAX_EVICTIONS_PER_HOUR.")
  @Nullable Integer maxEvictionsPerHour;

  @Option(
      names = "--max-namespace-evictions",
      paramLabel = "N",
      description =
          "Of one namespace in one cycle; default 2."
              + " Variable GPU_RECLAIMER_MAX_NAMESPACE_EVICTIONS.")
  @Nullable Integer maxNamespaceEvictions;

  @Option(
      names = "--max-namespace-evictions-per-hour",
      paramLabel = "N",
      description =
          "Of one namespace in any hour; default 10."
              + " Variable GPU_RECLAIMER_MAX_NAMESPACE_EVICTIONS_PER_HOUR.")
  @Nullable Integer maxNamespaceEvictionsPerHour;

  @Option(
      names = "--max-owner-evictions-per-day",
      paramLabel = "N",
      description =
          "Of one owner in any day; a pod that nobody owns is its own, by its name; default 3."
              + " Variable GPU_RECLAIMER_MAX_OWNER_EVICTIONS_PER_DAY.")
  @Nullable Integer maxOwnerEvictionsPerDay;

  @Option(
      names = "--max-gpu-share-per-hour",
      paramLabel = "SHARE",
      description =
          "Which share of the cluster's GPUs may be reclaimed in any hour, 8 GPUs at least; default"
              + " 0.1. Variable GPU_RECLAIMER_MAX_GPU_SHARE_PER_HOUR.")
  @Nullable Double maxGpuSharePerHour;

  @Option(
      names = "--min-coverage",
      paramLabel = "SHARE",
      description =
          "Which share of the running pods with GPUs must be observed for anything to be begun;"
              + " default 0.95. Variable GPU_RECLAIMER_MIN_COVERAGE.")
  @Nullable Double minCoverage;

  @Option(
      names = "--max-idle-jump",
      paramLabel = "SHARE",
      description =
          "By how much the share of idle GPUs may rise from one cycle to the next; default 0.2."
              + " Variable GPU_RECLAIMER_MAX_IDLE_JUMP.")
  @Nullable Double maxIdleJump;

  @Option(
      names = "--settle-after-start",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description =
          "How long a replica only observes after it begins to lead; default 5m."
              + " Variable GPU_RECLAIMER_SETTLE_AFTER_START.")
  @Nullable Duration settleAfterStart;

  @Option(
      names = "--pending-grace",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description =
          "How long a pod must have waited before another is evicted for it; default 30s."
              + " Variable GPU_RECLAIMER_PENDING_GRACE.")
  @Nullable Duration pendingGrace;

  @Option(
      names = "--notify-file",
      paramLabel = "FILE",
      description =
          "YAML that names who gets messages by webhook, and whom annotations may name."
              + " Variable GPU_RECLAIMER_NOTIFY_FILE.")
  @Nullable Path notifyFile;

  /** What was given, by property name. */
  Map<String, Object> properties() {
    var properties = new HashMap<String, Object>();
    put(properties, "prometheus.url", prometheusUrl);
    put(properties, "prometheus.bearer-token-file", prometheusBearerTokenFile);
    put(properties, "prometheus.username", prometheusUsername);
    put(properties, "prometheus.password-file", prometheusPasswordFile);
    put(properties, "prometheus.ca-file", prometheusCaFile);
    put(properties, "prometheus.tenant", prometheusTenant);
    put(properties, "prometheus.timeout", prometheusTimeout);
    put(properties, "prometheus.form", prometheusForm);
    put(properties, "prometheus.labels", prometheusLabels);
    put(properties, "kubernetes.kubeconfig", kubeconfig);
    put(properties, "kubernetes.context", context);
    put(properties, "policy.idle-after", idleAfter);
    put(properties, "policy.classes.interactive", idleAfter);
    put(properties, "policy.classes.serving", idleAfter);
    put(properties, "policy.classes.batch", idleAfter);
    put(properties, "policy.classes.elastic", idleAfter);
    put(properties, "policy.min-idle-after", minIdleAfter);
    put(properties, "policy.warn-before", warnBefore);
    put(properties, "policy.min-warn-before", minWarnBefore);
    put(properties, "policy.startup-grace", startupGrace);
    put(properties, "plan.max-evictions", maxEvictions);
    put(properties, "plan.max-evictions-per-hour", maxEvictionsPerHour);
    put(properties, "plan.max-namespace-evictions", maxNamespaceEvictions);
    put(properties, "plan.max-namespace-evictions-per-hour", maxNamespaceEvictionsPerHour);
    put(properties, "plan.max-owner-evictions-per-day", maxOwnerEvictionsPerDay);
    put(properties, "plan.max-gpu-share-per-hour", maxGpuSharePerHour);
    put(properties, "plan.pending-grace", pendingGrace);
    put(properties, "breaker.min-coverage", minCoverage);
    put(properties, "breaker.max-idle-jump", maxIdleJump);
    put(properties, "breaker.settle-after-start", settleAfterStart);
    put(properties, "notify.file", notifyFile);
    if (signals != null) {
      properties.put("evidence.signals.kinds", List.copyOf(signals));
    }
    if (agents != null) {
      properties.put("direct.agents", agents.stream().map(URI::toString).toList());
    }
    if (gpuResources != null) {
      properties.put("kubernetes.gpu-resources", List.copyOf(gpuResources));
    }
    if (untouchableNamespaces != null) {
      properties.put("kubernetes.untouchable-namespaces", List.copyOf(untouchableNamespaces));
    }
    return properties;
  }

  private static void put(Map<String, Object> properties, String name, @Nullable Object value) {
    if (value != null) {
      properties.put(name, value.toString());
    }
  }
}
