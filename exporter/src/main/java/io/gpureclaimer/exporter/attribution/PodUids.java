package io.gpureclaimer.exporter.attribution;

import java.util.Map;
import java.util.Set;

/** Knows the uids of the pods on this node. */
public interface PodUids {

  /** What is known now; never fails and never waits. */
  Known now();

  /**
   * What is known of the pods on this node.
   *
   * @param watch whether the API server keeps telling
   * @param running the uid of each pod that has not ended
   * @param ended pods that have ended and are not deleted yet
   */
  record Known(Watch watch, Map<PodName, String> running, Set<PodName> ended) {
    public Known {
      running = Map.copyOf(running);
      ended = Set.copyOf(ended);
    }
  }

  /** Whether the API server keeps telling of the pods on this node. */
  sealed interface Watch {

    /** Nobody asked for uids. */
    record NotAsked() implements Watch {}

    /** It does. */
    record Whole() implements Watch {}

    /** It does not; {@code reason} is one line for a human. */
    record Broken(String reason) implements Watch {}
  }

  /** For an agent that does not talk to the API server. */
  static PodUids none() {
    var nothing = new Known(new Watch.NotAsked(), Map.of(), Set.of());
    return () -> nothing;
  }
}
