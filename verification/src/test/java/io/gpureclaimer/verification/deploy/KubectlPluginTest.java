package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The kubectl plugin, with a kubectl that records its arguments and prints what the test says. */
class KubectlPluginTest {
  private static final Path PLUGIN = Chart.REPOSITORY.resolve("deploy/kubectl-gpu");
  private static final Path PLAN =
      Chart.REPOSITORY.resolve("reclaimer/src/test/resources/golden/plan-acted.json");
  private static final String PROXY =
      "get --raw /api/v1/namespaces/gpu-reclaimer/services/gpu-reclaimer:http/proxy";
  private static final String FORBIDDEN =
      "Error from server (Forbidden): services \"gpu-reclaimer:http\" is forbidden: User \"ada\""
          + " cannot get resource \"services/proxy\" in API group \"\" in the namespace"
          + " \"gpu-reclaimer\"";
  private static final String NOT_FOUND =
      "Error from server (NotFound): the server could not find the requested resource";

  /** What the template of the plugin prints of pods: see {@code pods_template}. */
  private static final String PODS =
      """
      ml\tactive\tRunning\tnode-1\t2026-03-01T10:00:00Z\t\t\tc cpu=4 nvidia.com/gpu=2;i nvidia.com/gpu=1;\t
      ml\tstarted\tPending\tnode-2\t2026-03-01T10:00:00Z\tReplicaSet/web-1\t\tc nvidia.com/mig-1g.10gb=1;c nvidia.com/mig-1g.10gb=1;\t
      ml\tdue\tRunning\tnode-2\t2026-03-01T10:00:00Z\t\tclaim\tc;\t
      ml\tdone\tSucceeded\tnode-2\t2026-03-01T10:00:00Z\tJob/done\t\tc nvidia.com/gpu=1;\t
      ml\tplain\tRunning\tnode-2\t2026-03-01T10:00:00Z\t\tclaim\tc cpu=1 nvidia.com/gpumem=9;\t
      ml\twaiting\tPending\t<no value>\t2020-02-28T10:00:00Z\t\t\tc nvidia.com/gpu=8;i nvidia.com/gpu=9;\t0/2 nodes are available: 2 Insufficient nvidia.com/gpu.
      """;

  private static final String RECORDS =
      """
      web-1   Restored    scale   2   true     Deployment/web   Deployment   web
      api-1   Reclaimed   scale   4   <none>   Deployment/api   Deployment   api
      web-2   Reclaimed   scale   2   <none>   Deployment/web   Deployment   web
      old-1   Contested   scale   2   <none>   Deployment/old   Deployment   old
      now-1   Restoring   scale   2   true     Deployment/now   Deployment   now
      """;

  @TempDir private Path folder;
  private final List<String> cases = new ArrayList<>();

  /** How the plugin ended. */
  private record PluginRun(int code, String out, String err) {}

  @BeforeEach
  void knowsTheNamespace() {
    responds("config view*", "research");
  }

  @Test
  void showsWhoHasGpus() throws IOException {
    responds("get pods*", PODS);
    responds("get --raw*", Files.readString(PLAN));

    assertThat(run("who", "-n", "ml"))
        .isEqualTo(
            new PluginRun(
                0,
                """
                NAMESPACE  POD      OWNER             GPUS           NODE    VERDICT
                ml         active   Pod/active        2              node-1  active
                ml         started  ReplicaSet/web-1  2 mig-1g.10gb  node-2  -
                ml         due      Pod/due           claim          node-2  due
                """,
                ""));
    assertThat(calls())
        .anyMatch(call -> call.startsWith("get pods --namespace=ml -o go-template="))
        .contains(PROXY + "/plan?namespace=ml");
  }

  @Test
  void asksForAllNamespaces() throws IOException {
    responds("get pods*", "");
    responds("get --raw*", Files.readString(PLAN));

    assertThat(run("who", "-A")).isEqualTo(new PluginRun(0, "No pod has GPUs.\n", ""));
    assertThat(calls())
        .anyMatch(call -> call.startsWith("get pods -A -o go-template="))
        .contains(PROXY + "/plan");
  }

  @Test
  void showsPodsWithoutVerdicts_andNamesTheRight_whenItIsMissing() throws IOException {
    responds("get pods*", PODS);
    refuses("get --raw*", FORBIDDEN);

    PluginRun run = run("who");

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("ml         active   -                 2              node-1  -\n");
    assertThat(run.err())
        .isEqualTo(
            "kubectl gpu: no verdicts: you lack the right \"get services/proxy\" on"
                + " \"gpu-reclaimer:http\" in the namespace gpu-reclaimer\n");
    assertThat(calls()).contains(PROXY + "/plan?namespace=research");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Error from server (NotFound): services "gpu-reclaimer" not found | no Service gpu-reclaimer in the namespace gpu-reclaimer; GPU_RECLAIMER_NAMESPACE and GPU_RECLAIMER_SERVICE name others
          Error from server (NotFound): the server could not find the requested resource | the reclaimer has not finished a cycle yet
          Error from server (ServiceUnavailable): no endpoints available for service "gpu-reclaimer" | the reclaimer cannot be reached: Error from server (ServiceUnavailable): no endpoints available for service "gpu-reclaimer"
          Error from server (ServiceUnavailable): error trying to reach service: dial tcp 10.1.0.7:8080: i/o timeout | the API server cannot reach the reclaimer; its NetworkPolicy may not let in the API server (reclaimer.networkPolicy.apiServers): Error from server (ServiceUnavailable): error trying to reach service: dial tcp 10.1.0.7:8080: i/o timeout
          """)
  void saysWhyThereAreNoVerdicts(String error, String why) throws IOException {
    responds("get pods*", PODS);
    refuses("get --raw*", error);

    assertThat(run("who").err()).isEqualTo("kubectl gpu: no verdicts: " + why + "\n");
  }

  @Test
  void failsWithKubectl_whenPodsCannotBeListed() throws IOException {
    refuses("get pods*", "Error from server (Forbidden): pods is forbidden");

    assertThat(run("who"))
        .isEqualTo(new PluginRun(1, "", "Error from server (Forbidden): pods is forbidden\n"));
  }

  @Test
  void showsPendingPods() throws IOException {
    responds("get pods*", PODS);
    responds("get --raw*", Files.readString(PLAN));
    Duration since = Duration.between(Instant.parse("2020-02-28T10:00:00Z"), Instant.now());

    PluginRun run = run("pending");

    assertThat(run.out())
        .matches(
            """
            NAMESPACE  POD      GPUS  PENDING *VERDICT      MESSAGE
            ml         waiting  9     %dd\\d+h  not-running  0/2 nodes are available: 2 Insufficient nvidia.com/gpu.
            """
                .replace("%d", Long.toString(since.toDays())));
    assertThat(run.code()).isZero();
  }

  @Test
  void explainsAPod() throws IOException {
    responds("get --raw*", "Pod research/due\n");

    assertThat(run("why", "due")).isEqualTo(new PluginRun(0, "Pod research/due\n", ""));
    assertThat(calls()).contains(PROXY + "/explain/research/due?format=text");
  }

  @Test
  void explainsAnOwner_byTheNameOfItsKind() throws IOException {
    responds("get deploy/web*", "Deployment");
    responds("get --raw*", "Deployment ml/web\n");

    assertThat(run("why", "deploy/web", "-n", "ml").out()).isEqualTo("Deployment ml/web\n");
    assertThat(calls()).contains(PROXY + "/explain/ml/Deployment/web?format=text");
  }

  @Test
  void pointsToTheRecords_whenThereIsNothingToExplain() throws IOException {
    refuses("get deployment/web*", NOT_FOUND);
    refuses("get --raw*", NOT_FOUND);
    responds("get reclamations*", RECORDS);

    PluginRun run = run("why", "deployment/web");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .contains(
            "no verdict on deployment/web in research: it requests no GPU",
            "Reclamation web-2: scale, Reclaimed; kubectl describe reclamation web-2 -n research")
        .doesNotContain("api-1");
  }

  @ParameterizedTest
  @CsvSource({"--for, 90s, PT90S", "--for, 1h30m, PT1H30M", "--for, 1w, P7D", "-n, research, P1D"})
  void keepsAWorkload(String option, String value, Duration expected) throws IOException {
    responds("annotate*", "deployment.apps/web annotated");
    Instant before = Instant.now().minusSeconds(1);

    PluginRun run = run("keep", "deployment/web", option, value);

    String prefix =
        "annotate deployment/web --namespace=research --overwrite gpu-reclaimer.io/keep-until=";
    assertThat(calls())
        .filteredOn(call -> call.startsWith("annotate"))
        .singleElement()
        .satisfies(
            call -> {
              assertThat(call).startsWith(prefix);
              assertThat(Instant.parse(call.substring(prefix.length())))
                  .isBetween(before.plus(expected), Instant.now().plus(expected));
            });
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("It is kept until ", "max-keep");
  }

  /** The date of macOS and the BSDs has -r for what others call -d. */
  @Test
  void keepsAWorkload_whereDateKnowsNoMinusD() throws IOException {
    responds("annotate*", "");
    program(
        "date", "case \"$*\" in *-d*) exit 1 ;; *'-r '*) echo fine ;; *) echo 1700000000 ;; esac");

    assertThat(run("keep", "notebook").out()).contains("It is kept until fine");
    assertThat(calls())
        .contains(
            "annotate pod/notebook --namespace=research --overwrite gpu-reclaimer.io/keep-until=fine");
  }

  @Test
  void restoresTheNewestUnfinishedRecord() throws IOException {
    responds("get deploy/web*", "Deployment");
    responds("get reclamations*", RECORDS);
    responds("patch*", "reclamation patched");

    PluginRun run = run("restore", "deploy/web");

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("undoes the action \"scale\" on Deployment/web in its next cycle", "need 2 free");
    assertThat(calls())
        .contains(
            "patch reclamations.gpu-reclaimer.io web-2 --namespace=research --type=merge -p"
                + " {\"spec\":{\"restore\":true}}");
  }

  @Test
  void saysThatARestorationIsRequestedAlready() throws IOException {
    responds("get reclamations*", RECORDS);

    assertThat(run("restore", "deployment/now").out()).contains("is requested already");
    assertThat(calls()).noneMatch(call -> call.startsWith("patch"));
  }

  @Test
  void saysThatThereIsNothingToRestore() throws IOException {
    responds("get reclamations*", RECORDS);

    assertThat(run("restore", "deployment/old"))
        .isEqualTo(
            new PluginRun(
                1,
                "",
                "kubectl gpu: nothing to restore: deployment/old in research has no unfinished"
                    + " Reclamation; the last one is old-1, Contested\n"));
    assertThat(run("restore", "deployment/none").err())
        .endsWith("deployment/none in research has no unfinished Reclamation\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "evict web",
        "why",
        "keep",
        "restore",
        "restore web",
        "who web",
        "keep a b",
        "keep a/b/c",
        "keep a;b",
        "keep web --for 0s",
        "keep web --for 5",
        "keep web --for",
        "who --for 1h",
        "why -A web",
        "who --nonsense",
        "who -n ../../kube-system"
      })
  void endsWith2AndOneLine_whenTheCommandLineIsWrong(String arguments) throws IOException {
    PluginRun run = run(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("kubectl gpu: ").hasLineCount(1);
    assertThat(calls()).noneMatch(call -> call.startsWith("annotate") || call.startsWith("patch"));
  }

  @Test
  void explainsItself() throws IOException {
    assertThat(run("-h")).isEqualTo(run("who", "--help"));
    assertThat(run("--help").out()).contains("kubectl gpu pending");
  }

  @Test
  void takesTheReclaimersPlaceAndTheContextAsConfigured() throws IOException {
    responds("--context=other get --raw*", "explained\n");

    PluginRun run =
        run(
            Map.of("GPU_RECLAIMER_NAMESPACE", "gpus", "GPU_RECLAIMER_SERVICE", "my"),
            "why",
            "due",
            "-n",
            "ml",
            "--context=other");

    assertThat(run.out()).isEqualTo("explained\n");
    assertThat(calls())
        .contains(
            "--context=other get --raw"
                + " /api/v1/namespaces/gpus/services/my:http/proxy/explain/ml/due?format=text");
  }

  private void responds(String arguments, String text) {
    String pattern = arguments.replace(" ", "\\ ").replace("'", "'\\''");
    cases.add(
        pattern
            + ") cat <<'END'\n"
            + text.stripTrailing()
            + (text.isBlank() ? "" : "\n")
            + "END\n;;\n");
  }

  private void refuses(String arguments, String error) {
    cases.add(
        arguments.replace(" ", "\\ ") + ") cat >&2 <<'END'\n" + error + "\nEND\nexit 1\n;;\n");
  }

  private PluginRun run(String... arguments) throws IOException {
    return run(Map.of(), arguments);
  }

  private PluginRun run(Map<String, String> variables, String... arguments) throws IOException {
    program(
        "kubectl",
        "printf '%s\\n' \"$*\" >>'"
            + folder.resolve("calls")
            + "'\ncase \"$*\" in\n"
            + String.join("", cases)
            + "esac");
    var command = new ArrayList<String>();
    command.addAll(List.of("sh", PLUGIN.toString()));
    command.addAll(List.of(arguments));
    Path err = folder.resolve("err");
    var builder = new ProcessBuilder(command).redirectError(err.toFile());
    builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    builder.environment().putAll(variables);
    Process plugin = builder.start();
    plugin.getOutputStream().close();
    String out = new String(plugin.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new PluginRun(plugin.onExit().join().exitValue(), out, Files.readString(err));
  }

  private List<String> calls() throws IOException {
    Path calls = folder.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  private void program(String name, String script) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
