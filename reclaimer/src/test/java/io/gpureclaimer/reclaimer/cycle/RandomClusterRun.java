package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.DisruptionBudget;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.StoredEvent;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PastActivity;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastPod;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastSpell;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PodNamePattern;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A cluster in which everything goes on at random, in the same way for the same seed, and the truth
 * about it, against which every eviction is checked in the moment when it happens.
 */
final class RandomClusterRun {
  private static final Duration IDLE_AFTER = Duration.ofMinutes(10);
  private static final Duration WARN_BEFORE = Duration.ofMinutes(5);
  private static final List<String> MODES =
      List.of("always", "on-demand", "on-demand", "notify", "report", "off", "allways");
  private static final List<String> NAMESPACES = List.of("red", "green", "blue");
  private static final Map<String, String> GUARDED = Map.of("app", "guarded");

  private final RandomChoices random;

  /** Of its own, so that the other choices of a seed do not depend on it. */
  private final RandomChoices lies;

  private final SmallCluster world = SmallCluster.withoutAnnotations();
  private final ReplicaPair replicas;
  private final Map<String, Instant> lastWork = new HashMap<>();
  private final Set<String> evicted = new HashSet<>();
  private final EventTally tally = new EventTally();
  private int evictedInThisCycle;
  private int names;

  RandomClusterRun(long seed) {
    random = new RandomChoices(seed);
    lies = new RandomChoices(seed + 1_000);
    world.agents.remember(this::wrongPast);
    world.cluster.addNode(
        NodeSpec.of(
            "node-2",
            List.of("GPU-8", "GPU-9", "GPU-10", "GPU-11").stream().map(GpuUuid::new).toList()));
    for (String namespace : NAMESPACES) {
      world.cluster.addNamespace(
          namespace,
          Map.of(
              Annotations.MODE, MODES.get(random.below(2)),
              Annotations.IDLE_AFTER, "10m",
              Annotations.WARN_BEFORE, "5m"));
    }
    replicas = new ReplicaPair(world, replica -> replica.wire().onEviction(this::check));
  }

  /** What no pod ever did; now and then none at all. It may change the order of actions only. */
  private PastActivity wrongPast(PastActivity answer) {
    if (!(answer instanceof PastActivity.Known asked) || lies.chance(20)) {
      return new PastActivity.Unknown("expected an answer, found none");
    }
    tally.count("wrong pasts");
    return new PastActivity.Known(
        asked.range(),
        world.agents.pastLooks().getLast().stream().map(pods -> lie(pods, asked)).toList());
  }

  private PastPod lie(PodNamePattern pod, PastActivity.Known asked) {
    var spells = new ArrayList<PastSpell>();
    for (long step = 1; step <= asked.range().steps(); step += 1 + lies.below(20)) {
      PastSpell.add(
          spells,
          lies.chance(50) ? Optional.empty() : Optional.of(anyTime(asked)),
          anyTime(asked),
          anyTime(asked),
          step);
    }
    return new PastPod(new PodName(pod.namespace(), pod.pattern().pattern()), spells);
  }

  private Instant anyTime(PastActivity.Known asked) {
    return asked.range().at(lies.below(Math.toIntExact(2 * asked.range().steps())));
  }

  EventTally live(int cycles) {
    for (int i = 0; i < cycles; i++) {
      world.pass(Duration.ofSeconds(20 + random.below(70)));
      pods().filter(world.agents::isBusy).forEach(this::noteWork);
      happen();
      for (InMemoryReplica replica : replicas.all()) {
        // A replica that takes over in the middle of a cycle has a plan of its own.
        evictedInThisCycle = 0;
        run(replica);
        assertThat(evictedInThisCycle).isLessThanOrEqualTo(InMemoryReplica.LIMITS.maxActions(0));
      }
    }
    tally.count(
        "withdrawn",
        world.cluster.events().stream()
            .filter(event -> event.notice().reason().equals("GPUIdleWarningWithdrawn"))
            .count());
    return tally;
  }

  private void run(InMemoryReplica replica) {
    if (random.chance(10)) {
      replica.wire().before(ApiInterceptor.InterceptedCall.GET, this::happenToPods);
    }
    if (random.chance(10)) {
      replica.wire().after(ApiInterceptor.InterceptedCall.REPORTS, this::changeLeader);
    }
    if (random.chance(10)) {
      world.agents.beforeSecondLook(this::happenInTheLastMoment);
    } else {
      world.agents.beforeSecondLook(() -> {});
    }
    try {
      var _ = replica.run();
    } catch (ClusterUnreachable _) {
      tally.count("abandoned");
    }
    tally.count(
        "refused",
        replica.takeDeeds().stream()
            .filter(deed -> deed.startsWith("evict ") && !deed.endsWith(": done"))
            .count());
  }

  /** The truth, in the moment of an eviction. */
  private void check(PodRef pod) {
    Instant now = world.clock.instant();
    PodView view = world.view(pod);
    String mode = modeOf(pod.namespace());
    Instant worked = lastWork.getOrDefault(pod.uid(), Instant.MIN);
    assertThat(evicted.add(pod.uid())).as("%s is evicted once", pod).isTrue();
    assertThat(world.agents.isBusy(pod)).as("%s works", pod).isFalse();
    assertThat(worked).as("%s worked", pod).isBeforeOrEqualTo(now.minus(IDLE_AFTER));
    assertThat(warningsOf(pod))
        .as("warnings of %s since it worked, in time", pod)
        .anyMatch(at -> !at.isBefore(worked) && !at.isAfter(now.minus(WARN_BEFORE)));
    assertThat(mode).as("mode for %s", pod).isIn("always", "on-demand");
    assertThat(view.owner()).isEmpty();
    assertThat(view.annotations())
        .doesNotContainEntry(Annotations.EXCLUDE, "true")
        .doesNotContainEntry(Annotations.MODE, "off");
    if (mode.equals("on-demand")) {
      assertThat(world.cluster.view().pods()).anyMatch(other -> other.waiting().isPresent());
      tally.count("evicted on demand");
    } else {
      tally.count("evicted always");
    }
    evictedInThisCycle++;
  }

  private String modeOf(String namespace) {
    return world.cluster.view().namespaces().values().stream()
        .filter(view -> view.name().equals(namespace))
        .map(view -> view.annotations().getOrDefault(Annotations.MODE, ""))
        .findFirst()
        .orElseThrow();
  }

  private void happen() {
    world.cluster.setUnreachable(false);
    happenToPods();
    if (random.chance(15)) {
      submit();
    }
    if (random.chance(3)) {
      world.agents.restart();
    }
    if (random.chance(5)) {
      world.agents.goBlind("no answer");
    }
    if (random.chance(5)) {
      world.agents.goBlindAtSecondLook("no answer");
    }
    if (random.chance(40)) {
      world.agents.seeAgain();
    }
    for (ApiVerb verb : ApiVerb.values()) {
      if (random.chance(3)) {
        world.cluster.refuse(verb, 403, "no");
      } else if (random.chance(40)) {
        world.cluster.allow(verb);
      }
    }
    if (random.chance(10)) {
      world.cluster.addBudget(
          new DisruptionBudget(random.any(NAMESPACES), "budget", GUARDED, random.below(4)));
    }
    if (random.chance(10)) {
      world.cluster.removeBudget(random.any(NAMESPACES), "budget");
    }
    if (random.chance(5)) {
      changeMode();
    }
    if (random.chance(5)) {
      changeLeader();
    }
    if (random.chance(3)) {
      crash();
    }
    world.cluster.setUnreachable(random.chance(4));
  }

  private void happenToPods() {
    for (PodRef pod : pods().toList()) {
      if (world.agents.isBusy(pod) ? random.chance(15) : random.chance(2)) {
        turn(pod);
      }
      if (random.chance(1)) {
        world.agents.restart(pod);
      }
      if (random.chance(1)) {
        world.agents.hideUtilization(pod);
      } else if (random.chance(30)) {
        world.agents.showUtilization(pod);
      }
      if (random.chance(1)) {
        annotate(pod, Annotations.EXCLUDE, random.chance(50) ? "true" : "false");
      }
      if (random.chance(1)) {
        annotate(pod, Annotations.MODE, random.any(List.of("off", "always", "on-demand")));
      }
      if (random.chance(1)) {
        world.cluster.delete(pod);
      }
    }
  }

  private void happenInTheLastMoment() {
    if (random.chance(50)) {
      happenToPods();
    }
    if (random.chance(20)) {
      changeMode();
    }
    if (random.chance(20)) {
      changeLeader();
    }
  }

  private void turn(PodRef pod) {
    if (world.agents.isBusy(pod)) {
      world.agents.rest(pod);
    } else {
      world.agents.work(pod);
    }
    noteWork(pod);
  }

  private void noteWork(PodRef pod) {
    lastWork.put(pod.uid(), world.clock.instant());
  }

  private void submit() {
    PodSpec spec =
        PodSpec.bare(
                random.any(NAMESPACES),
                "pod-" + names++,
                1 + random.below(random.chance(20) ? 4 : 2))
            .withPriority(random.below(3));
    if (random.chance(30)) {
      spec = spec.withLabels(GUARDED);
    }
    if (random.chance(10)) {
      spec = spec.ownedBy(OwnerSpec.OwnerType.STATEFUL_SET, "owner-" + names);
    }
    if (world.cluster.view().pods().size() < 16) {
      PodRef pod = world.cluster.submit(spec);
      if (random.chance(60)) {
        world.agents.work(pod);
      }
    }
  }

  private void changeMode() {
    world.cluster.annotateNamespace(
        random.any(NAMESPACES), Map.of(Annotations.MODE, Optional.of(random.any(MODES))));
  }

  private void annotate(PodRef pod, String key, String value) {
    world.cluster.view().pods().stream()
        .filter(view -> view.ref().equals(pod))
        .forEach(
            view -> {
              var _ = world.cluster.annotate(view, Map.of(key, Optional.of(value)));
            });
  }

  private void changeLeader() {
    replicas.lead(random.any(replicas.all()));
  }

  /** The process of the leader ends, and its successor knows nothing. */
  private void crash() {
    replicas.end(replicas.all().getFirst());
    replicas.lead(replicas.all().getLast());
  }

  /** The pods that hold GPUs, asked from the nodes, as it were. */
  private Stream<PodRef> pods() {
    return world.cluster.holders().stream().map(holder -> holder.pod()).distinct();
  }

  private List<Instant> warningsOf(PodRef pod) {
    return world.cluster.events().stream()
        .filter(event -> event.pod().equals(pod))
        .filter(event -> event.notice().reason().equals("GPUIdleWarned"))
        .map(StoredEvent::at)
        .toList();
  }
}
