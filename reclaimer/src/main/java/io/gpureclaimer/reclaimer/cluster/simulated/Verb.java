package io.gpureclaimer.reclaimer.cluster.simulated;

/** What a role may allow or forbid. */
public enum Verb {
  GET_POD,
  PATCH_POD,
  EVICT_POD,
  CREATE_EVENT
}
