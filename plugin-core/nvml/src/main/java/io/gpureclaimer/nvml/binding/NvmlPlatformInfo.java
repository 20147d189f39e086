package io.gpureclaimer.nvml.binding;

import jnr.ffi.NativeType;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlPlatformInfo_v2_t} of {@code nvml.h}. */
public final class NvmlPlatformInfo extends Struct {
  public static final int GUID_BYTES = 16;
  public static final int SERIAL_BYTES = 16;

  private static final int NVML_STRUCT_VERSION_SHIFT = 24;
  private static final int VERSION_2 = 2;

  public final Unsigned32 version = new Unsigned32();
  public final Unsigned8[] ibGuid = array(new Unsigned8[GUID_BYTES]);
  public final Unsigned8[] chassisSerialNumber = array(new Unsigned8[SERIAL_BYTES]);
  public final Unsigned8 slotNumber = new Unsigned8();
  public final Unsigned8 trayIndex = new Unsigned8();
  public final Unsigned8 hostId = new Unsigned8();
  public final Unsigned8 peerType = new Unsigned8();
  public final Unsigned8 moduleId = new Unsigned8();

  /** C pads a struct to its alignment; jnr-ffi does not. */
  final Padding toAlignment = new Padding(NativeType.UCHAR, 3);

  public NvmlPlatformInfo(Runtime runtime) {
    super(runtime);
  }

  /** What {@code version} must hold before a call. */
  public static long structVersion(NvmlPlatformInfo struct) {
    return size(struct) | ((long) VERSION_2 << NVML_STRUCT_VERSION_SHIFT);
  }
}
