package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records that cannot be read, because people have edited them, or another version wrote them. */
class UnreadableRecordsTest {
  private static final String REPLICAS = "/spec/replicas";
  private static final OwnerSpec WEB = new OwnerSpec(OwnerType.DEPLOYMENT, "web");
  private static final OwnerSpec API = new OwnerSpec(OwnerType.DEPLOYMENT, "api");

  private final SmallCluster world = SmallCluster.in("always");

  @BeforeEach
  void reclaimOne() {
    world.pod("web-a", 2, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
    world.cycle();
    world.pass(Duration.ofSeconds(30));
    world.cycle();
  }

  @Test
  void leavesTheOwnerAlone_andRestoresTheOthers() {
    world.pod("api-a", 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("api", "77aa")));
    passWithCycles(SmallCluster.UNTIL_WARNED.plus(SmallCluster.GRACE).plusMinutes(2));
    assertThat(replicas(API)).contains("0");
    spoil();
    records().stream()
        .filter(record -> record.status().isPresent())
        .forEach(record -> world.cluster.requestRestore(SmallCluster.NAMESPACE, record.name()));

    world.cycle();

    assertThat(replicas(API)).contains("1");
    assertThat(replicas(WEB)).contains("0");
  }

  @Test
  void doesNotActOnTheOwner_norWarnOfThat() {
    spoil();
    world.cluster.writeOwnerField(SmallCluster.NAMESPACE, WEB, REPLICAS, Optional.of("1"));
    int before = world.cluster.events().size();

    passWithCycles(SmallCluster.UNTIL_WARNED.plus(SmallCluster.GRACE).plusMinutes(10));

    assertThat(replicas(WEB)).contains("1");
    assertThat(records()).hasSize(1);
    assertThat(world.cluster.events().subList(before, world.cluster.events().size()))
        .extracting(event -> event.notice().reason())
        .containsExactly("GPUReclamationUnreadable");
  }

  @Test
  void reportsTheRecordOnce() {
    spoil();

    world.cycle();
    world.cycle();

    assertThat(world.cluster.events())
        .filteredOn(event -> event.notice().reason().equals("GPUReclamationUnreadable"))
        .extracting(event -> event.object().kind(), event -> event.notice().message())
        .containsExactly(
            tuple(
                "Reclamation",
                "This record cannot be read, so the reclaimer neither restores its owner nor acts"
                    + " on it: status.changes is empty. Correct the record, or restore the owner"
                    + " and delete the record."));
  }

  @Test
  void restoresTheOwner_whenTheRecordIsDeletedAfterwards() {
    spoil();
    world.cycle();

    world.cluster.deleteRecord(SmallCluster.NAMESPACE, records().getFirst().name());
    world.cycle();
    world.cycle();

    assertThat(replicas(WEB)).contains("1");
  }

  private void spoil() {
    world.cluster.spoilRecord(
        SmallCluster.NAMESPACE,
        records().stream()
            .map(Reclamation::name)
            .filter(name -> name.startsWith("deployment-web-"))
            .findFirst()
            .orElseThrow(),
        "status.changes is empty");
  }

  private void passWithCycles(Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minusMinutes(1)) {
      world.pass(Duration.ofMinutes(1));
      world.cycle();
    }
  }

  private List<Reclamation> records() {
    return world.cluster.view().reclamations().orElseThrow();
  }

  private Optional<String> replicas(OwnerSpec owner) {
    return world.cluster.ownerField(SmallCluster.NAMESPACE, owner, REPLICAS);
  }
}
