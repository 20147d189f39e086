package io.gpureclaimer.reclaimer.policy;

import java.util.Optional;

/** What the data in a pod's volumes that die with it is worth. */
enum Scratch {
  /** It must not be lost. */
  KEEP,
  /** It may be lost. */
  DISPOSABLE;

  static Optional<Scratch> of(String text) {
    return switch (text) {
      case "keep" -> Optional.of(KEEP);
      case "disposable" -> Optional.of(DISPOSABLE);
      default -> Optional.empty();
    };
  }
}
