package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.audit.Auditors;
import io.gpureclaimer.reclaimer.audit.CapturedLog;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.audit.record.Decision;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.cycle.CycleJob.StartupRetry;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What the job publishes, counts and logs, in good times and in bad ones. */
@Isolated("reads the log")
class CycleJobTest {
  private final SmallCluster world = SmallCluster.in("always");
  private final CollectorRegistry registry = new CollectorRegistry();
  private final LatestReport latest = new LatestReport();
  private final CapturedLog logged = new CapturedLog();
  private final CycleJob job =
      new CycleJob(
          new StartupWait(world.replica.cycle(), Duration.ZERO, MonotonicClock.SYSTEM),
          world.replica.cycle(),
          latest,
          world.replica.leadership(),
          Auditors.of(registry, world.clock),
          StartupRetry.none(world.clock));

  @AfterEach
  void closeTheLog() {
    logged.close();
  }

  @Test
  void publishesWhatItSawAndDid() {
    PodRef pod = world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED);

    job.tick();

    CycleReport report = latest.get().orElseThrow();
    assertThat(report.judgments()).hasSize(1);
    assertThat(report.results()).hasSize(1);
    assertThat(world.notes(pod)).containsKey("warned-at");
    assertThat(metric("gpu_reclaimer_cluster_up")).isEqualTo(1);
    assertThat(metric("gpu_reclaimer_activity_source_up")).isEqualTo(1);
    assertThat(metric("gpu_reclaimer_idle_gpus")).isEqualTo(1);
    assertThat(metric("gpu_reclaimer_last_cycle_timestamp_seconds"))
        .isEqualTo((double) world.clock.instant().getEpochSecond());
    assertThat(metric("gpu_reclaimer_workloads", "verdict", "to-warn")).isEqualTo(1);
    assertThat(steps("warn", "done")).isEqualTo(1);
  }

  @Test
  void onlyLooks_whenAnotherReplicaLeads() {
    world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED);
    world.replica.leadership().loseTo("replica-2");

    job.tick();

    assertThat(latest.get().orElseThrow().plan().entries()).hasSize(1);
    assertThat(latest.get().orElseThrow().results()).isEmpty();
    assertThat(world.wire.takeCalls()).isEmpty();
    assertThat(metric("gpu_reclaimer_last_cycle_timestamp_seconds")).isNotNull();
  }

  @Test
  void saysNothingOfWhatNoCycleHasFoundYet() {
    assertThat(registry.metricFamilySamples().asIterator())
        .toIterable()
        .extracting(family -> family.name)
        .containsExactlyInAnyOrder(
            "gpu_reclaimer_actions",
            "gpu_reclaimer_contested_actions",
            "gpu_reclaimer_cycle_seconds",
            "gpu_reclaimer_decisions",
            "gpu_reclaimer_expected_regrets",
            "gpu_reclaimer_freed_in_vain",
            "gpu_reclaimer_idle_gpu_seconds",
            "gpu_reclaimer_leader",
            "gpu_reclaimer_observed_regrets",
            "gpu_reclaimer_pending_overtaken",
            "gpu_reclaimer_pending_unblocked",
            "gpu_reclaimer_pending_wait_seconds",
            "gpu_reclaimer_reclaimed_gpu_seconds",
            "gpu_reclaimer_reclaimed_gpus",
            "gpu_reclaimer_regrets",
            "gpu_reclaimer_restores",
            "gpu_reclaimer_steps",
            "gpu_reclaimer_warnings");

    world.cluster.setUnreachable(true);
    job.tick();

    assertThat(metric("gpu_reclaimer_cluster_up")).isZero();
    assertThat(metric("gpu_reclaimer_idle_gpus")).isNull();
    assertThat(metric("gpu_reclaimer_last_cycle_timestamp_seconds")).isNull();
    assertThat(latest.get()).isEmpty();
  }

  @Test
  void goesOn_whenTheClusterIsReachableAgain() {
    world.pod("train-0");
    job.tick();
    world.cluster.setUnreachable(true);
    job.tick();
    assertThat(metric("gpu_reclaimer_cluster_up")).isZero();
    assertThat(metric("gpu_reclaimer_idle_gpus")).isEqualTo(0);

    world.cluster.setUnreachable(false);
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();

    assertThat(metric("gpu_reclaimer_cluster_up")).isEqualTo(1);
    assertThat(steps("warn", "done")).isEqualTo(1);
  }

  @Test
  void saysOnceThatTheClusterIsUnreachable_andOnceThatItIsBack() {
    world.cluster.setUnreachable(true);
    job.tick();
    job.tick();
    job.tick();
    world.cluster.setUnreachable(false);
    job.tick();
    job.tick();

    assertThat(logged.take())
        .containsExactly(
            "ERROR cycle abandoned, the next one will try again: look: the simulated API server is"
                + " switched off",
            "INFO the API server responds again");
  }

  @Test
  void remembersWhatWasDone_whenTheApiServerGoesAwayInTheMiddle() {
    world.pod("first");
    world.pod("second");
    world.pass(SmallCluster.UNTIL_WARNED);
    world.wire.after(
        ApiInterceptor.InterceptedCall.ANNOTATE, () -> world.cluster.setUnreachable(true));
    logged.take();

    job.tick();

    assertThat(steps("warn", "done")).isEqualTo(1);
    assertThat(metric("gpu_reclaimer_cluster_up")).isZero();
    assertThat(metric("gpu_reclaimer_last_cycle_timestamp_seconds")).isNull();
    assertThat(logged.take())
        .anyMatch(line -> line.startsWith("INFO warn Pod research/first: done: "))
        .anyMatch(line -> line.startsWith("ERROR cycle abandoned, the next one will try again: "));
  }

  @Test
  void goesOnInTheNextCycle_whenAVerbIsForbidden() {
    PodRef pod = world.duePod("train-0");
    world.cluster.refuse(ApiVerb.EVICT_POD, 403, "no");
    job.tick();
    assertThat(steps("evict", "failed")).isEqualTo(1);
    assertThat(metric("gpu_reclaimer_reclaimed_gpus_total")).isZero();

    world.cluster.allow(ApiVerb.EVICT_POD);
    world.pass(Duration.ofMinutes(1));
    job.tick();

    assertThat(world.isEvicted(pod)).isTrue();
    assertThat(steps("evict", "done")).isEqualTo(1);
    assertThat(metric("gpu_reclaimer_reclaimed_gpus_total")).isEqualTo(1);
  }

  @Test
  void abandonsTheCycle_whenThePodCannotBeRead() {
    PodRef pod = world.duePod("train-0");
    world.cluster.refuse(ApiVerb.GET_POD, 403, "no");

    job.tick();

    assertThat(metric("gpu_reclaimer_cluster_up")).isZero();
    assertThat(world.wire.takeCalls()).containsExactly(ApiInterceptor.InterceptedCall.GET);
    world.cluster.allow(ApiVerb.GET_POD);
    assertThat(world.isEvicted(pod)).isFalse();
  }

  @Test
  void countsDecisionsWhenTheyChange_andIdleTimeAsItPasses() {
    PodRef pod = world.pod("train-0");
    job.tick();
    world.pass(Duration.ofMinutes(1));
    job.tick();
    world.pass(Duration.ofMinutes(1));
    job.tick();

    assertThat(decisions("active", "active")).isEqualTo(1);
    assertThat(decisions("watching", "watching")).isEqualTo(1);
    assertThat(
            registry.getSampleValue(
                "gpu_reclaimer_idle_gpu_seconds_total",
                new String[] {"namespace", "class"},
                new String[] {SmallCluster.NAMESPACE, "other"}))
        .isEqualTo(120);
    assertThat(metric("gpu_reclaimer_data_coverage_ratio")).isEqualTo(1);

    world.agents.work(pod);
    job.tick();

    assertThat(decisions("active", "active")).isEqualTo(2);
  }

  @Test
  void countsWarningsByWhetherTheyWereDelivered() {
    world.pod("train-0");
    world.messenger.refuse("down");
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    assertThat(metric("gpu_reclaimer_warnings_total", "delivered", "false")).isEqualTo(1);
    assertThat(metric("gpu_reclaimer_warnings_total", "delivered", "true")).isNull();

    world.messenger.takeAgain();
    world.pass(Duration.ofMinutes(1));
    job.tick();
    assertThat(metric("gpu_reclaimer_warnings_total", "delivered", "true")).isEqualTo(1);
  }

  @Test
  void countsActsByKindAndResult() {
    world.duePod("train-0");
    world.cluster.refuse(ApiVerb.EVICT_POD, 403, "no");
    job.tick();

    assertThat(
            registry.getSampleValue(
                "gpu_reclaimer_actions_total",
                new String[] {"kind", "action", "result"},
                new String[] {"Pod", "evict", "failed"}))
        .isEqualTo(1);
  }

  @Test
  void recordsTheSecondLookWithTheDeed() {
    List<String> records = new ArrayList<>();
    CycleJob recording = recordingTo(records);
    world.duePod("train-0");

    recording.tick();

    Decision deed = Decision.read(records.getLast());
    assertThat(deed.deed().map(Decision.NamedText::name)).contains("done");
    assertThat(deed.again().map(again -> again.verdict().code())).contains("due");
    assertThat(deed.replay()).isEqualTo(new Decision.Replay.Same());
  }

  @Test
  void recordsWhatTheSecondLookSaw_whenItSparesThePod() {
    List<String> records = new ArrayList<>();
    CycleJob recording = recordingTo(records);
    PodRef pod = world.duePod("train-0");
    world.wire.before(
        ApiInterceptor.InterceptedCall.GET,
        () -> world.annotate(pod, "gpu-reclaimer.io/exclude", "true"));

    recording.tick();

    Decision deed = Decision.read(records.getLast());
    assertThat(deed.deed().map(Decision.NamedText::name)).contains("spared");
    assertThat(deed.verdict().code()).isEqualTo("due");
    assertThat(deed.again().map(again -> again.verdict().code())).contains("to-withdraw");
    assertThat(deed.replay()).isEqualTo(new Decision.Replay.Same());
  }

  @Test
  void looksAgainSoon_whenTheSourceIsBlindAtTheStart() {
    world.pod("train-0");
    world.agents.goBlind("not up yet");
    var job =
        new CycleJob(
            new StartupWait(world.replica.cycle(), Duration.ZERO, MonotonicClock.SYSTEM),
            world.replica.cycle(),
            latest,
            world.replica.leadership(),
            Auditors.of(new CollectorRegistry(), world.clock),
            new StartupRetry(
                Duration.ofMinutes(1),
                world.clock,
                _ -> {
                  world.agents.seeAgain();
                  return true;
                }));

    job.tick();

    assertThat(latest.get().orElseThrow().observation()).isInstanceOf(Observation.Seen.class);
  }

  private CycleJob recordingTo(List<String> records) {
    return new CycleJob(
        new StartupWait(world.replica.cycle(), Duration.ZERO, MonotonicClock.SYSTEM),
        world.replica.cycle(),
        latest,
        world.replica.leadership(),
        Auditors.of(new CollectorRegistry(), records::addAll, world.clock),
        StartupRetry.none(world.clock));
  }

  @Test
  void catchesNothingElse() {
    world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED);
    world.wire.before(
        ApiInterceptor.InterceptedCall.REPORTS,
        () -> {
          throw new IllegalStateException("we are wrong");
        });

    assertThatThrownBy(job::tick).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void doesNothing_whenTheSourceIsBlind() {
    PodRef pod = world.duePod("train-0");
    world.annotate(pod, "gpu-reclaimer.io/exclude", "true");
    world.agents.goBlind("no answer within 30 s");

    job.tick();

    assertThat(world.wire.takeCalls()).isEmpty();
    assertThat(metric("gpu_reclaimer_activity_source_up")).isZero();
    assertThat(metric("gpu_reclaimer_idle_gpus")).isNull();
    assertThat(latest.get().orElseThrow().plan().entries()).isEmpty();
  }

  @Test
  void keepsTheCounterOfAVerdict_whenNoWorkloadHasIt() {
    PodRef pod = world.pod("train-0");
    job.tick();
    world.pass(Duration.ofMinutes(1));
    job.tick();
    assertThat(metric("gpu_reclaimer_workloads", "verdict", "watching")).isEqualTo(1);

    world.agents.work(pod);
    job.tick();

    assertThat(metric("gpu_reclaimer_workloads", "verdict", "watching")).isZero();
    assertThat(metric("gpu_reclaimer_workloads", "verdict", "active")).isEqualTo(1);
  }

  @Test
  void logsWhatChanged_andNothingTwice() {
    PodRef pod = world.duePod("train-0");
    world.cluster.refuse(ApiVerb.EVICT_POD, 403, "no");
    job.tick();

    assertThat(logged.take())
        .containsExactly(
            "INFO Pod research/train-0 is due: idle for 1h, warned at 2026-03-02T08:45:00Z; may be"
                + " reclaimed",
            "ERROR evict Pod research/train-0: failed: the API server answered 403: no");

    world.pass(Duration.ofMinutes(1));
    job.tick();
    assertThat(logged.take()).isEmpty();

    world.cluster.allow(ApiVerb.EVICT_POD);
    world.pass(Duration.ofMinutes(1));
    job.tick();
    assertThat(logged.take())
        .containsExactly(
            "INFO evict Pod research/train-0: done: idle for 1h 2m, warned at"
                + " 2026-03-02T08:45:00Z; may be reclaimed: evicted");
    assertThat(world.isEvicted(pod)).isTrue();
  }

  @Test
  void saysOnceThatItMayNotWarn_howeverOftenItTries() {
    world.cluster.refuse(ApiVerb.PATCH_POD, 403, "cannot patch resource \"pods\"");
    world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED);
    for (int minute = 0; minute < 90; minute++) {
      job.tick();
      world.pass(Duration.ofMinutes(1));
    }

    assertThat(logged.take())
        .filteredOn(line -> line.startsWith("ERROR"))
        .containsExactly(
            "ERROR warn Pod research/train-0: failed: the API server answered 403: cannot patch"
                + " resource \"pods\"");
    assertThat(steps("warn", "failed")).isGreaterThan(2);
    assertThat(steps("evict", "done")).isNull();
  }

  @Test
  void countsContestedActions_andRecordsThatCannotBeRead() {
    world.pod("web-a", 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    world.pass(SmallCluster.GRACE);
    job.tick();
    world.cluster.writeOwnerField(
        SmallCluster.NAMESPACE,
        new OwnerSpec(OwnerSpec.OwnerType.DEPLOYMENT, "web"),
        "/spec/replicas",
        Optional.of("1"));
    job.tick();
    job.tick();
    assertThat(metric("gpu_reclaimer_contested_actions_total")).isEqualTo(1);

    String record = world.cluster.view().reclamations().orElseThrow().getFirst().name();
    world.cluster.spoilRecord(SmallCluster.NAMESPACE, record, "status.changes is empty");
    job.tick();

    assertThat(metric("gpu_reclaimer_reclamations", "state", "Unreadable")).isEqualTo(1);
    assertThat(metric("gpu_reclaimer_reclamations", "state", "Contested")).isZero();
  }

  @Test
  void saysOnceThatRecordsAreMissing_onlyWhenAnActionWaitsForThem() {
    world.cluster.hideRecords();
    world.pod("train-0");
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    assertThat(logged.take()).noneMatch(line -> line.contains("records"));

    world.pod("web-a", 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    world.pass(SmallCluster.UNTIL_WARNED);
    job.tick();
    job.tick();

    assertThat(logged.take())
        .containsOnlyOnce(
            "WARN actions on owners wait, because their records cannot be read: the CRD"
                + " reclamations.gpu-reclaimer.io or the right to read them is missing");
  }

  @Test
  void logsARemarkOnce_andAgainWhenItComesBack() {
    world.cluster.annotateNamespace(
        SmallCluster.NAMESPACE, Map.of("gpu-reclaimer.io/mode", Optional.of("allways")));
    world.pod("train-0");
    job.tick();
    job.tick();
    String remark =
        "WARN namespace research: gpu-reclaimer.io/mode \"allways\": must be off, report, notify,"
            + " on-demand or always; only reported on until then";
    assertThat(logged.take()).filteredOn(line -> line.startsWith("WARN")).containsExactly(remark);

    world.mode("always");
    job.tick();
    world.mode("allways");
    job.tick();
    assertThat(logged.take()).filteredOn(line -> line.startsWith("WARN")).containsExactly(remark);
  }

  private @Nullable Double metric(String name) {
    return registry.getSampleValue(name);
  }

  private @Nullable Double metric(String name, String label, String value) {
    return registry.getSampleValue(name, new String[] {label}, new String[] {value});
  }

  private @Nullable Double decisions(String verdict, String reason) {
    return registry.getSampleValue(
        "gpu_reclaimer_decisions_total",
        new String[] {"verdict", "reason"},
        new String[] {verdict, reason});
  }

  private @Nullable Double steps(String step, String outcome) {
    return registry.getSampleValue(
        "gpu_reclaimer_steps_total",
        new String[] {"step", "outcome"},
        new String[] {step, outcome});
  }
}
