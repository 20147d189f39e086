package io.gpureclaimer.reclaimer.cycle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Two replicas in one world, of which one leads. Confined to one run. */
final class ReplicaPair {
  private final SmallCluster world;
  private final Consumer<InMemoryReplica> onStart;
  private final List<InMemoryReplica> replicas = new ArrayList<>();
  private int started;

  /**
   * @param onStart sees each replica before its first cycle
   */
  ReplicaPair(SmallCluster world, Consumer<InMemoryReplica> onStart) {
    this.world = world;
    this.onStart = onStart;
    add(InMemoryReplica.leading(nextName(), world));
    add(InMemoryReplica.following(nextName(), world));
  }

  /** Both, the longest running one first. */
  List<InMemoryReplica> all() {
    return List.copyOf(replicas);
  }

  /** One of them leads from now on, the other does not. */
  void lead(InMemoryReplica winner) {
    replicas.forEach(replica -> replica.leadership().loseTo("the other"));
    winner.leadership().win();
  }

  /** The process of one replica ends; the other one leads, and another one starts. */
  void end(InMemoryReplica replica) {
    replicas.remove(replica);
    replicas.getFirst().leadership().win();
    add(InMemoryReplica.following(nextName(), world));
  }

  private String nextName() {
    return "replica-" + started++;
  }

  private void add(InMemoryReplica replica) {
    onStart.accept(replica);
    replicas.add(replica);
  }
}
