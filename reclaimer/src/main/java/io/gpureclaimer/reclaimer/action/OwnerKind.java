package io.gpureclaimer.reclaimer.action;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A kind of owner that an action can stop by writing one field.
 *
 * @param qualifiedKind kind and group, for example {@code Deployment.apps}
 * @param path JSON pointer of the field
 * @param subresource through which the field is written; empty for the object itself
 * @param stopped JSON text of the value that stops the owner; empty for the time of the action,
 *     where the presence of the field stops it
 * @param resumed JSON text of the value that resumes an owner whose field was absent before; empty
 *     where removing the field does
 * @param below kinds that may stand above it and are left alone: their child is changed instead
 * @param sharedLabel label of the object that the pods have which it runs; empty where it runs all
 *     pods of the owner above it
 * @param checks that refuse an owner that must not be stopped, or could not be restored
 * @param effect what stopping means for its users
 */
public record OwnerKind(
    String qualifiedKind,
    String path,
    String subresource,
    Optional<String> stopped,
    Optional<String> resumed,
    Set<String> below,
    Optional<String> sharedLabel,
    List<PreFlightCheck> checks,
    StopEffect effect) {
  public OwnerKind {
    below = Set.copyOf(below);
    checks = List.copyOf(checks);
  }

  /**
   * Effects of a stop on the users of an owner, in phrases.
   *
   * @param lost what a stop loses
   * @param restored what a restore brings back
   */
  public record StopEffect(String lost, String restored) {}

  /** A kind that is stopped by this value of a field of the object itself. */
  public static OwnerKind of(String qualifiedKind, String path, String stopped, StopEffect effect) {
    return bare(qualifiedKind, path, Optional.of(stopped), effect);
  }

  /** A kind that is stopped while a field has a value, which is the time of the action. */
  public static OwnerKind stoppedAt(String qualifiedKind, String path, StopEffect effect) {
    return bare(qualifiedKind, path, Optional.empty(), effect);
  }

  private static OwnerKind bare(
      String qualifiedKind, String path, Optional<String> stopped, StopEffect effect) {
    return new OwnerKind(
        qualifiedKind,
        path,
        "",
        stopped,
        Optional.empty(),
        Set.of(),
        Optional.empty(),
        List.of(),
        effect);
  }

  /** The same kind, written through the scale subresource. */
  public OwnerKind byScale() {
    return new OwnerKind(
        qualifiedKind,
        path,
        FieldChange.SCALE,
        stopped,
        resumed,
        below,
        sharedLabel,
        checks,
        effect);
  }

  /** The same kind, which changes its state when a Command asks for it. */
  public OwnerKind byCommand() {
    return new OwnerKind(
        qualifiedKind,
        path,
        FieldChange.COMMAND,
        stopped,
        resumed,
        below,
        sharedLabel,
        checks,
        effect);
  }

  /** The same kind, which is resumed by this value and not by removing the field. */
  public OwnerKind resumedBy(String value) {
    return new OwnerKind(
        qualifiedKind,
        path,
        subresource,
        stopped,
        Optional.of(value),
        below,
        sharedLabel,
        checks,
        effect);
  }

  /** The same kind, whose objects may be below these other kinds. */
  public OwnerKind below(String... others) {
    return new OwnerKind(
        qualifiedKind,
        path,
        subresource,
        stopped,
        resumed,
        Set.of(others),
        sharedLabel,
        checks,
        effect);
  }

  /** The same kind, of which one object is changed for each value of a label of the pods. */
  public OwnerKind oneForEach(String label) {
    return new OwnerKind(
        qualifiedKind,
        path,
        subresource,
        stopped,
        resumed,
        below,
        Optional.of(label),
        checks,
        effect);
  }

  /** Whether an object runs a pod. */
  boolean runs(OwnerView object, PodView pod) {
    return sharedLabel
        .map(
            label ->
                Optional.ofNullable(pod.traits().labels().get(label))
                    .filter(
                        value -> value.equals(object.details().orElseThrow().labels().get(label)))
                    .isPresent())
        .orElse(true);
  }

  /** The same kind with more checks. */
  public OwnerKind refusing(PreFlightCheck... others) {
    List<PreFlightCheck> all = new ArrayList<>(checks);
    all.addAll(List.of(others));
    return new OwnerKind(
        qualifiedKind, path, subresource, stopped, resumed, below, sharedLabel, all, effect);
  }

  /** The same kind with another effect. */
  public OwnerKind withEffect(String lost, String restored) {
    var other = new StopEffect(lost, restored);
    return new OwnerKind(
        qualifiedKind, path, subresource, stopped, resumed, below, sharedLabel, checks, other);
  }

  /** The change that stops an owner. */
  FieldChange change(OwnerView owner, Instant now) {
    Optional<String> former = owner.details().orElseThrow().field(path);
    String written = stopped.orElseGet(() -> "\"" + now.truncatedTo(ChronoUnit.SECONDS) + "\"");
    return new FieldChange(
        owner.ref(),
        subresource,
        path,
        former,
        Optional.of(written),
        former.isEmpty() ? resumed : Optional.empty());
  }

  /** Why the owner must not be stopped; empty if it may be. */
  Optional<Refused> objection(OwnerView owner) {
    return Stream.concat(Stream.of(alreadyStopped()), checks.stream())
        .flatMap(check -> check.objection(owner).stream())
        .findFirst();
  }

  /** Some kinds accept a value in any case of its letters. */
  private PreFlightCheck alreadyStopped() {
    return new PreFlightCheck(
        "already-stopped",
        "it is stopped already",
        "is stopped already, and its pods are still there",
        path,
        value -> value.isPresent() && stopped.map(value.get()::equalsIgnoreCase).orElse(true));
  }

  /** All fields of an owner that this action reads or writes. */
  public Set<String> fields() {
    Set<String> all = new HashSet<>();
    all.add(path);
    checks.forEach(check -> all.addAll(check.paths()));
    return all;
  }

  /**
   * Check of an owner before it is stopped.
   *
   * @param code stable name of the reason, for metrics and JSON
   * @param obstacle what stands against it, in a few words
   * @param reason the same as what follows the owner's name in a sentence; {@code VALUE} stands for
   *     the value of the first field
   * @param paths JSON pointers of the fields that are checked
   * @param objects whether their values stand against it
   */
  public record PreFlightCheck(
      String code,
      String obstacle,
      String reason,
      List<String> paths,
      Predicate<OwnerDetails> objects) {
    public PreFlightCheck {
      paths = List.copyOf(paths);
    }

    /** A check of one field. */
    public PreFlightCheck(
        String code, String obstacle, String reason, String path, FieldPredicate objects) {
      this(
          code,
          obstacle,
          reason,
          List.of(path),
          (OwnerDetails details) -> objects.test(details.field(path)));
    }

    /** Condition on the value of a field, as JSON text; it may be absent. */
    @FunctionalInterface
    public interface FieldPredicate {
      boolean test(Optional<String> value);
    }

    /** Refuses an owner whose field is present. */
    public static PreFlightCheck ifPresent(
        String path, String code, String obstacle, String reason) {
      return new PreFlightCheck(code, obstacle, reason, path, Optional::isPresent);
    }

    /** Refuses an owner whose field has this value. */
    public static PreFlightCheck ifEqual(
        String path, String value, String code, String obstacle, String reason) {
      return new PreFlightCheck(
          code, obstacle, reason, path, found -> found.equals(Optional.of(value)));
    }

    /** Refuses an owner whose field is absent or has another value than these. */
    public static PreFlightCheck unlessOneOf(
        String path, Set<String> values, String code, String obstacle, String reason) {
      return new PreFlightCheck(
          code, obstacle, reason, path, found -> found.filter(values::contains).isEmpty());
    }

    /** Refuses an owner whose field is present and has another value than these. */
    public static PreFlightCheck ifOtherThan(
        String path, Set<String> values, String code, String obstacle, String reason) {
      return new PreFlightCheck(
          code,
          obstacle,
          reason,
          path,
          found -> found.filter(value -> !values.contains(value)).isPresent());
    }

    Optional<Refused> objection(OwnerView owner) {
      OwnerDetails details = owner.details().orElseThrow();
      return objects.test(details)
          ? Optional.of(
              new Refused(
                  code,
                  obstacle,
                  owner.owner()
                      + " "
                      + reason.replace("VALUE", details.field(paths.getFirst()).orElse("absent"))))
          : Optional.empty();
    }
  }
}
