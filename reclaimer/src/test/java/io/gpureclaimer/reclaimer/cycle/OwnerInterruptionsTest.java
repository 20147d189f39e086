package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import io.gpureclaimer.reclaimer.cycle.Interruptions.Interruption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An idle Deployment is stopped and restored on request, and the same story with an interruption
 * around each call to the API server. Afterwards the owner holds its former value, or the one that
 * others wrote; on the way it never holds ours without a record that can restore it.
 */
@Tag("slow")
class OwnerInterruptionsTest {
  private static final Duration CYCLE = Interruptions.CYCLE;
  private static final String REPLICAS = "/spec/replicas";
  private static final String OURS = "0";
  private static final OwnerSpec WEB = new OwnerSpec(OwnerType.DEPLOYMENT, "web");

  private final SmallCluster world = SmallCluster.in("always");
  private final Interruptions interruptions = new Interruptions(world, UnaryOperator.identity());
  private final List<String> values = new ArrayList<>();
  private boolean requested;
  private boolean deletedAtOnce;
  private boolean deletesRecord;
  private final List<String> withoutRecord = new ArrayList<>();

  /** What interrupts. */
  enum OwnerInterruptionKind {
    HANDOVER,
    CRASH,
    CUT_OFF,
    SPLIT_BRAIN,
    /** People scale the owner. */
    OWNER_EDITED,
    /** People exclude the owner. */
    OWNER_EXCLUDED,
    /** People delete the owner. */
    OWNER_DELETED,
    /** People delete the owner and create another one of the same name. */
    OWNER_RECREATED,
    /** People ask for the restoration. */
    RESTORE_REQUESTED,
    /** People delete the record. */
    RECORD_DELETED,
    /** People delete the record, and the process dies. */
    RECORD_DELETED_AND_HANDOVER
  }

  static Stream<Interruption<OwnerInterruptionKind>> everywhere() {
    var story = new OwnerInterruptionsTest();
    story.live(Optional.empty());
    return Interruptions.around(OwnerInterruptionKind.values(), story.interruptions.calls());
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void theOwnerIsAsBeforeOrAsOthersWantIt(Interruption<OwnerInterruptionKind> interruption) {
    live(Optional.of(interruption));

    assertThat(interruptions.count()).isEqualTo(1);
    switch (interruption.kind()) {
      case HANDOVER, CRASH, CUT_OFF, SPLIT_BRAIN -> {
        assertThat(replicas()).contains("2");
        assertThat(values).containsExactly("2", OURS, "2");
        assertThat(states()).containsExactly(ReclamationState.RESTORED);
        // Both leaders report the one action where both believe that they lead.
        assertThat(explained())
            .isLessThanOrEqualTo(interruption.kind() == OwnerInterruptionKind.SPLIT_BRAIN ? 2 : 1);
      }
      case OWNER_EDITED -> {
        assertThat(replicas()).contains("5");
        assertThat(values).isSubsetOf("2", OURS, "5");
      }
      case OWNER_EXCLUDED, RESTORE_REQUESTED, RECORD_DELETED -> {
        assertThat(replicas()).contains("2");
        assertThat(values).isSubsetOf("2", OURS);
      }
      // A record of which the successor knew nothing has to be restored by hand.
      case RECORD_DELETED_AND_HANDOVER ->
          assertThat(replicas().orElseThrow())
              .isIn(deletedAtOnce ? List.of("2", OURS) : List.of("2"));
      case OWNER_DELETED -> assertThat(replicas()).isEmpty();
      case OWNER_RECREATED -> assertThat(replicas()).contains("1");
    }
    if (!deletedAtOnce) {
      assertThat(states()).allMatch(ReclamationState::isFinal);
      assertThat(withoutRecord).isEmpty();
    }
  }

  /** Reclaimed after an hour, restored on request a quarter of an hour later. */
  private void live(Optional<Interruption<OwnerInterruptionKind>> interruption) {
    submit("web-a", 1);
    submit("web-b", 2);
    note();
    deletesRecord =
        interruption.filter(each -> each.kind().name().startsWith("RECORD")).isPresent();
    interruptions.prepare(
        interruption, this::note, () -> interrupt(interruption.orElseThrow().kind()));
    Duration lives = Duration.ofMinutes(100);
    for (Duration now = Duration.ZERO; now.compareTo(lives) < 0; now = now.plus(CYCLE)) {
      if (now.compareTo(Duration.ofMinutes(80)) > 0 && !requested) {
        requestRestore();
      }
      interruptions.runAll(this::note);
    }
    assertThat(world.cluster.view().pods()).allMatch(pod -> pod.owner().isPresent());
  }

  private void submit(String name, int gpus) {
    world.pod(name, gpus, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
  }

  private void interrupt(OwnerInterruptionKind kind) {
    switch (kind) {
      case HANDOVER -> interruptions.handOver();
      case CRASH -> interruptions.crash();
      case CUT_OFF -> throw Interruptions.cutOff();
      case SPLIT_BRAIN -> interruptions.splitBrain();
      case OWNER_EDITED ->
          world.cluster.writeOwnerField(SmallCluster.NAMESPACE, WEB, REPLICAS, Optional.of("5"));
      case OWNER_EXCLUDED ->
          world.cluster.annotateOwner(
              SmallCluster.NAMESPACE, WEB, Map.of(Annotations.EXCLUDE, Optional.of("true")));
      case OWNER_DELETED -> world.cluster.deleteOwner(SmallCluster.NAMESPACE, WEB);
      case OWNER_RECREATED -> {
        world.cluster.deleteOwner(SmallCluster.NAMESPACE, WEB);
        world.cluster.submit(
            PodSpec.bare(SmallCluster.NAMESPACE, "web-c", 1)
                .ownedBy(OwnerSpec.ofDeployment("web", "6e")));
      }
      case RESTORE_REQUESTED -> requestRestore();
      case RECORD_DELETED -> deleteRecords();
      case RECORD_DELETED_AND_HANDOVER -> {
        deleteRecords();
        interruptions.handOver();
      }
    }
    note();
  }

  private void deleteRecords() {
    deletedAtOnce =
        records().stream()
            .flatMap(record -> record.status().stream())
            .map(progress -> progress.times().recordedAt())
            .anyMatch(world.clock.instant().minus(CYCLE)::isBefore);
    records().forEach(record -> world.cluster.deleteRecord(SmallCluster.NAMESPACE, record.name()));
  }

  private void requestRestore() {
    for (Reclamation record : records()) {
      requested = true;
      world.cluster.requestRestore(SmallCluster.NAMESPACE, record.name());
    }
  }

  /** Writes down each value of the owner, and checks that ours has a record. */
  private void note() {
    String now = replicas().orElse("gone");
    if (values.isEmpty() || !values.getLast().equals(now)) {
      values.add(now);
    }
    boolean canBeRestored =
        records().stream()
            .flatMap(record -> record.status().stream())
            .filter(progress -> !progress.state().isFinal())
            .flatMap(progress -> progress.changes().stream())
            .anyMatch(change -> values.contains(change.former().orElseThrow()));
    if (now.equals(OURS) && !canBeRestored && !deletesRecord) {
      withoutRecord.add(world.clock.instant() + " " + values);
    }
  }

  private long explained() {
    return world.cluster.events().stream()
        .filter(event -> event.object().kind().equals("Deployment"))
        .filter(event -> event.notice().reason().equals("GPUReclaimed"))
        .count();
  }

  private Optional<String> replicas() {
    return world.cluster.ownerField(SmallCluster.NAMESPACE, WEB, REPLICAS);
  }

  private List<Reclamation> records() {
    return world.cluster.view().reclamations().orElseThrow();
  }

  private List<ReclamationState> states() {
    return records().stream()
        .flatMap(each -> each.status().stream())
        .map(ReclamationProgress::state)
        .toList();
  }
}
