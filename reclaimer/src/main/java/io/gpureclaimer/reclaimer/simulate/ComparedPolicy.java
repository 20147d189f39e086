package io.gpureclaimer.reclaimer.simulate;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Policy in a simulation. */
public enum ComparedPolicy {
  /** No program reclaims. */
  NONE("none", "no program reclaims", Optional.empty()),
  /** No program reclaims, and the scheduler preempts. */
  PREEMPTION(
      "preemption",
      "no program reclaims; kube-scheduler evicts running pods for pending ones of higher priority",
      Optional.empty()),
  /** This program in mode {@code report}. */
  REPORT("report", "this program, mode report", Optional.of("report")),
  /** This program in mode {@code on-demand}. */
  ON_DEMAND("on-demand", "this program, mode on-demand", Optional.of("on-demand")),
  /** The same with another choice of victims. */
  LONGEST_IDLE(
      "longest-idle",
      "like on-demand, but for a pending pod the workloads that are idle for longest",
      Optional.of("on-demand")),
  /** The same with another choice of victims. */
  FEWEST_PODS(
      "fewest-pods",
      "like on-demand, but for a pending pod the fewest pods",
      Optional.of("on-demand")),
  /** The same with another choice of victims. */
  RANDOM(
      "random",
      "like on-demand, but for a pending pod idle workloads at random",
      Optional.of("on-demand")),
  /** This program in mode {@code always}. */
  ALWAYS("always", "this program, mode always", Optional.of("always")),
  /** The rule of gpu-pruner with its defaults. */
  ANY_GPU_30M(
      "any-gpu-30m",
      "gpu-pruner's rule: notebooks and services with a GPU that did nothing for 30 minutes, every"
          + " 3 minutes, from 35 minutes after their start",
      Optional.empty()),
  /** A low mean utilization. */
  AVERAGE_10(
      "average-10",
      "workloads whose GPUs were used by less than 10 % on average over the last hour",
      Optional.empty()),
  /** Knowledge of the future. */
  ORACLE(
      "oracle",
      "knows the future: workloads that will never use their GPUs again",
      Optional.empty());

  private final String code;
  private final String text;
  private final Optional<String> mode;

  ComparedPolicy(String code, String text, Optional<String> mode) {
    this.code = code;
    this.text = text;
    this.mode = mode;
  }

  /** The stable name, for the command line and JSON. */
  public String code() {
    return code;
  }

  /** For people, without the final stop. */
  public String text() {
    return text;
  }

  /** The mode in which this program runs; empty for a policy that is not of this program. */
  public Optional<String> mode() {
    return mode;
  }

  /** Those that are compared unless others are named. */
  public static List<ComparedPolicy> usual() {
    return Arrays.stream(values())
        .filter(each -> each != LONGEST_IDLE && each != FEWEST_PODS && each != RANDOM)
        .toList();
  }

  /** The policy with exactly this name. */
  public static Optional<ComparedPolicy> of(String code) {
    return Arrays.stream(values()).filter(each -> each.code.equals(code)).findFirst();
  }
}
