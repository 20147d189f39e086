package io.gpureclaimer.reclaimer.policy;

/** On what an annotation is written. */
public enum Place {
  NAMESPACE("a namespace"),
  OWNER("an owner of pods"),
  POD("a pod");

  private final String text;

  Place(String text) {
    this.text = text;
  }

  /** For people. */
  String text() {
    return text;
  }
}
