package io.gpureclaimer.reclaimer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.cluster.kubernetes.Kinds;
import io.gpureclaimer.reclaimer.evidence.source.Backfill;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer;
import io.gpureclaimer.reclaimer.show.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole command against an API server and a real Prometheus that holds twelve hours. */
class ReportIT {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final Instant END = START.plus(Duration.ofHours(12));
  private static final Duration SAMPLED_EVERY = Duration.ofMinutes(1);
  private static final Predicate<Instant> ALWAYS = not(END, END);
  private static final Board H100 = new Board("NVIDIA H100 80GB HBM3", 80_994, 565);
  private static final Board L40S = new Board("NVIDIA L40S", 45_456, 612);
  private static final Board T4 = new Board("Tesla T4", 15_109, 251);

  @TempDir static Path folder;

  private static FakeApiServer api;
  private static Path kubeconfig = Path.of("kubeconfig");
  private static int callsOfTheScene;
  private static PrometheusCompatibleServer.RunningServer server;

  /** A model with its usable and its reserved memory in MiB. */
  private record Board(String model, int mebibytes, int reserved) {}

  /**
   * A pod of the past.
   *
   * @param working which of its devices work when it does
   * @param memory in use on each device, in MiB
   */
  private record Past(
      String namespace,
      String name,
      String uid,
      Board board,
      int gpus,
      Set<Integer> working,
      Predicate<Instant> works,
      Predicate<Instant> watched,
      int memory,
      double utilization,
      OptionalDouble smActive) {}

  @BeforeAll
  static void setTheScene() throws IOException {
    assumeTrue(PrometheusCompatibleServer.PROMETHEUS.isHere(), "Prometheus is not on the PATH");
    api = new FakeApiServer();
    api.serve("gpu-reclaimer.io", "v1alpha1", "Reclamation", "reclamations");
    var surroundings = new CommandEnvironment(api);
    kubeconfig = surroundings.kubeconfig(folder);
    api.forceText("GET", "/apis/apps/v1", Kinds.APPS);
    surroundings.addNode("node-1");
    surroundings.addNamespace("research", Map.of());
    surroundings.addNamespace("serving", Map.of());
    var past = new Backfill();
    pods(surroundings).forEach(pod -> add(pod, past));
    server =
        PrometheusCompatibleServer.PROMETHEUS.start(
            Files.createTempDirectory(folder, "past"),
            PrometheusCompatibleServer.ServerSetup.of(past));
    callsOfTheScene = api.calls().size();
  }

  @AfterAll
  static void tearDown() {
    if (server != null) {
      server.close();
      api.close();
    }
  }

  private static Stream<Past> pods(CommandEnvironment surroundings) {
    List<OwnerReference> chat = List.of(surroundings.addReplicaSet("serving", "chat"));
    String train = surroundings.addPod("research", "train-0", "node-1", 4, List.of());
    String ada = surroundings.addPod("research", "notebook-ada", "node-1", 1, List.of());
    String idle = surroundings.addPod("research", "notebook-ben", "node-1", 1, List.of());
    String blind = surroundings.addPod("research", "sweep-3", "node-1", 2, List.of());
    String fits = surroundings.addPod("serving", "embed", "node-1", 1, List.of());
    String first = surroundings.addPod("serving", "chat-a", "node-1", 1, chat);
    String second = surroundings.addPod("serving", "chat-b", "node-1", 1, chat);
    String third = surroundings.addPod("serving", "chat-c", "node-1", 1, chat);
    return Stream.of(
        pod("research", "train-0", train, H100, 4, Set.of(0, 2), ALWAYS, 70_000, 90),
        new Past(
            "research",
            "notebook-ada",
            ada,
            H100,
            1,
            Set.of(0),
            everyHour(10),
            ALWAYS,
            6_200,
            60,
            OptionalDouble.of(0.4)),
        pod("research", "notebook-ben", idle, L40S, 1, Set.of(), ALWAYS, 500, 0),
        new Past(
            "research",
            "sweep-3",
            blind,
            L40S,
            2,
            Set.of(),
            ALWAYS,
            not(hour(5), hour(7)),
            1_000,
            0,
            OptionalDouble.empty()),
        pod("serving", "embed", fits, T4, 1, Set.of(0), ALWAYS, 14_000, 80),
        pod("serving", "chat-a", first, L40S, 1, Set.of(0), everyHour(20), 9_000, 70),
        pod("serving", "chat-b", second, L40S, 1, Set.of(), ALWAYS, 9_000, 0),
        pod("serving", "chat-c", third, L40S, 1, Set.of(), ALWAYS, 9_000, 0));
  }

  @ParameterizedTest
  @CsvSource({"text, txt", "json, json", "csv, csv"})
  void listsWhatRequestedMoreThanItUsed(String format, String suffix) {
    Console console = report("--output=" + format);

    assertThat(console.err()).startsWith("gpu-reclaimer: queries http://");
    assertThat(console.exitCode()).isZero();
    Golden.assertThatTextIs("right-size." + suffix, console.out());
  }

  @Test
  void limitsTheList_andTheNamespaces() {
    assertThat(report("--namespace=research", "--limit=1").out())
        .contains("train-0", "and 3 more; --limit shows them")
        .doesNotContain("serving");
  }

  @Test
  void saysThatThereIsNothing_beforeTheFirstRecord() {
    Console console =
        Console.of(arguments("--since=2025-01-01T00:00:00Z", "--until=2025-01-02T00:00:00Z"));

    assertThat(console.exitCode()).isEqualTo(1);
    assertThat(console.err()).contains("nothing is recorded of any pod's GPU between 2025-01-01");
  }

  @Test
  void saysThatNothingAnswers() {
    Console console =
        Console.of(
            "report",
            "right-size",
            "--kubeconfig=" + kubeconfig,
            "--prometheus-url=http://127.0.0.1:9");

    assertThat(console.exitCode()).isEqualTo(1);
    assertThat(console.out()).isEmpty();
    assertThat(console.err()).contains("/api/v1/query_range: expected an answer, found ");
  }

  @Test
  void writesNothing() {
    report();

    assertThat(api.calls().stream().skip(callsOfTheScene).filter(call -> !call.startsWith("GET ")))
        .isEmpty();
  }

  private static Console report(String... more) {
    return Console.of(
        Stream.concat(Stream.of(arguments("--since=" + START, "--until=" + END)), Stream.of(more))
            .toArray(String[]::new));
  }

  private static String[] arguments(String... range) {
    return Stream.concat(
            Stream.of(
                "report",
                "right-size",
                "--kubeconfig=" + kubeconfig,
                "--prometheus-url=" + server.base()),
            Stream.of(range))
        .toArray(String[]::new);
  }

  private static Past pod(
      String namespace,
      String name,
      String uid,
      Board board,
      int gpus,
      Set<Integer> working,
      Predicate<Instant> works,
      int memory,
      double utilization) {
    return new Past(
        namespace,
        name,
        uid,
        board,
        gpus,
        working,
        works,
        ALWAYS,
        memory,
        utilization,
        OptionalDouble.empty());
  }

  private static void add(Past pod, Backfill past) {
    Map<Integer, Instant> active = new HashMap<>();
    for (Instant at = START; !at.isAfter(END); at = at.plus(SAMPLED_EVERY)) {
      if (!pod.watched().test(at)) {
        active.clear();
        continue;
      }
      Map<String, String> labels =
          new HashMap<>(
              Map.of("namespace", pod.namespace(), "pod", pod.name(), "pod_uid", pod.uid()));
      past.add(LedgerMetrics.DEVICE_COUNT, labels, pod.gpus(), at);
      labels.put("container", "main");
      for (int gpu = 0; gpu < pod.gpus(); gpu++) {
        boolean works = pod.working().contains(gpu) && pod.works().test(at);
        if (works) {
          active.put(gpu, at);
        }
        labels.put("UUID", "GPU-" + pod.name() + "-" + gpu);
        addLedger(pod, labels, active.get(gpu), at, past);
        addDcgm(pod, labels, works, at, past);
      }
    }
  }

  private static void addLedger(
      Past pod, Map<String, String> labels, @Nullable Instant active, Instant at, Backfill past) {
    Instant since = pod.watched().test(hour(6)) || at.isBefore(hour(6)) ? START : hour(7);
    past.add(LedgerMetrics.OBSERVED_SINCE, labels, (double) since.getEpochSecond(), at);
    past.add(LedgerMetrics.OBSERVED_UNTIL, labels, (double) at.getEpochSecond(), at);
    past.add(LedgerMetrics.BUSY, labels, active == null ? 0 : 1, at);
    if (active != null) {
      past.add(LedgerMetrics.LAST_ACTIVE, labels, (double) active.getEpochSecond(), at);
    }
  }

  private static void addDcgm(
      Past pod, Map<String, String> labels, boolean works, Instant at, Backfill past) {
    Map<String, String> board = new HashMap<>(labels);
    board.put("modelName", pod.board().model());
    past.add("DCGM_FI_DEV_FB_USED", board, pod.memory(), at);
    past.add("DCGM_FI_DEV_FB_FREE", board, pod.board().mebibytes() - pod.memory(), at);
    past.add("DCGM_FI_DEV_FB_RESERVED", board, pod.board().reserved(), at);
    past.add("DCGM_FI_DEV_GPU_UTIL", board, works ? pod.utilization() : 0, at);
    if (pod.smActive().isPresent()) {
      past.add("DCGM_FI_PROF_SM_ACTIVE", board, works ? pod.smActive().getAsDouble() : 0, at);
    }
  }

  private static Predicate<Instant> everyHour(int minutes) {
    return at -> Duration.between(START, at).toMinutes() % 60 < minutes;
  }

  private static Predicate<Instant> not(Instant from, Instant to) {
    return at -> at.isBefore(from) || !at.isBefore(to);
  }

  private static Instant hour(int hour) {
    return START.plus(Duration.ofHours(hour));
  }
}
