package io.gpureclaimer.exporter.exposition.text;

/**
 * Labels that name the holder in device series.
 *
 * @param perShare whether each share of a device has series of its own; otherwise a device has one,
 *     which names only what all its holders have in common
 * @param podUid whether the pod's uid is among the labels
 */
public record HolderStyle(boolean perShare, boolean podUid) {
  /** One series per device, without uid. */
  public static final HolderStyle PLAIN = new HolderStyle(false, false);
}
