package io.gpureclaimer.reclaimer.json;

/** A text is no JSON, or not what was expected of it. The message says where. */
public final class MalformedJson extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MalformedJson(String where, String expected, String found) {
    super(where + ": expected " + expected + ", found " + found);
  }

  MalformedJson(String message) {
    super(message);
  }
}
