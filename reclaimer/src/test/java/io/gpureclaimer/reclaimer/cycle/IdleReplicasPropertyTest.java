package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;

/**
 * Whatever happens to a Deployment whose idle replicas may be reclaimed, and to the reclaimer: no
 * replica that works is removed, and in the end it has all its replicas again.
 */
class IdleReplicasPropertyTest {
  private static final OwnerSpec WEB = new OwnerSpec(OwnerType.DEPLOYMENT, "web");
  private static final String REPLICAS = "/spec/replicas";
  private static final String COST = "controller.kubernetes.io/pod-deletion-cost";

  @Property(tries = 150)
  void noReplicaThatWorksIsRemoved(@ForAll long seed) {
    new RandomDeploymentEvents(seed).live();
    Statistics.coverage(cover -> cover.check("part").percentage(share -> share > 5));
  }

  private static final class RandomDeploymentEvents {
    private final Random random;
    private final SmallCluster world = SmallCluster.in("always");
    private final List<InMemoryReplica> processes = new ArrayList<>();
    private final String replicas;
    private int names;

    private RandomDeploymentEvents(long seed) {
      this.random = new Random(seed);
      processes.add(InMemoryReplica.leading("replica-0", world));
      int count = 2 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        world.pod("web-" + i, 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
      }
      replicas = Integer.toString(count);
      world.cluster.annotateOwner(
          SmallCluster.NAMESPACE, WEB, Map.of(Annotations.PARTIAL, Optional.of("true")));
    }

    private void live() {
      for (int cycle = 0; cycle < 120; cycle++) {
        happen();
        step();
      }
      world.mode("off");
      List.of(ApiVerb.values()).forEach(world.cluster::allow);
      for (int cycle = 0; cycle < 10; cycle++) {
        records()
            .forEach(record -> world.cluster.requestRestore(SmallCluster.NAMESPACE, record.name()));
        step();
      }
      assertThat(value()).contains(replicas);
      assertThat(world.cluster.view().pods())
          .allSatisfy(pod -> assertThat(pod.annotations()).doesNotContainKey(COST));
      assertThat(records())
          .allMatch(record -> record.status().filter(each -> each.state().isFinal()).isPresent());
    }

    private void happen() {
      for (PodRef pod : pods()) {
        if (chance(2)) {
          world.agents.work(pod);
        } else if (chance(10)) {
          world.agents.rest(pod);
        }
      }
      if (chance(2)) {
        records().stream()
            .findAny()
            .ifPresent(
                record -> world.cluster.requestRestore(SmallCluster.NAMESPACE, record.name()));
      }
      if (chance(3)) {
        processes.removeFirst();
        processes.add(InMemoryReplica.leading("replica-" + ++names, world));
      }
      for (ApiVerb verb : List.of(ApiVerb.PATCH_OWNER, ApiVerb.PATCH_POD, ApiVerb.WRITE_RECORD)) {
        if (chance(4)) {
          world.cluster.refuse(verb, List.of(403, 409, 429, 500).get(random.nextInt(4)), "no");
        } else if (chance(40)) {
          world.cluster.allow(verb);
        }
      }
    }

    private void step() {
      world.pass(Duration.ofSeconds(60 + random.nextInt(240)));
      List<PodRef> busy = pods().stream().filter(world.agents::isBusy).toList();
      if (chance(15)) {
        cutAfter(random.nextInt(12));
      }
      try {
        var _ = processes.getFirst().run();
      } catch (ClusterUnreachable _) {
        // The job tries again in the next cycle.
      }
      assertThat(pods()).as("pods that work").containsAll(busy);
      boolean isPart = !List.of("0", replicas).contains(value().orElseThrow());
      Statistics.collect(isPart ? "part" : "whole");
    }

    private void cutAfter(int calls) {
      ApiInterceptor wire = processes.getFirst().wire();
      if (calls > 0) {
        wire.afterAnything(() -> cutAfter(calls - 1));
      } else {
        wire.beforeAnything(
            () -> {
              throw new ClusterUnreachable("any call", "the wire is cut");
            });
      }
    }

    private List<PodRef> pods() {
      return world.cluster.view().pods().stream()
          .filter(pod -> pod.node().isPresent() && !pod.terminating())
          .map(PodView::ref)
          .toList();
    }

    private Optional<String> value() {
      return world.cluster.ownerField(SmallCluster.NAMESPACE, WEB, REPLICAS);
    }

    private List<Reclamation> records() {
      return world.cluster.view().reclamations().orElseThrow();
    }

    private boolean chance(int percent) {
      return random.nextInt(100) < percent;
    }
  }
}
