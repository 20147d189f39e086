package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** What is wrong with the simulated API server. Confined to the cluster's lock. */
final class Faults {
  private final Map<Verb, Refusal> refusals = new EnumMap<>(Verb.class);
  private boolean unreachable;

  /** A refusal for a reason that lies not in the pod. */
  record Refusal(int code, String message) {}

  void setUnreachable(boolean value) {
    unreachable = value;
  }

  void refuse(Verb verb, int code, String message) {
    refusals.put(verb, new Refusal(code, message));
  }

  void allow(Verb verb) {
    refusals.remove(verb);
  }

  void checkReachable(String operation) {
    if (unreachable) {
      throw new ClusterUnreachable(operation, "the simulated API server is switched off");
    }
  }

  Optional<Refusal> refusalOf(Verb verb) {
    return Optional.ofNullable(refusals.get(verb));
  }
}
