package io.gpureclaimer.exporter.attribution;

import java.util.Map;
import java.util.OptionalInt;

/** State of the source of an attribution. */
public sealed interface SourceState {

  /** Attribution is not enabled. */
  record NotConfigured() implements SourceState {}

  /**
   * The pods file.
   *
   * @param understood the holders are what it says; otherwise what it last said when it could be
   *     understood
   */
  record OfFile(boolean understood) implements SourceState {}

  /**
   * The kubelet.
   *
   * @param contact whether it answers
   * @param failures how often it did not, since the start, by gRPC's code in lower case
   * @param unmapped how many devices are held whose id names no device of this node, or which
   *     claims gave that are not known; empty while the holders are unknown
   * @param pods whether the API server keeps reporting the pods
   * @param devices whether it keeps reporting the devices of dynamic resource allocation
   * @param claims whether it answers for the claims that it is asked for
   */
  record OfKubelet(
      KubeletContact contact,
      Map<String, Long> failures,
      OptionalInt unmapped,
      NodePods.WatchState pods,
      NodePods.WatchState devices,
      NodePods.WatchState claims)
      implements SourceState {
    public OfKubelet {
      failures = Map.copyOf(failures);
    }

    /** Devices and claims of dynamic resource allocation are not enabled. */
    public OfKubelet(
        KubeletContact contact,
        Map<String, Long> failures,
        OptionalInt unmapped,
        NodePods.WatchState pods) {
      this(
          contact,
          failures,
          unmapped,
          pods,
          new NodePods.WatchState.NotEnabled(),
          new NodePods.WatchState.NotEnabled());
    }
  }

  /** Whether the kubelet responds. */
  sealed interface KubeletContact {

    /** The last query succeeded, and is recent. */
    record Answering() implements KubeletContact {}

    /** An earlier query succeeded; {@code reason} is one line for a human. */
    record Silent(String reason) implements KubeletContact {}

    /** No query has succeeded; {@code reason} is one line for a human. */
    record NeverAnswered(String reason) implements KubeletContact {}
  }
}
