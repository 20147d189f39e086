package io.gpureclaimer.reclaimer.cycle;

import static io.gpureclaimer.common.program.ReferencePage.code;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.http.ConnectionGuard;
import io.gpureclaimer.common.http.ConnectionLimits;
import io.gpureclaimer.common.http.ConnectionMetrics;
import io.gpureclaimer.common.program.ReferencePage;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.audit.Auditors;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.audit.MeteredSource;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cycle.CycleJob.StartupRetry;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.notify.Notifications;
import io.gpureclaimer.reclaimer.request.RequestCounter;
import io.gpureclaimer.reclaimer.request.RequestReply.RequestOutcome;
import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page with all metrics, as they stand after a warning and an eviction. */
class MetricsReferenceTest {
  /** A part of a histogram, not a metric. */
  private static final Set<String> PARTS = Set.of("le");

  /**
   * Labels of families that have no series: the agents of this test do not report their format, and
   * its nodes have no MIG devices.
   */
  private static final Map<String, List<String>> WITHOUT_SERIES =
      Map.of(
          "gpu_reclaimer_activity_source_info",
          List.of("form"),
          "gpu_cluster_free_mig_devices",
          List.of("pool", "profile"),
          "gpu_cluster_stranded_mig_devices",
          List.of("pool", "profile", "shape"),
          "gpu_cluster_mig_fragmentation_ratio",
          List.of("pool", "profile", "shape"));

  private final SmallCluster world =
      SmallCluster.withLabel("always", "nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3");
  private final InMemoryReplica replica =
      InMemoryReplica.leading("replica-1", world, FloorCycleTest.LIMITS);
  private final CollectorRegistry registry = new CollectorRegistry();

  @Test
  void reportsAllMetrics() {
    CycleJob job = job();
    warnAndEvict(job);
    stopAndRestore(job);
    // Some metrics are there only while a pod has a GPU, is warned or is pending.
    world.pod("idle", 1);
    var _ = world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "large", 16));
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    world.pass(Duration.ofMinutes(1));
    job.tick();
    lookOnce();
    Notifications.count(registry);
    new RequestCounter(registry).add("keep", RequestOutcome.ACCEPTED);
    new ConnectionMetrics(
            "gpu_reclaimer",
            new ConnectionGuard(
                new ConnectionLimits(1, 1, Duration.ZERO, Duration.ZERO), MonotonicClock.SYSTEM))
        .register(registry);
    List<MetricFamilySamples> families =
        Collections.list(registry.metricFamilySamples()).stream()
            .sorted(Comparator.comparing(MetricsReferenceTest::name))
            .toList();

    new ReferencePage(
            "Metrics of the reclaimer",
            "What no cycle has found yet is absent. Every replica reports what it observes, whether it"
                + " leads or not: aggregate its gauges over replicas with `max`, not `sum`. Only pending pods,"
                + " warned workloads and actions are named in labels; their series end with what they"
                + " report. More about them: [reclaimer/README.md](../../reclaimer/README.md).")
        .table(
            List.of("metric", "type", "labels", "meaning"),
            families.stream().map(MetricsReferenceTest::row).toList())
        .assertIsCommittedAs("reclaimer-metrics.md");
  }

  private CycleJob job() {
    return new CycleJob(
        new StartupWait(replica.cycle(), Duration.ZERO, MonotonicClock.SYSTEM),
        replica.cycle(),
        new LatestReport(),
        replica.leadership(),
        Auditors.of(registry, world.clock),
        StartupRetry.none(world.clock));
  }

  private void stopAndRestore(CycleJob job) {
    world.pod("web-a", 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    world.pass(SmallCluster.GRACE);
    job.tick();
    world.pass(Duration.ofSeconds(30));
    job.tick();
    world.pass(Duration.ofMinutes(1));
    job.tick();
    world.cluster.requestRestore(
        SmallCluster.NAMESPACE,
        world.cluster.view().reclamations().orElseThrow().getFirst().name());
    job.tick();
    assertThat(
            registry.getSampleValue(
                "gpu_reclaimer_reclaimed_gpu_seconds_total",
                new String[] {"action"},
                new String[] {"scale"}))
        .isEqualTo(60);
    assertThat(
            registry.getSampleValue(
                "gpu_reclaimer_restores_total",
                new String[] {"trigger", "result"},
                new String[] {"request", "restored"}))
        .isEqualTo(1);
  }

  private void warnAndEvict(CycleJob job) {
    world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    world.pass(SmallCluster.GRACE);
    job.tick();
    assertThat(registry.getSampleValue("gpu_reclaimer_reclaimed_gpus_total")).isEqualTo(1);
  }

  private void lookOnce() {
    var unreachable =
        new ActivitySource() {
          @Override
          public Observation fetchAll() {
            return new Observation.Blind("no answer");
          }

          @Override
          public Observation fetchPod(PodActivity pod) {
            return fetchAll();
          }
        };
    var _ = new MeteredSource(unreachable, registry, MonotonicClock.SYSTEM).fetchAll();
  }

  private static List<String> row(MetricFamilySamples family) {
    return List.of(
        code(name(family)),
        family.type.name().toLowerCase(Locale.ROOT),
        labels(family),
        family.help);
  }

  private static String name(MetricFamilySamples family) {
    return family.type == Collector.Type.COUNTER ? family.name + "_total" : family.name;
  }

  private static String labels(MetricFamilySamples family) {
    assertThat(family.samples.isEmpty())
        .as(family.name + " has no series")
        .isEqualTo(WITHOUT_SERIES.containsKey(family.name));
    return Stream.concat(
            family.samples.stream().map((Sample sample) -> sample.labelNames),
            Stream.ofNullable(WITHOUT_SERIES.get(family.name)))
        .flatMap(List::stream)
        .filter(label -> !PARTS.contains(label))
        .distinct()
        .sorted()
        .map(ReferencePage::code)
        .collect(joining(", "));
  }
}
