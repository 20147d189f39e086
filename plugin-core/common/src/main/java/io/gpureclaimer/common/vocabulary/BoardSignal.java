package io.gpureclaimer.common.vocabulary;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * A measurement of a board, other than the activity of its engines, that shows work above a limit.
 * The only definition of them: the ledger of the agent records when each was last above its limit,
 * and the reclaimer's queries and defaults follow it.
 */
@SuppressWarnings("ImmutableEnumChecker") // a field of DCGM never changes
public enum BoardSignal {
  /** Power that the board draws, in W; the limit is that of its model. */
  POWER("power", false, DcgmField.DEV_POWER_USAGE),
  /** Growth of the memory in use within {@link #MEMORY_WINDOW}, in MiB. */
  MEMORY("memory", true, DcgmField.DEV_FB_USED),
  /** Bytes per second over PCIe, in the busier direction. */
  PCIE("pcie", false, DcgmField.PROF_PCIE_TX_BYTES, DcgmField.PROF_PCIE_RX_BYTES),
  /** Bytes per second over NVLink, in the busier direction. */
  NVLINK("nvlink", false, DcgmField.PROF_NVLINK_TX_BYTES, DcgmField.PROF_NVLINK_RX_BYTES);

  /** Default limit of {@link #MEMORY}. */
  public static final double MEMORY_MEBIBYTES = 64;

  /** Default limit of {@link #PCIE} and {@link #NVLINK}. */
  public static final double BYTES_PER_SECOND = 50e6;

  /** Memory is compared with the least that was in use in that time. */
  public static final Duration MEMORY_WINDOW = Duration.ofMinutes(10);

  private static final IdlePower IDLE_POWER = IdlePower.builtIn();

  private final String code;
  private final boolean ofInstances;
  private final List<DcgmField> fields;

  BoardSignal(String code, boolean ofInstances, DcgmField... fields) {
    this.code = code;
    this.ofInstances = ofInstances;
    this.fields = List.of(fields);
  }

  /** The stable name, in labels, configuration and JSON. */
  public String code() {
    return code;
  }

  /** The fields that it is measured by; the highest counts. */
  public List<DcgmField> fields() {
    return fields;
  }

  /** Whether a GPU instance has it of its own. */
  public boolean isOfInstances() {
    return ofInstances;
  }

  /** The default limit; empty for the power of a model that is not known. */
  public OptionalDouble limit(String model) {
    return switch (this) {
      case POWER -> IDLE_POWER.limit(model);
      case MEMORY -> OptionalDouble.of(MEMORY_MEBIBYTES);
      case PCIE, NVLINK -> OptionalDouble.of(BYTES_PER_SECOND);
    };
  }

  /** The signal of that name, if there is one. */
  public static Optional<BoardSignal> of(String code) {
    return Arrays.stream(values()).filter(signal -> signal.code.equals(code)).findFirst();
  }

  /** Their names, sorted, as one label has them. */
  public static String codes(Collection<BoardSignal> signals) {
    return signals.stream().map(BoardSignal::code).sorted().collect(Collectors.joining(","));
  }
}
