package io.gpureclaimer.reclaimer.rightsize;

import io.gpureclaimer.reclaimer.rightsize.MigProfiles.MigProfile;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage.DeviceKind;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage.UsagePeaks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Rule that suggests a smaller request. First the number of devices, then a smaller device for a
 * pod that needs one. What is unknown never leads to a suggestion.
 *
 * @param models memory in MiB of the models that the cluster has, by name
 */
public record RightSizing(Map<String, Double> models) {
  /** A workload whose activity was unknown for a larger share of the time gets no suggestion. */
  public static final double MOST_UNKNOWN = 0.01;

  /** The memory that is suggested is at least this multiple of the highest use. */
  public static final double HEADROOM = 1.2;

  /** A smaller model or a shared GPU is suggested up to this mean of the busiest hour. */
  public static final double MOST_BUSY = 0.5;

  private static final int MOST_PODS_OF_A_GPU = 4;

  public RightSizing {
    models = Map.copyOf(models);
  }

  /** What would have been enough; empty if the request fits, or nothing smaller is known to. */
  public List<Suggestion> suggest(WorkloadUsage usage) {
    if (usage.time().unknownShare() > MOST_UNKNOWN) {
      return List.of(new Suggestion.Undecided(usage.time().unknownShare()));
    }
    if (usage.usedPerPod() == 0) {
      return List.of(new Suggestion.Release());
    }
    var suggestions = new ArrayList<Suggestion>();
    if (usage.usedPerPod() < usage.devicesPerPod()) {
      suggestions.add(new Suggestion.FewerDevices(usage.usedPerPod()));
    }
    if (usage.podsAtOnce() < usage.pods()) {
      suggestions.add(new Suggestion.FewerPods(usage.podsAtOnce()));
    }
    if (usage.deviceKind() == DeviceKind.GPU) {
      smallerDevice(usage).ifPresent(suggestions::add);
    }
    return List.copyOf(suggestions);
  }

  /** MIG instances do not work together, and a shared GPU is of one pod each. */
  private Optional<Suggestion> smallerDevice(WorkloadUsage usage) {
    UsagePeaks peaks = usage.peaks();
    if (peaks.memoryMebibytes().isEmpty() || peaks.totalMebibytes().isEmpty()) {
      return Optional.empty();
    }
    double needed = HEADROOM * peaks.memoryMebibytes().getAsDouble();
    double total = peaks.totalMebibytes().getAsDouble();
    boolean isOne = usage.usedPerPod() == 1;
    return (isOne ? instance(peaks, needed, total) : Optional.<Suggestion>empty())
        .or(() -> model(peaks, needed, total))
        .or(() -> isOne ? shared(peaks, needed, total) : Optional.empty());
  }

  private static Optional<Suggestion> instance(UsagePeaks peaks, double needed, double total) {
    return peaks.smActive().isEmpty()
        ? Optional.empty()
        : peaks
            .model()
            .flatMap(
                model -> MigProfiles.smallest(model, total, needed, peaks.smActive().getAsDouble()))
            .map(MigProfile::name)
            .map(Suggestion.MigInstance::new);
  }

  private Optional<Suggestion> model(UsagePeaks peaks, double needed, double total) {
    return isMostlyFree(peaks)
        ? models.entrySet().stream()
            .filter(model -> model.getValue() < total && model.getValue() >= needed)
            .min(
                Map.Entry.<String, Double>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .map(Suggestion.SmallerModel::new)
        : Optional.empty();
  }

  private static Optional<Suggestion> shared(UsagePeaks peaks, double needed, double total) {
    if (!isMostlyFree(peaks)) {
      return Optional.empty();
    }
    double busiest = busiest(peaks).orElseThrow();
    int byMemory = (int) Math.floor(total / Math.max(needed, 1));
    int byTime = busiest == 0 ? MOST_PODS_OF_A_GPU : (int) Math.floor(1 / busiest);
    int pods = Math.min(MOST_PODS_OF_A_GPU, Math.min(byMemory, byTime));
    return pods < 2 ? Optional.empty() : Optional.of(new Suggestion.SharedGpu(pods));
  }

  private static boolean isMostlyFree(UsagePeaks peaks) {
    return busiest(peaks).orElse(1) <= MOST_BUSY;
  }

  /** A kernel that runs all the time may leave most multiprocessors free, and not the reverse. */
  private static OptionalDouble busiest(UsagePeaks peaks) {
    return peaks.utilization().isPresent() ? peaks.utilization() : peaks.smActive();
  }
}
