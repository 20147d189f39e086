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
  private static final List<CommonFlag> FLAGS =
      List.of(
          flag(
              "--prometheus-url=URL",
              "Prometheus to query, with its path prefix and without /api/v1.",
              "prometheus.url"),
          flag(
              "--prometheus-bearer-token-file=FILE",
              "File with a bearer token; read for every query.",
              "prometheus.bearer-token-file"),
          flag(
              "--prometheus-username=USER",
              "User for basic authentication.",
              "prometheus.username"),
          flag(
              "--prometheus-password-file=FILE",
              "File with the password; read for every query.",
              "prometheus.password-file"),
          flag(
              "--prometheus-ca-file=FILE",
              "PEM certificates to trust instead of those of the JVM.",
              "prometheus.ca-file"),
          flag(
              "--prometheus-tenant=ID",
              "Sent as X-Scope-OrgID, which Mimir and Cortex expect.",
              "prometheus.tenant"),
          flag(
              "--prometheus-timeout=DURATION",
              "Timeout of one query; default 60s.",
              "prometheus.timeout"),
          flag(
              "--prometheus-form=FORM",
              "Evidence format: ledger, rules or series; default auto-detect.",
              "prometheus.form"),
          flag(
              "--prometheus-labels=STYLE",
              "Label style of the series: plain, exported or old; default auto-detect.",
              "prometheus.labels"),
          flag(
              "--signals=KIND,...",
              "Signals to query, separated by commas, or none; default "
                  + "power,memory,pcie,nvlink,cpu,requests,jupyter.",
              "evidence.signals.kinds"),
          flag(
              "--agents=URL,...",
              "Agents to scrape instead of a Prometheus, such as http://node-1:9400/metrics, "
                  + "separated by commas.",
              "direct.agents"),
          flag(
              "--kubeconfig=FILE",
              "Kubeconfig of the cluster; default as for kubectl, or the pod's service account.",
              "kubernetes.kubeconfig"),
          flag("--context=NAME", "Context of the kubeconfig.", "kubernetes.context"),
          flag(
              "--gpu-resources=NAME,...",
              "Resource names of whole GPUs, separated by commas; default nvidia.com/gpu.",
              "kubernetes.gpu-resources"),
          flag(
              "--untouchable-namespaces=NAME,...",
              "Excluded namespaces, separated by commas, in addition to system "
                  + "namespaces; default gpu-reclaimer, gpu-exporter, gpu-operator and "
                  + "monitoring.",
              "kubernetes.untouchable-namespaces"),
          flag(
              "--idle-after=DURATION",
              "Idle time before an action, for all classes, unless an annotation sets it; default"
                  + " interactive and elastic 1h, serving 2h, batch 90m, others 4h.",
              "policy.idle-after"),
          flag(
              "--min-idle-after=DURATION",
              "Shortest idle time that an annotation may set; default 10m.",
              "policy.min-idle-after"),
          flag(
              "--warn-before=DURATION",
              "Time between warning and action; default 15m.",
              "policy.warn-before"),
          flag(
              "--min-warn-before=DURATION",
              "Shortest time between warning and action that an annotation may set; default 5m.",
              "policy.min-warn-before"),
          flag(
              "--startup-grace=DURATION",
              "Time after the start of a workload that does not count as idle; default 15m.",
              "policy.startup-grace"),
          flag(
              "--max-evictions=N|P%",
              "Maximum evictions in one cycle: a number, or a share of the cluster's GPUs, but 2 at"
                  + " least; default 0.4%.",
              "plan.max-evictions"),
          flag(
              "--max-evictions-per-hour=N|P%",
              "Maximum evictions in any hour: a number, or a share of the cluster's GPUs, but 30 at"
                  + " least; default 6%.",
              "plan.max-evictions-per-hour"),
          flag(
              "--max-namespace-evictions=N",
              "Maximum evictions in one namespace and cycle; default 2.",
              "plan.max-namespace-evictions"),
          flag(
              "--max-namespace-evictions-per-hour=N",
              "Maximum evictions in one namespace in any hour; default 10.",
              "plan.max-namespace-evictions-per-hour"),
          flag(
              "--max-owner-evictions-per-day=N",
              "Maximum evictions of one owner in any day; a pod without an owner "
                  + "counts by its name;"
                  + " default 3.",
              "plan.max-owner-evictions-per-day"),
          flag(
              "--max-gpu-share-per-hour=SHARE",
              "Maximum share of the cluster's GPUs reclaimed in any hour, at least 8 GPUs; default"
                  + " 0.1.",
              "plan.max-gpu-share-per-hour"),
          flag(
              "--min-coverage=SHARE",
              "Minimum share of running GPU pods that must be observed for any warning or action;"
                  + " default 0.95.",
              "breaker.min-coverage"),
          flag(
              "--max-idle-jump=SHARE",
              "Maximum increase of the idle-GPU share between two cycles, over pods past their"
                  + " startup grace; 1 is no limit; default 0.2.",
              "breaker.max-idle-jump"),
          flag(
              "--settle-after-start=DURATION",
              "Time after which a new leader may act; default 5m.",
              "breaker.settle-after-start"),
          flag(
              "--past=DURATION",
              "How far back the past of idle workloads is read, at most once an hour, to choose those"
                  + " that are unlikely to be needed again; 1d to 30d, 0s for not at all;"
                  + " default 7d.",
              "evidence.past"),
          flag(
              "--max-need-probability=P",
              "Highest probability of being needed again within an hour with which a workload is"
                  + " still reclaimed for a pending pod: above 0 to 1; default auto, which is 0.1,"
                  + " and no limit where --idle-after or an annotation sets at most the idle time of"
                  + " its class.",
              "plan.max-need-probability"),
          flag(
              "--pending-grace=DURATION",
              "Time a pod must be pending before another is evicted for it; default 30s.",
              "plan.pending-grace"),
          flag(
              "--nominate-nodes",
              "Set status.nominatedNodeName of a pending pod to the node where GPUs are freed for it,"
                  + " so that pods of the same or a lower priority cannot take them. Needs the"
                  + " right to patch pods/status.",
              "plan.nominate-nodes"),
          flag(
              "--wait-for-others=DURATION",
              "Time for which nothing is reclaimed for a pending pod that a preempting scheduler or"
                  + " an autoscaler is about to serve; 0s ignores them; default 10m.",
              "plan.wait-for-others"),
          flag(
              "--keep-free=FLOOR,...",
              "GPUs of a model that are kept free: 8xH100, 2x8xH100 for 2 nodes with 8 each, or"
                  + " 4xH100:mig-1g.10gb; the model is a part of the node label"
                  + " nvidia.com/gpu.product.",
              "plan.keep-free"),
          flag("--notify-file=FILE", "YAML file with the receivers of messages.", "notify.file"));

  private record CommonFlag(
      String name, String label, boolean isList, String description, List<String> properties) {

    OptionSpec option() {
      String variable =
          EnvironmentVariables.variable(name).map(text -> " Variable " + text + ".").orElse("");
      OptionSpec.Builder option =
          OptionSpec.builder(name)
              .paramLabel(label)
              .description((description + variable).replace("%", "%%"));
      if (label.isEmpty()) {
        option.type(Boolean.class).arity("0..1").fallbackValue("true").paramLabel("BOOL");
      } else if (isList) {
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
    for (CommonFlag flag : FLAGS) {
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

  /**
   * A flag of the form {@code --name=LABEL}, {@code --name=LABEL,...} for a list, or {@code --name}
   * for what is off without it.
   */
  private static CommonFlag flag(String form, String description, String... properties) {
    boolean isList = form.endsWith(LIST);
    String[] parts =
        (isList ? form.substring(0, form.length() - LIST.length()) : form).split("=", 2);
    return new CommonFlag(
        parts[0], parts.length == 2 ? parts[1] : "", isList, description, List.of(properties));
  }
}
