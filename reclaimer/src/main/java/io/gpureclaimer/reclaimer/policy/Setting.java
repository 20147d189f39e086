package io.gpureclaimer.reclaimer.policy;

/** A value of a policy and where it came from. */
public record Setting<T>(T value, Origin origin) {

  /** Where a value of a policy came from. */
  public sealed interface Origin {

    /** The controller's own configuration. */
    record Defaults() implements Origin {}

    /**
     * An annotation.
     *
     * @param object what it is written on, for example {@code namespace ml} or {@code pod
     *     ml/train-0}
     */
    record Annotation(String object) implements Origin {}

    /** Something else was asked for, and this is what is allowed. */
    record Clamped(String object, String asked, String rule) implements Origin {}

    /**
     * What the workload is made of says so.
     *
     * @param because in words that follow "because"
     */
    record Detected(String because) implements Origin {}

    /** Workloads of this class are given so much. */
    record ByClass(WorkloadClass workloadClass) implements Origin {}
  }
}
