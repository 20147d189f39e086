package io.gpureclaimer.reclaimer.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One GPU on each of two nodes. Its holders terminate within 30 s, and two pods are pending. */
class NominatedNodesTest {
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Duration WANTED_FOR = Duration.ofMinutes(3);

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final SimulatedCluster cluster = new SimulatedCluster(() -> now);
  private final SimulatedLeadership leadership = SimulatedLeadership.alone("first");
  private final NominatedNodes nodes = nodes(leadership, true);
  private PodRef holder = new PodRef("ml", "holder", "");
  private PodRef rival = holder;
  private PodRef served = holder;

  @BeforeEach
  void fill() {
    cluster.addNamespace("ml", Map.of());
    cluster.addNode(NodeSpec.of("a", List.of(new GpuUuid("GPU-a"))));
    cluster.addNode(NodeSpec.of("b", List.of(new GpuUuid("GPU-b"))));
    holder = cluster.submit(PodSpec.bare("ml", "holder", 1).withGrace(GRACE));
    var _ = cluster.submit(PodSpec.bare("ml", "other", 1).withGrace(GRACE));
    rival = cluster.submit(PodSpec.bare("ml", "rival", 1));
    served = cluster.submit(PodSpec.bare("ml", "served", 1));
    cluster.tick();
  }

  @Test
  void withoutThem_theOlderPodTakesTheFreedGpu() {
    cluster.delete(holder);
    passGrace();

    assertThat(node(rival)).contains("a");
    assertThat(node(served)).isEmpty();
  }

  @Test
  void keepsTheGpuForThePodForWhichItIsFreed() {
    cluster.delete(holder);
    want(Map.of(served, "a"));
    assertThat(nominated(served)).contains("a");
    passGrace();

    assertThat(node(served)).contains("a");
    assertThat(node(rival)).isEmpty();
  }

  @Test
  void writesAgain_whatTheSchedulerHasCleared() {
    cluster.delete(holder);
    want(Map.of(served, "a"));
    var _ = cluster.submit(PodSpec.bare("ml", "third", 1));
    cluster.tick();
    assertThat(nominated(served)).isEmpty();

    nodes.update();
    passGrace();

    assertThat(node(served)).contains("a");
  }

  @Test
  void writesNothingAgain_onceNoCycleHasWantedItForAWhile() {
    want(Map.of(served, "a"));
    var _ = cluster.submit(PodSpec.bare("ml", "third", 1));
    cluster.tick();

    now = now.plus(WANTED_FOR).plusSeconds(1);
    nodes.update();

    assertThat(nominated(served)).isEmpty();
  }

  @Test
  void leavesTheGpuToAHigherPriority() {
    PodRef important = cluster.submit(PodSpec.bare("ml", "important", 1).withPriority(10));
    cluster.tick();
    cluster.delete(holder);
    want(Map.of(served, "a"));
    passGrace();

    assertThat(node(important)).contains("a");
    assertThat(node(served)).isEmpty();
    assertThat(nominated(served)).isEmpty();
  }

  @Test
  void clearsIt_onceThePodHasNoClaimToTheGpus() {
    want(Map.of(served, "a"));

    want(Map.of());

    assertThat(nominated(served)).isEmpty();
  }

  @Test
  void movesIt_whenGpusAreFreedOnAnotherNode() {
    want(Map.of(served, "a"));

    want(Map.of(served, "b"));

    assertThat(nominated(served)).contains("b");
  }

  @Test
  void clearsWhatAnotherLeaderLeft() {
    want(Map.of(served, "a"));
    NominatedNodes next = nodes(SimulatedLeadership.alone("second"), true);

    next.set(Map.of(), cluster.view().pods());
    next.update();

    assertThat(nominated(served)).isEmpty();
  }

  @Test
  void keepsWhatTheSchedulerHasNominated_evenIfItIsTheSameNode() {
    want(Map.of(served, "a"));
    cluster.nominateAsScheduler(served, "a");
    String before = view(served).resourceVersion();

    want(Map.of(served, "b"));
    want(Map.of());

    assertThat(view(served).resourceVersion()).isEqualTo(before);
    assertThat(view(served).waiting().flatMap(Waiting::nominatedNode)).contains("a");
  }

  @Test
  void writesNothing_whereItIsOff() {
    NominatedNodes off = nodes(leadership, false);
    off.set(Map.of(served, "a"), cluster.view().pods());
    off.update();

    assertThat(nominated(served)).isEmpty();
  }

  @Test
  void writesNothing_whileItDoesNotLead_andForgetsWhatItWanted() {
    leadership.loseTo("second");
    want(Map.of(served, "a"));
    assertThat(nominated(served)).isEmpty();

    leadership.win();
    nodes.update();
    assertThat(nominated(served)).isEmpty();
  }

  @Test
  void goesOnAfterARefusal() {
    cluster.refuse(ApiVerb.PATCH_POD, 403, "may not patch pods/status");
    want(Map.of(served, "a"));
    assertThat(nominated(served)).isEmpty();

    cluster.allow(ApiVerb.PATCH_POD);
    nodes.update();
    assertThat(nominated(served)).contains("a");
  }

  @Test
  void goesOn_afterTheApiServerWasUnreachable() {
    want(Map.of(served, "a"));
    nodes.set(Map.of(), cluster.view().pods());
    cluster.setUnreachable(true);
    nodes.update();
    cluster.setUnreachable(false);
    assertThat(nominated(served)).contains("a");

    nodes.update();
    assertThat(nominated(served)).isEmpty();
  }

  @Test
  void writesNothingOnPodsThatAreGoneOrHaveANode() {
    String before = view(holder).resourceVersion();

    want(Map.of(holder, "b", new PodRef("ml", "served", "of another pod"), "a"));

    assertThat(view(holder).resourceVersion()).isEqualTo(before);
    assertThat(nominated(served)).isEmpty();
  }

  private NominatedNodes nodes(SimulatedLeadership by, boolean enabled) {
    return new NominatedNodes(cluster, by, () -> now, enabled, WANTED_FOR);
  }

  private void want(Map<PodRef, String> wanted) {
    nodes.set(wanted, cluster.view().pods());
    nodes.update();
    nodes.update();
  }

  private void passGrace() {
    now = now.plus(GRACE);
    cluster.tick();
  }

  private PodView view(PodRef pod) {
    return cluster.lastKnown(pod).orElseThrow();
  }

  private Optional<String> node(PodRef pod) {
    return view(pod).node();
  }

  private Optional<String> nominated(PodRef pod) {
    return view(pod).waiting().flatMap(Waiting::ownNominatedNode);
  }
}
