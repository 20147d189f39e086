package io.gpureclaimer.reclaimer.action;

import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Stops the topmost owner of a workload in the way that its kind understands. A child is never
 * changed where its controller would write it again.
 *
 * @param name of the action
 * @param participle what the workload has been after it
 * @param kinds that it can stop
 */
public record OwnerAction(String name, String participle, List<OwnerKind> kinds)
    implements Action.ChangeOwner {
  /** Code of the refusal of a kind that the action does not know. */
  static final String OTHER_KIND = "no-action-for-kind";

  public OwnerAction {
    kinds = List.copyOf(kinds);
  }

  /** The same action for more kinds. */
  public OwnerAction with(List<OwnerKind> more) {
    return new OwnerAction(name, participle, Stream.concat(kinds.stream(), more.stream()).toList());
  }

  /** The row of the workload's kind; empty if this action does not know it. */
  Optional<OwnerKind> kindOf(Workload workload) {
    return workload
        .owner()
        .map(Owner::qualifiedKind)
        .flatMap(top -> kinds.stream().filter(kind -> fits(kind, top, workload)).findFirst());
  }

  /** A kind fits its own objects at the top, and those that are there below another top. */
  private static boolean fits(OwnerKind kind, String top, Workload workload) {
    return kind.qualifiedKind().equals(top)
        || (kind.below().contains(top)
            && workload.owners().values().stream()
                .anyMatch(view -> view.owner().qualifiedKind().equals(kind.qualifiedKind())));
  }

  @Override
  public ActionCheck check(Workload workload) {
    Optional<OwnerKind> kind = kindOf(workload);
    if (workload.unread().isPresent()) {
      return unread(workload.unread().get());
    }
    if (kind.isEmpty()) {
      return refused(
          OTHER_KIND,
          "the action " + name + " does not fit a " + workload.kind(),
          "the action " + name + " does not fit a " + workload.kind());
    }
    List<OwnerView> targets = targets(workload, kind.get());
    if (targets.isEmpty() && kind.get().sharedLabel().isEmpty()) {
      return refused(
          "owner-unread",
          "the owner cannot be read",
          "the fields of " + workload + " cannot be read");
    }
    Optional<PodView> remaining =
        workload.pods().stream()
            .filter(pod -> targets.stream().noneMatch(target -> kind.get().runs(target, pod)))
            .findFirst();
    if (remaining.isPresent()) {
      String pod = "pod " + remaining.get().ref();
      return refused(
          "part-would-remain",
          "nothing scales " + pod,
          "no " + kind.get().qualifiedKind() + " scales " + pod + ", so it would keep its GPUs");
    }
    return targets.stream()
        .flatMap(target -> objection(target, kind.get(), workload).stream())
        .findFirst()
        .<ActionCheck>map(refused -> refused)
        .orElseGet(() -> new ActionCheck.Possible(this));
  }

  private Optional<ActionCheck.Refused> objection(
      OwnerView target, OwnerKind kind, Workload workload) {
    return kind.objection(target)
        .or(() -> KnativeVersionCheck.objection(target, workload))
        .or(() -> GitOps.objection(target, kind.path(), name))
        .or(() -> changesReplicas() ? Autoscaling.objection(target) : Optional.empty())
        .or(() -> DisruptionCheck.objection(workload));
  }

  /** Whether it changes what autoscalers change. */
  private boolean changesReplicas() {
    return name.equals("scale");
  }

  @Override
  public OwnerView target(Workload workload) {
    return targets(workload, kindOf(workload).orElseThrow()).getFirst();
  }

  @Override
  public List<FieldChange> changes(Workload workload, Instant now) {
    OwnerKind kind = kindOf(workload).orElseThrow();
    return targets(workload, kind).stream()
        .flatMap(
            target ->
                Stream.concat(
                    changesReplicas() ? Autoscaling.pauses(target).stream() : Stream.empty(),
                    Stream.of(kind.change(target, now))))
        .toList();
  }

  @Override
  public String effect(Workload workload) {
    OwnerKind.StopEffect effect = kindOf(workload).orElseThrow().effect();
    return "A stop loses " + effect.lost() + ". A restore brings back " + effect.restored() + ".";
  }

  @Override
  public Set<String> fields(Workload workload) {
    return kindOf(workload).orElseThrow().fields();
  }

  /** The top owner, or those of its kind below the top where these are to be changed instead. */
  private static List<OwnerView> targets(Workload workload, OwnerKind kind) {
    Owner top = workload.owner().orElseThrow();
    boolean isTop = kind.qualifiedKind().equals(top.qualifiedKind());
    return workload.owners().values().stream()
        .filter(view -> view.owner().qualifiedKind().equals(kind.qualifiedKind()))
        .filter(view -> !isTop || view.owner().equals(top))
        .filter(view -> view.details().isPresent())
        .filter(view -> workload.pods().stream().anyMatch(pod -> kind.runs(view, pod)))
        .sorted(Comparator.comparing(view -> view.owner().name()))
        .toList();
  }

  /** Refusal because an owner above the pods cannot be read. */
  public static ActionCheck.Refused unread(Owner owner) {
    return refused(
        "owner-unread",
        "the owner " + owner + " cannot be read",
        "the owner " + owner + " cannot be read, so the effect of an action is unknown");
  }

  static ActionCheck.Refused refused(String code, String obstacle, String reason) {
    return new ActionCheck.Refused(code, obstacle, reason);
  }
}
