package io.gpureclaimer.reclaimer.reclamation;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler.ReconcileStep;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Texts about results of actions, and how to restore the owner. */
final class RecordNotices {
  private RecordNotices() {}

  static Notice of(ReconcileStep.Transition transition) {
    ReclamationProgress progress = transition.progress();
    String message = progress.message() + details(transition.record(), progress);
    return switch (progress.state()) {
      case INTENDED, ACTING, EVICTED -> new Notice("GPUReclaimed", message, true);
      case RECLAIMED -> new Notice("GPUFreed", message, false);
      case RESTORING -> new Notice("GPURestoring", message, false);
      case RESTORED -> new Notice("GPURestored", message, false);
      case SUPERSEDED -> new Notice("GPUReclamationSuperseded", message, false);
      case CONTESTED -> new Notice("GPUReclamationContested", message, true);
      case FAILED -> new Notice("GPUReclamationFailed", message, true);
    };
  }

  static Notice of(ReconcileStep.Refused refused) {
    String what = refused.trigger().isPresent() ? "restored" : "updated";
    return new Notice(
        "GPURestoreRefused",
        "The owner could not be "
            + what
            + ", the next cycle tries again: "
            + refused.why()
            + "."
            + refused.byHand().map(" To restore it with your own rights, run: "::concat).orElse(""),
        true);
  }

  /** The commands that restore an owner by hand, in the order of restoring. */
  static String byHand(ReclamationProgress progress) {
    return FieldWriter.restorations(progress.changes()).stream()
        .flatMap(List::stream)
        .map(FieldChange::howToUndo)
        .collect(Collectors.joining(" && "));
  }

  private static String details(Reclamation record, ReclamationProgress progress) {
    return switch (progress.state()) {
      case INTENDED, ACTING, RECLAIMED ->
          " "
              + progress.devices()
              + " GPUs or MIG slices. To restore it, run: "
              + record.howToRestore();
      case RESTORED -> saved(progress);
      case EVICTED, RESTORING, SUPERSEDED, CONTESTED, FAILED -> "";
    };
  }

  /** For example {@code spec.replicas is 3 again.} */
  static String fields(List<FieldChange> changes) {
    return changes.stream()
        .map(
            change ->
                change.isByCommand()
                    ? "Volcano is asked to resume it"
                    : change.field()
                        + change
                            .former()
                            .map(value -> " is " + value + " again")
                            .orElse(" is removed"))
        .distinct()
        .collect(Collectors.joining(", ", "", "."));
  }

  /** What a restoration writes, for example {@code spec.replicas = 3}. */
  static String former(List<FieldChange> changes) {
    return changes.stream()
        .map(
            change ->
                change
                    .former()
                    .map(value -> change.field() + " = " + value)
                    .orElse(change.field() + " removed"))
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static String saved(ReclamationProgress progress) {
    return progress.times().reclaimedAt().isPresent() && progress.times().endedAt().isPresent()
        ? " Its GPUs were free for "
            + Durations.format(
                Duration.between(
                    progress.times().reclaimedAt().get(), progress.times().endedAt().get()))
            + "."
        : "";
  }
}
