package io.gpureclaimer.verification.gpupack;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Source of load on the GPUs. */
interface Load {

  /** Why there can be no load; empty if there can be. */
  Optional<String> unavailable();

  /** Starts load on each of the GPUs for so long. */
  Running start(Set<String> gpus, Kind kind, Duration time) throws IOException;

  /** What runs on the GPU. */
  enum Kind {
    /** One kernel after the other. */
    STEADY,
    /** A kernel of about 1 ms every 10 s, each a stretch of its own. */
    SHORT,
    /** One kernel that writes to an invalid address, for which the driver reports an XID. */
    FAULT
  }

  /** Load that has been started. */
  interface Running {

    /** Waits for the end. A GPU without a stretch could not be loaded. */
    List<Stretch> finish() throws IOException, InterruptedException;
  }

  /**
   * Time in which one GPU was under load.
   *
   * @param begin when the first kernel was launched
   * @param end when the last kernel had finished
   */
  record Stretch(String gpu, Instant begin, Instant end) {}
}
