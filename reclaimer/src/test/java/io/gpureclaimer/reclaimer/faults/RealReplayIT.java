package io.gpureclaimer.reclaimer.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer;
import io.gpureclaimer.reclaimer.faults.TraceReplay.Loss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Generated traces, whose samples are stored in each real server at times of the past, and which is
 * asked about those times: the program comes to the same verdicts as with the double that answers
 * everywhere else, so what the double shows holds.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer#forLongTests")
class RealReplayIT {
  private static final Duration IDLE_AFTER = Duration.ofMinutes(30);
  private static final int PODS = 6;

  @TempDir private Path directory;
  private final PrometheusCompatibleServer kind;

  RealReplayIT(PrometheusCompatibleServer kind) {
    this.kind = kind;
  }

  @ParameterizedTest(name = "share of the samples that gets lost: {0}")
  @ValueSource(doubles = {0, 0.3})
  void sameActsAtTheSameTimes_asWithTheDouble(double lost) throws IOException {
    compare(lost, Integer.MAX_VALUE);
  }

  @ParameterizedTest(name = "share of the samples that gets lost: {0}")
  @ValueSource(doubles = {0, 0.3})
  @Tag("nightly")
  void sameActsAtTheSameTimes_whenReadAsALargeCluster(double lost) throws IOException {
    compare(lost, 0);
  }

  private void compare(double lost, int selectiveFrom) throws IOException {
    assumeTrue(kind.isHere(), kind + " is not on the PATH, nor where ./test puts it");
    List<TracedPod> workloads = GeneratedTraces.pods(PODS);

    List<String> expected = acts(workloads, lost, selectiveFrom, Optional.empty());
    List<String> found;
    try (RealServer real =
        RealServer.start(kind, Files.createDirectories(directory.resolve("" + lost)))) {
      found = acts(workloads, lost, selectiveFrom, Optional.of(real));
    }

    assertThat(found).isEqualTo(expected);
    assertThat(lost > 0 || !expected.isEmpty()).as("there were acts").isTrue();
  }

  private static List<String> acts(
      List<TracedPod> workloads, double lost, int selectiveFrom, Optional<RealServer> real) {
    try (var replay =
        new TraceReplay(
            workloads,
            TraceReplay.always(IDLE_AFTER),
            new Loss(0, lost),
            GeneratedTraces.SEED,
            real,
            selectiveFrom)) {
      return replay.run().stream().map(act -> act.workload() + " at " + act.at()).toList();
    }
  }
}
