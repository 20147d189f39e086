package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.exporter.sample.PodLabels;
import java.util.Map;
import java.util.Set;

/** Knows the pods on this node, as the API server has them. */
public interface PodRegister {

  /** What is known now; never fails and never waits. */
  Known now();

  /**
   * What is known of the pods on this node.
   *
   * @param watch whether the API server keeps telling
   * @param running what is known of each pod that has not ended
   * @param ended pods that have ended and are not deleted yet
   */
  record Known(Watch watch, Map<PodName, Entry> running, Set<PodName> ended) {
    public Known {
      running = Map.copyOf(running);
      ended = Set.copyOf(ended);
    }
  }

  /**
   * A pod that has not ended.
   *
   * @param uid no other pod has ever had it
   * @param labels those of its labels that are served
   * @param containers the names of its containers, by the runtime's id; only if it was asked for,
   *     and of those only that have started
   */
  record Entry(String uid, PodLabels labels, Map<String, String> containers) {
    public Entry {
      containers = Map.copyOf(containers);
    }

    /** A pod of which only the uid is known. */
    public Entry(String uid) {
      this(uid, PodLabels.NONE, Map.of());
    }
  }

  /** Whether the API server keeps telling of the pods on this node. */
  sealed interface Watch {

    /** Nobody asked for it. */
    record NotAsked() implements Watch {}

    /** It does. */
    record Whole() implements Watch {}

    /** It does not; {@code reason} is one line for a human. */
    record Broken(String reason) implements Watch {}
  }

  /** What an agent knows that does not talk to the API server. */
  Known NOTHING = new Known(new Watch.NotAsked(), Map.of(), Set.of());

  /** For such an agent. */
  static PodRegister none() {
    return () -> NOTHING;
  }
}
