package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.cli.CommandLineProgram.EnvironmentVariables;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The flags that all commands have, with the properties that they set. */
final class CommonFlags {
  private static final String LIST = ",...";
  private static final List<Flag> FLAGS =
      List.of(
          flag(
              "--prometheus-url=URL",
              "The Prometheus to ask, with its path prefix and without /api/v1.",
              "prometheus.url"),
          flag(
              "--prometheus-bearer-token-file=FILE",
              "Holds a bearer token; read anew for every question.",
              "prometheus.bearer-token-file"),
          flag("--prometheus-username=USER", "For basic authentication.", "prometheus.username"),
          flag(
              "--prometheus-password-file=FILE",
              "Holds the password; read anew for every question.",
              "prometheus.password-file"),
          flag(
              "--prometheus-ca-file=FILE",
              "PEM certificates to trust instead of the JVM's.",
              "prometheus.ca-file"),
          flag(
              "--prometheus-tenant=ID",
              "Sent as X-Scope-OrgID, which Mimir and Cortex expect.",
              "prometheus.tenant"),
          flag(
              "--prometheus-timeout=DURATION",
              "For one whole answer; default 60s.",
              "prometheus.timeout"),
          flag(
              "--prometheus-form=FORM",
              "How the evidence is there: ledger, rules or series; default auto, which finds out.",
              "prometheus.form"),
          flag(
              "--prometheus-labels=STYLE",
              "How an exporter's series name pods: plain, exported or old; default auto, which "
                  + "finds out.",
              "prometheus.labels"),
          flag(
              "--signals=KIND,...",
              "What else is looked at, separated by commas, or none; default "
                  + "power,memory,pcie,nvlink,cpu,requests,jupyter.",
              "evidence.signals.kinds"),
          flag(
              "--agents=URL,...",
              "Instead of a Prometheus: the agents to scrape, such as http://node-1:9400/metrics, "
                  + "separated by commas.",
              "direct.agents"),
          flag(
              "--kubeconfig=FILE",
              "Where the cluster is; else found as kubectl finds it, or the pod's service account.",
              "kubernetes.kubeconfig"),
          flag("--context=NAME", "Context of the kubeconfig.", "kubernetes.context"),
          flag(
              "--gpu-resources=NAME,...",
              "Under which names the cluster offers whole GPUs, separated by commas; default "
                  + "nvidia.com/gpu.",
              "kubernetes.gpu-resources"),
          flag(
              "--untouchable-namespaces=NAME,...",
              "Whose pods are never touched, separated by commas, besides the system's and our own;"
                  + " default gpu-reclaimer, gpu-exporter, gpu-operator and monitoring.",
              "kubernetes.untouchable-namespaces"),
          flag(
              "--idle-after=DURATION",
              "How long a workload must have been idle, of whatever class, where no annotation says"
                  + " otherwise; by default, interactive and elastic 1h, serving 2h, batch 90m, all"
                  + " others 4h.",
              "policy.idle-after",
              "policy.classes.interactive",
              "policy.classes.serving",
              "policy.classes.batch",
              "policy.classes.elastic"),
          flag(
              "--min-idle-after=DURATION",
              "The shortest idle time that an annotation may ask for; default 10m.",
              "policy.min-idle-after"),
          flag(
              "--warn-before=DURATION",
              "How long before that it is warned; default 15m.",
              "policy.warn-before"),
          flag(
              "--min-warn-before=DURATION",
              "The shortest warning that an annotation may ask for; default 5m.",
              "policy.min-warn-before"),
          flag(
              "--startup-grace=DURATION",
              "How long after its start the idle time of a workload begins; default 15m.",
              "policy.startup-grace"),
          flag("--max-evictions=N", "In one cycle; default 2.", "plan.max-evictions"),
          flag(
              "--max-evictions-per-hour=N",
              "In any hour; default 30.",
              "plan.max-evictions-per-hour"),
          flag(
              "--max-namespace-evictions=N",
              "Of one namespace in one cycle; default 2.",
              "plan.max-namespace-evictions"),
          flag(
              "--max-namespace-evictions-per-hour=N",
              "Of one namespace in any hour; default 10.",
              "plan.max-namespace-evictions-per-hour"),
          flag(
              "--max-owner-evictions-per-day=N",
              "Of one owner in any day; a pod that nobody owns is its own, by its name; default 3.",
              "plan.max-owner-evictions-per-day"),
          flag(
              "--max-gpu-share-per-hour=SHARE",
              "Which share of the cluster's GPUs may be reclaimed in any hour, 8 GPUs at least; "
                  + "default 0.1.",
              "plan.max-gpu-share-per-hour"),
          flag(
              "--min-coverage=SHARE",
              "Which share of the running pods with GPUs must be observed for anything to be begun;"
                  + " default 0.95.",
              "breaker.min-coverage"),
          flag(
              "--max-idle-jump=SHARE",
              "By how much the share of idle GPUs may rise from one cycle to the next, counted over"
                  + " pods past their startup grace; 1 is no limit; default 0.2.",
              "breaker.max-idle-jump"),
          flag(
              "--settle-after-start=DURATION",
              "How long a replica only observes after it begins to lead; default 5m.",
              "breaker.settle-after-start"),
          flag(
              "--pending-grace=DURATION",
              "How long a pod must have waited before another is evicted for it; default 30s.",
              "plan.pending-grace"),
          flag(
              "--notify-file=FILE",
              "YAML that names who gets messages by webhook, and whom annotations may name.",
              "notify.file"));

  private record Flag(
      String name, String label, boolean isList, String description, List<String> properties) {

    OptionSpec option() {
      String variable =
          EnvironmentVariables.variable(name).map(text -> " Variable " + text + ".").orElse("");
      OptionSpec.Builder option =
          OptionSpec.builder(name).paramLabel(label).description(description + variable);
      if (isList) {
        option.type(List.class).auxiliaryTypes(type()).splitRegex(",");
      } else {
        option.type(type());
      }
      switch (label) {
        case "URL" -> option.converters(new FlagConverters.OfUrl());
        case "DURATION" -> option.converters(new FlagConverters.OfDuration());
        default -> {}
      }
      return option.build();
    }

    private Class<?> type() {
      return switch (label) {
        case "URL" -> URI.class;
        case "FILE" -> Path.class;
        case "DURATION" -> Duration.class;
        case "N" -> Integer.class;
        case "SHARE" -> Double.class;
        default -> String.class;
      };
    }
  }

  private CommonFlags() {}

  static void addTo(CommandSpec command) {
    FLAGS.forEach(flag -> command.addOption(flag.option()));
  }

  /** The values that were given, by property name. */
  static Map<String, Object> properties(CommandSpec command) {
    var properties = new HashMap<String, Object>();
    for (Flag flag : FLAGS) {
      Object value = command.findOption(flag.name()).getValue();
      if (value != null) {
        Object text =
            value instanceof List<?> list
                ? list.stream().map(Object::toString).toList()
                : value.toString();
        flag.properties().forEach(property -> properties.put(property, text));
      }
    }
    return properties;
  }

  /** A flag of the form {@code --name=LABEL}, or {@code --name=LABEL,...} for a list. */
  private static Flag flag(String form, String description, String... properties) {
    boolean isList = form.endsWith(LIST);
    String[] parts =
        (isList ? form.substring(0, form.length() - LIST.length()) : form).split("=", 2);
    return new Flag(parts[0], parts[1], isList, description, List.of(properties));
  }
}
