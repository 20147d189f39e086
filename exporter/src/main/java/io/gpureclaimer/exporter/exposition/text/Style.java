package io.gpureclaimer.exporter.exposition.text;

/**
 * How series are told.
 *
 * @param labels how their labels are spelled
 * @param holders how they tell who holds the device
 */
public record Style(LabelStyle labels, HolderStyle holders) {
  /** As dcgm-exporter does when nothing is asked of it. */
  public static final Style CLASSIC = new Style(LabelStyle.CLASSIC, HolderStyle.PLAIN);
}
