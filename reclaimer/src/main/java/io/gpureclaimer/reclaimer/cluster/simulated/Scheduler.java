package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.Waiting;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Binds pending pods to nodes with free GPUs, or says why it cannot. It never preempts. */
final class Scheduler {
  private final ClusterState state;

  Scheduler(ClusterState state) {
    this.state = state;
  }

  void step(Instant now) {
    if (!state.takeRoomChanged()) {
      return;
    }
    Map<NodeSearch.Shape, NodeSearch> searches = new HashMap<>();
    for (SimulatedPod pod : List.copyOf(state.pending())) {
      NodeSearch search =
          searches.computeIfAbsent(
              new NodeSearch.Shape(pod.spec().gpus(), pod.spec().placement()),
              shape -> new NodeSearch(shape, state.nodes().values()));
      search.find().ifPresentOrElse(node -> bind(pod, node, now), () -> putOff(pod, search, now));
    }
  }

  private void bind(SimulatedPod pod, SimulatedNode node, Instant now) {
    state.pending().remove(pod);
    pod.bind(node, node.take(pod.spec().gpus()), now, state.nextVersion());
  }

  private void putOff(SimulatedPod pod, NodeSearch search, Instant now) {
    Instant since = pod.waiting().map(Waiting::since).orElse(now);
    Waiting waiting = new Waiting(since, search.shortage());
    if (!pod.waiting().filter(waiting::equals).isPresent()) {
      pod.waitFor(waiting, state.nextVersion());
    }
  }
}
