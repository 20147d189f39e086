package io.gpureclaimer.simulator;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A process on a simulated card.
 *
 * @param pid as the host counts
 * @param memoryMib frame buffer that it holds; absent: the driver does not report it
 * @param smPercent share of time on the multiprocessors
 * @param kind in which of the driver's lists it is
 * @param instance the GPU instance that it is in
 */
public record ScriptedProcess(
    int pid, OptionalInt memoryMib, int smPercent, ProcessList kind, OptionalInt instance) {

  /** The driver's three lists. */
  public enum ProcessList {
    COMPUTE("compute"),
    MPS("mps"),
    GRAPHICS("graphics");

    private final String text;

    ProcessList(String text) {
      this.text = text;
    }

    /** As a script spells it. */
    public String text() {
      return text;
    }

    static Optional<ProcessList> of(String text) {
      return Arrays.stream(values()).filter(kind -> kind.text.equals(text)).findFirst();
    }
  }
}
