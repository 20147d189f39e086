package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.exporter.sample.ServedPodLabels;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Pods on this node, as the API server reports them. */
public interface NodePods {

  /** What is known now; never fails and never waits. */
  KnownPods now();

  /**
   * Pods on this node that are known.
   *
   * @param watch whether the API server keeps reporting
   * @param running what is known of each pod that has not ended
   * @param ended pods that have ended and are not deleted yet
   */
  record KnownPods(
      WatchState watch, Map<NamespacedPodName, RunningPod> running, Set<NamespacedPodName> ended) {
    public KnownPods {
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
   * @param hash of a static pod, whose folder in the kernel is named after it and not after the
   *     uid; null of any other
   */
  record RunningPod(
      String uid, ServedPodLabels labels, Map<String, String> containers, @Nullable String hash) {
    public RunningPod {
      containers = Map.copyOf(containers);
    }

    /** A pod that the API server was asked to run. */
    public RunningPod(String uid, ServedPodLabels labels, Map<String, String> containers) {
      this(uid, labels, containers, null);
    }

    /** What the kernel calls the pod. */
    public String kernelUid() {
      return hash == null ? uid : hash;
    }

    /** A pod of which only the uid is known. */
    public RunningPod(String uid) {
      this(uid, ServedPodLabels.NONE, Map.of());
    }
  }

  /** State of a watch of the API server. */
  sealed interface WatchState {

    /** The watch is not enabled. */
    record NotEnabled() implements WatchState {}

    /** The watch is current. */
    record Synced() implements WatchState {}

    /** The watch is not current; {@code reason} is one line for a human. */
    record NotSynced(String reason) implements WatchState {}
  }

  /** What an agent knows that does not talk to the API server. */
  KnownPods NOTHING = new KnownPods(new WatchState.NotEnabled(), Map.of(), Set.of());

  /** For such an agent. */
  static NodePods none() {
    return () -> NOTHING;
  }
}
