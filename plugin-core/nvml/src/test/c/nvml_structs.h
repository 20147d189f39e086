/* The structs of nvml.h that the project uses, for machines that do not have nvml.h. */
#ifndef NVML_STRUCTS_H
#define NVML_STRUCTS_H

#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define NVML_GRID_LICENSE_FEATURE_MAX_COUNT 3

typedef struct nvmlDevice_st *nvmlDevice_t;

typedef struct {
  char busIdLegacy[16];
  unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
  char busId[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
} nvmlPciInfo_t;

typedef struct {
  unsigned int gpu, memory;
} nvmlUtilization_t;

typedef struct {
  unsigned long long total, free, used;
} nvmlMemory_t;

typedef struct {
  unsigned int version;
  unsigned long long total, reserved, free, used;
} nvmlMemory_v2_t;

typedef union {
  double dVal;
  unsigned int uiVal;
  unsigned long ulVal;
  unsigned long long ullVal;
  signed long long sllVal;
} nvmlValue_t;

typedef struct {
  unsigned int fieldId, scopeId;
  long long timestamp, latencyUsec;
  int valueType;
  int nvmlReturn;
  nvmlValue_t value;
} nvmlFieldValue_t;

typedef struct {
  unsigned int year;
  unsigned short month, day, hour, min, sec;
  unsigned char status;
} nvmlGridLicenseExpiry_t;

typedef struct {
  int featureCode;
  unsigned int featureState;
  char licenseInfo[128];
  char productName[128];
  unsigned int featureEnabled;
  nvmlGridLicenseExpiry_t licenseExpiry;
} nvmlGridLicensableFeature_t;

typedef struct {
  int isGridLicenseSupported;
  unsigned int licensableFeaturesCount;
  nvmlGridLicensableFeature_t gridLicensableFeatures[NVML_GRID_LICENSE_FEATURE_MAX_COUNT];
} nvmlGridLicensableFeatures_t;

typedef struct {
  unsigned long long bar1Total, bar1Free, bar1Used;
} nvmlBAR1Memory_t;

typedef struct {
  unsigned int max, high, partial, low, none;
} nvmlRowRemapperHistogramValues_t;

typedef struct {
  unsigned int environment, ccFeature, devToolsMode;
} nvmlConfComputeSystemState_t;

typedef struct {
  unsigned int version;
  int marginTemperature;
} nvmlMarginTemperature_v1_t;

typedef struct {
  unsigned int version;
  unsigned long long aggregateUncParity, aggregateUncSecDed, aggregateCor;
  unsigned long long volatileUncParity, volatileUncSecDed, volatileCor;
  unsigned long long aggregateUncBucketL2, aggregateUncBucketSm, aggregateUncBucketPcie;
  unsigned long long aggregateUncBucketMcu, aggregateUncBucketOther;
  unsigned int bThresholdExceeded;
} nvmlEccSramErrorStatus_v1_t;

typedef struct {
  unsigned char clusterUuid[16];
  int status;
  unsigned int cliqueId;
  unsigned char state;
} nvmlGpuFabricInfo_t;

typedef struct {
  unsigned int version;
  unsigned char clusterUuid[16];
  int status;
  unsigned int cliqueId;
  unsigned char state;
  unsigned int healthMask;
} nvmlGpuFabricInfo_v2_t;

typedef struct {
  unsigned int version;
  unsigned char clusterUuid[16];
  int status;
  unsigned int cliqueId;
  unsigned char state;
  unsigned int healthMask;
  unsigned char healthSummary;
} nvmlGpuFabricInfo_v3_t;

typedef struct {
  unsigned int version;
  unsigned char ibGuid[16];
  unsigned char chassisSerialNumber[16];
  unsigned char slotNumber, trayIndex, hostId, peerType, moduleId;
} nvmlPlatformInfo_v2_t;

typedef struct nvmlGpmSample_st *nvmlGpmSample_t;

typedef struct {
  unsigned int version, isSupportedDevice;
} nvmlGpmSupport_t;

typedef struct {
  unsigned int metricId;
  int nvmlReturn;
  double value;
  struct {
    char *shortName, *longName, *unit;
  } metricInfo;
} nvmlGpmMetric_t;

typedef struct {
  unsigned int version, numMetrics;
  nvmlGpmSample_t sample1, sample2;
  nvmlGpmMetric_t metrics[333];
} nvmlGpmMetricsGet_t;

typedef struct {
  unsigned int multiprocessorCount, sharedCopyEngineCount, sharedDecoderCount, sharedEncoderCount,
      sharedJpegCount, sharedOfaCount, gpuInstanceSliceCount, computeInstanceSliceCount;
  unsigned long long memorySizeMB;
} nvmlDeviceAttributes_t;

typedef struct nvmlEventSet_st *nvmlEventSet_t;

typedef struct {
  nvmlDevice_t device;
  unsigned long long eventType, eventData;
  unsigned int gpuInstanceId, computeInstanceId;
} nvmlEventData_t;

typedef struct {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_v2_t;

typedef struct {
  unsigned int pid;
  unsigned long long timeStamp;
  unsigned int smUtil, memUtil, encUtil, decUtil;
} nvmlProcessUtilizationSample_t;

typedef struct {
  unsigned long long timeStamp;
  nvmlValue_t sampleValue;
} nvmlSample_t;

#endif
