package io.gpureclaimer.reclaimer.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.NodeGpus;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodCreated;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodOwner;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodPresence;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodRequest;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodScheduled;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule.EvidenceLimits;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.simulate.TraceProblems.InvalidTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class HistoryTraceBuilderTest {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(2);
  private static final TimeRange RANGE =
      new TimeRange(START, START.plus(Duration.ofMinutes(20)), STEP);
  private static final EvidenceRule RULE =
      new EvidenceRule(
          new EvidenceLimits(Duration.ofMinutes(3), Duration.ofMinutes(1), Duration.ofMinutes(1)));

  private final HistoryTraceBuilder past =
      new HistoryTraceBuilder(RANGE, RULE, Map.of("high", 100));

  /**
   * A pod from minute 2 to 18 that works until minute 5. No agent reports from minute 8 to 14, and
   * after that it has not worked.
   */
  @Test
  void aGapIsUnknown_andNotIdle() {
    pod("a", "Job", 1, 2, 18);
    look(2, active("a", 2, 2, 2));
    look(4, active("a", 2, 4, 4));
    look(6, active("a", 2, 6, 5));
    look(8, active("a", 2, 8, 5));
    look(10);
    look(12);
    look(14, idle("a", 14, 14));
    look(16, idle("a", 14, 16));
    look(18, idle("a", 14, 18));
    look(20);

    WorkloadTrace trace = past.trace("ledger");

    assertThat(trace.workloads())
        .containsExactly(
            new TracedWorkload(
                "ml",
                "a",
                WorkloadKind.TRAINING,
                120,
                16 * 60,
                List.of(1),
                1,
                Set.of(),
                100,
                1_800,
                new ActivityPeriods.PeriodsBuilder().add(0, 180, 1).build(),
                new ActivityPeriods.PeriodsBuilder().add(360, 720, 1).build(),
                ComputeResources.NONE));
    assertThat(trace.remarks())
        .contains(
            "prometheus: the activity of 37.5 % of the GPU time of running pods is "
                + "unknown; nothing is"
                + " assumed of it");
  }

  /** A Prometheus shows a series for some minutes more. */
  @Test
  void aPodEndsWithItsLastObservation_ifItWasSeenNotMuchLonger() {
    pod("a", "Job", 1, 0, 18);
    for (int minute = 2; minute <= 14; minute += 2) {
      look(minute, idle("a", 0, minute));
    }

    TracedWorkload found = past.trace("ledger").workloads().getFirst();
    assertThat(found.lifetime()).isEqualTo(14 * 60);
    assertThat(found.unknown()).isEqualTo(ActivityPeriods.NONE);
  }

  @Test
  void aPodThatNoAgentReported_isUnknownAllTheTime() {
    pod("a", "ReplicaSet", 2, 0, 20);
    for (int minute = 2; minute <= 20; minute += 2) {
      look(minute);
    }

    TracedWorkload found = past.trace("ledger").workloads().getFirst();
    assertThat(found.kind()).isEqualTo(WorkloadKind.SERVICE);
    assertThat(found.activity()).isEqualTo(ActivityPeriods.NONE);
    assertThat(found.unknown())
        .isEqualTo(new ActivityPeriods.PeriodsBuilder().add(0, found.lifetime(), 1).build());
  }

  /** As a cycle does, it does not believe what is said of one of two GPUs. */
  @Test
  void oneOfTwoGpusIsNoEvidence() {
    pod("a", "Job", 2, 0, 20);
    for (int minute = 2; minute <= 20; minute += 2) {
      look(minute, idle("a", 0, minute));
    }

    TracedWorkload found = past.trace("ledger").workloads().getFirst();
    assertThat(found.unknown().seconds(0, found.lifetime())).isEqualTo(found.lifetime());
  }

  @Test
  void aPodThatNeverGotGpus_isPendingToTheEnd_andUnknown() {
    past.add(new PodRequest("a", new PodName("ml", "a"), 4));
    past.add(new PodCreated("a", minute(6)));
    past.add(new PodPresence("a", false, minute(8)));
    past.add(new NodeGpus("node-1", 4, minute(8)));

    var trace = past.trace("ledger");

    TracedWorkload found = trace.workloads().getFirst();
    assertThat(found.arrival()).isEqualTo(360);
    assertThat(found.lifetime()).isEqualTo(14 * 60);
    assertThat(found.unknown().seconds(0, 14 * 60)).isEqualTo(14 * 60);
    assertThat(trace.remarks())
        .contains(
            "prometheus: 1 pods that were pending to the end run to the end once "
                + "they get GPUs, with"
                + " unknown activity");
    assertThat(trace.nodes()).containsExactly(new TracedNode("node-1", "unknown", 4));
  }

  @Test
  void saysWhenKubeStateMetricsWasSilent() {
    pod("a", "Job", 1, 2, 6);

    assertThat(past.trace("ledger").remarks())
        .contains(
            "prometheus: kube-state-metrics was silent at 7 of 10 looks; pods that ended then end"
                + " before");
  }

  @Test
  void refusesAPastWithoutNodes() {
    assertThatThrownBy(() -> past.trace("ledger"))
        .isInstanceOf(InvalidTrace.class)
        .hasMessageStartingWith(
            "expected kube_node_status_allocatable of nodes with GPUs from 2026-03-02T00:00:00Z");
  }

  private void pod(String name, String owner, int gpus, int from, int to) {
    past.add(new PodRequest(name, new PodName("ml", name), gpus));
    past.add(new PodCreated(name, minute(from)));
    past.add(new PodScheduled(name, minute(from)));
    past.add(new PodOwner(name, owner, "high"));
    for (int minute = from; minute <= to; minute += 2) {
      past.add(new PodPresence(name, true, minute(minute)));
      past.add(new NodeGpus("node-1", 8, minute(minute)));
    }
  }

  private static PodActivity active(String uid, int since, int until, int last) {
    return activity(uid, since, until, Optional.of(minute(last)));
  }

  private static PodActivity idle(String uid, int since, int until) {
    return activity(uid, since, until, Optional.empty());
  }

  private static PodActivity activity(
      String uid, int since, int until, Optional<Instant> lastActive) {
    return new PodActivity(
        uid,
        List.of(
            new DeviceActivity(
                new GpuUuid("GPU-" + uid),
                lastActive,
                minute(since),
                minute(until),
                minute(until),
                OptionalDouble.empty())));
  }

  private void look(int minute, PodActivity... pods) {
    past.add(
        new HistoricalObservation(
            new Seen(
                minute(minute),
                Arrays.stream(pods).collect(Collectors.toMap(PodActivity::uid, pod -> pod)),
                List.of()),
            Map.of()));
  }

  private static Instant minute(int minute) {
    return START.plus(Duration.ofMinutes(minute));
  }
}
