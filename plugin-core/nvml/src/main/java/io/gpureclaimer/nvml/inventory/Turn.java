package io.gpureclaimer.nvml.inventory;

/** What came of asking one GPU. */
public sealed interface Turn<T> {

  /** It answered. */
  record Taken<T>(T answer) implements Turn<T> {}

  /** It takes longer than usual, and may come back yet: nothing new is known of it. */
  record Awaited<T>() implements Turn<T> {}

  /** It does not come back. */
  record Silent<T>() implements Turn<T> {}
}
