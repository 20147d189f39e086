package io.gpureclaimer.exporter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.cli.Invocation.Print;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import io.gpureclaimer.exporter.cli.Invocation.Run;
import io.gpureclaimer.simulator.Profile;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineArgumentsTest {

  @Test
  void leavesEverythingToTheDefaults_whenNothingIsSaid() {
    assertThat(parse(Map.of())).isEqualTo(run(Map.of()));
  }

  /** As the help lists them: flag, variable, a value, and the property that it becomes. */
  private static final String FLAGS =
      """
      -a, --address                           | DCGM_EXPORTER_LISTEN                               | :9500          | micronaut.server.port
      --web-config-file                       | DCGM_EXPORTER_WEB_CONFIG_FILE                      | /etc/web.yml   | web.config-file
      --web-read-timeout                      | DCGM_EXPORTER_WEB_READ_TIMEOUT                     | 1m30s          | web.read-timeout
      --web-write-timeout                     | DCGM_EXPORTER_WEB_WRITE_TIMEOUT                    | 500ms          | web.write-timeout
      -c, --collect-interval                  | DCGM_EXPORTER_INTERVAL                             | 250            | sampling.interval
      -d, --devices                           | DCGM_EXPORTER_DEVICES_STR                          | g:0-2          | devices.gpus
      --disable-startup-validate              | DISABLE_STARTUP_VALIDATE                           | true           | devices.may-be-missing
      --mig-repeat-gpu-values                 | GPU_EXPORTER_MIG_REPEAT_GPU_VALUES                 | true           | devices.repeat-on-instances
      --nvml-library                          | GPU_EXPORTER_NVML_LIBRARY                          | /opt/lib.so    | driver.library
      --simulate                              | GPU_EXPORTER_SIMULATE                              | t4x4           | simulation.profile
      -f, --collectors                        | DCGM_EXPORTER_COLLECTORS                           | /etc/c.csv     | counters.file
      -m, --configmap-data                    | DCGM_EXPORTER_CONFIGMAP_DATA                       | gpu:counters   | counters.config-map
      --vocabulary                            | GPU_EXPORTER_VOCABULARY                            | dcgm-4.7       | counters.vocabulary
      -x, --xid-count-window-size             | DCGM_EXPORTER_XID_COUNT_WINDOW_SIZE                | 60000          | events.xid-window
      --clock-events-count-window-size        | DCGM_EXPORTER_CLOCK_EVENTS_COUNT_WINDOW_SIZE       | 60000          | events.clock-window
      -o, --use-old-namespace                 | DCGM_EXPORTER_USE_OLD_NAMESPACE                    | true           | labels.old-namespace
      -n, --no-hostname                       | DCGM_EXPORTER_NO_HOSTNAME                          | true           | labels.hostname
      --hostname-label                        | GPU_EXPORTER_HOSTNAME_LABEL                        | Hostname       | labels.hostname
      -rbmn, --replace-blanks-in-model-name   | DCGM_EXPORTER_REPLACE_BLANKS_IN_MODEL_NAME         | true           | labels.replace-blanks-in-model-name
      -k, --kubernetes                        | DCGM_EXPORTER_KUBERNETES                           | true           | attribution.kubelet
      --kubernetes-enable-pod-uid             | DCGM_EXPORTER_KUBERNETES_ENABLE_POD_UID            | true           | attribution.pod-uids
      --kubernetes-enable-pod-labels          | DCGM_EXPORTER_KUBERNETES_ENABLE_POD_LABELS         | true           | attribution.pod-labels
      --kubernetes-pod-label-allowlist-regex  | DCGM_EXPORTER_KUBERNETES_POD_LABEL_ALLOWLIST_REGEX | ^app$,team     | attribution.pod-label-allow-list
      --kubernetes-virtual-gpus               | KUBERNETES_VIRTUAL_GPUS                            | true           | attribution.virtual-gpus
      --kubernetes-enable-dra                 | KUBERNETES_ENABLE_DRA                              | true           | attribution.dra
      --kubernetes-gpu-id-type                | DCGM_EXPORTER_KUBERNETES_GPU_ID_TYPE               | device-name    | attribution.gpu-id-type
      --nvidia-resource-names                 | NVIDIA_RESOURCE_NAMES                              | a.io/x,a.io/y  | attribution.resource-names
      --pod-resources-kubelet-socket          | DCGM_POD_RESOURCES_KUBELET_SOCKET                  | /run/k.sock    | attribution.kubelet-socket
      --pods-file                             | GPU_EXPORTER_PODS_FILE                             | pods.yaml      | attribution.pods-file
      --hpc-job-mapping-dir                   | DCGM_HPC_JOB_MAPPING_DIR                           | /run/jobs      | attribution.hpc-job-mapping-dir
      """;

  /** What becomes another value than what was written. */
  private static final Map<String, Object> BECOMES =
      Map.ofEntries(
          Map.entry(":9500", 9500),
          Map.entry("true", true),
          Map.entry("false", false),
          Map.entry("250", "250ms"),
          Map.entry("60000", "60000ms"),
          Map.entry("1m30s", Duration.ofSeconds(90)),
          Map.entry("500ms", Duration.ofMillis(500)),
          Map.entry("^app$,team", List.of("^app$", "team")),
          Map.entry("a.io/x,a.io/y", List.of("a.io/x", "a.io/y")));

  @ParameterizedTest(name = "{0}")
  @CsvSource(delimiter = '|', textBlock = FLAGS)
  void turnsAFlagIntoAProperty(String names, String variable, String value, String property) {
    for (String name : names.split(", ", -1)) {
      String word = name.replaceFirst("^-+", "");
      for (String dashes : List.of("-", "--")) {
        assertThat(parse(Map.of(), dashes + word + "=" + value))
            .as("with one dash or two, as programs in Go take it")
            .isEqualTo(run(becomes(property, value)));
        assertThat(parse(Map.of(), dashes + word, value)).isEqualTo(run(becomes(property, value)));
      }
    }
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(delimiter = '|', textBlock = FLAGS)
  void turnsAVariableIntoTheSame(String names, String variable, String value, String property) {
    assertThat(parse(Map.of(variable, value))).isEqualTo(run(becomes(property, value)));
  }

  private static Map<String, Object> becomes(String property, String value) {
    if (property.equals("labels.hostname") && value.equals("true")) {
      return Map.of(property, "none");
    }
    return Map.of(property, BECOMES.getOrDefault(value, value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-h", "--h", "-help", "--help", "-v", "--v", "-version", "--version"})
  void takesHelpAndVersionWithOneDashOrTwo(String argument) {
    assertThat(parse(Map.of(), argument)).isInstanceOf(Print.class);
  }

  @Test
  void setsWhatDiffersFromAVersionOfDcgmExporter_andAFlagOfItsOwnReplacesIt() {
    assertThat(parse(Map.of(), "--compat", "4.8.2"))
        .isEqualTo(
            run(
                Map.of(
                    "counters.vocabulary",
                    "classic",
                    "labels.hostname",
                    "Hostname",
                    "devices.repeat-on-instances",
                    true,
                    "attribution.pod-label-limit",
                    Integer.MAX_VALUE)));
    assertThat(
            parse(
                Map.of("GPU_EXPORTER_COMPAT", "4.8.2"),
                "--hostname-label=hostname",
                "--vocabulary=1.x",
                "--mig-repeat-gpu-values=false"))
        .isEqualTo(
            run(
                Map.of(
                    "counters.vocabulary",
                    "1.x",
                    "labels.hostname",
                    "hostname",
                    "devices.repeat-on-instances",
                    false,
                    "attribution.pod-label-limit",
                    Integer.MAX_VALUE)));
    assertThat(parse(Map.of(), "--compat", "4.8"))
        .isEqualTo(new Refused("--compat must be one of 4.8.2, was \"4.8\""));
  }

  @Test
  void namesTheNodeByItsVariable() {
    assertThat(parse(Map.of("NODE_NAME", "node-a"))).isEqualTo(run(Map.of("node.name", "node-a")));
  }

  /** The variables that its DaemonSet has, and those that the kubelet adds for its Service. */
  @Test
  void takesWhatGpuOperatorSets() {
    assertThat(
            parse(
                Map.ofEntries(
                    Map.entry("DCGM_EXPORTER_LISTEN", ":9400"),
                    Map.entry("DCGM_EXPORTER_KUBERNETES", "true"),
                    Map.entry(
                        "DCGM_EXPORTER_COLLECTORS", "/etc/dcgm-exporter/dcp-metrics-included.csv"),
                    Map.entry("DCGM_REMOTE_HOSTENGINE_INFO", "192.0.2.1:5555"),
                    Map.entry("NODE_NAME", "node-a"),
                    Map.entry("NODE_IP", "192.0.2.1"),
                    Map.entry("NVIDIA_DCGM_EXPORTER_SERVICE_HOST", "192.0.2.2"),
                    Map.entry("NVIDIA_DCGM_EXPORTER_PORT", "tcp://192.0.2.2:9400"),
                    Map.entry("DCGM_EXPORTER_PORT", "tcp://192.0.2.2:9400"))))
        .isEqualTo(
            new Run(
                Map.of(
                    "micronaut.server.port",
                    9400,
                    "attribution.kubelet",
                    true,
                    "counters.file",
                    "/etc/dcgm-exporter/dcp-metrics-included.csv",
                    "node.name",
                    "node-a"),
                "text",
                false,
                List.of("DCGM_REMOTE_HOSTENGINE_INFO")));
  }

  @Test
  void takesHostAndPort() {
    assertThat(parse(Map.of(), "-a", "[::1]:19400"))
        .isEqualTo(run(Map.of("micronaut.server.host", "::1", "micronaut.server.port", 19400)));
  }

  @Test
  void takesAValueThatIsCalledAsAFlagIs() {
    assertThat(parse(Map.of(), "-d", "f", "--switch-devices", "f", "-p", "f"))
        .isEqualTo(run(Map.of("devices.gpus", "f")));
    assertThat(parse(Map.of(), "-f", "f", "--hpc-job-mapping-dir", "debug"))
        .isEqualTo(run(Map.of("counters.file", "f", "attribution.hpc-job-mapping-dir", "debug")));
  }

  @Test
  void takesAListInParts() {
    assertThat(
            parse(Map.of(), "--nvidia-resource-names", "a.io/x", "--nvidia-resource-names=a.io/y,"))
        .isEqualTo(run(Map.of("attribution.resource-names", List.of("a.io/x", "a.io/y"))));
  }

  @Test
  void asksNoConfigMap_whenItIsNone() {
    assertThat(parse(Map.of("DCGM_EXPORTER_CONFIGMAP_DATA", "none"))).isEqualTo(run(Map.of()));
  }

  @Test
  void logsAsConfigured() {
    assertThat(parse(Map.of("DCGM_EXPORTER_LOG_FORMAT", "json"), "--debug"))
        .isEqualTo(new Run(Map.of(), "json", true, List.of()));
    assertThat(parse(Map.of("DCGM_EXPORTER_DEBUG", "true"), "--log-format=text", "--debug=false"))
        .isEqualTo(run(Map.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -s, --switch-devices            | DCGM_EXPORTER_OTHER_DEVICES_STR              | g:0            | f
          -p, --cpu-devices               | DCGM_EXPORTER_CPU_DEVICES_STR                | g:0            | f
          -r, --remote-hostengine-info    | DCGM_REMOTE_HOSTENGINE_INFO                  | localhost:5555 |
          --fake-gpus                     | DCGM_EXPORTER_USE_FAKE_GPUS                  | true           | false
          --enable-dcgm-log               | DCGM_EXPORTER_ENABLE_DCGM_LOG                | true           | false
          --dcgm-log-level                | DCGM_EXPORTER_DCGM_LOG_LEVEL                 | DEBUG          | NONE
          --enable-gpu-bind-unbind-watch  | DCGM_EXPORTER_ENABLE_GPU_BIND_UNBIND_WATCH   |                | true
          --gpu-bind-unbind-poll-interval | DCGM_EXPORTER_GPU_BIND_UNBIND_POLL_INTERVAL  | 5s             | 1s
          --enable-pprof                  | DCGM_EXPORTER_ENABLE_PPROF                   | true           | false
          --enable-exporter-metrics       | DCGM_EXPORTER_ENABLE_EXPORTER_METRICS        |                | true
          --container-labels              | DCGM_EXPORTER_CONTAINER_LABELS               | true           | false
          --container-runtime-socket      | DCGM_CONTAINER_RUNTIME_SOCKET                | /run/c.sock    |
          --dump-enabled                  | DCGM_EXPORTER_DUMP_ENABLED                   | true           | false
          --dump-directory                | DCGM_EXPORTER_DUMP_DIRECTORY                 | /dumps         | /tmp/dcgm-exporter-debug
          --dump-retention                | DCGM_EXPORTER_DUMP_RETENTION                 | 48             | 24
          --dump-compression              | DCGM_EXPORTER_DUMP_COMPRESSION               |                | true
          --config-file                   | DCGM_EXPORTER_CONFIG_FILE                    | /etc/c.yml     |
          """)
  void ignoresWhatHasNoEffect_andSaysSoUnlessItAsksForNothing(
      String names, String variable, @Nullable String asking, @Nullable String harmless) {
    String longName = names.replaceAll(".*, ", "");
    if (asking != null) {
      for (String name : names.split(", ", -1)) {
        assertThat(parse(Map.of(), name + "=" + asking))
            .isEqualTo(new Run(Map.of(), "text", false, List.of(longName)));
      }
      assertThat(parse(Map.of(variable, asking)))
          .isEqualTo(new Run(Map.of(), "text", false, List.of(variable)));
    }
    if (harmless != null) {
      assertThat(parse(Map.of(variable, harmless))).isEqualTo(run(Map.of()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1000", "1001", "30000", "3600000", "86400000"})
  void readsOnceASecond_whenOlderValuesWouldDo(String interval) {
    assertThat(parse(Map.of("DCGM_EXPORTER_INTERVAL", interval)))
        .isEqualTo(run(Map.of("sampling.interval", "1000ms")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "50", "99", "100"})
  void readsTenTimesASecond_whenNewerValuesAreWanted(String interval) {
    assertThat(parse(Map.of(), "-c", interval))
        .isEqualTo(run(Map.of("sampling.interval", "100ms")));
  }

  @Test
  void letsAFlagWinOverItsVariable() {
    assertThat(parse(Map.of("DCGM_EXPORTER_INTERVAL", "30000"), "--collect-interval", "500"))
        .isEqualTo(run(Map.of("sampling.interval", "500ms")));
  }

  @ParameterizedTest
  @CsvSource({
    "1.5s, PT1.5S",
    ".5s, PT0.5S",
    "1h2m3.25s, PT1H2M3.25S",
    "2m, PT2M",
    "250000us, PT0.25S",
    "0, PT0S",
    "0s, PT0S"
  })
  void takesDurationsAsGoWritesThem(String written, Duration meant) {
    assertThat(parse(Map.of(), "--web-read-timeout", written))
        .isEqualTo(run(Map.of("web.read-timeout", meant)));
  }

  @Test
  void acceptsNoSocketOfSystemd_whichIsTheDefaultOfDcgmExporter() {
    assertThat(parse(Map.of("DCGM_EXPORTER_SYSTEMD_SOCKET", "false"))).isEqualTo(run(Map.of()));
  }

  @Test
  void takesAWindowOfAWeek() {
    assertThat(parse(Map.of(), "-x=604800000"))
        .isEqualTo(run(Map.of("events.xid-window", "604800000ms")));
  }

  @Test
  void takesAnEmptyVariableForNone() {
    assertThat(parse(Map.of("DCGM_EXPORTER_LISTEN", " "))).isEqualTo(run(Map.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "--web-config-file, DCGM_EXPORTER_WEB_CONFIG_FILE",
    "--hpc-job-mapping-dir, DCGM_HPC_JOB_MAPPING_DIR"
  })
  void takesAnEmptyFlagForNone_whateverItsVariableSays(String flag, String variable) {
    assertThat(parse(Map.of(variable, "/somewhere"), flag + "=")).isEqualTo(run(Map.of()));
    assertThat(parse(Map.of(variable, "/somewhere"), flag, "")).isEqualTo(run(Map.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --nope                        | Unknown option: '--nope'
          extra                         | Unmatched argument at index 0: 'extra'
          --address                     | Missing required parameter for option '--address' (HOST:PORT)
          -a=9400                       | --address must be host:port, [v6-address]:port or :port, was "9400"
          -a=host:99999                 | --address must be host:port, [v6-address]:port or :port, was "host:99999"
          -c=abc                        | --collect-interval must be a whole number of ms from 1 to 604800000, was "abc"
          -c=0                          | --collect-interval must be a whole number of ms from 1 to 604800000, was "0"
          --simulate=v100               | --simulate must be one of PROFILES, was "v100"
          --log-format=xml              | --log-format must be one of text, json, was "xml"
          --simulate-script=f           | --simulate-script must be set together with --simulate, was "f"
          --pods-file=                  | --pods-file must be a path, was ""
          -k=maybe                      | --kubernetes must be true or false, was "maybe"
          --fake-gpus=maybe             | --fake-gpus must be true or false, was "maybe"
          -d=f:0                        | --devices must be f, g[:LIST], i[:LIST] or g[:LIST]+i[:LIST], was "f:0"
          -d=g:a                        | --devices must list numbers and ranges like 0,2-4, but has "a", was "g:a"
          -m=counters                   | --configmap-data must be namespace:name, was "counters"
          --vocabulary=new              | --vocabulary must be one of classic, 1.x, dcgm-4.7, was "new"
          --hostname-label=host         | --hostname-label must be one of hostname, Hostname, was "host"
          --web-read-timeout=10         | --web-read-timeout must be a duration like 500ms, 1.5s or 1m30s, was "10"
          -x=0                          | --xid-count-window-size must be a whole number of ms from 1 to 604800000, was "0"
          --web-systemd-socket          | --web-systemd-socket must be false: sockets of systemd are not supported; use --address for where to listen, was "true"
          --kubernetes-gpu-id-type=x    | --kubernetes-gpu-id-type must be one of uid, device-name, was "x"
          --kubernetes-pod-label-allowlist-regex=a,( | --kubernetes-pod-label-allowlist-regex must be regular expressions of Go (RE2), but error parsing regexp: missing closing ): `(`, was "a,("
          --kubernetes-pod-label-allowlist-regex=(?!x) | --kubernetes-pod-label-allowlist-regex must be regular expressions of Go (RE2), but error parsing regexp: invalid or unsupported Perl syntax: `(?!`, was "(?!x)"
          """)
  void refusesInOneLine_namingFlagRuleAndValue(String argument, String problem) {
    String profiles = String.join(", ", Profile.names());
    assertThat(parse(Map.of(), argument))
        .isEqualTo(new Refused(problem.replace("PROFILES", profiles)));
  }

  @Test
  void namesTheVariable_whenItIsTheOneThatIsWrong() {
    assertThat(parse(Map.of("DCGM_EXPORTER_INTERVAL", "soon")))
        .isEqualTo(
            new Refused(
                "DCGM_EXPORTER_INTERVAL must be a whole number of ms from 1 to 604800000,"
                    + " was \"soon\""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-k", "--kubernetes", "--kubernetes=true", "-k=1"})
  void asksTheKubelet_whenConfigured(String flag) {
    assertThat(parse(Map.of(), flag)).isEqualTo(run(Map.of("attribution.kubelet", true)));
  }

  @Test
  void refusesAPodsFileAndTheKubelet() {
    assertThat(parse(Map.of(), "--pods-file", "pods.yaml", "-k"))
        .isEqualTo(
            new Refused(
                "--pods-file must not be set together with --kubernetes, was \"pods.yaml\""));
  }

  @Test
  void refusesAHostnameLabelAndNone() {
    assertThat(parse(Map.of(), "--hostname-label", "Hostname", "-n"))
        .isEqualTo(
            new Refused(
                "--hostname-label must not be set together with --no-hostname, was \"Hostname\""));
  }

  @Test
  void letsTheLastWin_ofAFlagThatIsGivenTwice() {
    assertThat(parse(Map.of(), "-a", ":1", "--address=:2"))
        .isEqualTo(run(Map.of("micronaut.server.port", 2)));
    assertThat(parse(Map.of(), "-k", "-k=false"))
        .isEqualTo(run(Map.of("attribution.kubelet", false)));
  }

  @Test
  void joinsAListThatIsGivenTwice() {
    assertThat(parse(Map.of(), "--nvidia-resource-names=a.io/x", "--nvidia-resource-names=a.io/y"))
        .isEqualTo(run(Map.of("attribution.resource-names", List.of("a.io/x", "a.io/y"))));
  }

  @Test
  void refusesADriverAndASimulation() {
    assertThat(parse(Map.of(), "--simulate", "t4x4", "--nvml-library", "lib.so"))
        .isEqualTo(
            new Refused("--nvml-library must not be set together with --simulate, was \"lib.so\""));
  }

  @Test
  void printsTheVersion() {
    assertThat(parse(Map.of(), "--version")).isEqualTo(new Print("gpu-exporter 1.2.3\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-h", "--help"})
  void printsHelp_thatNamesEveryProfile(String flag) {
    assertThat(parse(Map.of(), flag))
        .isInstanceOfSatisfying(
            Print.class, help -> assertThat(help.text()).contains(Profile.names()));
  }

  private static Run run(Map<String, Object> properties) {
    return new Run(properties, "text", false, List.of());
  }

  private static Invocation parse(Map<String, String> environment, String... args) {
    return new CommandLineArguments(environment, Profile.names(), "1.2.3").parse(args);
  }
}
