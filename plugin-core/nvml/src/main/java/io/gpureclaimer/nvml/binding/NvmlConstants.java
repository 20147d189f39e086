package io.gpureclaimer.nvml.binding;

/** Constants of {@code nvml.h}, under their C names. */
public final class NvmlConstants {
  public static final int NVML_SUCCESS = 0;
  public static final int NVML_ERROR_UNINITIALIZED = 1;
  public static final int NVML_ERROR_INVALID_ARGUMENT = 2;
  public static final int NVML_ERROR_NOT_SUPPORTED = 3;
  public static final int NVML_ERROR_INSUFFICIENT_SIZE = 7;
  public static final int NVML_ERROR_FUNCTION_NOT_FOUND = 13;
  public static final int NVML_ERROR_CORRUPTED_INFOROM = 14;
  public static final int NVML_ERROR_GPU_IS_LOST = 15;
  public static final int NVML_ERROR_NO_DATA = 21;
  public static final int NVML_ERROR_ARGUMENT_VERSION_MISMATCH = 25;
  public static final int NVML_ERROR_DEPRECATED = 26;
  public static final int NVML_ERROR_UNKNOWN = 999;

  public static final int NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE = 80;
  public static final int NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE = 80;
  public static final int NVML_DEVICE_UUID_V2_BUFFER_SIZE = 96;
  public static final int NVML_DEVICE_NAME_V2_BUFFER_SIZE = 96;
  public static final int NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE = 32;
  public static final int NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE = 16;
  public static final int NVML_GRID_LICENSE_BUFFER_SIZE = 128;
  public static final int NVML_GRID_LICENSE_FEATURE_MAX_COUNT = 3;

  public static final int NVML_VALUE_NOT_AVAILABLE = -1;

  public static final int NVML_CLOCK_GRAPHICS = 0;
  public static final int NVML_CLOCK_SM = 1;
  public static final int NVML_CLOCK_MEM = 2;
  public static final int NVML_CLOCK_VIDEO = 3;
  public static final int NVML_TEMPERATURE_GPU = 0;
  public static final int NVML_TEMPERATURE_THRESHOLD_SHUTDOWN = 0;
  public static final int NVML_TEMPERATURE_THRESHOLD_SLOWDOWN = 1;
  public static final int NVML_TEMPERATURE_THRESHOLD_MEM_MAX = 2;
  public static final int NVML_TEMPERATURE_THRESHOLD_GPU_MAX = 3;
  public static final int NVML_PSTATE_UNKNOWN = 32;
  public static final int NVML_COMPUTEMODE_DEFAULT = 0;
  public static final int NVML_COMPUTEMODE_PROHIBITED = 2;
  public static final int NVML_COMPUTEMODE_EXCLUSIVE_PROCESS = 3;
  public static final int NVML_MEMORY_ERROR_TYPE_CORRECTED = 0;
  public static final int NVML_MEMORY_ERROR_TYPE_UNCORRECTED = 1;
  public static final int NVML_VOLATILE_ECC = 0;
  public static final int NVML_AGGREGATE_ECC = 1;
  public static final int NVML_MEMORY_LOCATION_L1_CACHE = 0;
  public static final int NVML_MEMORY_LOCATION_L2_CACHE = 1;
  public static final int NVML_MEMORY_LOCATION_DEVICE_MEMORY = 2;
  public static final int NVML_MEMORY_LOCATION_REGISTER_FILE = 3;
  public static final int NVML_MEMORY_LOCATION_TEXTURE_MEMORY = 4;
  public static final int NVML_MEMORY_LOCATION_TEXTURE_SHM = 5;
  public static final int NVML_MEMORY_LOCATION_CBU = 6;
  public static final int NVML_MEMORY_LOCATION_SRAM = 7;
  public static final int NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS = 0;
  public static final int NVML_NVLINK_ERROR_DL_REPLAY = 0;
  public static final int NVML_NVLINK_ERROR_DL_RECOVERY = 1;
  public static final int NVML_NVLINK_ERROR_DL_CRC_FLIT = 2;
  public static final int NVML_NVLINK_ERROR_DL_CRC_DATA = 3;
  public static final int NVML_GPU_FABRIC_STATE_COMPLETED = 3;
  public static final int NVML_INFOROM_OEM = 0;
  public static final int NVML_INFOROM_ECC = 1;
  public static final int NVML_INFOROM_POWER = 2;
  public static final int NVML_DEVICE_INFOROM_VERSION_BUFFER_SIZE = 16;
  public static final int NVML_DEVICE_SERIAL_BUFFER_SIZE = 30;
  public static final int NVML_DEVICE_VBIOS_VERSION_BUFFER_SIZE = 32;
  public static final int NVML_GRID_LICENSE_FEATURE_CODE_VGPU = 1;

  public static final int NVML_VALUE_TYPE_DOUBLE = 0;
  public static final int NVML_VALUE_TYPE_UNSIGNED_INT = 1;
  public static final int NVML_VALUE_TYPE_UNSIGNED_LONG = 2;
  public static final int NVML_VALUE_TYPE_UNSIGNED_LONG_LONG = 3;
  public static final int NVML_VALUE_TYPE_SIGNED_LONG_LONG = 4;
  public static final int NVML_VALUE_TYPE_SIGNED_INT = 5;
  public static final int NVML_VALUE_TYPE_UNSIGNED_SHORT = 6;

  /** The scope of an NVLink field that means all links together; {@code UINT_MAX} in C. */
  public static final int ALL_LINKS = 0xFFFFFFFF;

  public static final int NVML_ERROR_NOT_FOUND = 6;
  public static final int NVML_ERROR_DRIVER_NOT_LOADED = 9;
  public static final int NVML_ERROR_TIMEOUT = 10;

  public static final int NVML_DEVICE_MIG_DISABLE = 0;
  public static final int NVML_DEVICE_MIG_ENABLE = 1;

  public static final int nvmlEventTypeSingleBitEccError = 0x1;
  public static final int nvmlEventTypeDoubleBitEccError = 0x2;
  public static final int nvmlEventTypeXidCriticalError = 0x8;
  public static final int nvmlEventMigConfigChange = 0x100;

  public static final int NVML_GPU_UTILIZATION_SAMPLES = 1;
  public static final int NVML_MEMORY_UTILIZATION_SAMPLES = 2;
  public static final int NVML_ENC_UTILIZATION_SAMPLES = 3;
  public static final int NVML_DEC_UTILIZATION_SAMPLES = 4;

  public static final int NVML_P2P_CAPS_INDEX_NVLINK = 2;
  public static final int NVML_P2P_STATUS_OK = 0;
  public static final int NVML_P2P_STATUS_CHIPSET_NOT_SUPPORED = 1;
  public static final int NVML_P2P_STATUS_GPU_NOT_SUPPORTED = 2;
  public static final int NVML_P2P_STATUS_IOH_TOPOLOGY_NOT_SUPPORTED = 3;
  public static final int NVML_P2P_STATUS_DISABLED_BY_REGKEY = 4;
  public static final int NVML_P2P_STATUS_NOT_SUPPORTED = 5;
  public static final int NVML_P2P_STATUS_UNKNOWN = 6;

  public static final int NVML_TOPOLOGY_INTERNAL = 0;
  public static final int NVML_TOPOLOGY_SINGLE = 10;
  public static final int NVML_TOPOLOGY_MULTIPLE = 20;
  public static final int NVML_TOPOLOGY_HOSTBRIDGE = 30;
  public static final int NVML_TOPOLOGY_NODE = 40;
  public static final int NVML_TOPOLOGY_SYSTEM = 50;
  public static final int NVML_NVLINK_DEVICE_TYPE_GPU = 0;
  public static final int NVML_NVLINK_DEVICE_TYPE_SWITCH = 2;

  private NvmlConstants() {}
}
