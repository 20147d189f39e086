package io.gpureclaimer.verification.demo;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the demo shows at one moment.
 *
 * @param elapsed since the curtain rose
 * @param gpus every GPU of every node, as the exporters tell it
 * @param workloads what the reclaimer thinks of every workload
 * @param happenings what happened so far, oldest first
 */
record Frame(
    Duration elapsed, List<GpuRow> gpus, List<WorkloadRow> workloads, List<Happening> happenings) {
  Frame {
    gpus = List.copyOf(gpus);
    workloads = List.copyOf(workloads);
    happenings = List.copyOf(happenings);
  }

  /** How good or bad a line is, which decides its color. */
  enum Tone {
    CALM,
    GOOD,
    NOTABLE,
    GRAVE
  }

  /**
   * One GPU.
   *
   * @param utilizationPercent absent when the exporter does not say
   * @param holder namespace and name of the pod that holds it
   */
  record GpuRow(
      String node,
      int index,
      String model,
      OptionalInt utilizationPercent,
      Optional<String> holder) {}

  /** One workload with its verdict and the reason, in words. */
  record WorkloadRow(String name, String gpus, String verdict, String reason, Tone tone) {}

  /** Something that happened, in words. */
  record Happening(Duration at, String what, Tone tone) {}
}
