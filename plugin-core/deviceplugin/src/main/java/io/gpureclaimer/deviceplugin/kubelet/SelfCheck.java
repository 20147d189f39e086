package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Compares what the kubelet believes with what it was sent, again and again. One that differs may
 * just be on its way; the third in a row is not.
 *
 * @param strikes how often in a row each resource differed; those that agree are not here
 */
record SelfCheck(Map<ResourceName, Integer> strikes) {
  private static final int TOO_MANY = 3;

  static final SelfCheck FRESH = new SelfCheck(Map.of());

  SelfCheck {
    strikes = Map.copyOf(strikes);
  }

  /**
   * Result of a comparison.
   *
   * @param next to go on with
   * @param wrong the resources that have differed too often in a row; they begin anew
   */
  record Comparison(SelfCheck next, Set<ResourceName> wrong) {
    Comparison {
      wrong = Set.copyOf(wrong);
    }
  }

  /**
   * Compares once more. If the kubelet does not answer, all stays as it was.
   *
   * @param sent the ids of the healthy devices of each resource whose list is being watched
   */
  Comparison compare(Map<ResourceName, Set<String>> sent, Allocatable believed) {
    return switch (believed) {
      case Allocatable.Known(var ids) -> compareIds(sent, ids);
      case Allocatable.Unsupported _, Allocatable.Failed _ -> new Comparison(this, Set.of());
    };
  }

  private Comparison compareIds(
      Map<ResourceName, Set<String>> sent, Map<String, Set<String>> believed) {
    var next = new HashMap<ResourceName, Integer>();
    var wrong = new HashSet<ResourceName>();
    sent.forEach(
        (name, ids) -> {
          if (!ids.equals(believed.getOrDefault(name.value(), Set.of()))) {
            next.merge(name, strikes.getOrDefault(name, 0) + 1, Integer::sum);
          }
        });
    next.forEach(
        (name, count) -> {
          if (count >= TOO_MANY) {
            wrong.add(name);
          }
        });
    next.keySet().removeAll(wrong);
    return new Comparison(new SelfCheck(next), wrong);
  }
}
