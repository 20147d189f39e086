package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.rightsize.RightSizeReport;
import io.gpureclaimer.reclaimer.rightsize.RightSizeReport.RightSizeRow;
import io.gpureclaimer.reclaimer.rightsize.Suggestion;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage.DeviceTime;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * JSON of a right-sizing report, with the same facts as {@link RightSizeText}; its names are
 * stable. What is unknown is absent.
 */
@Serdeable
public record RightSizeJson(
    int schema,
    Instant from,
    Instant to,
    Duration step,
    String form,
    String summary,
    int workloads,
    TimeJson time,
    List<WorkloadJson> larger,
    int gonePods,
    List<String> remarks) {

  /**
   * One object, ended by a line feed.
   *
   * @param limit how many of the workloads are listed
   */
  public static String of(RightSizeReport report, FormatName form, int limit) {
    return Json.indented(
        new RightSizeJson(
            PlanJson.SCHEMA,
            report.range().from(),
            report.range().to(),
            report.range().step(),
            form.code(),
            RightSizeText.summary(report),
            report.workloads(),
            TimeJson.of(report.time()),
            report.rows().stream().limit(limit).map(WorkloadJson::of).toList(),
            report.gonePods(),
            RightSizeText.remarks(report, form)));
  }

  /** GPU-seconds. */
  @Serdeable
  record TimeJson(
      long heldGpuSeconds, long activeGpuSeconds, long unusedGpuSeconds, long unknownGpuSeconds) {
    static TimeJson of(DeviceTime time) {
      return new TimeJson(
          time.held().toSeconds(),
          time.active().toSeconds(),
          time.unused().toSeconds(),
          time.unknown().toSeconds());
    }
  }

  /** A workload with suggestions. */
  @Serdeable
  record WorkloadJson(
      String namespace,
      String kind,
      String name,
      boolean gone,
      String deviceKind,
      Optional<String> model,
      int requested,
      Optional<Integer> used,
      int requestedPerPod,
      Optional<Integer> usedPerPod,
      Optional<Double> memoryTotalMebibytes,
      Optional<Double> memoryPeakMebibytes,
      Optional<Double> busiestHourUtilization,
      Optional<Double> busiestHourSmActive,
      TimeJson time,
      List<SuggestionJson> suggestions,
      String sentence) {
    static WorkloadJson of(RightSizeRow row) {
      WorkloadUsage usage = row.usage();
      return new WorkloadJson(
          usage.namespace(),
          usage.kind(),
          usage.name(),
          usage.isGone(),
          RightSizeText.code(usage.deviceKind()),
          usage.peaks().model(),
          usage.devices(),
          row.used(),
          usage.devicesPerPod(),
          row.usedPerPod(),
          boxed(usage.peaks().totalMebibytes()),
          boxed(usage.peaks().memoryMebibytes()),
          boxed(usage.peaks().utilization()),
          boxed(usage.peaks().smActive()),
          TimeJson.of(usage.time()),
          row.suggestions().stream().map(SuggestionJson::of).toList(),
          RightSizeText.suggestions(row));
    }

    private static Optional<Double> boxed(OptionalDouble value) {
      return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }
  }

  /** A suggestion; only the field of its code is there. */
  @Serdeable
  record SuggestionJson(
      String code, Optional<Integer> count, Optional<String> profile, Optional<String> model) {
    static SuggestionJson of(Suggestion suggestion) {
      return switch (suggestion) {
        case Suggestion.Undecided _ -> code("unknown");
        case Suggestion.Release() -> code("release");
        case Suggestion.FewerDevices(int perPod) -> counted("devices-per-pod", perPod);
        case Suggestion.FewerPods(int pods) -> counted("pods", pods);
        case Suggestion.MigInstance(String profile) ->
            new SuggestionJson(
                "mig-instance", Optional.empty(), Optional.of(profile), Optional.empty());
        case Suggestion.SmallerModel(String model) ->
            new SuggestionJson("model", Optional.empty(), Optional.empty(), Optional.of(model));
        case Suggestion.SharedGpu(int pods) -> counted("pods-per-gpu", pods);
      };
    }

    private static SuggestionJson code(String code) {
      return new SuggestionJson(code, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static SuggestionJson counted(String code, int count) {
      return new SuggestionJson(code, Optional.of(count), Optional.empty(), Optional.empty());
    }
  }
}
