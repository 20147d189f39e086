package io.gpureclaimer.reclaimer.policy;

import java.util.Arrays;
import java.util.Optional;

/** What a workload is for; how long it may wait before it counts as idle depends on that. */
public enum WorkloadClass {
  /** A person works in it, with pauses. */
  INTERACTIVE("interactive"),
  /** It waits for requests. */
  SERVING("serving"),
  /** It computes until it is done. */
  BATCH("batch"),
  /** It grows and shrinks with its work. */
  ELASTIC("elastic"),
  /** Nothing says what it is for. */
  OTHER("other");

  private final String text;

  WorkloadClass(String text) {
    this.text = text;
  }

  /** As it is written in annotations. */
  public String text() {
    return text;
  }

  /** The class that is written so, exactly. */
  static Optional<WorkloadClass> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
  }
}
