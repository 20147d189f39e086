package io.gpureclaimer.exporter.activity;

import io.gpureclaimer.common.vocabulary.ActivityField;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.activity.ActivityRules.Work.Known;
import io.gpureclaimer.exporter.activity.ActivityRules.Work.Unknown;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.UtilizationSamples;
import io.gpureclaimer.exporter.sample.UtilizationSamples.Measured;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides from the readings of a device whether it was active. Pure.
 *
 * <p>A whole GPU is only judged if it reported {@code DCGM_FI_DEV_GPU_UTIL}, where that counts, and
 * has no MIG instances; a MIG instance if it reported {@code DCGM_FI_PROF_GR_ENGINE_ACTIVE}; and
 * either only if no sign failed: a device that failed to report a sign in this pass may have been
 * at work. An impossible value, as of a counter that went back, counts as not reported. A sign that
 * the device does not support does not count. The driver's own samples since the pass before belong
 * to {@code DCGM_FI_DEV_GPU_UTIL}: their peak is a sign of work as it is, and their failure hides
 * it.
 *
 * @param which the signs that count
 * @param thresholdPercent a utilization above 0 is a sign of work from this on
 * @param profilingThresholdPercent as that, for the ratios of the profiling counters that are above
 *     0 at rest
 */
public record ActivityRules(
    Set<ActivityField> which, double thresholdPercent, double profilingThresholdPercent) {
  private static final double PERCENT = 100;

  public ActivityRules {
    which = Set.copyOf(which);
  }

  /** All signs, and no threshold but 0. */
  public static final ActivityRules ALL = new ActivityRules(Set.of(ActivityField.values()), 0, 0);

  /** The fields that are always read to judge by. */
  public Set<DcgmField> fields() {
    return which.stream()
        .flatMap(sign -> sign.polled().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Of a whole GPU. Its engine counters do not replace a utilization that it did not report: while
   * MIG is on, it is unknown whether they cover the instances.
   */
  Work judge(Answered gpu) {
    boolean hasUtilization = valueOf(DcgmField.DEV_GPU_UTIL, gpu.readings()).isPresent();
    boolean isReported = hasUtilization || !which.contains(ActivityField.GPU_UTIL);
    return isReported && gpu.instances().isEmpty()
        ? judge(gpu.readings(), gpu.failed(), gpu.load())
        : new Unknown();
  }

  /** Of a part of one, of which the driver keeps no samples. */
  Work judge(InstanceSample part) {
    return judge(part.readings(), part.failed(), new UtilizationSamples.Unknown());
  }

  private Work judge(List<Reading> readings, Set<DcgmField> failed, UtilizationSamples load) {
    var share = share(readings, load);
    boolean blind =
        failed.stream().anyMatch(this::counts)
            || readings.stream().anyMatch(this::cannotBe)
            || hides(load);
    return share.isEmpty() || blind
        ? new Unknown()
        : new Known(
            readings.stream().anyMatch(this::showsWork) || showsWork(load), share.getAsDouble());
  }

  private boolean cannotBe(Reading reading) {
    return reading.value() < 0 && counts(reading.field());
  }

  private boolean hides(UtilizationSamples load) {
    return which.contains(ActivityField.GPU_UTIL) && load instanceof UtilizationSamples.Failed;
  }

  private boolean showsWork(UtilizationSamples load) {
    return which.contains(ActivityField.GPU_UTIL)
        && load instanceof Measured(_, var peakPercent)
        && reaches(peakPercent, thresholdPercent);
  }

  /**
   * Uses the signs that count only; other readings are no evidence. The engines' own average is
   * exact, that of the samples nearly; a utilization is momentary.
   */
  private OptionalDouble share(List<Reading> readings, UtilizationSamples load) {
    var engines = valueOf(DcgmField.PROF_GR_ENGINE_ACTIVE, readings);
    var utilization = valueOf(DcgmField.DEV_GPU_UTIL, readings);
    if (engines.isPresent() || utilization.isEmpty()) {
      return engines;
    }
    double percent =
        load instanceof Measured(var meanPercent, _) ? meanPercent : utilization.getAsDouble();
    return OptionalDouble.of(percent / PERCENT);
  }

  private OptionalDouble valueOf(DcgmField field, List<Reading> readings) {
    return readings.stream()
        .filter(reading -> reading.field() == field && counts(field))
        .mapToDouble(Reading::value)
        .findFirst();
  }

  private boolean showsWork(Reading reading) {
    DcgmField field = reading.field();
    return counts(field)
        && reaches(reading.value() * ActivityField.percentPerUnit(field), threshold(field));
  }

  private double threshold(DcgmField field) {
    if (ActivityField.isZeroAtRest(field)) {
      return 0;
    }
    return ActivityField.isProfiling(field) ? profilingThresholdPercent : thresholdPercent;
  }

  private static boolean reaches(double percent, double threshold) {
    return percent > 0 && percent >= threshold;
  }

  private boolean counts(DcgmField field) {
    return ActivityField.of(field).filter(which::contains).isPresent();
  }

  /** Activity of a device, as far as its readings show. */
  sealed interface Work {

    /** The readings prove neither activity nor idleness. */
    record Unknown() implements Work {}

    /**
     * The readings prove activity or idleness.
     *
     * @param active whether there is a sign of work
     * @param share of the time since the last pass in which it worked, from 0 to 1
     */
    record Known(boolean active, double share) implements Work {}
  }
}
