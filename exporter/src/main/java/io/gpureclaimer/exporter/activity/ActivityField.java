package io.gpureclaimer.exporter.activity;

import io.gpureclaimer.common.vocabulary.DcgmField;
import java.util.Arrays;
import java.util.Optional;

/** A quantity that shows whether a device is at work. */
@SuppressWarnings("ImmutableEnumChecker") // a field of DCGM never changes
public enum ActivityField {
  GPU_UTIL("gpu-util", DcgmField.DEV_GPU_UTIL, ThresholdKind.UTILIZATION),
  MEM_COPY("mem-copy", DcgmField.DEV_MEM_COPY_UTIL, ThresholdKind.ANY_AT_ALL),
  ENCODER("encoder", DcgmField.DEV_ENC_UTIL, ThresholdKind.UTILIZATION),
  DECODER("decoder", DcgmField.DEV_DEC_UTIL, ThresholdKind.UTILIZATION),
  GR_ENGINE("gr-engine", DcgmField.PROF_GR_ENGINE_ACTIVE, ThresholdKind.PROFILING),
  SM("sm", DcgmField.PROF_SM_ACTIVE, ThresholdKind.PROFILING),
  TENSOR("tensor", DcgmField.PROF_PIPE_TENSOR_ACTIVE, ThresholdKind.PROFILING),
  DRAM("dram", DcgmField.PROF_DRAM_ACTIVE, ThresholdKind.PROFILING);

  /** Against which threshold it is held. */
  enum ThresholdKind {
    /** Percent of time. */
    UTILIZATION,
    /** Percent of time, where the smallest share counts. */
    ANY_AT_ALL,
    /** A ratio from 0 to 1 with some noise at its lower end. */
    PROFILING
  }

  private final String text;
  private final DcgmField field;
  private final ThresholdKind kind;

  ActivityField(String text, DcgmField field, ThresholdKind kind) {
    this.text = text;
    this.field = field;
    this.kind = kind;
  }

  /** As the configuration spells it. */
  public String text() {
    return text;
  }

  /** Where it is read. */
  public DcgmField field() {
    return field;
  }

  ThresholdKind kind() {
    return kind;
  }

  /** The sign spelled like that, if there is one. */
  public static Optional<ActivityField> of(String text) {
    return Arrays.stream(values()).filter(sign -> sign.text.equals(text)).findFirst();
  }
}
