package io.gpureclaimer.simulator;

import java.time.Instant;
import java.util.function.IntSupplier;

/** How the parts of the simulated driver come to a card. */
interface SimulatedReader {

  /** Writes the answer of one card to one question; answers the return code. */
  interface SimulatedCall {
    int of(SimulatedGpu gpu, GpuScript script, Instant now);
  }

  /** The code for a session that is not open, or the answer. */
  int inSession(IntSupplier answer);

  /** The code for a handle that is none, a card that is lost, or what the card answers. */
  int reading(long device, SimulatedCall answer);
}
