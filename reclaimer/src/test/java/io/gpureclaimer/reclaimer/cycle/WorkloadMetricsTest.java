package io.gpureclaimer.reclaimer.cycle;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.audit.Auditors;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cycle.CycleJob.StartupRetry;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Metrics that name pending pods, warned workloads and actions, and when these series end. */
class WorkloadMetricsTest {
  private static final Duration A_WHILE = Duration.ofMinutes(1);

  private final CollectorRegistry registry = new CollectorRegistry();

  @Test
  void pendingPodIsNamed_untilItHasANode() {
    SmallCluster world = SmallCluster.in("report");
    CycleJob job = job(world);
    PodRef holder = world.pod("holder", 8);
    Instant since = world.clock.instant();
    var _ = world.cluster.submit(PodSpec.bare("batch", "embed", 2));
    world.pass(A_WHILE);
    job.tick();

    var labels = "embed batch true";
    assertThat(series("gpu_reclaimer_pending_devices", "pod", "namespace", "only_gpus_missing"))
        .isEqualTo(Map.of(labels, 2.0));
    assertThat(series("gpu_reclaimer_pending_pods", "resource", "devices", "only_gpus_missing"))
        .isEqualTo(Map.of("nvidia.com/gpu 2 true", 1.0));
    assertThat(
            series(
                "gpu_reclaimer_pending_since_timestamp_seconds",
                "pod",
                "namespace",
                "only_gpus_missing"))
        .hasEntrySatisfying(
            labels,
            at ->
                assertThat(at)
                    .isBetween(
                        seconds(since),
                        seconds(world.clock.instant().minus(A_WHILE.dividedBy(2)))));

    world.cluster.delete(holder);
    world.pass(A_WHILE);
    job.tick();

    assertThat(series("gpu_reclaimer_pending_devices", "pod")).isEmpty();
    assertThat(series("gpu_reclaimer_pending_since_timestamp_seconds", "pod")).isEmpty();
  }

  @Test
  void warnedPodIsNamed_withTheTimeBeforeWhichItIsLeftAlone() {
    SmallCluster world = SmallCluster.in("on-demand");
    CycleJob job = job(world);
    PodRef pod = world.pod("notebook", 2);
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    Instant warnedAt = world.clock.instant();
    world.pass(A_WHILE);
    job.tick();

    String warned = "research Pod notebook warned";
    assertThat(warned()).isEqualTo(Map.of(warned, seconds(warnedAt)));
    assertThat(notBefore()).isEqualTo(Map.of(warned, seconds(warnedAt.plus(SmallCluster.GRACE))));
    assertThat(series("gpu_reclaimer_warned_devices", "name")).isEqualTo(Map.of("notebook", 2.0));

    world.pass(SmallCluster.GRACE);
    job.tick();

    String due = "research Pod notebook due";
    assertThat(warned()).isEqualTo(Map.of(due, seconds(warnedAt)));
    assertThat(notBefore()).isEqualTo(Map.of(due, seconds(warnedAt.plus(SmallCluster.GRACE))));

    world.agents.work(pod);
    world.pass(A_WHILE);
    job.tick();

    assertThat(warned()).isEmpty();
    assertThat(notBefore()).isEmpty();
  }

  @Test
  void teamIsThatOfTheLabelOfThePod() {
    SmallCluster world = SmallCluster.in("on-demand");
    CycleJob job = job(world);
    world.pod("notebook", 8, pod -> pod.withTraits(team("vision")));
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    var _ = world.cluster.submit(PodSpec.bare("batch", "embed", 8).withTraits(team("nlp")));
    world.pass(A_WHILE);
    job.tick();

    assertThat(series("gpu_reclaimer_pending_devices", "pod", "team"))
        .isEqualTo(Map.of("embed nlp", 8.0));
    assertThat(series("gpu_reclaimer_warned_devices", "name", "team"))
        .isEqualTo(Map.of("notebook vision", 8.0));

    world.pass(SmallCluster.GRACE);
    job.tick();
    world.pass(A_WHILE);
    job.tick();

    assertThat(series("gpu_reclaimer_action_timestamp_seconds", "name", "team"))
        .containsOnlyKeys("notebook vision");
  }

  @Test
  void warningThatAnnouncesNoAction_hasNoTimeBeforeWhichThereIsNone() {
    SmallCluster world = SmallCluster.in("notify");
    CycleJob job = job(world);
    world.pod("notebook");
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    world.pass(A_WHILE);
    job.tick();

    assertThat(warned()).containsOnlyKeys("research Pod notebook notified");
    assertThat(notBefore()).isEmpty();
  }

  @Test
  void evictionIsNamed_asLongAsItsRecord_withThePodThatNeededIt() {
    SmallCluster world = SmallCluster.in("on-demand");
    CycleJob job = job(world);
    world.pod("notebook", 8);
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    var _ = world.cluster.submit(PodSpec.bare("batch", "embed", 8));
    world.pass(SmallCluster.GRACE);
    job.tick();
    Instant evictedAt = world.clock.instant();
    world.pass(A_WHILE);
    job.tick();

    Map<String, Double> eviction =
        Map.of("research Pod notebook evict Evicted batch/embed", seconds(evictedAt));
    assertThat(actions()).isEqualTo(eviction);

    world.pass(Duration.ofDays(6));
    job.tick();
    assertThat(actions()).isEqualTo(eviction);

    world.pass(Duration.ofDays(1));
    job.tick();
    world.pass(A_WHILE);
    job.tick();
    assertThat(actions()).isEmpty();
  }

  @Test
  void reclaimedOwnerIsNamed_untilItIsRestored_andThenTheRestore() {
    SmallCluster world = SmallCluster.in("always");
    CycleJob job = job(world);
    world.pod("web-a", 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    world.pass(SmallCluster.GRACE);
    job.tick();
    world.pass(A_WHILE);
    job.tick();
    Instant reclaimedAt = world.clock.instant();
    world.pass(A_WHILE);
    job.tick();

    assertThat(actions())
        .isEqualTo(Map.of("research Deployment web scale Reclaimed ", seconds(reclaimedAt)));

    world.cluster.requestRestore(
        SmallCluster.NAMESPACE,
        world.cluster.view().reclamations().orElseThrow().getFirst().name());
    job.tick();
    world.pass(A_WHILE);
    job.tick();
    Instant restoredAt =
        world.cluster.view().reclamations().orElseThrow().getFirst().restoredAt().orElseThrow();
    world.pass(A_WHILE);
    job.tick();

    assertThat(actions())
        .isEqualTo(Map.of("research Deployment web scale Restored ", seconds(restoredAt)));
  }

  @Test
  void servesTheLongestPendingPods_andCountsTheRest() {
    SmallCluster world = SmallCluster.in("report");
    CycleJob job = job(world);
    for (int i = 0; i < 502; i++) {
      var _ = world.cluster.submit(PodSpec.bare("batch", "large-" + i, 16));
    }
    world.pass(A_WHILE);
    job.tick();

    assertThat(series("gpu_reclaimer_pending_devices", "pod")).hasSize(500);
    assertThat(series("gpu_reclaimer_dropped_series", "of"))
        .isEqualTo(Map.of("pending pods", 2.0, "warnings", 0.0, "actions", 0.0));
  }

  private static PodTraits team(String name) {
    return new PodTraits(Map.of("team", name), false, List.of(), Optional.empty());
  }

  private CycleJob job(SmallCluster world) {
    world.cluster.addNamespace("batch", Map.of());
    return new CycleJob(
        new StartupWait(world.replica.cycle(), Duration.ZERO, MonotonicClock.SYSTEM),
        world.replica.cycle(),
        new LatestReport(),
        world.replica.leadership(),
        Auditors.of(registry, world.clock),
        StartupRetry.none(world.clock));
  }

  private Map<String, Double> warned() {
    return series("gpu_reclaimer_warned_timestamp_seconds", "namespace", "kind", "name", "verdict");
  }

  private Map<String, Double> notBefore() {
    return series(
        "gpu_reclaimer_action_not_before_timestamp_seconds",
        "namespace",
        "kind",
        "name",
        "verdict");
  }

  private Map<String, Double> actions() {
    return series(
        "gpu_reclaimer_action_timestamp_seconds",
        "namespace",
        "kind",
        "name",
        "action",
        "state",
        "pending_pod");
  }

  /** The values of a family by those of these labels. */
  private Map<String, Double> series(String family, String... labels) {
    return Collections.list(registry.metricFamilySamples()).stream()
        .filter(found -> found.name.equals(family))
        .flatMap(found -> found.samples.stream())
        .collect(
            toMap(
                sample -> values(sample, labels),
                sample -> sample.value,
                (one, other) -> one + other,
                TreeMap::new));
  }

  private static String values(Sample sample, String... labels) {
    var values = new StringBuilder();
    for (String label : labels) {
      values
          .append(values.isEmpty() ? "" : " ")
          .append(sample.labelValues.get(sample.labelNames.indexOf(label)));
    }
    return values.toString();
  }

  private static double seconds(Instant at) {
    return at.toEpochMilli() / 1000.0;
  }
}
