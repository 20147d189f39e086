package io.gpureclaimer.reclaimer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer;
import io.gpureclaimer.reclaimer.faults.TraceReplay.Loss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Traces of real pods, replayed in virtual time; prints a table that compares what was done with
 * what others would have done. The directory is named by the property {@code traces}; a {@code
 * prometheus} on the PATH answers the questions if {@code traces.real} is true. From {@code
 * traces.selectiveFrom} pods on, they are read as those of a large cluster.
 */
@EnabledIfSystemProperty(named = "traces", matches = ".+")
class TraceReplayIT {
  private static final long SEED = 20_260_302;
  private static final int GPUS_OF_A_WIDE_POD = 4;
  private static final double HALF = 0.5;
  private static final double SECONDS_PER_HOUR = 3_600.0;

  private static List<DutyCycleTrace> traces = List.of();

  @TempDir private Path directory;

  @BeforeAll
  static void read() throws IOException {
    traces = DutyCycleTrace.all(Path.of(System.getProperty("traces")), SkewedClocks.START);
  }

  @Test
  void noPodThatWorkedIsEvicted_onRealTraces() throws IOException {
    var table = new ArrayList<String>();
    List<TracedPod> single = traces.stream().map(trace -> TracedPod.of(List.of(trace))).toList();
    for (int minutes : List.of(30, 60, 120)) {
      table.add(ours("one GPU", single, Duration.ofMinutes(minutes), Loss.NONE));
    }
    table.add(
        ours(
            "one GPU, half of the scrapes lost",
            single,
            Duration.ofMinutes(30),
            new Loss(HALF, 0)));
    table.add(
        ours(
            "one GPU, half of the samples lost",
            single,
            Duration.ofMinutes(30),
            new Loss(0, HALF)));
    table.add(ours("four GPUs", wide(), Duration.ofMinutes(30), Loss.NONE));
    for (BaselineReclaimer baseline : BaselineReclaimer.values()) {
      table.add(theirs("one GPU", single, baseline, 0));
      table.add(theirs("one GPU, half of the samples lost", single, baseline, HALF));
      table.add(theirs("four GPUs", wide(), baseline, 0));
    }
    System.out.println();
    System.out.println(
        "| pods | judged by | acts | on pods that worked in the window | needed again within 30 min"
            + " | 60 min | 240 min | GPU-hours freed |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    table.forEach(System.out::println);
  }

  /** Pods whose traces begin together, four at a time. */
  private static List<TracedPod> wide() {
    List<DutyCycleTrace> whole =
        traces.stream()
            .filter(trace -> trace.from().equals(SkewedClocks.START.minus(DutyCycleTrace.INTERVAL)))
            .filter(trace -> trace.to().isAfter(SkewedClocks.START.plus(Duration.ofHours(22))))
            .toList();
    return IntStream.range(0, whole.size() / GPUS_OF_A_WIDE_POD)
        .mapToObj(i -> whole.subList(i * GPUS_OF_A_WIDE_POD, (i + 1) * GPUS_OF_A_WIDE_POD))
        .map(TracedPod::of)
        .toList();
  }

  private String ours(String pods, List<TracedPod> workloads, Duration idleAfter, Loss loss)
      throws IOException {
    try (Closing real = real(pods + idleAfter);
        var replay = new TraceReplay(workloads, idleAfter, loss, SEED, real.server())) {
      List<ReplayedAction> acts = replay.run();
      // Of lost samples see LimitsOfEvidenceIT.
      assertThat(acts.stream().filter(act -> loss.samples() == 0 && act.onWorkWithin(idleAfter)))
          .as("acts on pods that worked within %s", idleAfter)
          .isEmpty();
      assertThat(acts).isNotEmpty();
      return row(pods, "this, " + idleAfter.toMinutes() + " min", acts, idleAfter);
    }
  }

  private static String theirs(
      String pods, List<TracedPod> workloads, BaselineReclaimer baseline, double lost) {
    var random = new Random(SEED);
    List<ReplayedAction> acts =
        workloads.stream()
            .flatMap(workload -> baseline.actsOn(workload, lost, random).stream())
            .toList();
    return row(pods, baseline.title(), acts, baseline.window());
  }

  private static String row(String pods, String judge, List<ReplayedAction> acts, Duration window) {
    long onWork = acts.stream().filter(act -> act.onWorkWithin(window)).count();
    double hours = acts.stream().mapToLong(act -> act.freed().toSeconds()).sum() / SECONDS_PER_HOUR;
    return String.format(
        Locale.ROOT,
        "| %s | %s | %d | %d | %s | %s | %s | %.0f |",
        pods,
        judge,
        acts.size(),
        onWork,
        regretted(acts, Duration.ofMinutes(30)),
        regretted(acts, Duration.ofMinutes(60)),
        regretted(acts, Duration.ofMinutes(240)),
        hours);
  }

  /** Of the acts after which the trace goes on for that long. */
  private static String regretted(List<ReplayedAction> acts, Duration within) {
    List<ReplayedAction> judged =
        acts.stream().filter(act -> act.isRegretted(within) || isSeen(act, within)).toList();
    long regretted = judged.stream().filter(act -> act.isRegretted(within)).count();
    long percent = judged.isEmpty() ? 0 : Math.round(100.0 * regretted / judged.size());
    return regretted + " of " + judged.size() + " (" + percent + " %)";
  }

  private static boolean isSeen(ReplayedAction act, Duration within) {
    Instant until = act.at().plus(within);
    return !until.isAfter(act.workload().to());
  }

  private Closing real(String name) throws IOException {
    if (!Boolean.getBoolean("traces.real")) {
      return new Closing(Optional.empty());
    }
    Path data = Files.createDirectories(directory.resolve(name.replace(' ', '-')));
    return new Closing(Optional.of(RealServer.start(PrometheusCompatibleServer.PROMETHEUS, data)));
  }

  /** A server, or none. */
  private record Closing(Optional<RealServer> server) implements AutoCloseable {
    @Override
    public void close() {
      server.ifPresent(RealServer::close);
    }
  }
}
