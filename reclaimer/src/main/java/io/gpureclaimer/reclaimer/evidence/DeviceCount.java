package io.gpureclaimer.reclaimer.evidence;

import java.util.OptionalInt;

/** How many devices a pod holds, as often as it was said. Confined to its {@link Gathering}. */
final class DeviceCount {
  static final DeviceCount UNTOLD = new DeviceCount();
  private static final int MOST = 10_000;

  private OptionalInt most = OptionalInt.empty();
  private boolean impossible;

  void merge(double count) {
    if (count >= 0 && count <= MOST && count == Math.rint(count)) {
      most = OptionalInt.of(Math.max((int) count, most.orElse(0)));
    } else {
      impossible = true;
    }
  }

  boolean isImpossible() {
    return impossible;
  }

  /** The largest that was said. */
  OptionalInt told() {
    return most;
  }
}
