package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.micronaut.serde.annotation.Serdeable;

/**
 * The replica that answers.
 *
 * @param name as it is called in the lease
 * @param leads whether it acts
 * @param leader name of the replica that leads; empty if none is known
 */
@Serdeable
public record AnsweringReplica(String name, boolean leads, String leader) {

  /** This replica, as it is now. */
  public static AnsweringReplica of(Leadership leadership) {
    return new AnsweringReplica(leadership.identity(), leadership.isHeld(), leadership.holder());
  }

  /** The replica and what it may do. */
  public String sentence() {
    return "replica " + name + (leads ? ", the leader" : ", which does not act; " + leaderText());
  }

  private String leaderText() {
    return leader.isEmpty() ? "no leader is known" : "the leader is " + leader;
  }
}
