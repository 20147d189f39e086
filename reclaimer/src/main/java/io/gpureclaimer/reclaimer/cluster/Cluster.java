package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import java.util.Map;
import java.util.Optional;

/**
 * The cluster: what is there, and the few verbs that change it. There is no delete.
 *
 * <p>Every method throws {@link ClusterUnreachable} when the API server does not answer.
 */
public interface Cluster {

  /** What is there now, from memory: it costs no call. */
  ClusterView look();

  /** The pod as the API server has it this moment; empty if it is gone or was replaced. */
  Optional<PodView> fresh(PodRef pod);

  /** The namespace as the API server has it this moment; empty if it is gone. */
  Optional<NamespaceView> freshNamespace(String name);

  /**
   * Writes and removes annotations of a pod, if it still is the version that was looked at.
   *
   * @param changes by key; an empty value removes the annotation
   */
  ActionResult annotate(PodView pod, Map<String, Optional<String>> changes);

  /**
   * Asks for the pod's eviction, with its UID and resource version as preconditions.
   *
   * @param dryRun whether the API server only says what it would do
   */
  ActionResult evict(PodView pod, boolean dryRun);

  /** Writes an Event on the pod and says whether it was stored. */
  boolean tell(PodRef pod, Notice notice);
}
