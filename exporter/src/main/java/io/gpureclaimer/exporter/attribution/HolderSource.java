package io.gpureclaimer.exporter.attribution;

/** Knows who holds which device. */
public interface HolderSource {

  /** Who holds which device now; never fails, the last good answer stands. */
  Attribution now();
}
