package io.gpureclaimer.exporter.counters;

/** Where the text of a counters file comes from. */
public interface CountersSource {

  /** What it is called in messages. */
  String name();

  /** Whether it costs nothing to look again and again; otherwise that is done on demand only. */
  boolean isPolled();

  /** Reads it anew; never fails. */
  Content read();

  /** What was found. Two looks are equal if nothing has changed. */
  sealed interface Content {

    /** The whole text. */
    record Found(String text) implements Content {}

    /** There is none; {@code reason} is a half-sentence for people. */
    record Missing(String reason) implements Content {}
  }
}
