/*
 * The part of the stub that answers single numbers and texts, and the samples of GPM. Part of
 * nvml_stub.c; in a file of its own because it is one long table.
 */
#include <stdlib.h>

#define MAX_NUMBERS 256
#define MAX_METRICS 333
#define NO_SELECTOR 0

typedef struct {
  char function[NAME_BYTES];
  int gpu, selector;
  long long value;
} number_t;

struct nvmlGpmSample_st {
  int gpu, instance, turn; /* turn 0: never filled */
};

static number_t numbers[MAX_NUMBERS];
static int number_count;
static double metrics[MAX_METRICS];
#define GRAPHICS_UTIL 1
#define MAX_INSTANCES 16
#define WHOLE (MAX_INSTANCES - 1)
static double activity[MAX_GPUS][MAX_INSTANCES];
static int has_activity[MAX_GPUS];
static int metric_codes[MAX_METRICS];
static int metric_limit, samples, turns, last_instance;
static char chassis_serial[17]; /* the struct has no room for the zero */

static void reset_sensors(void) {
  number_count = 0;
  samples = 0;
  turns = 0;
  last_instance = -1;
  memset(chassis_serial, 0, sizeof chassis_serial);
  metric_limit = MAX_METRICS;
  memset(activity, 0, sizeof activity);
  memset(has_activity, 0, sizeof has_activity);
  for (int id = 0; id < MAX_METRICS; id++) {
    metric_codes[id] = NOT_SUPPORTED;
  }
}

/* What that function says about that GPU, for that selector (a type, a place, the n-th output). */
void stub_number(const char *function, int gpu, int selector, long long value) {
  number_t *entry = &numbers[number_count++];
  snprintf(entry->function, NAME_BYTES, "%s", function);
  entry->gpu = gpu;
  entry->selector = selector;
  entry->value = value;
}

void stub_metric(int id, int code, double value) {
  metric_codes[id] = code;
  metrics[id] = value;
}

/* How busy the engines of an instance are, or of the whole GPU (-1); from now on each has its own. */
void stub_activity(int gpu, int instance, double percent) {
  has_activity[gpu] = 1;
  activity[gpu][instance < 0 ? WHOLE : instance] = percent;
}

/* From now on a call that asks for that metric, or a later one, is refused as a whole. */
void stub_metric_limit(int id) {
  metric_limit = id;
}

/* Of every GPU; all sixteen bytes may be used. */
void stub_chassis_serial(const char *serial) {
  snprintf(chassis_serial, sizeof chassis_serial, "%s", serial);
}

/* How many samples are open. */
int stub_samples(void) {
  return samples;
}

/* Which instance was sampled last; -1: the whole GPU. */
int stub_last_instance(void) {
  return last_instance;
}

/* The newest word on the matter; NOT_SUPPORTED if there is none. */
static int number(const char *function, nvmlDevice_t device, int selector, long long *value) {
  for (int i = number_count - 1; i >= 0; i--) {
    const number_t *entry = &numbers[i];
    if (strcmp(entry->function, function) == 0 && entry->gpu == (int)(device - gpus) &&
        entry->selector == selector) {
      *value = entry->value;
      return SUCCESS;
    }
  }
  return NOT_SUPPORTED;
}

static int put_uint(const char *function, nvmlDevice_t device, int selector, unsigned int *out) {
  long long value;
  int code = number(function, device, selector, &value);
  if (code == SUCCESS) {
    *out = (unsigned int)value;
  }
  return code;
}

static int put_long(const char *function, nvmlDevice_t device, int selector,
                    unsigned long long *out) {
  long long value;
  int code = number(function, device, selector, &value);
  if (code == SUCCESS) {
    *out = (unsigned long long)value;
  }
  return code;
}

static unsigned long long long_or_zero(const char *function, nvmlDevice_t device, int selector) {
  unsigned long long value = 0;
  put_long(function, device, selector, &value);
  return value;
}

#define NUMBER(function)                                                                          \
  int function(nvmlDevice_t device, unsigned int *out) {                                          \
    ENTER_GPU(device);                                                                            \
    return put_uint(__func__, device, NO_SELECTOR, out);                                          \
  }

#define NUMBER_OF_TYPE(function)                                                                  \
  int function(nvmlDevice_t device, int type, unsigned int *out) {                                \
    ENTER_GPU(device);                                                                            \
    return put_uint(__func__, device, type, out);                                                 \
  }

#define TWO_NUMBERS(function)                                                                     \
  int function(nvmlDevice_t device, unsigned int *first, unsigned int *second) {                  \
    ENTER_GPU(device);                                                                            \
    int code = put_uint(__func__, device, 0, first);                                              \
    return code == SUCCESS ? put_uint(__func__, device, 1, second) : code;                        \
  }

#define LONG_NUMBER(function)                                                                     \
  int function(nvmlDevice_t device, unsigned long long *out) {                                    \
    ENTER_GPU(device);                                                                            \
    return put_long(__func__, device, NO_SELECTOR, out);                                          \
  }

/* The text is the function's own name, as far as it fits. */
#define TEXT(function)                                                                            \
  int function(nvmlDevice_t device, char *out, unsigned int length) {                             \
    ENTER_GPU(device);                                                                            \
    snprintf(out, length, "%s", __func__ + strlen("nvmlDeviceGet"));                              \
    return SUCCESS;                                                                               \
  }

NUMBER(nvmlDeviceGetPowerManagementLimit)
NUMBER(nvmlDeviceGetPowerManagementDefaultLimit)
NUMBER(nvmlDeviceGetEnforcedPowerLimit)
NUMBER(nvmlDeviceGetPerformanceState)
NUMBER(nvmlDeviceGetFanSpeed)
NUMBER(nvmlDeviceGetMaxPcieLinkGeneration)
NUMBER(nvmlDeviceGetMaxPcieLinkWidth)
NUMBER(nvmlDeviceGetCurrPcieLinkGeneration)
NUMBER(nvmlDeviceGetCurrPcieLinkWidth)
NUMBER(nvmlDeviceGetUnrepairableMemoryFlag_v1)
NUMBER(nvmlDeviceGetComputeMode)
NUMBER(nvmlDeviceGetPersistenceMode)
NUMBER(nvmlDeviceGetBrand)
NUMBER(nvmlDeviceGetVirtualizationMode)
NUMBER(nvmlDeviceGetInforomConfigurationChecksum)
NUMBER_OF_TYPE(nvmlDeviceGetMaxClockInfo)
NUMBER_OF_TYPE(nvmlDeviceGetApplicationsClock)
NUMBER_OF_TYPE(nvmlDeviceGetTemperatureThreshold)
TWO_NUMBERS(nvmlDeviceGetPowerManagementLimitConstraints)
TWO_NUMBERS(nvmlDeviceGetEccMode)
TWO_NUMBERS(nvmlDeviceGetCudaComputeCapability)
TWO_NUMBERS(nvmlDeviceGetJpgUtilization)
TWO_NUMBERS(nvmlDeviceGetOfaUtilization)
LONG_NUMBER(nvmlDeviceGetCurrentClocksThrottleReasons)
TEXT(nvmlDeviceGetSerial)
TEXT(nvmlDeviceGetInforomImageVersion)
TEXT(nvmlDeviceGetVbiosVersion)

#ifndef WITHOUT_nvmlDeviceGetCurrentClocksEventReasons
LONG_NUMBER(nvmlDeviceGetCurrentClocksEventReasons)
#endif

/* Its number is the code that it answers. */
int nvmlDeviceValidateInforom(nvmlDevice_t device) {
  ENTER_GPU(device);
  long long code;
  return number(__func__, device, NO_SELECTOR, &code) == SUCCESS ? (int)code : NOT_SUPPORTED;
}

int nvmlDeviceGetInforomVersion(nvmlDevice_t device, int object, char *out, unsigned int length) {
  ENTER_GPU(device);
  snprintf(out, length, "object %d", object);
  return SUCCESS;
}

int nvmlSystemGetCudaDriverVersion_v2(int *version) {
  ENTER();
  IN_SESSION();
  *version = 12040;
  return SUCCESS;
}

int nvmlSystemGetConfComputeState(nvmlConfComputeSystemState_t *state) {
  ENTER();
  IN_SESSION();
  *state = (nvmlConfComputeSystemState_t){2, 1, 3};
  return SUCCESS;
}

int nvmlDeviceGetMarginTemperature(nvmlDevice_t device, nvmlMarginTemperature_v1_t *margin) {
  ENTER_GPU(device);
  if (margin->version != (sizeof *margin | (1 << 24))) {
    return VERSION_MISMATCH;
  }
  return put_uint(__func__, device, NO_SELECTOR, (unsigned int *)&margin->marginTemperature);
}

int nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t device, int type, int counter, int location,
                                    unsigned long long *count) {
  ENTER_GPU(device);
  return put_long(__func__, device, 100 * type + 10 * counter + location, count);
}

int nvmlDeviceGetNvLinkErrorCounter(nvmlDevice_t device, unsigned int link, int counter,
                                    unsigned long long *value) {
  ENTER_GPU(device);
  return put_long(__func__, device, 10 * (int)link + counter, value);
}

int nvmlDeviceGetSramEccErrorStatus(nvmlDevice_t device, nvmlEccSramErrorStatus_v1_t *status) {
  ENTER_GPU(device);
  if (status->version != (sizeof *status | (1 << 24))) {
    return VERSION_MISMATCH;
  }
  return put_uint(__func__, device, NO_SELECTOR, &status->bThresholdExceeded);
}

int nvmlDeviceGetRowRemapperHistogram(nvmlDevice_t device,
                                      nvmlRowRemapperHistogramValues_t *values) {
  ENTER_GPU(device);
  unsigned int *all[] = {&values->max, &values->high, &values->partial, &values->low,
                         &values->none};
  for (int i = 0; i < 5; i++) {
    if (put_uint(__func__, device, i, all[i]) != SUCCESS) {
      return NOT_SUPPORTED;
    }
  }
  return SUCCESS;
}

int nvmlDeviceGetRetiredPages(nvmlDevice_t device, int cause, unsigned int *count,
                              unsigned long long *addresses) {
  ENTER_GPU(device);
  unsigned int room = *count;
  int code = put_uint(__func__, device, cause, count);
  return code == SUCCESS && *count > room ? INSUFFICIENT_SIZE : code;
}

int nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t *memory) {
  ENTER_GPU(device);
  memory->bar1Total = long_or_zero(__func__, device, 0);
  memory->bar1Free = long_or_zero(__func__, device, 1);
  memory->bar1Used = long_or_zero(__func__, device, 2);
  return memory->bar1Total == 0 ? NOT_SUPPORTED : SUCCESS;
}

/* Selectors: 0 newest version of the struct, 1 state, 2 status, 3 clique, 4 mask, 5 summary. */
#ifndef WITHOUT_nvmlDeviceGetGpuFabricInfoV
int nvmlDeviceGetGpuFabricInfoV(nvmlDevice_t device, nvmlGpuFabricInfo_v3_t *info) {
  ENTER_GPU(device);
  unsigned int newest = long_or_zero(__func__, device, 0);
  unsigned int version = info->version >> 24;
  if (newest == 0) {
    return NOT_SUPPORTED;
  }
  if (version > newest || (info->version & 0xFFFFFF) != (version == 3
                                                             ? sizeof(nvmlGpuFabricInfo_v3_t)
                                                             : sizeof(nvmlGpuFabricInfo_v2_t))) {
    return VERSION_MISMATCH;
  }
  for (int i = 0; i < 16; i++) {
    info->clusterUuid[i] = long_or_zero(__func__, device, 6) == 0 ? 0 : 0x10 + i;
  }
  info->state = long_or_zero(__func__, device, 1);
  info->status = long_or_zero(__func__, device, 2);
  info->cliqueId = long_or_zero(__func__, device, 3);
  info->healthMask = long_or_zero(__func__, device, 4);
  if (version == 3) {
    info->healthSummary = long_or_zero(__func__, device, 5);
  }
  return SUCCESS;
}
#endif

/* Selectors as above, but that the version does not matter. */
int nvmlDeviceGetGpuFabricInfo(nvmlDevice_t device, nvmlGpuFabricInfo_t *info) {
  static const char *newer = "nvmlDeviceGetGpuFabricInfoV";
  ENTER_GPU(device);
  memset(info, 0, sizeof *info);
  for (int i = 0; i < 16; i++) {
    info->clusterUuid[i] = long_or_zero(newer, device, 6) == 0 ? 0 : 0x10 + i;
  }
  info->state = long_or_zero(newer, device, 1);
  info->status = long_or_zero(newer, device, 2);
  info->cliqueId = long_or_zero(newer, device, 3);
  return SUCCESS;
}

/* Selectors: 0 version of the struct, 1 GUID, 2 slot, 3 tray, 4 host, 5 peer type, 6 module. */
#ifndef WITHOUT_nvmlDeviceGetPlatformInfo
int nvmlDeviceGetPlatformInfo(nvmlDevice_t device, nvmlPlatformInfo_v2_t *info) {
  ENTER_GPU(device);
  unsigned int version = long_or_zero(__func__, device, 0);
  if (version == 0) {
    return NOT_SUPPORTED;
  }
  if (info->version != (sizeof *info | (version << 24))) {
    return VERSION_MISMATCH;
  }
  unsigned long long guid = long_or_zero(__func__, device, 1);
  memset(info->ibGuid, 0, sizeof info->ibGuid);
  for (int i = 0; i < 8; i++) {
    info->ibGuid[i] = guid >> (56 - 8 * i);
  }
  memcpy(info->chassisSerialNumber, chassis_serial, sizeof info->chassisSerialNumber);
  info->slotNumber = long_or_zero(__func__, device, 2);
  info->trayIndex = long_or_zero(__func__, device, 3);
  info->hostId = long_or_zero(__func__, device, 4);
  info->peerType = long_or_zero(__func__, device, 5);
  info->moduleId = long_or_zero(__func__, device, 6);
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlGpmQueryDeviceSupport
int nvmlGpmQueryDeviceSupport(nvmlDevice_t device, nvmlGpmSupport_t *support) {
  ENTER_GPU(device);
  if (support->version != 1) {
    return VERSION_MISMATCH;
  }
  support->isSupportedDevice = long_or_zero(__func__, device, NO_SELECTOR) != 0;
  return SUCCESS;
}
#endif

int nvmlGpmSampleAlloc(nvmlGpmSample_t *sample) {
  ENTER();
  IN_SESSION();
  *sample = calloc(1, sizeof **sample);
  samples++;
  return SUCCESS;
}

int nvmlGpmSampleFree(nvmlGpmSample_t sample) {
  ENTER();
  IN_SESSION();
  free(sample);
  samples--;
  return SUCCESS;
}

static int has_instance(nvmlDevice_t device, unsigned int instance) {
  for (int i = 0; i < mig_count; i++) {
    if (gpus[MAX_GPUS + i].parent == device && gpus[MAX_GPUS + i].instance == instance) {
      return 1;
    }
  }
  return 0;
}

static int fill(nvmlDevice_t device, int instance, nvmlGpmSample_t sample) {
  last_instance = instance;
  *sample = (struct nvmlGpmSample_st){(int)(device - gpus), instance, ++turns};
  return SUCCESS;
}

int nvmlGpmSampleGet(nvmlDevice_t device, nvmlGpmSample_t sample) {
  ENTER_GPU(device);
  return fill(device, -1, sample);
}

int nvmlGpmMigSampleGet(nvmlDevice_t device, unsigned int instance, nvmlGpmSample_t sample) {
  ENTER_GPU(device);
  if (has_activity[device - gpus] && !has_instance(device, instance)) {
    return 6; /* not found */
  }
  return fill(device, (int)instance, sample);
}

/* A metric's value is multiplied by the turns between the samples, so that a mix-up shows. */
int nvmlGpmMetricsGet(nvmlGpmMetricsGet_t *get) {
  ENTER();
  IN_SESSION();
  const struct nvmlGpmSample_st *before = get->sample1, *now = get->sample2;
  if (get->version != 1 || before->turn == 0 || before->turn >= now->turn ||
      before->gpu != now->gpu || before->instance != now->instance) {
    return INVALID_ARGUMENT;
  }
  for (unsigned int i = 0; i < get->numMetrics; i++) {
    if ((int)get->metrics[i].metricId >= metric_limit) {
      return INVALID_ARGUMENT;
    }
  }
  for (unsigned int i = 0; i < get->numMetrics; i++) {
    nvmlGpmMetric_t *metric = &get->metrics[i];
    metric->nvmlReturn = metric_codes[metric->metricId];
    if (metric->metricId == GRAPHICS_UTIL && has_activity[now->gpu]) {
      metric->nvmlReturn = SUCCESS;
      metric->value = activity[now->gpu][now->instance < 0 ? WHOLE : now->instance];
    } else if (metric->nvmlReturn == SUCCESS) {
      metric->value = metrics[metric->metricId] * (now->turn - before->turn);
    }
  }
  return SUCCESS;
}
