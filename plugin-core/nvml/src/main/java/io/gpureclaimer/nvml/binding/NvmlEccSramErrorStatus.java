package io.gpureclaimer.nvml.binding;

import jnr.ffi.NativeType;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlEccSramErrorStatus_v1_t} of {@code nvml.h}. */
public final class NvmlEccSramErrorStatus extends Struct {
  private static final int NVML_STRUCT_VERSION_SHIFT = 24;

  public final Unsigned32 version = new Unsigned32();
  public final Unsigned64 aggregateUncParity = new Unsigned64();
  public final Unsigned64 aggregateUncSecDed = new Unsigned64();
  public final Unsigned64 aggregateCor = new Unsigned64();
  public final Unsigned64 volatileUncParity = new Unsigned64();
  public final Unsigned64 volatileUncSecDed = new Unsigned64();
  public final Unsigned64 volatileCor = new Unsigned64();
  public final Unsigned64 aggregateUncBucketL2 = new Unsigned64();
  public final Unsigned64 aggregateUncBucketSm = new Unsigned64();
  public final Unsigned64 aggregateUncBucketPcie = new Unsigned64();
  public final Unsigned64 aggregateUncBucketMcu = new Unsigned64();
  public final Unsigned64 aggregateUncBucketOther = new Unsigned64();
  public final Unsigned32 bThresholdExceeded = new Unsigned32();

  /** C pads a struct to its alignment; jnr-ffi does not. */
  final Padding toAlignment = new Padding(NativeType.UINT, 1);

  public NvmlEccSramErrorStatus(Runtime runtime) {
    super(runtime);
  }

  /** What {@code version} must hold before a call. */
  public static long structVersion(NvmlEccSramErrorStatus struct) {
    return size(struct) | (1L << NVML_STRUCT_VERSION_SHIFT);
  }
}
