package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import java.util.Collection;

/**
 * Activity of GPUs by pod, and since when they have been watched.
 *
 * <p>A source never guesses: what it could not learn is absent from the answer, and an answer that
 * may be incomplete is {@link Observation.Blind}.
 */
public interface ActivitySource {

  /** Reads every pod that holds a GPU. One query, however large the cluster. */
  Observation fetchAll();

  /**
   * Reads every pod that holds a GPU. Of a pod that works, a source may report an earlier record of
   * its devices with the newest activity, and no signals: nothing follows from them while it works.
   *
   * @param pods of the cluster
   */
  default Observation fetchAll(Collection<PodIdentity> pods) {
    return fetchAll();
  }

  /**
   * Reads one pod again, seconds before an action. It queries the raw utilization of the pod's GPUs
   * in addition to the recorded clocks, so that one wrong clock cannot act alone.
   *
   * @param pod what an earlier look saw of it
   */
  Observation fetchPod(PodActivity pod);

  /** What was fetched from the activity source. */
  public enum FetchScope {
    /** The activity of all pods, once in a cycle. */
    ALL_PODS,
    /** That of one pod, seconds before an action; the raw utilization must be part of it. */
    ONE_POD
  }
}
