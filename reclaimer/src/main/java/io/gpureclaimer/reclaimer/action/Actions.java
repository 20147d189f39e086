package io.gpureclaimer.reclaimer.action;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.List;
import java.util.Optional;

/** All actions, the gentlest for a workload first; eviction is the last resort. */
public final class Actions {
  private static final String AUTO = "auto";
  private static final List<Action> ALL = List.of(new EvictPod());

  private Actions() {}

  /** The actions that the value of an annotation allows; empty if this program has none of them. */
  public static List<Action> allowedBy(String choice) {
    return choice.equals(AUTO)
        ? ALL
        : ALL.stream().filter(action -> action.name().equals(choice)).toList();
  }

  /** The check of the first action that is possible; otherwise that of the last resort. */
  public static ActionCheck check(Workload workload) {
    return check(workload, ALL).orElseThrow();
  }

  /** The check of the first of these that is possible, otherwise of the last; empty if none is. */
  public static Optional<ActionCheck> check(Workload workload, List<Action> allowed) {
    List<ActionCheck> checks = allowed.stream().map(action -> action.check(workload)).toList();
    return checks.stream()
        .filter(ActionCheck.Possible.class::isInstance)
        .findFirst()
        .or(() -> checks.isEmpty() ? Optional.empty() : Optional.of(checks.getLast()));
  }
}
