package io.gpureclaimer.deviceplugin.runtime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong with the node.
 *
 * @param text for people
 * @param since when; null if not known
 */
record Trouble(String text, @Nullable Instant since) {

  /** The same, and if it is not known since when, since then. */
  Trouble orSince(@Nullable Instant then) {
    return since == null ? new Trouble(text, then) : this;
  }
}
