package io.gpureclaimer.reclaimer.evidence;

/**
 * Who used which GPU, and since when somebody has been watching.
 *
 * <p>A source never guesses: what it could not learn is absent from the answer, and an answer that
 * may be incomplete is {@link Observation.Blind}.
 */
public interface ActivitySource {

  /** Looks at every pod that holds a GPU. One question, however large the cluster. */
  Observation fetchAll();

  /**
   * Looks again at one pod, seconds before an act. It asks for the raw utilization of the pod's
   * GPUs besides the recorded clocks, so that one wrong clock cannot act alone.
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
