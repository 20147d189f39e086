package io.gpureclaimer.reclaimer.cycle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Two replicas in one world, of which one leads. Confined to one run. */
final class ReplicaPair {
  private final World world;
  private final Consumer<Replica> onStart;
  private final List<Replica> replicas = new ArrayList<>();
  private int started;

  /**
   * @param onStart sees each replica before its first cycle
   */
  ReplicaPair(World world, Consumer<Replica> onStart) {
    this.world = world;
    this.onStart = onStart;
    add(Replica.leading(nextName(), world));
    add(Replica.following(nextName(), world));
  }

  /** Both, the longest running one first. */
  List<Replica> all() {
    return List.copyOf(replicas);
  }

  /** One of them leads from now on, the other does not. */
  void lead(Replica winner) {
    replicas.forEach(replica -> replica.leadership().loseTo("the other"));
    winner.leadership().win();
  }

  /** The process of one replica ends; the other one leads, and another one starts. */
  void end(Replica replica) {
    replicas.remove(replica);
    replicas.getFirst().leadership().win();
    add(Replica.following(nextName(), world));
  }

  private String nextName() {
    return "replica-" + started++;
  }

  private void add(Replica replica) {
    onStart.accept(replica);
    replicas.add(replica);
  }
}
