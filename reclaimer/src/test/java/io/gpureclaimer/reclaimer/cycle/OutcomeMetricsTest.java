package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.audit.Auditors;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.cycle.CycleJob.StartupRetry;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Metrics of what became of pending pods, freed devices and reclaimed workloads. */
class OutcomeMetricsTest {
  private static final Duration A_WHILE = Duration.ofMinutes(1);
  private static final NodeSpec SPARE =
      NodeSpec.of(
          "node-2", IntStream.range(0, 8).mapToObj(i -> new GpuUuid("GPU-2-" + i)).toList());

  private SmallCluster world = SmallCluster.in("on-demand");
  private final CollectorRegistry registry = new CollectorRegistry();

  @Test
  void pendingUnitsAreCountedByShapeAndOutcome_withTheLongestWait() {
    CycleJob job = job();
    world.pod("busy", 8);
    submit("one", 2);
    world.pass(A_WHILE);
    submit("two", 2);
    submit("large", 16);
    world.pass(A_WHILE);
    job.tick();

    assertThat(units("2", "impossible")).isEqualTo(2);
    assertThat(units("16", "impossible")).isEqualTo(1);
    assertThat(longestWait("2", "impossible")).isCloseTo(120, within(35.0));
    assertThat(longestWait("16", "impossible")).isCloseTo(60, within(35.0));
  }

  @Test
  void podForWhichGpusWereFreed_isUnblockedByTheReclaimer() {
    CycleJob job = job();
    dueAndPending(job);
    world.pass(A_WHILE);
    job.tick();

    assertThat(unblocked("reclaimer")).isEqualTo(1);
    assertThat(unblocked("others")).isZero();
    assertThat(value("gpu_reclaimer_pending_wait_seconds_sum", "unblocked_by", "reclaimer"))
        .isBetween(60.0, 1_800.0);
  }

  @Test
  void podThatGetsANodeOtherwise_isUnblockedByOthers() {
    CycleJob job = job();
    PodRef busy = world.pod("busy", 8);
    submit("waiting", 8);
    world.pass(A_WHILE);
    job.tick();
    world.cluster.delete(busy);
    world.pass(A_WHILE);
    job.tick();
    world.pass(A_WHILE);
    job.tick();

    assertThat(unblocked("others")).isEqualTo(1);
    assertThat(unblocked("reclaimer")).isZero();
  }

  @Test
  void nothingIsCounted_byAReplicaThatDoesNotLead() {
    CycleJob job = job();
    PodRef busy = world.pod("busy", 8);
    submit("waiting", 8);
    world.pass(A_WHILE);
    job.tick();
    world.replica.leadership().loseTo("replica-2");
    world.cluster.delete(busy);
    world.pass(A_WHILE);
    job.tick();

    assertThat(unblocked("others")).isZero();
  }

  @Test
  void freedInVain_ifThePendingPodIsGone() {
    CycleJob job = job();
    PodRef waiting = dueAndPending(job);
    world.cluster.delete(waiting);
    world.pass(A_WHILE);
    job.tick();

    assertThat(inVain("pod-gone")).isEqualTo(1);
    assertThat(inVain("overtaken")).isZero();
    assertThat(inVain("not-scheduled")).isZero();
  }

  @Test
  void regretIsExpectedByItsProbability_andObservedOnceIfTheWorkloadWorksAgain() {
    CycleJob job = job();
    dueAndPending(job);
    double expected = value("gpu_reclaimer_expected_regrets_total");

    assertThat(expected).isBetween(0.1, 0.5);
    assertThat(value("gpu_reclaimer_observed_regrets_total")).isZero();

    world.pass(A_WHILE);
    job.tick();
    submit(SmallCluster.NAMESPACE, "notebook", 8);
    world.cluster.addNode(SPARE);
    for (int minute = 0; minute < 30; minute++) {
      world.pass(A_WHILE);
      world.cluster.view().pods().stream()
          .filter(pod -> pod.ref().name().equals("notebook") && pod.node().isPresent())
          .forEach(pod -> world.agents.work(pod.ref()));
      job.tick();
    }

    assertThat(value("gpu_reclaimer_observed_regrets_total")).isEqualTo(1);
    assertThat(value("gpu_reclaimer_expected_regrets_total")).isEqualTo(expected);
  }

  @Test
  void noRegretIsObserved_ifTheWorkloadIsBackAndStaysIdle() {
    CycleJob job = job();
    dueAndPending(job);
    world.pass(A_WHILE);
    job.tick();
    submit(SmallCluster.NAMESPACE, "notebook", 8);
    world.cluster.addNode(SPARE);
    for (int minute = 0; minute < 30; minute++) {
      world.pass(A_WHILE);
      job.tick();
    }

    assertThat(value("gpu_reclaimer_regrets_total")).isEqualTo(1);
    assertThat(value("gpu_reclaimer_observed_regrets_total")).isZero();
  }

  /** The same notebook on a GPU of its own is a regret, see above. */
  @Test
  void regretIsNeitherExpectedNorObserved_ofAPodThatSharesItsGpu() {
    world = SmallCluster.withLabel("always", "nvidia.com/gpu.product", "Tesla-T4-SHARED");
    CycleJob job = job();
    PodRef pod = world.pod("notebook", 1);
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    world.pass(SmallCluster.GRACE);
    job.tick();
    assertThat(world.isEvicted(pod)).isTrue();
    world.pass(A_WHILE);
    submit(SmallCluster.NAMESPACE, "notebook", 1);
    for (int minute = 0; minute < 30; minute++) {
      world.pass(A_WHILE);
      world.cluster.view().pods().stream()
          .filter(each -> each.node().isPresent())
          .forEach(each -> world.agents.work(each.ref()));
      job.tick();
    }

    assertThat(value("gpu_reclaimer_regrets_total")).as("it was created again").isEqualTo(1);
    assertThat(value("gpu_reclaimer_expected_regrets_total")).isZero();
    assertThat(value("gpu_reclaimer_observed_regrets_total")).isZero();
  }

  /** It has none of its own any longer, and another pod may be the one that works. */
  @Test
  void noRegretIsObserved_ifTheNewPodSharesItsGpu() {
    CycleJob job = job();
    dueAndPending(job);
    world.pass(A_WHILE);
    job.tick();
    submit(SmallCluster.NAMESPACE, "notebook", 1);
    world.cluster.addNode(
        new NodeSpec(
            "node-2",
            List.of(new GpuUuid("GPU-2-0")),
            Map.of("nvidia.com/gpu.product", "Tesla-T4-SHARED"),
            List.of()));
    for (int minute = 0; minute < 30; minute++) {
      world.pass(A_WHILE);
      world.cluster.view().pods().stream()
          .filter(pod -> pod.ref().name().equals("notebook") && pod.node().isPresent())
          .forEach(pod -> world.agents.work(pod.ref()));
      job.tick();
    }

    assertThat(world.agents.isBusy(notebook())).isTrue();
    assertThat(value("gpu_reclaimer_expected_regrets_total")).isPositive();
    assertThat(value("gpu_reclaimer_observed_regrets_total")).isZero();
  }

  private PodRef notebook() {
    return world.cluster.view().pods().stream()
        .filter(pod -> pod.ref().name().equals("notebook") && pod.accelerators().shares())
        .findFirst()
        .orElseThrow()
        .ref();
  }

  /** A notebook is evicted for a pending pod, which the scheduler has not seen since. */
  private PodRef dueAndPending(CycleJob job) {
    world.pod("notebook", 8);
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    PodRef waiting = submit("waiting", 8);
    world.pass(SmallCluster.GRACE);
    job.tick();
    return waiting;
  }

  private PodRef submit(String name, int gpus) {
    return submit("batch", name, gpus);
  }

  private PodRef submit(String namespace, String name, int gpus) {
    return world.cluster.submit(PodSpec.bare(namespace, name, gpus));
  }

  private double units(String devices, String outcome) {
    return shaped("gpu_reclaimer_pending_units", devices, outcome);
  }

  private double longestWait(String devices, String outcome) {
    return shaped("gpu_reclaimer_pending_longest_wait_seconds", devices, outcome);
  }

  private double shaped(String family, String devices, String outcome) {
    return present(
        registry.getSampleValue(
            family,
            new String[] {"resource", "devices", "outcome"},
            new String[] {"nvidia.com/gpu", devices, outcome}));
  }

  private double unblocked(String by) {
    return value("gpu_reclaimer_pending_wait_seconds_count", "unblocked_by", by);
  }

  private double inVain(String reason) {
    return value("gpu_reclaimer_freed_in_vain_total", "reason", reason);
  }

  private double value(String family, String label, String value) {
    return present(registry.getSampleValue(family, new String[] {label}, new String[] {value}));
  }

  private double value(String family) {
    return present(registry.getSampleValue(family));
  }

  private static double present(@Nullable Double value) {
    assertThat(value).isNotNull();
    return value == null ? Double.NaN : value;
  }

  private CycleJob job() {
    world.cluster.addNamespace("batch", Map.of());
    return new CycleJob(
        new StartupWait(world.replica.cycle(), Duration.ZERO, MonotonicClock.SYSTEM),
        world.replica.cycle(),
        new LatestReport(),
        world.replica.leadership(),
        Auditors.of(registry, world.replica.leadership(), world.clock),
        StartupRetry.none(world.clock));
  }
}
