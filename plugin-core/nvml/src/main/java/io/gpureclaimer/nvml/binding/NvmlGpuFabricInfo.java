package io.gpureclaimer.nvml.binding;

import jnr.ffi.NativeType;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/**
 * {@code nvmlGpuFabricInfo_v3_t} of {@code nvml.h}. Version 2 is the same without {@code
 * healthSummary}.
 */
public final class NvmlGpuFabricInfo extends Struct {
  public static final int UUID_BYTES = 16;

  private static final int NVML_STRUCT_VERSION_SHIFT = 24;
  private static final int VERSION_3 = 3;
  private static final int VERSION_2 = 2;

  public final Unsigned32 version = new Unsigned32();
  public final Unsigned8[] clusterUuid = array(new Unsigned8[UUID_BYTES]);
  public final Signed32 status = new Signed32();
  public final Unsigned32 cliqueId = new Unsigned32();
  public final Unsigned8 state = new Unsigned8();
  public final Unsigned32 healthMask = new Unsigned32();
  public final Unsigned8 healthSummary = new Unsigned8();

  /** C pads a struct to its alignment; jnr-ffi does not. */
  final Padding toAlignment = new Padding(NativeType.UCHAR, 3);

  public NvmlGpuFabricInfo(Runtime runtime) {
    super(runtime);
  }

  /** {@code nvmlGpuFabricInfo_t}, which is what lies between version and health. */
  public static jnr.ffi.Pointer first(NvmlGpuFabricInfo info) {
    return getMemory(info).slice(info.clusterUuid[0].offset());
  }

  /** What {@code version} must hold before a call that fills all of it. */
  public static long structVersion3(NvmlGpuFabricInfo info) {
    return size(info) | ((long) VERSION_3 << NVML_STRUCT_VERSION_SHIFT);
  }

  /** What {@code version} must hold before a call that leaves the last member out. */
  public static long structVersion2(NvmlGpuFabricInfo info) {
    return info.healthSummary.offset() | ((long) VERSION_2 << NVML_STRUCT_VERSION_SHIFT);
  }
}
