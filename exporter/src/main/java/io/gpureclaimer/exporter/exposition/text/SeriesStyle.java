package io.gpureclaimer.exporter.exposition.text;

/**
 * How series are written.
 *
 * @param labels how their labels are spelled
 * @param holders how they name the holder of the device
 */
public record SeriesStyle(LabelStyle labels, HolderStyle holders) {
  /** As dcgm-exporter does when nothing is asked of it. */
  public static final SeriesStyle CLASSIC = new SeriesStyle(LabelStyle.CLASSIC, HolderStyle.PLAIN);
}
