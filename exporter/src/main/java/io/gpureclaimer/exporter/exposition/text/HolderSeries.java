package io.gpureclaimer.exporter.exposition.text;

import java.util.OptionalDouble;

/**
 * One series of a device.
 *
 * @param labels what it says of who holds the device
 * @param own the holder's own value, which stands for the device's; empty if the device's does
 */
record HolderSeries(HolderLabels labels, OptionalDouble own) {
  static HolderSeries ofDevice(HolderLabels labels) {
    return new HolderSeries(labels, OptionalDouble.empty());
  }
}
