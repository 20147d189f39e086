package io.gpureclaimer.reclaimer.action;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.action.scale.ScalableKinds;
import io.gpureclaimer.reclaimer.action.scale.ScaleDownIdleReplicas;
import io.gpureclaimer.reclaimer.action.stop.StoppableKinds;
import io.gpureclaimer.reclaimer.action.suspend.SuspendableKinds;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The actions that an administrator allows, the gentlest for a workload first; eviction is the last
 * resort. A value: equal if the same is allowed.
 */
public final class Actions {
  private static final String AUTO = "auto";
  private static final Set<String> NAMES = Set.of("evict", "scale", "suspend", "stop");

  /** Every action. */
  public static final Actions ALL = new Actions(NAMES, List.of());

  private final Set<String> enabled;
  private final List<String> scalable;
  private final List<OwnerAction> onOwners;
  private final List<Action> all;

  /** The actions on some replicas of an owner. */
  private final List<Action> partial = List.of(new ScaleDownIdleReplicas());

  /**
   * @param enabled names of the actions that are allowed
   * @param scalable further kinds with a scale subresource, such as {@code Model.example.com}
   */
  public Actions(Set<String> enabled, List<String> scalable) {
    this.enabled = Set.copyOf(enabled);
    this.scalable = List.copyOf(scalable);
    for (String name : enabled) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "an action must be evict, scale, suspend or stop, was " + name);
      }
    }
    for (String kind : scalable) {
      if (!kind.matches("[A-Z][A-Za-z0-9]*\\.[a-z0-9.-]+")) {
        throw new IllegalArgumentException(
            "a scalable kind must be a kind and its group like Model.example.com, was " + kind);
      }
    }
    this.onOwners =
        List.of(
            StoppableKinds.ACTION,
            SuspendableKinds.ACTION,
            ScalableKinds.ACTION.with(scalable.stream().map(ScalableKinds::custom).toList()));
    this.all = new ArrayList<>(onOwners);
    this.all.add(new EvictPod());
  }

  /** Names of the actions that are allowed. */
  public Set<String> enabled() {
    return enabled;
  }

  /** Further kinds with a scale subresource. */
  public List<String> scalable() {
    return scalable;
  }

  /**
   * The check of the first action that is possible; otherwise of the one that knows the workload's
   * kind, or of the last. A kind that no action may stop is refused first. Empty if the choice is
   * no action.
   *
   * @param choice value of the annotation: {@code auto}, the name of an action, or {@code none}
   */
  public Optional<ActionCheck> check(Workload workload, String choice) {
    List<ActionCheck> checks =
        (workload.isPartial() ? partial : all)
            .stream()
                .filter(action -> choice.equals(AUTO) || choice.equals(action.name()))
                .map(action -> check(workload, action))
                .toList();
    if (checks.isEmpty()) {
      return Optional.empty();
    }
    return UnsupportedKinds.refusal(workload)
        .<ActionCheck>map(refused -> refused)
        .or(() -> first(checks, ActionCheck.Possible.class::isInstance))
        .or(() -> first(checks, Actions::isOfKind))
        .or(() -> Optional.of(checks.getLast()));
  }

  /** Whether an action exists for the kind of the workload, be it possible now or not. */
  public boolean isKnown(Workload workload) {
    return workload.isSinglePod()
        || onOwners.stream().anyMatch(action -> action.kindOf(workload).isPresent());
  }

  /** The fields of owners that actions read, as JSON pointers, by kind and group. */
  public Map<String, Set<String>> ownerFields() {
    Map<String, Set<String>> fields = new HashMap<>();
    for (OwnerAction action : onOwners) {
      if (enabled.contains(action.name())) {
        action
            .kinds()
            .forEach(
                kind ->
                    fields
                        .computeIfAbsent(kind.qualifiedKind(), _ -> new HashSet<>())
                        .addAll(kind.fields()));
      }
    }
    if (enabled.contains(ScalableKinds.ACTION.name())) {
      fields
          .computeIfAbsent(ScaleDownIdleReplicas.KIND, _ -> new HashSet<>())
          .addAll(ScaleDownIdleReplicas.ROLLOUT_FIELDS);
    }
    return fields;
  }

  private ActionCheck check(Workload workload, Action action) {
    ActionCheck check = action.check(workload);
    boolean fits =
        action instanceof OwnerAction change
            ? change.kindOf(workload).isPresent()
            : check instanceof ActionCheck.Possible;
    return fits && !enabled.contains(action.name())
        ? new ActionCheck.Refused(
            "action-not-enabled",
            action.name() + " is not enabled",
            "the action " + action.name() + " is not enabled in this cluster")
        : check;
  }

  /** Whether the refusal is one of an action that fits the kind. */
  private static boolean isOfKind(ActionCheck check) {
    return check instanceof ActionCheck.Refused refused
        && !refused.code().equals(OwnerAction.OTHER_KIND)
        && !refused.code().equals(EvictPod.OWNED);
  }

  private static Optional<ActionCheck> first(
      List<ActionCheck> checks, Predicate<ActionCheck> wanted) {
    return checks.stream().filter(wanted).findFirst();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Actions that
        && enabled.equals(that.enabled)
        && scalable.equals(that.scalable);
  }

  @Override
  public int hashCode() {
    return Objects.hash(enabled, scalable);
  }
}
