package io.gpureclaimer.verification.gpupack;

import io.gpureclaimer.verification.gpupack.CheckRow.Result;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * All readings of one field, over the GPUs and the time. A reading of nvidia-smi lies between two
 * sampling passes of the agent, so its value may lie anywhere between theirs.
 */
final class FieldComparison {
  private static final double INSIDE_IF_VARYING = 0.9;

  private final ComparedField field;
  private int compared;
  private int inside;
  private int onlySmi;
  private int onlyAgent;
  private double largest;

  FieldComparison(ComparedField field) {
    this.field = field;
  }

  /**
   * Compares one reading.
   *
   * @param before value of the agent's last pass before nvidia-smi ran
   * @param after value of a pass that began after nvidia-smi ended
   * @return the distance from what the agent reported; empty if one of both reported nothing
   */
  OptionalDouble add(OptionalDouble before, OptionalDouble smi, OptionalDouble after) {
    if (smi.isEmpty() || before.isEmpty() || after.isEmpty()) {
      onlySmi += smi.isPresent() ? 1 : 0;
      onlyAgent += smi.isEmpty() && (before.isPresent() || after.isPresent()) ? 1 : 0;
      return OptionalDouble.empty();
    }
    double value = smi.getAsDouble();
    double low = Math.min(before.getAsDouble(), after.getAsDouble());
    double high = Math.max(before.getAsDouble(), after.getAsDouble());
    double distance = Math.max(0, Math.max(low - value, value - high));
    compared++;
    inside += distance <= field.tolerance(value) ? 1 : 0;
    largest = Math.max(largest, distance);
    return OptionalDouble.of(distance);
  }

  CheckRow row() {
    String subject = "`" + field.metric() + "` and `" + field.field() + "`";
    if (compared == 0) {
      return CheckRow.notChecked(subject, field.toleranceText(), whyNot());
    }
    String found =
        String.format(
            Locale.ROOT,
            "%d of %d readings inside, largest difference %.2f",
            inside,
            compared,
            largest);
    return new CheckRow(subject, field.toleranceText(), found + missing(), Result.of(holds()));
  }

  private boolean holds() {
    return field.varies() ? inside >= INSIDE_IF_VARYING * compared : inside == compared;
  }

  private String whyNot() {
    if (onlySmi > 0) {
      return "the agent does not report it";
    }
    return onlyAgent > 0 ? "nvidia-smi does not report it" : "neither reports it";
  }

  private String missing() {
    return (onlySmi == 0 ? "" : "; missing from the agent in " + onlySmi)
        + (onlyAgent == 0 ? "" : "; missing from nvidia-smi in " + onlyAgent);
  }
}
