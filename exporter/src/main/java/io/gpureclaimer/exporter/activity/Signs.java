package io.gpureclaimer.exporter.activity;

import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.exporter.activity.Work.Known;
import io.gpureclaimer.exporter.activity.Work.Unknown;
import io.gpureclaimer.exporter.sample.Reading;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Judges from what a device told whether it was at work. Pure.
 *
 * <p>It is only judged if it told {@code DCGM_FI_DEV_GPU_UTIL}, or else {@code
 * DCGM_FI_PROF_GR_ENGINE_ACTIVE} (an instance of MIG has no other), and failed to tell none of the
 * signs: a device that did not tell one of them this time may have been at work. A sign that the
 * device does not support is none.
 *
 * @param which the signs that count
 * @param thresholdPercent a utilization is a sign of work when it is strictly above
 * @param profilingThresholdPercent as that, for the ratios of the profiling counters
 */
public record Signs(Set<Sign> which, double thresholdPercent, double profilingThresholdPercent) {
  private static final double PERCENT = 100;

  public Signs {
    which = Set.copyOf(which);
  }

  /** All signs, and no threshold. */
  public static final Signs ALL = new Signs(Set.of(Sign.values()), 0, 0);

  /** The fields without which nothing can be judged. */
  public Set<DcgmField> fields() {
    return which.stream().map(Sign::field).collect(Collectors.toUnmodifiableSet());
  }

  Work judge(List<Reading> readings, Set<DcgmField> failed) {
    var share = share(readings);
    boolean blind = which.stream().map(Sign::field).anyMatch(failed::contains);
    return share.isEmpty() || blind
        ? new Unknown()
        : new Known(readings.stream().anyMatch(this::tellsOfWork), share.getAsDouble());
  }

  /** The engines' own average is exact; a utilization is that of the last moment. */
  private static OptionalDouble share(List<Reading> readings) {
    var engines = valueOf(DcgmField.PROF_GR_ENGINE_ACTIVE, readings);
    var utilization = valueOf(DcgmField.DEV_GPU_UTIL, readings);
    return engines.isPresent() || utilization.isEmpty()
        ? engines
        : OptionalDouble.of(utilization.getAsDouble() / PERCENT);
  }

  private static OptionalDouble valueOf(DcgmField field, List<Reading> readings) {
    return readings.stream()
        .filter(reading -> reading.field() == field)
        .mapToDouble(Reading::value)
        .findFirst();
  }

  private boolean tellsOfWork(Reading reading) {
    return signOf(reading.field())
        .filter(
            sign ->
                switch (sign.kind()) {
                  case UTILIZATION -> reading.value() > thresholdPercent;
                  case ANY_AT_ALL -> reading.value() > 0;
                  case PROFILING -> reading.value() * PERCENT > profilingThresholdPercent;
                })
        .isPresent();
  }

  private Optional<Sign> signOf(DcgmField field) {
    return which.stream().filter(sign -> sign.field() == field).findFirst();
  }
}
