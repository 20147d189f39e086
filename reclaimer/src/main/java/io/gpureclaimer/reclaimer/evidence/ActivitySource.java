package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PodNamePattern;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import java.util.Collection;
import java.util.List;
import java.util.Map;

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
   * Of a pod that may be left out, it may report an earlier record as it was, marked as left out.
   *
   * @param pods of the cluster
   * @param mayLeaveOut by UID, idle pods from whose evidence nothing can follow yet
   */
  default Observation fetchAll(Collection<PodIdentity> pods, Map<String, LeftOut> mayLeaveOut) {
    return fetchAll();
  }

  /**
   * Reads one pod again, seconds before an action. It queries the raw utilization of the pod's GPUs
   * in addition to the recorded clocks, so that one wrong clock cannot act alone.
   *
   * @param pod what an earlier look saw of it
   */
  Observation fetchPod(PodActivity pod);

  /** Reads what pods did in the last days. Nothing is decided by it but the order of actions. */
  default PastActivity fetchPast(List<PodNamePattern> pods, TimeRange range) {
    return new PastActivity.Unknown("this source keeps no history");
  }

  /** What was fetched from the activity source. */
  public enum FetchScope {
    /** The activity of all pods, once in a cycle. */
    ALL_PODS,
    /** That of one pod, seconds before an action; the raw utilization must be part of it. */
    ONE_POD
  }
}
