package io.gpureclaimer.reclaimer.faults;

/** The mark behind the last sample of a series that ended. */
final class StalenessMarker {
  private static final long BITS = 0x7ff0000000000002L;

  static final double MARK = Double.longBitsToDouble(BITS);

  private StalenessMarker() {}

  static boolean is(double value) {
    return Double.doubleToRawLongBits(value) == BITS;
  }
}
