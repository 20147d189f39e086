package io.gpureclaimer.reclaimer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.reclaimer.cluster.kubernetes.Kinds;
import io.gpureclaimer.reclaimer.evidence.source.Backfill;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer;
import io.gpureclaimer.reclaimer.evidence.source.RecordedPodSeries;
import io.gpureclaimer.reclaimer.show.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole command against an API server and each real server that holds three days. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer#forLongTests")
class BacktestIT {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final Instant END = START.plus(Duration.ofDays(3));
  private static final String NODE = "node-1";
  private static final Predicate<Instant> ALWAYS = not(END, END);

  @TempDir static Path folder;

  private static final String QUERIES = "gpu-reclaimer: queries http://";

  private static FakeApiServer api;
  private static Path kubeconfig = Path.of("kubeconfig");
  private static int callsOfTheScene;
  private static PrometheusCompatibleServer.RunningServer server;

  /** Holds the same past, with a sample every 57 seconds. */
  private static PrometheusCompatibleServer.RunningServer uneven;

  private final PrometheusCompatibleServer kind;

  BacktestIT(PrometheusCompatibleServer kind) {
    this.kind = kind;
  }

  @BeforeParameterizedClassInvocation
  static void setTheScene(PrometheusCompatibleServer kind) throws IOException {
    assumeTrue(kind.isHere(), kind + " is not on the PATH, nor where ./test puts it");
    api = new FakeApiServer();
    api.serve("gpu-reclaimer.io", "v1alpha1", "Reclamation", "reclamations");
    var surroundings = new CommandEnvironment(api);
    kubeconfig = surroundings.kubeconfig(folder);
    api.forceText("GET", "/apis/apps/v1", Kinds.APPS);
    surroundings.addNode(NODE);
    surroundings.addNamespace("research", Map.of("gpu-reclaimer.io/class", "interactive"));
    surroundings.addNamespace("serving", Map.of("gpu-reclaimer.io/mode", "on-demand"));
    surroundings.addNamespace(
        "training", Map.of("gpu-reclaimer.io/mode", "always", "gpu-reclaimer.io/idle-after", "4h"));
    var past = new Backfill();
    List<RecordedPodSeries> pods = pods(surroundings).toList();
    pods.forEach(pod -> pod.into(past));
    server =
        kind.start(
            Files.createTempDirectory(folder, "past"),
            PrometheusCompatibleServer.ServerSetup.of(past));
    var otherPast = new Backfill();
    pods.forEach(pod -> pod.into(otherPast, Duration.ofSeconds(57)));
    uneven =
        kind.start(
            Files.createTempDirectory(folder, "uneven"),
            PrometheusCompatibleServer.ServerSetup.of(otherPast));
    callsOfTheScene = api.calls().size();
  }

  @AfterParameterizedClassInvocation
  static void tearDown() {
    server.close();
    uneven.close();
    api.close();
  }

  /** What six pods did in three days; two of them are gone. */
  private static Stream<RecordedPodSeries> pods(CommandEnvironment surroundings) {
    String ada = surroundings.addPod("research", "notebook-ada", NODE, 1, List.of());
    String ben = surroundings.addPod("research", "notebook-ben", NODE, 1, List.of());
    String chat =
        surroundings.addPod(
            "serving",
            "chat-x7k2p",
            NODE,
            2,
            List.of(surroundings.addReplicaSet("serving", "chat")));
    String train = surroundings.addPod("training", "train-0", NODE, 4, List.of());
    return Stream.of(
        new RecordedPodSeries(
            "research", "notebook-ada", ada, 1, START, END, BacktestIT::isOfficeHour, ALWAYS),
        new RecordedPodSeries(
            "research", "notebook-ben", ben, 1, START, END, BacktestIT::isNowAndThen, ALWAYS),
        new RecordedPodSeries(
            "research", "sweep-17", "uid-of-sweep", 2, START, hour(30), before(hour(6)), ALWAYS),
        new RecordedPodSeries(
            "serving", "chat-x7k2p", chat, 2, START, END, every(60 * 12, 20), ALWAYS),
        new RecordedPodSeries(
            "training", "train-0", train, 4, START, END, ALWAYS, not(hour(40), hour(42))),
        new RecordedPodSeries(
            "training",
            "eval-3",
            "uid-of-eval",
            1,
            hour(20),
            hour(60),
            before(hour(21)),
            not(hour(31), hour(33))));
  }

  @Test
  void saysWhatWouldHaveBeenTaken_andWhoWouldHaveMissedIt() throws IOException {
    Console console = backtest("--limit=8");

    assertThat(console.err()).startsWith(QUERIES);
    assertThat(console.exitCode()).isZero();
    assertThatTextIs("backtest-real.txt", console.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rules", "series"})
  void saysTheSame_byWhatOthersRecorded_butForPodsThatAreGoneAndHadOnlyAName(String form)
      throws IOException {
    Console console = backtest("--limit=8", "--prometheus-form=" + form);

    assertThat(console.err()).startsWith(QUERIES);
    assertThatTextIs("backtest-real-" + form + ".txt", console.out());
  }

  @Test
  void triesAnotherIdleTime() throws IOException {
    Console console = backtest("--idle-after=6h", "--namespace=research", "--step=5m");

    assertThat(console.err()).startsWith(QUERIES);
    assertThatTextIs("backtest-real-6h.txt", console.out());
  }

  /** Looks are at other times than samples; each act is at the look after it became due. */
  @ParameterizedTest
  @ValueSource(strings = {"ledger", "rules", "series"})
  void reclaimsTheSame_whateverTheStep_orSaysThatItCannotSay(String form) {
    List<String> expected = acts(uneven(form, "1m"));

    assertThat(expected).hasSizeGreaterThan(5);
    for (String step : List.of("90s", "2m")) {
      Console console = uneven(form, step);
      if (form.equals("series")) {
        assertThat(console.exitCode()).isEqualTo(2);
        assertThat(console.err()).contains("the step must be at most 60s");
      } else {
        assertThat(acts(console)).zipSatisfy(expected, BacktestIT::requireSameAct);
      }
    }
  }

  private static void requireSameAct(String act, String expected) {
    String[] parts = act.split(" ", -1);
    String[] others = expected.split(" ", -1);
    assertThat(parts[0]).isEqualTo(others[0]);
    assertThat(Duration.between(Instant.parse(others[1]), Instant.parse(parts[1])).abs())
        .isLessThanOrEqualTo(Duration.ofMinutes(2));
  }

  private static Console uneven(String form, String step) {
    return Console.of(
        "backtest",
        "--kubeconfig=" + kubeconfig,
        "--prometheus-url=" + uneven.base(),
        "--since=" + START,
        "--until=" + END,
        "--limit=1000",
        "--prometheus-form=" + form,
        "--step=" + step);
  }

  /**
   * Pods with the time at which each was reclaimed, in order; without those that were due for less
   * than two minutes, which a longer step misses, as the command says.
   */
  private static List<String> acts(Console console) {
    return taken(console.out()).stream()
        .skip(1)
        .filter(line -> !line.matches(".*needed again after (\\d+s|1m( \\d+s)?)"))
        .map(line -> line.split(" +", -1))
        .map(parts -> parts[1] + " " + parts[0])
        .sorted()
        .toList();
  }

  @Test
  void continuesWithTheAnswersOfAFolder_overTheSameTime() throws IOException {
    Path answers = folder.resolve("answers-" + kind);
    Console first = backtest("--resume=" + answers);
    try (Stream<Path> files = Files.list(answers)) {
      assertThat(files.filter(file -> file.toString().endsWith(".json.gz")).count())
          .isGreaterThan(20);
    }
    Console again = backtest("--resume=" + answers, "--limit=3");

    assertThat(again.err()).startsWith("gpu-reclaimer: continues with the answers in " + answers);
    assertThat(again.out().lines().limit(2).toList())
        .isEqualTo(first.out().lines().limit(2).toList());
    assertThat(backtest("--resume=" + answers, "--step=5m").err())
        .startsWith(
            "gpu-reclaimer: --resume must name an empty folder or one of the same command, found");
  }

  @Test
  void writesAReportThatNeedsNoOtherFile() throws IOException {
    Path report = folder.resolve("report-" + kind + ".html");

    assertThat(backtest("--html=" + report).exitCode()).isZero();
    assertThat(Files.readString(report))
        .contains("<h1>What would have been reclaimed</h1>", "research/notebook-ben");
  }

  @Test
  void takesNothing_withoutPermission() {
    Console console = backtest("--as-if=report", "--namespace=research");

    assertThat(console.out())
        .contains("a pod would have been reclaimed 0 times")
        .contains("Nothing would");
  }

  @Test
  void saysThatThereIsNothing_beforeTheFirstRecord() {
    assertThat(
            Console.of(arguments("--since=2025-01-01T00:00:00Z", "--until=2025-01-02T00:00:00Z")))
        .isEqualTo(
            new Console(
                1,
                "",
                QUERIES
                    + server.base().getAuthority()
                    + server.base().getPath()
                    + "/api/v1/query_range from 2025-01-01T00:00:00Z to 2025-01-02T00:00:00Z every 2m: the activity of all"
                    + " GPUs and their signals, in at least 7 requests of each kind; pods that are due"
                    + " for less than a step are missed, --step 1m finds them\n"
                    + "gpu-reclaimer: nothing is recorded of any pod's GPU between 2025-01-01T00:00:00Z"
                    + " and 2025-01-02T00:00:00Z: the Prometheus keeps nothing that is so old, no"
                    + " agent was scraped then, or no pod held a GPU\n"));
  }

  @Test
  void saysThatNothingAnswers() {
    Console console =
        Console.of("backtest", "--kubeconfig=" + kubeconfig, "--prometheus-url=http://127.0.0.1:9");

    assertThat(console.exitCode()).isEqualTo(1);
    assertThat(console.out()).isEmpty();
    assertThat(console.err())
        .startsWith("gpu-reclaimer: queries http://127.0.0.1:9/api/v1/query_range from ")
        .contains(
            "\ngpu-reclaimer: POST http://127.0.0.1:9/api/v1/query_range: expected an answer, found ")
        .hasLineCount(2);
  }

  @Test
  void needsAServerThatKeepsThePast() {
    assertThat(Console.of("backtest", "--kubeconfig=" + kubeconfig, "--agents=http://127.0.0.1:9"))
        .isEqualTo(
            new Console(
                2,
                "",
                "gpu-reclaimer: backtest needs prometheus.url: agents keep no past, was"
                    + " direct.agents\n"));
  }

  @Test
  void writesNothing() {
    backtest();

    assertThat(api.calls().stream().skip(callsOfTheScene).filter(call -> !call.startsWith("GET ")))
        .isEmpty();
  }

  /**
   * What would have been reclaimed is the same with each server. For how long a pod is seen after
   * its last sample is not: that depends on how far each looks back for one.
   */
  private void assertThatTextIs(String golden, String text) throws IOException {
    if (kind == PrometheusCompatibleServer.PROMETHEUS) {
      Golden.assertThatTextIs(golden, text);
    } else {
      String expected = Files.readString(Path.of("src/test/resources/golden", golden));
      assertThat(taken(text)).isEqualTo(taken(expected)).hasSizeGreaterThan(5);
    }
  }

  private static List<String> taken(String text) {
    return text.lines()
        .dropWhile(line -> !line.startsWith("RECLAIMED AT"))
        .takeWhile(line -> !line.isBlank())
        .toList();
  }

  private static Console backtest(String... more) {
    return Console.of(
        Stream.concat(Stream.of(arguments("--since=" + START, "--until=" + END)), Stream.of(more))
            .toArray(String[]::new));
  }

  private static String[] arguments(String... range) {
    return Stream.concat(
            Stream.of(
                "backtest", "--kubeconfig=" + kubeconfig, "--prometheus-url=" + server.base()),
            Stream.of(range))
        .toArray(String[]::new);
  }

  private static Instant hour(int hour) {
    return START.plus(Duration.ofHours(hour));
  }

  private static Predicate<Instant> before(Instant end) {
    return at -> at.isBefore(end);
  }

  private static Predicate<Instant> not(Instant from, Instant to) {
    return at -> at.isBefore(from) || !at.isBefore(to);
  }

  /** From nine to five, with a break at noon. */
  private static boolean isOfficeHour(Instant at) {
    long hour = Duration.between(START, at).toHours() % 24;
    return hour >= 9 && hour < 17 && hour != 12;
  }

  /** In office hours ten of ninety minutes. */
  private static boolean isNowAndThen(Instant at) {
    return isOfficeHour(at) && Duration.between(START, at).toMinutes() % 90 < 10;
  }

  private static Predicate<Instant> every(int minutes, int working) {
    return at -> Duration.between(START, at).toMinutes() % minutes < working;
  }
}
