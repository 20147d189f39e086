package io.gpureclaimer.exporter.cli;

import com.google.re2j.PatternSyntaxException;
import io.gpureclaimer.common.flags.FlagValue;
import io.gpureclaimer.common.program.ListenAddress;
import io.gpureclaimer.exporter.cli.AgentFlag.Effect;
import io.gpureclaimer.exporter.cli.AgentFlag.Effect.Early;
import io.gpureclaimer.exporter.cli.AgentFlag.Effect.Ignored;
import io.gpureclaimer.exporter.cli.AgentFlag.Effect.Sets;
import io.gpureclaimer.exporter.cli.AgentFlag.FlagArity;
import io.gpureclaimer.exporter.cli.AgentFlag.HelpSection;
import io.gpureclaimer.exporter.devices.Selection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All flags: those of dcgm-exporter in its spelling, and those of the agent. A table; nothing is
 * decided here.
 */
final class AgentFlags {
  static final String NVML_LIBRARY = "--nvml-library";
  static final String SIMULATE = "--simulate";
  static final String SIMULATE_SCRIPT = "--simulate-script";
  static final String PODS_FILE = "--pods-file";
  static final String KUBERNETES = "--kubernetes";
  static final String NO_HOSTNAME = "--no-hostname";
  static final String HOSTNAME_LABEL = "--hostname-label";
  static final String COMPAT = "--compat";

  /** Of dcgm-exporter; of NVIDIA's device plugin, too. */
  static final String CONFIG_FILE = "--config-file";

  static final String DEBUG = "--debug";
  static final String LOG_FORMAT = "--log-format";

  static final List<String> LOG_FORMATS = List.of("text", "json");

  /** A namespace and a name as Kubernetes takes them. */
  private static final Pattern NAMESPACED =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?:[a-z0-9]([-.a-z0-9]*[a-z0-9])?");

  private static final List<String> VOCABULARIES = List.of("classic", "1.x", "dcgm-4.7");
  private static final List<String> HOSTNAME_LABELS = List.of("hostname", "Hostname");
  private static final List<String> GPU_ID_TYPES = List.of("uid", "device-name");
  private static final int SHORTEST_INTERVAL_MILLIS = 100;
  private static final int LONGEST_INTERVAL_MILLIS = 604_800_000;
  private static final int LONGEST_NEEDED_INTERVAL_MILLIS = 1_000;
  private static final int LONGEST_WINDOW_MILLIS = 604_800_000;

  private AgentFlags() {}

  /**
   * In the order of the help.
   *
   * @param profiles what can be simulated
   */
  static List<AgentFlag> all(List<String> profiles) {
    return Stream.of(agent(profiles), DevicePluginFlags.all()).flatMap(List::stream).toList();
  }

  private static List<AgentFlag> agent(List<String> profiles) {
    return List.of(
        value(
            HelpSection.SERVING,
            "-a, --address",
            "DCGM_EXPORTER_LISTEN",
            "HOST:PORT",
            new Sets(AgentFlags::address),
            "where to listen; default :9400"),
        pathOrNone(
            HelpSection.SERVING,
            "--web-config-file",
            "DCGM_EXPORTER_WEB_CONFIG_FILE",
            "web.config-file",
            "TLS, client certificates, passwords, headers: the web configuration file of Prometheus"
                + " exporters"),
        new AgentFlag(
            HelpSection.SERVING,
            List.of("--web-systemd-socket"),
            "DCGM_EXPORTER_SYSTEMD_SOCKET",
            FlagArity.SWITCH,
            "true|false",
            new Sets(AgentFlags::noSystemdSocket),
            "must be false: sockets of systemd are not supported"),
        value(
            HelpSection.SERVING,
            "--web-read-timeout",
            "DCGM_EXPORTER_WEB_READ_TIMEOUT",
            "DURATION",
            sets("web.read-timeout", FlagValue::duration),
            "close connections that do not send a whole request within this time; default 10s"),
        value(
            HelpSection.SERVING,
            "--web-write-timeout",
            "DCGM_EXPORTER_WEB_WRITE_TIMEOUT",
            "DURATION",
            sets("web.write-timeout", FlagValue::duration),
            "close connections that do not read a whole response within this time; default 10s"),
        value(
            HelpSection.DRIVER,
            "-c, --collect-interval",
            "DCGM_EXPORTER_INTERVAL",
            "MS",
            sets("sampling.interval", AgentFlags::interval),
            "milliseconds between two polls of the GPUs; below 100 counts as 100, above 1000 as 1000; default 1000"),
        value(
            HelpSection.DRIVER,
            "-d, --devices",
            "DCGM_EXPORTER_DEVICES_STR",
            "SELECTION",
            sets("devices.gpus", AgentFlags::selection),
            "devices to serve: f (GPUs, or their MIG instances), g[:LIST] (GPUs), i[:LIST] (MIG instances), or g and i joined by +; LIST is like 0,2-4; default f"),
        truth(
            HelpSection.DRIVER,
            "--disable-startup-validate",
            "DISABLE_STARTUP_VALIDATE",
            "devices.may-be-missing",
            "only warn when --devices names a GPU that is not there at the start"),
        truth(
            HelpSection.DRIVER,
            "--mig-repeat-gpu-values",
            "GPU_EXPORTER_MIG_REPEAT_GPU_VALUES",
            "devices.repeat-on-instances",
            "repeat the values of a divided GPU on each of its MIG instances, as dcgm-exporter"
                + " does"),
        path(
            HelpSection.DRIVER,
            NVML_LIBRARY,
            "GPU_EXPORTER_NVML_LIBRARY",
            "driver.library",
            "the driver's libnvidia-ml.so.1; default: the usual places"),
        value(
            HelpSection.DRIVER,
            SIMULATE,
            "GPU_EXPORTER_SIMULATE",
            "PROFILE",
            sets("simulation.profile", s -> s.oneOf(profiles)),
            "simulate GPUs instead: " + String.join(", ", profiles)),
        path(
            HelpSection.DRIVER,
            SIMULATE_SCRIPT,
            "GPU_EXPORTER_SIMULATE_SCRIPT",
            "simulation.script",
            "what each simulated GPU does, in YAML"),
        path(
            HelpSection.METRICS,
            "-f, --collectors",
            "DCGM_EXPORTER_COLLECTORS",
            "counters.file",
            "counters file: the fields to serve and their metric names; default: that of dcgm-exporter"),
        value(
            HelpSection.METRICS,
            "-m, --configmap-data",
            "DCGM_EXPORTER_CONFIGMAP_DATA",
            "NAMESPACE:NAME",
            new Sets(AgentFlags::configMap),
            "ConfigMap with the counters file under the key metrics, instead of --collectors; read at start and on SIGHUP; default none"),
        value(
            HelpSection.METRICS,
            "--vocabulary",
            "GPU_EXPORTER_VOCABULARY",
            "NAMES",
            sets("counters.vocabulary", s -> s.oneOf(VOCABULARIES)),
            "names and units of the fields: classic, 1.x or dcgm-4.7; default classic"),
        value(
            HelpSection.METRICS,
            "-x, --xid-count-window-size",
            "DCGM_EXPORTER_XID_COUNT_WINDOW_SIZE",
            "MS",
            millis("events.xid-window", 1, LONGEST_WINDOW_MILLIS),
            "milliseconds that DCGM_EXP_XID_ERRORS_COUNT looks back; default 300000"),
        value(
            HelpSection.METRICS,
            "--clock-events-count-window-size",
            "DCGM_EXPORTER_CLOCK_EVENTS_COUNT_WINDOW_SIZE",
            "MS",
            millis("events.clock-window", 1, LONGEST_WINDOW_MILLIS),
            "milliseconds that DCGM_EXP_CLOCK_EVENTS_COUNT looks back; default 300000"),
        truth(
            HelpSection.LABELS,
            "-o, --use-old-namespace",
            "DCGM_EXPORTER_USE_OLD_NAMESPACE",
            "labels.old-namespace",
            "use the label names of 1.x exporters: uuid, pod_name, pod_namespace and container_name"),
        new AgentFlag(
            HelpSection.LABELS,
            List.of("-n", NO_HOSTNAME),
            "DCGM_EXPORTER_NO_HOSTNAME",
            FlagArity.SWITCH,
            "true|false",
            new Sets(AgentFlags::noHostname),
            "leave the hostname out"),
        value(
            HelpSection.LABELS,
            HOSTNAME_LABEL,
            "GPU_EXPORTER_HOSTNAME_LABEL",
            "NAME",
            sets("labels.hostname", s -> s.oneOf(HOSTNAME_LABELS)),
            "name of the label with the node's name: hostname, or Hostname as in dcgm-exporter up to 4.8.2; default hostname"),
        truth(
            HelpSection.LABELS,
            "-rbmn, --replace-blanks-in-model-name",
            "DCGM_EXPORTER_REPLACE_BLANKS_IN_MODEL_NAME",
            "labels.replace-blanks-in-model-name",
            "replace blanks in model names: NVIDIA-H200 instead of NVIDIA H200"),
        truth(
            HelpSection.HOLDERS,
            "-k, --kubernetes",
            "DCGM_EXPORTER_KUBERNETES",
            "attribution.kubelet",
            "query the kubelet for the pod of each GPU"),
        truth(
            HelpSection.HOLDERS,
            "--kubernetes-enable-pod-uid",
            "DCGM_EXPORTER_KUBERNETES_ENABLE_POD_UID",
            "attribution.pod-uids",
            "ask the API server for the pods' uids; only with --kubernetes"),
        truth(
            HelpSection.HOLDERS,
            "--kubernetes-enable-pod-labels",
            "DCGM_EXPORTER_KUBERNETES_ENABLE_POD_LABELS",
            "attribution.pod-labels",
            "ask the API server for the pods' labels; only with --kubernetes"),
        list(
            HelpSection.HOLDERS,
            "--kubernetes-pod-label-allowlist-regex",
            "DCGM_EXPORTER_KUBERNETES_POD_LABEL_ALLOWLIST_REGEX",
            sets("attribution.pod-label-allow-list", AgentFlags::patterns),
            "regular expressions (Go RE2): serve only pod labels whose key matches one of them, also in part; default: all"),
        truth(
            HelpSection.HOLDERS,
            "--kubernetes-virtual-gpus",
            "KUBERNETES_VIRTUAL_GPUS",
            "attribution.virtual-gpus",
            "one series for each container that shares a GPU"),
        truth(
            HelpSection.HOLDERS,
            "--kubernetes-enable-dra",
            "KUBERNETES_ENABLE_DRA",
            "attribution.dra",
            "include GPUs allocated by dynamic resource allocation (claims)"),
        value(
            HelpSection.HOLDERS,
            "--kubernetes-gpu-id-type",
            "DCGM_EXPORTER_KUBERNETES_GPU_ID_TYPE",
            "TYPE",
            sets("attribution.gpu-id-type", s -> s.oneOf(GPU_ID_TYPES)),
            "no effect: device ids of both types, uid and device-name, are recognized"),
        list(
            HelpSection.HOLDERS,
            "--nvidia-resource-names",
            "NVIDIA_RESOURCE_NAMES",
            sets("attribution.resource-names", FlagValue::list),
            "further resource names of GPUs, in addition to nvidia.com/…"),
        path(
            HelpSection.HOLDERS,
            "--pod-resources-kubelet-socket",
            "DCGM_POD_RESOURCES_KUBELET_SOCKET",
            "attribution.kubelet-socket",
            "pod-resources socket of the kubelet; default /var/lib/kubelet/pod-resources/kubelet.sock"),
        path(
            HelpSection.HOLDERS,
            PODS_FILE,
            "GPU_EXPORTER_PODS_FILE",
            "attribution.pods-file",
            "YAML or JSON file with the pod of each GPU, instead of the kubelet"),
        pathOrNone(
            HelpSection.HOLDERS,
            "--hpc-job-mapping-dir",
            "DCGM_HPC_JOB_MAPPING_DIR",
            "attribution.hpc-job-mapping-dir",
            "folder with one file per GPU that contains ids of batch jobs"),
        value(
            HelpSection.METRICS,
            COMPAT,
            "GPU_EXPORTER_COMPAT",
            "VERSION",
            new Sets(AgentFlags::compatibility),
            "differ from this version of dcgm-exporter as little as possible: "
                + Compatibility.versions()
                + ", which sets "
                + Compatibility.summary()
                + "; a flag or variable of its own replaces each of them"),
        early(
            FlagArity.SWITCH,
            DEBUG,
            "DCGM_EXPORTER_DEBUG",
            "true|false",
            "log more; default false"),
        early(
            FlagArity.VALUE,
            LOG_FORMAT,
            "DCGM_EXPORTER_LOG_FORMAT",
            "FORMAT",
            "text or json, to standard error; default text"),
        ignoredValue("-s, --switch-devices", "DCGM_EXPORTER_OTHER_DEVICES_STR", "f"),
        ignoredValue("-p, --cpu-devices", "DCGM_EXPORTER_CPU_DEVICES_STR", "f"),
        ignoredValue("-r, --remote-hostengine-info", "DCGM_REMOTE_HOSTENGINE_INFO"),
        ignoredSwitch("--fake-gpus", "DCGM_EXPORTER_USE_FAKE_GPUS"),
        ignoredSwitch("--enable-dcgm-log", "DCGM_EXPORTER_ENABLE_DCGM_LOG"),
        ignoredValue("--dcgm-log-level", "DCGM_EXPORTER_DCGM_LOG_LEVEL", "NONE"),
        ignoredSwitch(
            "--enable-gpu-bind-unbind-watch", "DCGM_EXPORTER_ENABLE_GPU_BIND_UNBIND_WATCH", "true"),
        ignoredValue(
            "--gpu-bind-unbind-poll-interval", "DCGM_EXPORTER_GPU_BIND_UNBIND_POLL_INTERVAL", "1s"),
        ignoredSwitch("--enable-pprof", "DCGM_EXPORTER_ENABLE_PPROF"),
        ignoredSwitch("--enable-exporter-metrics", "DCGM_EXPORTER_ENABLE_EXPORTER_METRICS", "true"),
        ignoredSwitch("--container-labels", "DCGM_EXPORTER_CONTAINER_LABELS"),
        ignoredValue("--container-runtime-socket", "DCGM_CONTAINER_RUNTIME_SOCKET"),
        ignoredSwitch("--dump-enabled", "DCGM_EXPORTER_DUMP_ENABLED"),
        ignoredValue(
            "--dump-directory", "DCGM_EXPORTER_DUMP_DIRECTORY", "/tmp/dcgm-exporter-debug"),
        ignoredValue("--dump-retention", "DCGM_EXPORTER_DUMP_RETENTION", "24"),
        ignoredSwitch("--dump-compression", "DCGM_EXPORTER_DUMP_COMPRESSION", "true"),
        ignoredValue(CONFIG_FILE, "DCGM_EXPORTER_CONFIG_FILE"));
  }

  private static AgentFlag value(
      HelpSection section,
      String names,
      @Nullable String variable,
      String label,
      Effect effect,
      String help) {
    return new AgentFlag(section, split(names), variable, FlagArity.VALUE, label, effect, help);
  }

  private static AgentFlag list(
      HelpSection section, String names, String variable, Effect effect, String help) {
    return new AgentFlag(section, split(names), variable, FlagArity.LIST, "LIST", effect, help);
  }

  private static AgentFlag path(
      HelpSection section, String names, String variable, String property, String help) {
    return value(section, names, variable, "PATH", sets(property, FlagValue::path), help);
  }

  /** Of dcgm-exporter's flags that are nothing by default: set to nothing, they are that again. */
  private static AgentFlag pathOrNone(
      HelpSection section, String names, String variable, String property, String help) {
    var effect =
        new Sets(setting -> setting.text().isBlank() ? Map.of() : Map.of(property, setting.path()));
    return value(section, names, variable, "PATH", effect, help);
  }

  private static AgentFlag truth(
      HelpSection section, String names, String variable, String property, String help) {
    return new AgentFlag(
        section,
        split(names),
        variable,
        FlagArity.SWITCH,
        "true|false",
        sets(property, FlagValue::bool),
        help);
  }

  private static AgentFlag early(
      FlagArity arity, String names, String variable, String label, String help) {
    return new AgentFlag(HelpSection.REST, split(names), variable, arity, label, new Early(), help);
  }

  private static AgentFlag ignoredSwitch(String names, String variable, String... harmless) {
    return new AgentFlag(
        HelpSection.OF_NO_USE,
        split(names),
        variable,
        FlagArity.SWITCH,
        "true|false",
        new Ignored(Set.of(harmless)),
        "");
  }

  private static AgentFlag ignoredValue(String names, String variable, String... harmless) {
    return value(
        HelpSection.OF_NO_USE, names, variable, "VALUE", new Ignored(Set.of(harmless)), "");
  }

  private static List<String> split(String names) {
    return List.of(names.split(", ", -1));
  }

  private static Sets sets(String property, Function<FlagValue, Object> check) {
    return new Sets(setting -> Map.of(property, check.apply(setting)));
  }

  /**
   * Who asks for values of the last 30 s is content with newer ones, and has a ledger, too. Who
   * asks for newer ones than there can be gets the newest.
   */
  private static String interval(FlagValue setting) {
    int wanted = setting.integer("ms", 1, LONGEST_INTERVAL_MILLIS);
    return Math.clamp(wanted, SHORTEST_INTERVAL_MILLIS, LONGEST_NEEDED_INTERVAL_MILLIS) + "ms";
  }

  private static Sets millis(String property, int shortest, int longest) {
    return sets(property, setting -> setting.integer("ms", shortest, longest) + "ms");
  }

  private static Map<String, Object> address(FlagValue setting) {
    try {
      return ListenAddress.of(setting.text()).properties();
    } catch (IllegalArgumentException _) {
      throw setting.invalid(ListenAddress.RULE);
    }
  }

  private static String selection(FlagValue setting) {
    try {
      Selection.of(setting.text());
      return setting.text();
    } catch (IllegalArgumentException e) {
      throw setting.invalid(String.valueOf(e.getMessage()));
    }
  }

  private static List<String> patterns(FlagValue setting) {
    var patterns = setting.list();
    for (String pattern : patterns) {
      try {
        com.google.re2j.Pattern.compile(pattern);
      } catch (PatternSyntaxException e) {
        throw setting.invalid("must be regular expressions of Go (RE2), but " + e.getMessage());
      }
    }
    return patterns;
  }

  private static Map<String, Object> configMap(FlagValue setting) {
    return setting.text().equals("none")
        ? Map.of()
        : Map.of("counters.config-map", setting.matching(NAMESPACED, "must be namespace:name"));
  }

  private static Map<String, Object> compatibility(FlagValue setting) {
    return Compatibility.properties(setting.oneOf(Compatibility.VERSIONS));
  }

  /** With it dcgm-exporter listens where systemd says; another address could expose the agent. */
  private static Map<String, Object> noSystemdSocket(FlagValue setting) {
    if (setting.bool()) {
      throw setting.invalid(
          "must be false: sockets of systemd are not supported; use --address for where to listen");
    }
    return Map.of();
  }

  private static Map<String, Object> noHostname(FlagValue setting) {
    return setting.bool() ? Map.of("labels.hostname", "none") : Map.of();
  }
}
