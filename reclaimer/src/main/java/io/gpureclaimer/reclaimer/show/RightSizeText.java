package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.rightsize.RightSizeReport;
import io.gpureclaimer.reclaimer.rightsize.RightSizeReport.RightSizeRow;
import io.gpureclaimer.reclaimer.rightsize.RightSizing;
import io.gpureclaimer.reclaimer.rightsize.Suggestion;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage.DeviceKind;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage.UsagePeaks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Workloads that requested more than they used, as text and as CSV. */
public final class RightSizeText {
  private static final List<String> COLUMNS =
      List.of(
          "NAMESPACE",
          "WORKLOAD",
          "GPUS",
          "MEMORY GIB",
          "BUSIEST HOUR",
          "UNUSED",
          "UNKNOWN",
          "SUGGESTION");
  private static final List<String> CSV_COLUMNS =
      List.of(
          "namespace",
          "kind",
          "name",
          "gone",
          "device_kind",
          "model",
          "devices_requested",
          "devices_used",
          "pod_devices_requested",
          "pod_devices_used",
          "memory_total_mib",
          "memory_peak_mib",
          "busiest_hour_utilization",
          "busiest_hour_sm_active",
          "held_gpu_hours",
          "active_gpu_hours",
          "unknown_gpu_hours",
          "suggestion");
  private static final double SECONDS_PER_HOUR = 3_600;
  private static final double MEBIBYTES_PER_GIBIBYTE = 1_024;
  private static final double PERCENT = 100;

  private RightSizeText() {}

  /**
   * Lines, each ended by a line feed.
   *
   * @param limit how many of the workloads are listed
   */
  public static String of(RightSizeReport report, FormatName form, int limit) {
    var text = new StringBuilder(summary(report)).append("\n\n");
    if (report.rows().isEmpty()) {
      text.append("Every workload used what it requested, as far as is known.\n");
    } else {
      var table = new Table(COLUMNS.toArray(String[]::new));
      report.rows().stream()
          .limit(limit)
          .forEach(row -> table.add(cells(row).toArray(String[]::new)));
      text.append(table.text());
      int more = report.rows().size() - limit;
      text.append(more > 0 ? "and " + more + " more; --limit shows them\n" : "");
    }
    text.append("\nREMARKS\n");
    remarks(report, form).forEach(line -> text.append("  ").append(line).append('\n'));
    return text.toString();
  }

  static String summary(RightSizeReport report) {
    long larger = report.rows().stream().filter(row -> row.used().isPresent()).count();
    return "In "
        + Durations.format(report.range().length())
        + " until "
        + report.range().to()
        + ", "
        + larger
        + " of "
        + report.workloads()
        + " workloads requested more than they used. Of "
        + hours(report.time().held())
        + " GPU-hours that were held, "
        + hours(report.time().unused())
        + " were unused and "
        + hours(report.time().unknown())
        + " are unknown.";
  }

  private static List<String> cells(RightSizeRow row) {
    WorkloadUsage usage = row.usage();
    return List.of(
        usage.namespace(),
        usage.kind() + "/" + usage.name() + (usage.isGone() ? " (gone)" : ""),
        "requested "
            + usage.devices()
            + ", used "
            + row.used().map(String::valueOf).orElse("unknown"),
        memory(usage.peaks()),
        busiest(usage.peaks()),
        hours(usage.time().unused()) + "h",
        percent(usage.time().unknownShare()),
        suggestions(row));
  }

  private static String memory(UsagePeaks peaks) {
    return peaks.memoryMebibytes().isEmpty()
        ? "unknown"
        : gibibytes(peaks.memoryMebibytes())
            + (peaks.totalMebibytes().isPresent()
                ? " of " + gibibytes(peaks.totalMebibytes())
                : "");
  }

  private static String gibibytes(OptionalDouble mebibytes) {
    return String.format(Locale.ROOT, "%.1f", mebibytes.orElseThrow() / MEBIBYTES_PER_GIBIBYTE);
  }

  private static String busiest(UsagePeaks peaks) {
    List<String> known =
        Stream.of(
                share(peaks.utilization(), " of the time"), share(peaks.smActive(), " of the SMs"))
            .flatMap(Optional::stream)
            .toList();
    return known.isEmpty() ? "unknown" : String.join(", ", known);
  }

  private static Optional<String> share(OptionalDouble share, String of) {
    return share.isPresent() ? Optional.of(percent(share.getAsDouble()) + of) : Optional.empty();
  }

  static String suggestions(RightSizeRow row) {
    return row.suggestions().stream()
        .map(suggestion -> words(suggestion, row.usage()))
        .collect(Collectors.joining("; "));
  }

  private static String words(Suggestion suggestion, WorkloadUsage usage) {
    return switch (suggestion) {
      case Suggestion.Undecided(double share) ->
          "none: the activity was unknown for " + percent(share) + " of the time";
      case Suggestion.Release() -> "release it: none of its GPUs worked";
      case Suggestion.FewerDevices(int perPod) ->
          "request " + perPod + " per pod instead of " + usage.devicesPerPod();
      case Suggestion.FewerPods(int pods) ->
          "run " + pods + (pods == 1 ? " pod" : " pods") + " instead of " + usage.pods();
      case Suggestion.MigInstance(String profile) -> "a MIG instance " + profile;
      case Suggestion.SmallerModel(String model) -> "a " + model;
      case Suggestion.SharedGpu(int pods) -> "share the GPU among " + pods + " such pods";
    };
  }

  /** What has to be known to read the figures. */
  static List<String> remarks(RightSizeReport report, FormatName form) {
    var lines = new ArrayList<String>();
    lines.add("evidence format " + form);
    lines.add(
        "used is the most GPUs that worked within one step of "
            + Durations.format(report.range().step())
            + "");
    lines.add(
        "no suggestion where more than "
            + percent(RightSizing.MOST_UNKNOWN)
            + " of the time is unknown; suggested memory is at least "
            + RightSizing.HEADROOM
            + " times the highest use");
    if (report.gonePods() > 0) {
      lines.add(
          report.gonePods()
              + (report.gonePods() == 1 ? " pod was" : " pods were")
              + " deleted since: listed by itself, because its owner is no longer known");
    }
    lines.addAll(report.remarks());
    return lines;
  }

  /** One line for each workload, and a head; RFC 4180 with line feeds. */
  public static String csv(RightSizeReport report, int limit) {
    return Stream.concat(
            Stream.of(CSV_COLUMNS), report.rows().stream().limit(limit).map(RightSizeText::fields))
        .map(fields -> fields.stream().map(RightSizeText::quoted).collect(Collectors.joining(",")))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** What is unknown is an empty field. */
  private static List<String> fields(RightSizeRow row) {
    WorkloadUsage usage = row.usage();
    UsagePeaks peaks = usage.peaks();
    return List.of(
        usage.namespace(),
        usage.kind(),
        usage.name(),
        Boolean.toString(usage.isGone()),
        code(usage.deviceKind()),
        peaks.model().orElse(""),
        Integer.toString(usage.devices()),
        row.used().map(String::valueOf).orElse(""),
        Integer.toString(usage.devicesPerPod()),
        row.usedPerPod().map(String::valueOf).orElse(""),
        number(peaks.totalMebibytes(), "%.0f"),
        number(peaks.memoryMebibytes(), "%.0f"),
        number(peaks.utilization(), "%.3f"),
        number(peaks.smActive(), "%.3f"),
        hours(usage.time().held()),
        hours(usage.time().active()),
        hours(usage.time().unknown()),
        suggestions(row));
  }

  static String code(DeviceKind kind) {
    return switch (kind) {
      case GPU -> "gpu";
      case MIG_INSTANCE -> "mig-instance";
      case SHARED -> "shared";
    };
  }

  private static String number(OptionalDouble value, String format) {
    return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "";
  }

  static String quoted(String field) {
    return field.matches("[^\",\r\n]*") ? field : '"' + field.replace("\"", "\"\"") + '"';
  }

  private static String hours(Duration time) {
    return String.format(Locale.ROOT, "%.1f", time.toSeconds() / SECONDS_PER_HOUR);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * PERCENT);
  }
}
