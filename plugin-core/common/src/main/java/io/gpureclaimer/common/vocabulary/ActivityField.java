package io.gpureclaimer.common.vocabulary;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A quantity that shows whether a device is at work. The only list of them: the ledger of the
 * agent, the recording rules and the reclaimer's queries follow it.
 */
@SuppressWarnings("ImmutableEnumChecker") // a field of DCGM never changes
public enum ActivityField {
  GPU_UTIL("gpu-util", List.of(DcgmField.DEV_GPU_UTIL), List.of()),
  MEM_COPY("mem-copy", List.of(DcgmField.DEV_MEM_COPY_UTIL), List.of()),
  ENCODER("encoder", List.of(DcgmField.DEV_ENC_UTIL), List.of()),
  DECODER("decoder", List.of(DcgmField.DEV_DEC_UTIL), engines("NVDEC", 8)),
  JPEG("jpeg", List.of(DcgmField.JPEG_UTILIZATION), engines("NVJPG", 8)),
  OFA("ofa", List.of(DcgmField.OFA_UTILIZATION), engines("NVOFA", 2)),
  GR_ENGINE("gr-engine", List.of(DcgmField.PROF_GR_ENGINE_ACTIVE), List.of()),
  SM("sm", List.of(DcgmField.PROF_SM_ACTIVE), profiling("SM_OCCUPANCY")),
  TENSOR(
      "tensor",
      List.of(DcgmField.PROF_PIPE_TENSOR_ACTIVE),
      profiling("PIPE_TENSOR_IMMA_ACTIVE", "PIPE_TENSOR_HMMA_ACTIVE", "PIPE_TENSOR_DFMA_ACTIVE")),
  PIPES(
      "pipes",
      List.of(),
      profiling("PIPE_FP64_ACTIVE", "PIPE_FP32_ACTIVE", "PIPE_FP16_ACTIVE", "PIPE_INT_ACTIVE")),
  DRAM("dram", List.of(DcgmField.PROF_DRAM_ACTIVE), List.of());

  /**
   * From this share of time on, in percent, a device works, by any of them; by those that are
   * {@link #isZeroAtRest 0 at rest} by any value above 0.
   */
  public static final double THRESHOLD_PERCENT = 1;

  private static final Set<ActivityField> ZERO_AT_REST = Set.of(MEM_COPY, SM, TENSOR, PIPES);

  private static final double PERCENT = 100;
  private static final Map<DcgmField, ActivityField> BY_FIELD =
      Arrays.stream(values())
          .flatMap(sign -> sign.fields().map(field -> Map.entry(field, sign)))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  private final String text;
  private final List<DcgmField> polled;
  private final List<DcgmField> others;

  /**
   * @param polled fields that an agent always reads
   * @param others fields that count where they are read, because a counters file names them
   */
  ActivityField(String text, List<DcgmField> polled, List<DcgmField> others) {
    this.text = text;
    this.polled = polled;
    this.others = others;
  }

  private static List<DcgmField> engines(String kind, int count) {
    return profiling(
        IntStream.range(0, count).mapToObj(i -> kind + i + "_ACTIVE").toArray(String[]::new));
  }

  private static List<DcgmField> profiling(String... names) {
    return Arrays.stream(names)
        .map(name -> DcgmField.named("DCGM_FI_PROF_" + name).orElseThrow())
        .toList();
  }

  /** As the configuration spells it. */
  public String text() {
    return text;
  }

  /** The fields that an agent always reads. */
  public List<DcgmField> polled() {
    return polled;
  }

  /** All of its fields. */
  public Stream<DcgmField> fields() {
    return Stream.concat(polled.stream(), others.stream());
  }

  /** The sign spelled like that, if there is one. */
  public static Optional<ActivityField> of(String text) {
    return Arrays.stream(values()).filter(sign -> sign.text.equals(text)).findFirst();
  }

  /** The sign that the field belongs to, if there is one. */
  public static Optional<ActivityField> of(DcgmField field) {
    return Optional.ofNullable(BY_FIELD.get(field));
  }

  /**
   * Whether the field is exactly 0 while no kernel runs. The multiprocessors and their pipes count
   * instructions and warps: 1 ms of work in 5 s is 0.0002 %, and still work. The engines and the
   * memory of a GPU at rest are a little above 0.
   */
  public static boolean isZeroAtRest(DcgmField field) {
    return of(field).filter(ZERO_AT_REST::contains).isPresent();
  }

  /** Whether the field is one of the profiling counters, which are known of instances as well. */
  public static boolean isProfiling(DcgmField field) {
    return field.source() == FieldSource.GPM;
  }

  /** What turns a value of the field into a percentage. */
  public static double percentPerUnit(DcgmField field) {
    return field.form() == ValueForm.SIX_DECIMALS ? PERCENT : 1;
  }
}
