package io.gpureclaimer.reclaimer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each mistake is one line that names what is wrong, and exit code 2. */
@Isolated("replaces System.out")
class InvalidUsageTest {
  @TempDir static Path folder;

  private static Path kubeconfig = Path.of("kubeconfig");

  @BeforeAll
  static void writeTheKubeconfig() throws IOException {
    kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: here, cluster: {server: "http://127.0.0.1:9"}}]
            contexts: [{name: here, context: {cluster: here, user: me}}]
            users: [{name: me, user: {}}]
            current-context: here
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | expected a command: run, plan, explain, backtest, report, simulate, lint or restore (see --help)",
        "bogus | unknown command bogus (see --help)",
        "plna | unknown command plna; did you mean plan? (see --help)",
        "plan extra | unexpected argument extra (see --help)",
        "plan --xyzzy | unknown option --xyzzy (see --help)",
        "plan --idle-aftr=5m | unknown option --idle-aftr=5m; did you mean --idle-after? (see"
            + " --help)",
        "plan --idle-after=5x | Invalid value for option '--idle-after': must be a duration like"
            + " 90s, 10m, 2h, 1h30m, 1d or 1w, was 5x (see --help)",
        "plan --max-namespace-evictions=x | Invalid value for option '--max-namespace-evictions': 'x' is not an int"
            + " (see --help)",
        "plan --prometheus-url=a^b | Invalid value for option '--prometheus-url': must be a URL"
            + " like http://prometheus.monitoring:9090: illegal character in path (see --help)",
        "plan --agents=a^b | Invalid value for option '--agents' (URL): must be a URL like"
            + " http://prometheus.monitoring:9090: illegal character in path (see --help)",
        "run --address=nope | Invalid value for option '--address': must be host:port,"
            + " [v6-address]:port or :port, was nope (see --help)",
        "run --dry-run=maybe | Invalid value for option '--dry-run': 'maybe' is not a boolean (see"
            + " --help)",
        "run --log-format=xml | Invalid value for option '--log-format': expected one of [text,"
            + " json] (case-sensitive) but was 'xml' (see --help)",
        "restore | expected either NAMESPACE/KIND/NAME or --all, was neither (see --help)",
        "restore --all a/b/c | expected either NAMESPACE/KIND/NAME or --all, was both (see --help)",
        "restore a/deployment | the owner must be written NAMESPACE/KIND/NAME, was a/deployment (see"
            + " --help)",
        "restore a/b/c --namespace=a | --namespace needs --all (see --help)",
        "explain | Missing required parameter: NAMESPACE/POD or NAMESPACE/KIND/NAME (see --help)",
        "explain train-0 | the workload must be written NAMESPACE/POD or NAMESPACE/KIND/NAME, was"
            + " train-0 (see --help)",
        "explain a/b/c/d | the workload must be written NAMESPACE/POD or NAMESPACE/KIND/NAME, was"
            + " a/b/c/d (see --help)",
        "explain /b | the workload must be written NAMESPACE/POD or NAMESPACE/KIND/NAME, was"
            + " /b (see --help)",
        "backtest --since=yesterday | Invalid value for option '--since': must be a duration ago like"
            + " 14d or 12h, or a time like 2026-03-01T18:00:00Z, was yesterday (see --help)",
        "backtest --until=2026-13-01T00:00:00Z | Invalid value for option '--until': must be a"
            + " duration ago like 14d or 12h, or a time like 2026-03-01T18:00:00Z, was"
            + " 2026-13-01T00:00:00Z (see --help)",
        "backtest --step=2 | Invalid value for option '--step': must be a duration like 90s, 10m,"
            + " 2h, 1h30m, 1d or 1w, was 2 (see --help)",
        "backtest --as-if=notify | Invalid value for option '--as-if': must be one of always,"
            + " on-demand, report, was notify (see --help)",
        "backtest --limit=-1 | --limit must not be negative, was -1",
        "simulate --nodes=0 | --nodes must be from 1 to 100000, was 0",
        "simulate --seeds=0 | --seeds must be from 1 to 1000, was 0",
        "simulate --length=0s | --length must be from 1s to 3650d, was 0s",
        "simulate --interval=5s | --interval must be from 10s to 1h, was 5s",
        "simulate --pod-list=a | --pod-list, --workloads and --sacct need --node-list, which is"
            + " missing",
        "simulate --node-list=a | --node-list needs one of --pod-list, --workloads and --sacct, was"
            + " none",
        "simulate --node-list=a --pod-list=b --sacct=c | --node-list needs one of --pod-list,"
            + " --workloads and --sacct, was 2 of them",
        "simulate --job-activity=a | --job-activity and --notebook-partitions need --sacct, which is"
            + " missing",
        "simulate --priorities=a=1 | --priorities needs --sacct or --prometheus, which is missing",
        "simulate --to=1h | --to needs --prometheus, which is missing",
        "simulate --prometheus=http://a --node-list=b --sacct=c | --prometheus and --node-list exclude"
            + " each other, was both",
        "simulate --from=1h | --from needs --pod-list, --sacct or --prometheus, which is missing",
        "simulate --node-list=a --sacct=b --from=1h | --from must be a time of --sacct like"
            + " 2026-03-01T18:00:00, was a duration",
        "simulate --node-list=a --pod-list=b --from=2026-03-01 | --from must be a duration after the"
            + " begin of --pod-list, was a time",
        "simulate --from=x | Invalid value for option '--from': must be a duration like 12h,"
            + " or a time like 2026-03-01T18:00:00, was x (see --help)",
        "simulate --node-list=/nowhere --pod-list=b | cannot read /nowhere:"
            + " java.nio.file.NoSuchFileException: /nowhere",
        "simulate --policies=best | Invalid value for option '--policies' (NAME): must be one of"
            + " none, preemption, report, on-demand, longest-idle, fewest-pods, random, always,"
            + " any-gpu-30m, average-10, oracle, was best (see --help)",
        "backtest | exactly one of prometheus.url and direct.agents must be set, was none",
        "plan | exactly one of prometheus.url and direct.agents must be set, was none",
        "run | exactly one of prometheus.url and direct.agents must be set, was none",
        "plan --prometheus-url=http://a --agents=http://b | exactly one of prometheus.url and"
            + " direct.agents must be set, was both",
        "run --prometheus-url=http://a --agents=http://b | exactly one of prometheus.url and"
            + " direct.agents must be set, was both",
        "plan --prometheus-url=localhost:9090 | prometheus.url must begin with http:// or https://,"
            + " its scheme was localhost",
        "plan --prometheus-url=http://a --kubeconfig=/nowhere | kubeconfig /nowhere does not exist"
            + " or is not readable",
        "run --prometheus-url=http://a --kubeconfig=/nowhere | kubeconfig /nowhere does not exist"
            + " or is not readable"
      })
  void saysWhatIsWrong_inOneLine(String arguments, String problem) {
    String[] args =
        Stream.of(arguments.split(" ", -1)).filter(a -> !a.isEmpty()).toArray(String[]::new);

    assertThat(Console.of(args)).isEqualTo(new Console(2, "", "gpu-reclaimer: " + problem + "\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plan --idle-after=5m | policy.idle-after must be at least policy.min-idle-after, which is"
            + " 10m, was 5m",
        "plan --max-namespace-evictions=-1 | plan.max-namespace-evictions must not be negative, was -1",
        "run --interval=0s | reclaimer.interval must be at least 1s, was 0s",
        "backtest --step=0s | --step must be at least 1s, was 0s",
        "backtest --until=2999-01-01T00:00:00Z | --until must not be in the future, was"
            + " 2999-01-01T00:00:00Z",
        "backtest --since=2026-01-02T00:00:00Z --until=2026-01-01T00:00:00Z | --since must be at"
            + " least one --step before --until, was 2026-01-02T00:00:00Z and"
            + " 2026-01-01T00:00:00Z",
        "backtest --since=2020-01-01T00:00:00Z --until=2021-01-01T00:00:00Z --step=1m | from --since"
            + " to --until must be at most 200000 of --step, was 527040; lengthen --step",
        "plan --context=prod | context prod is not in KUBECONFIG, which has [here]"
      })
  void namesThePropertyOfABadValue(String arguments, String problem) {
    String[] args =
        Stream.concat(
                Stream.of(arguments.split(" ", -1)),
                Stream.of("--prometheus-url=http://a", "--kubeconfig=" + kubeconfig))
            .toArray(String[]::new);

    assertThat(Console.of(args))
        .isEqualTo(
            new Console(
                2,
                "",
                "gpu-reclaimer: " + problem.replace("KUBECONFIG", kubeconfig.toString()) + "\n"));
  }

  @Test
  void namesTheFlag_whenItsVariableIsWrong() {
    assertThat(Console.with(Map.of("GPU_RECLAIMER_IDLE_AFTER", "5x"), "plan").err())
        .isEqualTo(
            "gpu-reclaimer: Invalid value for option '--idle-after': must be a duration like 90s,"
                + " 10m, 2h, 1h30m, 1d or 1w, was 5x (see --help)\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plan --prometheus-url=http://me:s3cret@host",
        "plan --prometheus-url=http://me:s3cret@ho^st",
        "plan --agents=http://me:s3cret@host"
      })
  void neverRepeatsAPassword(String arguments) {
    Console console = Console.of(arguments.split(" ", -1));

    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "run", "plan", "explain", "backtest", "simulate"})
  void helps(String command) {
    Console console = command.isEmpty() ? Console.of("--help") : Console.of(command, "--help");

    assertThat(console.exitCode()).isZero();
    assertThat(console.err()).isEmpty();
    assertThat(console.out()).startsWith("Usage: gpu-reclaimer " + command);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "run", "plan", "explain", "backtest"})
  void reportsItsVersion(String command) {
    Console console =
        command.isEmpty() ? Console.of("--version") : Console.of(command, "--version");

    assertThat(console).isEqualTo(new Console(0, "gpu-reclaimer development\n", ""));
  }
}
