package io.gpureclaimer.exporter.counters;

/** Where the text of a counters file comes from. */
public interface CountersText {

  /** What it is called in messages. */
  String name();

  /** Whether it costs nothing to look again and again; otherwise that is done on demand only. */
  boolean isCheap();

  /** Reads it anew; never fails. */
  Look look();

  /** What was found. Two looks are equal if nothing has changed. */
  sealed interface Look {

    /** The whole text. */
    record Found(String text) implements Look {}

    /** There is none; {@code reason} is a half-sentence for people. */
    record Missing(String reason) implements Look {}
  }
}
