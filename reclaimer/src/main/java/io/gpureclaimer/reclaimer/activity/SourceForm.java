package io.gpureclaimer.reclaimer.activity;

/**
 * What the evidence of a source was made of.
 *
 * @param code the stable name, for metrics and JSON
 * @param text for people
 */
public record SourceForm(String code, String text) {

  @Override
  public String toString() {
    return code + ": " + text;
  }
}
