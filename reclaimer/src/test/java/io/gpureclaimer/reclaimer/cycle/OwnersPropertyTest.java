package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Progress;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerKind;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Whatever happens to owners, their records and the reclaimer: an owner holds what people wrote, or
 * the value of an action that a record can undo; and at the end what people wrote.
 */
class OwnersPropertyTest {

  /** A try takes as long as ten of other properties. */
  @Property(tries = 150)
  void noOwnerIsStoppedWithoutAWayBack(@ForAll long seed) {
    new Life(seed).live();
  }

  /** An owner and what people wrote into it last. */
  private static final class Known {
    private final OwnerSpec spec;
    private final String path;
    private final String stopped;
    private Optional<String> wanted;
    private boolean stoppedBefore;
    private boolean recordDeleted;

    private Known(OwnerSpec spec, String path, String stopped, Optional<String> wanted) {
      this.spec = spec;
      this.path = path;
      this.stopped = stopped;
      this.wanted = wanted;
    }
  }

  private static final class Life {
    private static final String REPLICAS = "/spec/replicas";
    private static final String PAUSE = FieldChange.annotation(Autoscaler.PAUSED_REPLICAS);
    private static final int CYCLES = 150;
    private static final int CYCLES_AFTERWARDS = 12;

    private final Random random;
    private final World world = World.in("always");
    private final List<Replica> replicas = new ArrayList<>();
    private final Map<String, Set<Replica>> seenBy = new HashMap<>();
    private final List<Known> owners =
        List.of(
            new Known(new OwnerSpec(OwnerKind.DEPLOYMENT, "web"), REPLICAS, "0", Optional.of("2")),
            new Known(new OwnerSpec(OwnerKind.STATEFUL_SET, "db"), REPLICAS, "0", Optional.of("1")),
            new Known(
                new OwnerSpec(OwnerKind.JOB, "train"), "/spec/suspend", "true", Optional.empty()));
    private final OwnerSpec scaler;
    private final List<String> history = new ArrayList<>();
    private String lastNoted = "";
    private int names;

    private Life(long seed) {
      this.random = new Random(seed);
      replicas.add(Replica.leading("replica-0", world));
      replicas.add(Replica.following("replica-1", world));
      submit("web-a", OwnerSpec.ofDeployment("web", "5d4f"));
      submit("web-b", OwnerSpec.ofDeployment("web", "5d4f"));
      scaler = world.cluster.addScaledObject(World.NAMESPACE, owners.getFirst().spec);
      submit("db-0", owners.get(1).spec);
      submit("train-a", owners.get(2).spec);
    }

    private void submit(String name, OwnerSpec owner) {
      world.pod(name, 1, pod -> pod.ownedBy(owner));
    }

    private void live() {
      for (int cycle = 0; cycle < CYCLES; cycle++) {
        happen();
        step();
      }
      recover();
      for (int cycle = 0; cycle < CYCLES_AFTERWARDS; cycle++) {
        records().forEach(record -> world.cluster.requestRestore(World.NAMESPACE, record.name()));
        step();
      }
      for (Known owner : owners) {
        assertThat(value(owner))
            .as("%s at the end of %s", owner.spec, history)
            .isEqualTo(owner.wanted);
      }
      assertThat(world.cluster.ownerField(World.NAMESPACE, scaler, PAUSE))
          .as("a pause at the end of %s", history)
          .isEmpty();
      assertThat(records())
          .allMatch(record -> record.status().filter(each -> each.state().isFinal()).isPresent());
    }

    private void step() {
      world.pass(Duration.ofSeconds(40 + random.nextInt(120)));
      for (Replica replica : List.copyOf(replicas)) {
        run(replica);
        check();
      }
    }

    private void run(Replica replica) {
      if (chance(15)) {
        interruptAfter(random.nextInt(10), replica);
      }
      List<String> seen = records().stream().map(Reclamation::uid).toList();
      try {
        var _ = replica.run();
        seen.forEach(uid -> seenBy.computeIfAbsent(uid, _ -> new HashSet<>()).add(replica));
      } catch (ClusterUnreachable _) {
        // The job tries again in the next cycle.
      }
    }

    private void interruptAfter(int calls, Replica replica) {
      if (calls > 0) {
        replica.wire().afterAnything(() -> interruptAfter(calls - 1, replica));
      } else if (chance(50)) {
        replica.wire().beforeAnything(this::interrupt);
      } else {
        replica.wire().afterAnything(this::interrupt);
      }
    }

    private void interrupt() {
      switch (random.nextInt(4)) {
        case 0 -> editOwner();
        case 1 -> changeLeader();
        case 2 -> requestRestore();
        default -> throw new ClusterUnreachable("any call", "the wire is cut");
      }
    }

    private void happen() {
      if (chance(4)) {
        editOwner();
      }
      if (chance(4)) {
        requestRestore();
      }
      if (chance(3)) {
        deleteRecord();
      }
      if (chance(4)) {
        changeLeader();
      }
      if (chance(3)) {
        crash();
      }
      if (chance(5)) {
        pods().skip(random.nextInt(4)).findFirst().ifPresent(world.agents::work);
      }
      pods().filter(pod -> world.agents.isBusy(pod) && chance(30)).forEach(world.agents::rest);
      for (ApiVerb verb :
          List.of(ApiVerb.PATCH_OWNER, ApiVerb.WRITE_RECORD, ApiVerb.CREATE_EVENT)) {
        if (chance(4)) {
          world.cluster.refuse(
              verb, List.of(403, 404, 409, 422, 429, 500).get(random.nextInt(6)), "no");
        } else if (chance(40)) {
          world.cluster.allow(verb);
        }
      }
      if (chance(2)) {
        annotate(any(owners), chance(50) ? "true" : "false");
      }
    }

    /** Nothing goes wrong from now on, and nothing new is stopped. */
    private void recover() {
      world.mode("off");
      List.of(ApiVerb.values()).forEach(world.cluster::allow);
    }

    /** People write another value, but never the one that an action writes. */
    private void editOwner() {
      Known owner = any(owners);
      Optional<String> value =
          owner.path.equals(REPLICAS)
              ? Optional.of(Integer.toString(1 + random.nextInt(5)))
              : (chance(50) ? Optional.of("false") : Optional.empty());
      owner.wanted = value;
      note("edit " + owner.spec.name() + " " + value);
      world.cluster.writeOwnerField(World.NAMESPACE, owner.spec, owner.path, value);
    }

    private void annotate(Known owner, String excluded) {
      world.cluster.annotateOwner(
          World.NAMESPACE, owner.spec, Map.of(Annotations.EXCLUDE, Optional.of(excluded)));
    }

    private void requestRestore() {
      List<Reclamation> records = records();
      if (!records.isEmpty()) {
        Reclamation record = any(records);
        note("request " + record.name());
        world.cluster.requestRestore(World.NAMESPACE, record.name());
      }
    }

    private void note(String what) {
      history.add("\n" + world.clock.instant() + " " + what);
    }

    /** A record that no replica but the leader has seen could not be created by the next leader. */
    private void deleteRecord() {
      List<Reclamation> records =
          records().stream()
              .filter(record -> seenBy.getOrDefault(record.uid(), Set.of()).containsAll(replicas))
              .toList();
      if (!records.isEmpty()) {
        Reclamation record = any(records);
        owners.stream()
            .filter(
                owner -> isOf(record, owner) && !record.status().orElseThrow().state().isFinal())
            .forEach(owner -> owner.recordDeleted = true);
        note("delete " + record.name());
        world.cluster.deleteRecord(World.NAMESPACE, record.name());
      }
    }

    /**
     * Whether only the replicas that have seen a deleted record can restore its owner. One that
     * starts and leads before they do knows nothing of it.
     */
    private boolean isForgettable() {
      return owners.stream().anyMatch(owner -> owner.recordDeleted);
    }

    private void changeLeader() {
      if (isForgettable()) {
        return;
      }
      Replica winner = any(replicas);
      replicas.forEach(replica -> replica.leadership().loseTo("the other"));
      winner.leadership().win();
      note("leader " + replicas.indexOf(winner));
    }

    /** The process of one replica ends; the other one leads. */
    private void crash() {
      if (isForgettable()) {
        return;
      }
      note("crash");
      replicas.removeFirst();
      replicas.getFirst().leadership().win();
      replicas.add(Replica.following("replica-" + (2 + names++), world));
    }

    private void check() {
      for (Known owner : owners) {
        Optional<String> value = value(owner);
        boolean stopped = value.equals(Optional.of(owner.stopped));
        if (stopped) {
          assertThat(ways(owner))
              .as("a way back to %s of %s after %s", owner.wanted, owner.spec, history)
              .contains(owner.wanted);
        } else {
          assertThat(value).as("%s", owner.spec).isEqualTo(owner.wanted);
        }
        if (stopped && !owner.stoppedBefore) {
          assertThat(podsOf(owner).filter(world.agents::isBusy))
              .as("pods of %s that work", owner.spec)
              .isEmpty();
        }
        owner.recordDeleted &= stopped;
        owner.stoppedBefore = stopped;
      }
      noteRecords();
    }

    private void noteRecords() {
      String now =
          records().stream()
              .flatMap(record -> record.status().stream())
              .map(each -> each.owner().name() + " " + each.state() + " " + former(each))
              .toList()
              .toString();
      if (!now.equals(lastNoted)) {
        note(now);
      }
      lastNoted = now;
    }

    /** The former values in unfinished records, those included that people deleted a moment ago. */
    private List<Optional<String>> ways(Known owner) {
      List<Optional<String>> ways = new ArrayList<>();
      records().stream()
          .flatMap(record -> record.status().stream())
          .filter(progress -> !progress.state().isFinal())
          .filter(progress -> progress.owner().name().equals(owner.spec.name()))
          .forEach(progress -> ways.add(former(progress)));
      if (owner.recordDeleted) {
        ways.add(owner.wanted);
      }
      return ways;
    }

    private static boolean isOf(Reclamation record, Known owner) {
      return record
          .status()
          .filter(progress -> progress.owner().name().equals(owner.spec.name()))
          .isPresent();
    }

    private static Optional<String> former(Progress progress) {
      return progress.changes().getLast().former();
    }

    private Optional<String> value(Known owner) {
      return world.cluster.ownerField(World.NAMESPACE, owner.spec, owner.path);
    }

    private List<Reclamation> records() {
      return world.cluster.look().reclamations().orElseThrow();
    }

    private Stream<PodRef> pods() {
      return world.cluster.look().pods().stream()
          .filter(pod -> pod.node().isPresent() && !pod.terminating())
          .map(PodView::ref);
    }

    private Stream<PodRef> podsOf(Known owner) {
      return pods().filter(pod -> pod.name().startsWith(owner.spec.name() + "-"));
    }

    private boolean chance(int percent) {
      return random.nextInt(100) < percent;
    }

    private <T> T any(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }
  }
}
