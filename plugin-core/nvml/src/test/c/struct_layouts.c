/*
 * Prints sizes, offsets and constants, one a line: what the Java binding has to agree with. With
 * -DREAL_HEADER it speaks of the real nvml.h, else of our own copy of its structs.
 */
#ifdef REAL_HEADER
#include <nvml.h>
#else
#include "nvml_structs.h"
#endif

#include <stddef.h>
#include <stdio.h>

#define SIZE(type) printf("sizeof %s %zu\n", #type, sizeof(type))
#define OFFSET(type, member) printf("offsetof %s %s %zu\n", #type, #member, offsetof(type, member))
#define CONSTANT(name) printf("constant %s %lld\n", #name, (long long)(name))

int main(void) {
  SIZE(nvmlPciInfo_t);
  OFFSET(nvmlPciInfo_t, busIdLegacy);
  OFFSET(nvmlPciInfo_t, domain);
  OFFSET(nvmlPciInfo_t, bus);
  OFFSET(nvmlPciInfo_t, device);
  OFFSET(nvmlPciInfo_t, pciDeviceId);
  OFFSET(nvmlPciInfo_t, pciSubSystemId);
  OFFSET(nvmlPciInfo_t, busId);

  SIZE(nvmlUtilization_t);
  OFFSET(nvmlUtilization_t, gpu);
  OFFSET(nvmlUtilization_t, memory);

  SIZE(nvmlMemory_t);
  OFFSET(nvmlMemory_t, total);
  OFFSET(nvmlMemory_t, free);
  OFFSET(nvmlMemory_t, used);

  SIZE(nvmlMemory_v2_t);
  OFFSET(nvmlMemory_v2_t, version);
  OFFSET(nvmlMemory_v2_t, total);
  OFFSET(nvmlMemory_v2_t, reserved);
  OFFSET(nvmlMemory_v2_t, free);
  OFFSET(nvmlMemory_v2_t, used);

  SIZE(nvmlValue_t);
  OFFSET(nvmlValue_t, dVal);
  OFFSET(nvmlValue_t, uiVal);
  OFFSET(nvmlValue_t, ulVal);
  OFFSET(nvmlValue_t, ullVal);
  OFFSET(nvmlValue_t, sllVal);

  SIZE(nvmlFieldValue_t);
  OFFSET(nvmlFieldValue_t, fieldId);
  OFFSET(nvmlFieldValue_t, scopeId);
  OFFSET(nvmlFieldValue_t, timestamp);
  OFFSET(nvmlFieldValue_t, latencyUsec);
  OFFSET(nvmlFieldValue_t, valueType);
  OFFSET(nvmlFieldValue_t, nvmlReturn);
  OFFSET(nvmlFieldValue_t, value);

  SIZE(nvmlGridLicenseExpiry_t);
  OFFSET(nvmlGridLicenseExpiry_t, year);
  OFFSET(nvmlGridLicenseExpiry_t, month);
  OFFSET(nvmlGridLicenseExpiry_t, day);
  OFFSET(nvmlGridLicenseExpiry_t, hour);
  OFFSET(nvmlGridLicenseExpiry_t, min);
  OFFSET(nvmlGridLicenseExpiry_t, sec);
  OFFSET(nvmlGridLicenseExpiry_t, status);

  SIZE(nvmlGridLicensableFeature_t);
  OFFSET(nvmlGridLicensableFeature_t, featureCode);
  OFFSET(nvmlGridLicensableFeature_t, featureState);
  OFFSET(nvmlGridLicensableFeature_t, licenseInfo);
  OFFSET(nvmlGridLicensableFeature_t, productName);
  OFFSET(nvmlGridLicensableFeature_t, featureEnabled);
  OFFSET(nvmlGridLicensableFeature_t, licenseExpiry);

  SIZE(nvmlGridLicensableFeatures_t);
  OFFSET(nvmlGridLicensableFeatures_t, isGridLicenseSupported);
  OFFSET(nvmlGridLicensableFeatures_t, licensableFeaturesCount);
  OFFSET(nvmlGridLicensableFeatures_t, gridLicensableFeatures);

  SIZE(nvmlBAR1Memory_t);
  OFFSET(nvmlBAR1Memory_t, bar1Total);
  OFFSET(nvmlBAR1Memory_t, bar1Free);
  OFFSET(nvmlBAR1Memory_t, bar1Used);

  SIZE(nvmlRowRemapperHistogramValues_t);
  OFFSET(nvmlRowRemapperHistogramValues_t, max);
  OFFSET(nvmlRowRemapperHistogramValues_t, high);
  OFFSET(nvmlRowRemapperHistogramValues_t, partial);
  OFFSET(nvmlRowRemapperHistogramValues_t, low);
  OFFSET(nvmlRowRemapperHistogramValues_t, none);

  SIZE(nvmlGpmSupport_t);
  OFFSET(nvmlGpmSupport_t, version);
  OFFSET(nvmlGpmSupport_t, isSupportedDevice);

  SIZE(nvmlGpmMetric_t);
  OFFSET(nvmlGpmMetric_t, metricId);
  OFFSET(nvmlGpmMetric_t, nvmlReturn);
  OFFSET(nvmlGpmMetric_t, value);
  OFFSET(nvmlGpmMetricsGet_t, version);
  OFFSET(nvmlGpmMetricsGet_t, numMetrics);
  OFFSET(nvmlGpmMetricsGet_t, sample1);
  OFFSET(nvmlGpmMetricsGet_t, sample2);
  OFFSET(nvmlGpmMetricsGet_t, metrics);

#if !defined(REAL_HEADER) || defined(NVML_CC_SYSTEM_FEATURE_ENABLED)
  SIZE(nvmlConfComputeSystemState_t);
  OFFSET(nvmlConfComputeSystemState_t, environment);
  OFFSET(nvmlConfComputeSystemState_t, ccFeature);
  OFFSET(nvmlConfComputeSystemState_t, devToolsMode);
#endif

#if !defined(REAL_HEADER) || defined(nvmlMarginTemperature_v1)
  SIZE(nvmlMarginTemperature_v1_t);
  OFFSET(nvmlMarginTemperature_v1_t, version);
  OFFSET(nvmlMarginTemperature_v1_t, marginTemperature);
#endif

#if !defined(REAL_HEADER) || defined(nvmlEccSramErrorStatus_v1)
  SIZE(nvmlEccSramErrorStatus_v1_t);
  OFFSET(nvmlEccSramErrorStatus_v1_t, version);
  OFFSET(nvmlEccSramErrorStatus_v1_t, aggregateUncParity);
  OFFSET(nvmlEccSramErrorStatus_v1_t, aggregateUncSecDed);
  OFFSET(nvmlEccSramErrorStatus_v1_t, aggregateCor);
  OFFSET(nvmlEccSramErrorStatus_v1_t, volatileUncParity);
  OFFSET(nvmlEccSramErrorStatus_v1_t, volatileUncSecDed);
  OFFSET(nvmlEccSramErrorStatus_v1_t, volatileCor);
  OFFSET(nvmlEccSramErrorStatus_v1_t, aggregateUncBucketL2);
  OFFSET(nvmlEccSramErrorStatus_v1_t, aggregateUncBucketSm);
  OFFSET(nvmlEccSramErrorStatus_v1_t, aggregateUncBucketPcie);
  OFFSET(nvmlEccSramErrorStatus_v1_t, aggregateUncBucketMcu);
  OFFSET(nvmlEccSramErrorStatus_v1_t, aggregateUncBucketOther);
  OFFSET(nvmlEccSramErrorStatus_v1_t, bThresholdExceeded);
#endif

#if !defined(REAL_HEADER) || defined(nvmlGpuFabricInfo_v3)
  SIZE(nvmlGpuFabricInfo_v3_t);
  OFFSET(nvmlGpuFabricInfo_v3_t, version);
  OFFSET(nvmlGpuFabricInfo_v3_t, clusterUuid);
  OFFSET(nvmlGpuFabricInfo_v3_t, status);
  OFFSET(nvmlGpuFabricInfo_v3_t, cliqueId);
  OFFSET(nvmlGpuFabricInfo_v3_t, state);
  OFFSET(nvmlGpuFabricInfo_v3_t, healthMask);
  OFFSET(nvmlGpuFabricInfo_v3_t, healthSummary);
#endif

#if !defined(REAL_HEADER) || defined(nvmlPlatformInfo_v2)
  SIZE(nvmlPlatformInfo_v2_t);
  OFFSET(nvmlPlatformInfo_v2_t, version);
  OFFSET(nvmlPlatformInfo_v2_t, ibGuid);
  OFFSET(nvmlPlatformInfo_v2_t, chassisSerialNumber);
  OFFSET(nvmlPlatformInfo_v2_t, slotNumber);
  OFFSET(nvmlPlatformInfo_v2_t, trayIndex);
  OFFSET(nvmlPlatformInfo_v2_t, hostId);
  OFFSET(nvmlPlatformInfo_v2_t, peerType);
  OFFSET(nvmlPlatformInfo_v2_t, moduleId);
#endif

  SIZE(nvmlDeviceAttributes_t);
  OFFSET(nvmlDeviceAttributes_t, multiprocessorCount);
  OFFSET(nvmlDeviceAttributes_t, sharedCopyEngineCount);
  OFFSET(nvmlDeviceAttributes_t, sharedDecoderCount);
  OFFSET(nvmlDeviceAttributes_t, sharedEncoderCount);
  OFFSET(nvmlDeviceAttributes_t, sharedJpegCount);
  OFFSET(nvmlDeviceAttributes_t, sharedOfaCount);
  OFFSET(nvmlDeviceAttributes_t, gpuInstanceSliceCount);
  OFFSET(nvmlDeviceAttributes_t, computeInstanceSliceCount);
  OFFSET(nvmlDeviceAttributes_t, memorySizeMB);

  SIZE(nvmlEventData_t);
  OFFSET(nvmlEventData_t, device);
  OFFSET(nvmlEventData_t, eventType);
  OFFSET(nvmlEventData_t, eventData);
  OFFSET(nvmlEventData_t, gpuInstanceId);
  OFFSET(nvmlEventData_t, computeInstanceId);

  SIZE(nvmlProcessInfo_v2_t);
  OFFSET(nvmlProcessInfo_v2_t, pid);
  OFFSET(nvmlProcessInfo_v2_t, usedGpuMemory);
  OFFSET(nvmlProcessInfo_v2_t, gpuInstanceId);
  OFFSET(nvmlProcessInfo_v2_t, computeInstanceId);

  SIZE(nvmlProcessUtilizationSample_t);
  OFFSET(nvmlProcessUtilizationSample_t, pid);
  OFFSET(nvmlProcessUtilizationSample_t, timeStamp);
  OFFSET(nvmlProcessUtilizationSample_t, smUtil);
  OFFSET(nvmlProcessUtilizationSample_t, memUtil);
  OFFSET(nvmlProcessUtilizationSample_t, encUtil);
  OFFSET(nvmlProcessUtilizationSample_t, decUtil);

  SIZE(nvmlSample_t);
  OFFSET(nvmlSample_t, timeStamp);
  OFFSET(nvmlSample_t, sampleValue);

#ifdef REAL_HEADER
  printf("version nvmlMemory_v2 %u\n", nvmlMemory_v2);
#ifdef nvmlMarginTemperature_v1
  printf("version nvmlMarginTemperature_v1 %u\n", nvmlMarginTemperature_v1);
#endif
#ifdef nvmlEccSramErrorStatus_v1
  printf("version nvmlEccSramErrorStatus_v1 %u\n", nvmlEccSramErrorStatus_v1);
#endif
#ifdef nvmlGpuFabricInfo_v2
  printf("version nvmlGpuFabricInfo_v2 %u\n", nvmlGpuFabricInfo_v2);
#endif
#ifdef nvmlGpuFabricInfo_v3
  printf("version nvmlGpuFabricInfo_v3 %u\n", nvmlGpuFabricInfo_v3);
#endif
#ifdef nvmlPlatformInfo_v2
  printf("version nvmlPlatformInfo_v2 %u\n", nvmlPlatformInfo_v2);
#endif

  CONSTANT(NVML_SUCCESS);
  CONSTANT(NVML_ERROR_UNINITIALIZED);
  CONSTANT(NVML_ERROR_INVALID_ARGUMENT);
  CONSTANT(NVML_ERROR_NOT_SUPPORTED);
  CONSTANT(NVML_ERROR_NO_PERMISSION);
  CONSTANT(NVML_ERROR_ALREADY_INITIALIZED);
  CONSTANT(NVML_ERROR_NOT_FOUND);
  CONSTANT(NVML_ERROR_INSUFFICIENT_SIZE);
  CONSTANT(NVML_ERROR_INSUFFICIENT_POWER);
  CONSTANT(NVML_ERROR_DRIVER_NOT_LOADED);
  CONSTANT(NVML_ERROR_TIMEOUT);
  CONSTANT(NVML_ERROR_IRQ_ISSUE);
  CONSTANT(NVML_ERROR_LIBRARY_NOT_FOUND);
  CONSTANT(NVML_ERROR_FUNCTION_NOT_FOUND);
  CONSTANT(NVML_ERROR_CORRUPTED_INFOROM);
  CONSTANT(NVML_ERROR_GPU_IS_LOST);
  CONSTANT(NVML_ERROR_RESET_REQUIRED);
  CONSTANT(NVML_ERROR_OPERATING_SYSTEM);
  CONSTANT(NVML_ERROR_LIB_RM_VERSION_MISMATCH);
  CONSTANT(NVML_ERROR_IN_USE);
  CONSTANT(NVML_ERROR_MEMORY);
  CONSTANT(NVML_ERROR_NO_DATA);
  CONSTANT(NVML_ERROR_VGPU_ECC_NOT_SUPPORTED);
  CONSTANT(NVML_ERROR_INSUFFICIENT_RESOURCES);
  CONSTANT(NVML_ERROR_FREQ_NOT_SUPPORTED);
  CONSTANT(NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  CONSTANT(NVML_ERROR_UNKNOWN);

  CONSTANT(NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE);
  CONSTANT(NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE);
  CONSTANT(NVML_DEVICE_UUID_V2_BUFFER_SIZE);
  CONSTANT(NVML_DEVICE_NAME_V2_BUFFER_SIZE);
  CONSTANT(NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE);
  CONSTANT(NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE);
  CONSTANT(NVML_GRID_LICENSE_BUFFER_SIZE);
  CONSTANT(NVML_GRID_LICENSE_FEATURE_MAX_COUNT);

  CONSTANT(NVML_VALUE_NOT_AVAILABLE);

  CONSTANT(NVML_CLOCK_GRAPHICS);
  CONSTANT(NVML_CLOCK_SM);
  CONSTANT(NVML_CLOCK_MEM);
  CONSTANT(NVML_TEMPERATURE_GPU);
  CONSTANT(NVML_CLOCK_VIDEO);
  CONSTANT(NVML_TEMPERATURE_THRESHOLD_SHUTDOWN);
  CONSTANT(NVML_TEMPERATURE_THRESHOLD_SLOWDOWN);
  CONSTANT(NVML_TEMPERATURE_THRESHOLD_MEM_MAX);
  CONSTANT(NVML_TEMPERATURE_THRESHOLD_GPU_MAX);
  CONSTANT(NVML_PSTATE_UNKNOWN);
  CONSTANT(NVML_COMPUTEMODE_DEFAULT);
  CONSTANT(NVML_COMPUTEMODE_PROHIBITED);
  CONSTANT(NVML_COMPUTEMODE_EXCLUSIVE_PROCESS);
  CONSTANT(NVML_MEMORY_ERROR_TYPE_CORRECTED);
  CONSTANT(NVML_MEMORY_ERROR_TYPE_UNCORRECTED);
  CONSTANT(NVML_VOLATILE_ECC);
  CONSTANT(NVML_AGGREGATE_ECC);
  CONSTANT(NVML_MEMORY_LOCATION_L1_CACHE);
  CONSTANT(NVML_MEMORY_LOCATION_L2_CACHE);
  CONSTANT(NVML_MEMORY_LOCATION_DEVICE_MEMORY);
  CONSTANT(NVML_MEMORY_LOCATION_REGISTER_FILE);
  CONSTANT(NVML_MEMORY_LOCATION_TEXTURE_MEMORY);
  CONSTANT(NVML_MEMORY_LOCATION_TEXTURE_SHM);
  CONSTANT(NVML_MEMORY_LOCATION_CBU);
  CONSTANT(NVML_MEMORY_LOCATION_SRAM);
  CONSTANT(NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS);
  CONSTANT(NVML_NVLINK_ERROR_DL_REPLAY);
  CONSTANT(NVML_NVLINK_ERROR_DL_RECOVERY);
  CONSTANT(NVML_NVLINK_ERROR_DL_CRC_FLIT);
  CONSTANT(NVML_NVLINK_ERROR_DL_CRC_DATA);
  CONSTANT(NVML_INFOROM_OEM);
  CONSTANT(NVML_INFOROM_ECC);
  CONSTANT(NVML_INFOROM_POWER);
  CONSTANT(NVML_DEVICE_INFOROM_VERSION_BUFFER_SIZE);
  CONSTANT(NVML_DEVICE_SERIAL_BUFFER_SIZE);
  CONSTANT(NVML_DEVICE_VBIOS_VERSION_BUFFER_SIZE);
#ifdef NVML_GPU_FABRIC_STATE_COMPLETED
  CONSTANT(NVML_GPU_FABRIC_STATE_COMPLETED);
#endif
  CONSTANT(NVML_GRID_LICENSE_FEATURE_CODE_VGPU);

  CONSTANT(NVML_VALUE_TYPE_DOUBLE);
  CONSTANT(NVML_VALUE_TYPE_UNSIGNED_INT);
  CONSTANT(NVML_VALUE_TYPE_UNSIGNED_LONG);
  CONSTANT(NVML_VALUE_TYPE_UNSIGNED_LONG_LONG);
  CONSTANT(NVML_VALUE_TYPE_SIGNED_LONG_LONG);

  CONSTANT(NVML_FI_DEV_MEMORY_TEMP);
  CONSTANT(NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION);
  CONSTANT(NVML_FI_DEV_NVLINK_LINK_COUNT);
  CONSTANT(NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX);
  CONSTANT(NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX);
  CONSTANT(NVML_FI_DEV_REMAPPED_COR);
  CONSTANT(NVML_FI_DEV_REMAPPED_UNC);
  CONSTANT(NVML_FI_DEV_REMAPPED_FAILURE);

  CONSTANT(NVML_DEVICE_MIG_DISABLE);
  CONSTANT(NVML_DEVICE_MIG_ENABLE);

  CONSTANT(nvmlEventTypeSingleBitEccError);
  CONSTANT(nvmlEventTypeDoubleBitEccError);
  CONSTANT(nvmlEventTypeXidCriticalError);
  CONSTANT(nvmlEventMigConfigChange);

  CONSTANT(NVML_GPU_UTILIZATION_SAMPLES);
  CONSTANT(NVML_MEMORY_UTILIZATION_SAMPLES);
  CONSTANT(NVML_ENC_UTILIZATION_SAMPLES);
  CONSTANT(NVML_DEC_UTILIZATION_SAMPLES);

  CONSTANT(NVML_P2P_CAPS_INDEX_NVLINK);
  CONSTANT(NVML_P2P_STATUS_OK);
  CONSTANT(NVML_P2P_STATUS_CHIPSET_NOT_SUPPORED);
  CONSTANT(NVML_P2P_STATUS_GPU_NOT_SUPPORTED);
  CONSTANT(NVML_P2P_STATUS_IOH_TOPOLOGY_NOT_SUPPORTED);
  CONSTANT(NVML_P2P_STATUS_DISABLED_BY_REGKEY);
  CONSTANT(NVML_P2P_STATUS_NOT_SUPPORTED);
  CONSTANT(NVML_P2P_STATUS_UNKNOWN);

  CONSTANT(NVML_TOPOLOGY_INTERNAL);
  CONSTANT(NVML_TOPOLOGY_SINGLE);
  CONSTANT(NVML_TOPOLOGY_MULTIPLE);
  CONSTANT(NVML_TOPOLOGY_HOSTBRIDGE);
  CONSTANT(NVML_TOPOLOGY_NODE);
  CONSTANT(NVML_TOPOLOGY_SYSTEM);
  CONSTANT(NVML_NVLINK_DEVICE_TYPE_GPU);
  CONSTANT(NVML_NVLINK_DEVICE_TYPE_SWITCH);
#endif
#ifdef FIELD_IDS
#include FIELD_IDS
#endif
  return 0;
}
