package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.Leadership;
import java.util.concurrent.atomic.AtomicReference;

/** Leadership that a simulation grants and removes. */
public final class SimulatedLeadership implements Leadership {
  private final String identity;
  private final AtomicReference<String> holder;

  private SimulatedLeadership(String identity, String holder) {
    this.identity = identity;
    this.holder = new AtomicReference<>(holder);
  }

  /** The only replica there is, leading from the start. */
  public static SimulatedLeadership alone(String identity) {
    return new SimulatedLeadership(identity, identity);
  }

  /** One of several replicas without a leader yet. */
  public static SimulatedLeadership undecided(String identity) {
    return new SimulatedLeadership(identity, "");
  }

  /** This replica wins the lease. */
  public void win() {
    holder.set(identity);
  }

  /** Another replica has the lease; empty if none is known. */
  public void loseTo(String other) {
    if (other.equals(identity)) {
      throw new IllegalArgumentException("cannot lose the lease to oneself: " + other);
    }
    holder.set(other);
  }

  @Override
  public boolean isHeld() {
    return holder.get().equals(identity);
  }

  @Override
  public String identity() {
    return identity;
  }

  @Override
  public String holder() {
    return holder.get();
  }
}
