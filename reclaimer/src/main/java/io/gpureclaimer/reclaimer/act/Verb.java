package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.cluster.PodView;

/** One way to give a workload's GPUs back. Each way is one file, and makes one call. */
sealed interface Verb permits EvictPod {

  /**
   * Tries it, with the pod's UID and resource version as preconditions.
   *
   * @param rehearse whether the API server shall only say what it would do
   */
  Attempt on(PodView pod, boolean rehearse);
}
