package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.DisruptionBudget;
import io.gpureclaimer.reclaimer.page.ClusterPage;
import io.gpureclaimer.reclaimer.page.ClusterPage.ActionRow;
import io.gpureclaimer.reclaimer.page.ClusterTile;
import io.gpureclaimer.reclaimer.page.GpuPrices;
import io.gpureclaimer.reclaimer.page.PageFrame;
import io.gpureclaimer.reclaimer.show.AnsweringReplica;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An eviction is recorded before it is made, and every replica knows why a pod is gone. */
class EvictionRecordsTest {
  private static final Map<String, String> GUARDED = Map.of("app", "notebook");

  private final SmallCluster world = SmallCluster.in("always");

  @Test
  void isRecorded_withWhyAndTheWayBack() {
    PodRef pod = evict("notebook");

    ReclamationProgress record = record();
    assertThat(record.state()).isEqualTo(ReclamationState.EVICTED);
    assertThat(record.action()).isEqualTo("evict");
    assertThat(record.owner().uid()).isEqualTo(pod.uid());
    assertThat(record.pods()).containsExactly(pod);
    assertThat(record.devices()).isEqualTo(1);
    assertThat(record.changes()).isEmpty();
    assertThat(record.evidence()).startsWith("idle for 1h");
    assertThat(record.message())
        .startsWith("The pod was evicted. ")
        .contains("create it again from its manifest");
    assertThat(record.times().actedAt()).contains(world.clock.instant());
  }

  @Test
  void noEviction_withoutARecord() {
    PodRef pod = world.duePod("notebook");
    world.cluster.refuse(ApiVerb.WRITE_RECORD, 403, "no right to create reclamations");

    CycleReport report = world.cycle();

    assertThat(report.results().getFirst().sentence()).contains("no right to create reclamations");
    assertThat(world.isEvicted(pod)).isFalse();
  }

  @Test
  void noEviction_withoutTheCustomResource() {
    PodRef pod = world.duePod("notebook");
    world.cluster.hideRecords();

    CycleReport report = world.cycle();

    assertThat(report.results().getFirst().sentence()).contains("is not installed");
    assertThat(world.isEvicted(pod)).isFalse();
  }

  @Test
  void whatADisruptionBudgetRefuses_isFailed_andRecordedAgainByTheNextTry() {
    PodRef pod = world.pod("notebook", 1, spec -> spec.withLabels(GUARDED));
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
    world.cluster.addBudget(new DisruptionBudget(SmallCluster.NAMESPACE, "keep-one", GUARDED, 1));
    world.cluster.tick();
    world.cycle();

    assertThat(record().state()).isEqualTo(ReclamationState.FAILED);
    assertThat(record().message()).startsWith("Nothing was changed: Cannot evict pod");

    world.cluster.removeBudget(SmallCluster.NAMESPACE, "keep-one");
    world.pass(Duration.ofMinutes(15));
    world.cycle();
    assertThat(world.isEvicted(pod)).isTrue();
    assertThat(record().state()).isEqualTo(ReclamationState.EVICTED);
  }

  @Test
  void anErrorIsAFailure_whileThePodIsThere() {
    PodRef pod = world.duePod("notebook");
    world.cluster.refuse(ApiVerb.EVICT_POD, 500, "etcd is slow");
    world.cycle();
    world.agents.work(pod);
    world.pass(Duration.ofMinutes(2));
    CycleReport report = world.cycle();

    assertThat(record().state()).isEqualTo(ReclamationState.FAILED);
    assertThat(record().message())
        .isEqualTo("The eviction failed: the API server answered 500: etcd is slow.");
    assertThat(reclaimedGpus(report)).isEqualTo("0");
  }

  /** An API server that reports an error may evict the pod all the same. */
  @Test
  void anErrorIsAnEviction_whenThePodIsGone() {
    PodRef pod = world.duePod("notebook");
    world.cluster.refuse(ApiVerb.EVICT_POD, 500, "etcd is slow");
    world.cycle();
    world.cluster.delete(pod);

    world.pass(Duration.ofMinutes(2));
    world.cycle();
    assertThat(record().state()).isEqualTo(ReclamationState.EVICTED);
    assertThat(record().message()).contains("others may have deleted the pod");
    assertThat(reclaimedGpus(world.cycle())).isEqualTo("1");
  }

  /** The process that recorded it ended before the answer of the API server. */
  @Test
  void anInterruptedEviction_isFinished_byWhatIsThere() {
    PodRef gone = world.pod("gone");
    PodRef there = world.pod("there");
    intend(gone);
    intend(there);
    world.cluster.delete(gone);
    world.pass(Duration.ofSeconds(50));
    world.cycle();
    assertThat(states()).containsExactly(ReclamationState.INTENDED, ReclamationState.INTENDED);

    world.pass(Duration.ofSeconds(20));
    world.cycle();
    assertThat(states()).containsExactly(ReclamationState.EVICTED, ReclamationState.FAILED);
  }

  private void intend(PodRef pod) {
    var status =
        new ReclamationProgress(
            ReclamationState.INTENDED,
            "evict",
            "id-of-" + pod.name(),
            "",
            ObjectRef.of(pod),
            "1",
            List.of(pod),
            1,
            Optional.empty(),
            "",
            List.of(),
            Timeline.recorded(Instant.EPOCH, Instant.EPOCH, world.clock.instant()));
    world.cluster.create(
        new Reclamation(
            pod.namespace(),
            "pod-" + pod.name(),
            "",
            "",
            RestoreRequest.NONE,
            Optional.of(status)));
  }

  private List<ReclamationState> states() {
    return world.cluster.view().reclamations().orElseThrow().stream()
        .map(record -> record.status().orElseThrow().state())
        .toList();
  }

  private static String reclaimedGpus(CycleReport report) {
    return ClusterPage.of(
            report,
            PageFrame.of(report, new AnsweringReplica("a", true, "a"), Optional.empty(), true),
            GpuPrices.NONE)
        .tiles()
        .stream()
        .filter(tile -> tile.label().equals("reclaimed in 7 days"))
        .map(ClusterTile::number)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void isKnownToOtherReplicas_forAWeek() {
    evict("notebook");
    InMemoryReplica other = InMemoryReplica.leading("replica-2", world);

    assertThat(ClusterPage.allActions(other.cycle().plan()).orElseThrow())
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.workload().name()).isEqualTo("notebook");
              assertThat(row.state()).isEqualTo("Evicted");
            });

    world.pass(Duration.ofDays(7).minusMinutes(1));
    world.cycle();
    assertThat(world.cluster.view().reclamations().orElseThrow()).hasSize(1);

    world.pass(Duration.ofMinutes(2));
    world.cycle();
    assertThat(world.cluster.view().reclamations().orElseThrow()).isEmpty();
  }

  @Test
  void isRegretted_whenAPodOfItsNameIsCreatedWithinTheHour() {
    evict("notebook");
    world.pass(Duration.ofMinutes(10));
    world.pod("notebook");
    world.cycle();

    assertThat(record().state()).isEqualTo(ReclamationState.RESTORED);
    assertThat(rows())
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.isRegretted()).isTrue();
              assertThat(row.backAfter()).contains(Duration.ofMinutes(10));
            });
  }

  @Test
  void isNotRegretted_whenAPodOfItsNameIsCreatedLater() {
    evict("notebook");
    world.pass(Duration.ofHours(1).plusMinutes(1));
    world.pod("notebook");
    world.cycle();

    assertThat(record().state()).isEqualTo(ReclamationState.EVICTED);
  }

  @Test
  void isNotRegretted_becauseOfAnotherPod() {
    evict("notebook");
    world.pass(Duration.ofMinutes(10));
    world.pod("other");
    world.cycle();

    assertThat(record().state()).isEqualTo(ReclamationState.EVICTED);
  }

  /** A reader of other namespaces learns nothing of it. */
  @Test
  void isLeftOutOfOtherNamespaces() {
    evict("notebook");
    CycleReport report = world.cycle();

    assertThat(report.namespaces()).contains(SmallCluster.NAMESPACE);
    assertThat(ClusterPage.allActions(report.in("ml"::equals)).orElseThrow()).isEmpty();
  }

  private PodRef evict(String name) {
    PodRef pod = world.duePod(name);
    assertThat(world.cycle().results())
        .singleElement()
        .satisfies(one -> assertThat(one.result()).isInstanceOf(ActionResult.Done.class));
    assertThat(world.isEvicted(pod)).isTrue();
    return pod;
  }

  private ReclamationProgress record() {
    List<Reclamation> all = world.cluster.view().reclamations().orElseThrow();
    assertThat(all).hasSize(1);
    return all.getFirst().status().orElseThrow();
  }

  private List<ActionRow> rows() {
    return ClusterPage.allActions(world.cycle()).orElseThrow();
  }
}
