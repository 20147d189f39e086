package io.gpureclaimer.exporter.attribution;

/** Knows who holds which device. */
public interface HolderSource {

  /**
   * Who holds which device now; never fails, the last good answer stands.
   *
   * @param inventory which devices there are, for what is named by an index or an id of MIG
   */
  Attribution now(DeviceLookup inventory);
}
