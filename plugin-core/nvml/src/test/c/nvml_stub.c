/*
 * A driver's library for tests: the C side of nvml.h that the project calls, answering whatever the
 * test has told it to through the stub_* functions. Compile with -DWITHOUT_<function> to leave a
 * symbol out, as older drivers do.
 *
 * Structs are written out here, as nvml.h has them, because a build machine need not have nvml.h;
 * struct_layouts.c checks both against the real one.
 */
#include "nvml_structs.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MAX_GPUS 16
#define MAX_MIGS 64
#define MAX_FUNCTIONS 256
#define MAX_FIELDS 320
#define ALL_GPUS (-1)
#define NAME_BYTES 64
#define TEXT_BYTES 128
#define UNTOUCHED (-1) /* as a code: come back without having written anything */

#define SUCCESS 0
#define UNINITIALIZED 1
#define INVALID_ARGUMENT 2
#define NOT_SUPPORTED 3
#define INSUFFICIENT_SIZE 7
#define GPU_IS_LOST 15
#define VERSION_MISMATCH 25

typedef struct {
  char name[NAME_BYTES];
  int calls;
  int code[MAX_GPUS + 1]; /* the last one: for calls that are about no GPU */
  int hangs[MAX_GPUS + 1];
} function_t;

typedef struct {
  int code;
  int type;
  unsigned long long bits;
} field_t;

struct nvmlDevice_st {
  char uuid[TEXT_BYTES];
  char name[TEXT_BYTES];
  char bus_id[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
  unsigned int domain, bus, device;
  unsigned int sm_clock, memory_clock, video_clock, temperature, power, replays;
  unsigned long long energy;
  unsigned int gpu_percent, memory_percent, encoder_percent, decoder_percent;
  unsigned long long total, reserved, free, used;
  int licenses_supported;
  unsigned int license_count;
  nvmlGridLicensableFeature_t licenses[NVML_GRID_LICENSE_FEATURE_MAX_COUNT];
  field_t fields[MAX_FIELDS];
  struct nvmlDevice_st *parent; /* of a MIG device */
  unsigned int slot, instance, compute;
  nvmlDeviceAttributes_t attributes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int sessions;
static int gpu_count;
static int hanging;
static unsigned int last_scope;
static int refused[MAX_FIELDS];
static function_t functions[MAX_FUNCTIONS];
static int function_count;
static struct nvmlDevice_st gpus[MAX_GPUS + MAX_MIGS]; /* MIG devices after the GPUs */
static int mig_count;
static long long takes; /* nanoseconds, at least, of every call */
static int removed[MAX_GPUS];
static int everything[MAX_GPUS + 1]; /* what every function answers about a GPU, or about none */

static function_t *function_named(const char *name) {
  for (int i = 0; i < function_count; i++) {
    if (strcmp(functions[i].name, name) == 0) {
      return &functions[i];
    }
  }
  function_t *function = &functions[function_count++];
  memset(function, 0, sizeof *function);
  snprintf(function->name, NAME_BYTES, "%s", name);
  return function;
}

static void set_field(int gpu, int id, int code, int type, unsigned long long bits) {
  gpus[gpu].fields[id] = (field_t){code, type, bits};
}

static void reset_sensors(void);
static unsigned long long long_or_zero(const char *function, nvmlDevice_t device, int selector);
static void reset_migs_and_events(void);

/* -- what a test calls ----------------------------------------------------------------------- */

/* All calls forgotten, no session, so many healthy GPUs. */
void stub_reset(int count) {
  pthread_mutex_lock(&lock);
  sessions = 0;
  takes = 0;
  memset(everything, 0, sizeof everything);
  memset(removed, 0, sizeof removed);
  gpu_count = count;
  function_count = 0;
  memset(gpus, 0, sizeof gpus);
  memset(refused, 0, sizeof refused);
  reset_sensors();
  reset_migs_and_events();
  for (int i = 0; i < MAX_GPUS; i++) {
    struct nvmlDevice_st *gpu = &gpus[i];
    snprintf(gpu->uuid, TEXT_BYTES, "GPU-00000000-1111-2222-3333-%012d", i);
    snprintf(gpu->name, TEXT_BYTES, "Stub GPU");
    gpu->domain = 0;
    gpu->bus = 0x1a + i;
    snprintf(gpu->bus_id, sizeof gpu->bus_id, "%08X:%02X:%02X.0", gpu->domain, gpu->bus, gpu->device);
    gpu->sm_clock = 1980;
    gpu->video_clock = 1545;
    gpu->memory_clock = 2619;
    gpu->temperature = 41;
    gpu->power = 123456;
    gpu->energy = 5000000000ULL;
    gpu->total = 85899345920ULL;
    gpu->reserved = 671088640ULL;
    gpu->used = 1073741824ULL;
    gpu->free = gpu->total - gpu->reserved - gpu->used;
    gpu->gpu_percent = 37;
    gpu->memory_percent = 12;
    for (int id = 0; id < MAX_FIELDS; id++) {
      set_field(i, id, INVALID_ARGUMENT, 0, 0);
    }
    set_field(i, 82, SUCCESS, 1, 47);
    set_field(i, 83, SUCCESS, 3, gpu->energy);
    set_field(i, 138, SUCCESS, 3, 7000);
    set_field(i, 139, SUCCESS, 3, 5000);
    set_field(i, 142, SUCCESS, 1, 0);
    set_field(i, 143, SUCCESS, 1, 0);
    set_field(i, 145, SUCCESS, 1, 0);
  }
  pthread_mutex_unlock(&lock);
}

void stub_number(const char *function, int gpu, int selector, long long value);
void stub_metric(int id, int code, double value);

/* So many GPUs that answer much of what can be asked, to measure how long that takes. */
void stub_benchmark(int count) {
  stub_reset(count);
  for (int gpu = 0; gpu < count; gpu++) {
    for (int id = 0; id < MAX_FIELDS; id++) {
      set_field(gpu, id, SUCCESS, 3, 1000 + id);
    }
    stub_number("nvmlGpmQueryDeviceSupport", gpu, 0, 1);
  }
  for (int id = 1; id <= 20; id++) {
    stub_metric(id, SUCCESS, 50);
  }
}

#ifdef STUB_GPUS
/* For a program that cannot tell us: so many GPUs from the start on. */
__attribute__((constructor)) static void stub_begin(void) { stub_benchmark(STUB_GPUS); }
#endif

/* From now on every call takes at least so much CPU time, for one that reaches a GPU takes some. */
void stub_take(long long nanoseconds) {
  takes = nanoseconds;
}

/* From now on that function answers that code about that GPU (or every one, and no one). */
void stub_fail(const char *function, int gpu, int code) {
  pthread_mutex_lock(&lock);
  function_t *found = function_named(function);
  for (int i = 0; i <= MAX_GPUS; i++) {
    if (gpu == ALL_GPUS || gpu == i) {
      found->code[i] = code;
    }
  }
  pthread_mutex_unlock(&lock);
}

/*
 * From now on every function answers that code about that GPU, or about every one and none, as when
 * the driver is unloaded. What is open can be closed all the same.
 */
void stub_fail_all(int gpu, int code) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i <= MAX_GPUS; i++) {
    if (gpu == ALL_GPUS || gpu == i) {
      everything[i] = code;
    }
  }
  pthread_mutex_unlock(&lock);
}

/* From now on that function does not come back from that GPU, until stub_release. */
void stub_hang(const char *function, int gpu) {
  pthread_mutex_lock(&lock);
  function_named(function)->hangs[gpu] = 1;
  pthread_mutex_unlock(&lock);
}

/* Takes a GPU out of the node, or puts it in again; those behind it move up. */
void stub_remove(int gpu, int is) {
  pthread_mutex_lock(&lock);
  removed[gpu] = is;
  pthread_mutex_unlock(&lock);
}

/* Lets the calls of that function go that hang about that GPU, and those to come. */
void stub_unhang(const char *function, int gpu) {
  pthread_mutex_lock(&lock);
  function_named(function)->hangs[gpu] = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

/* Lets every call go that hangs, and those to come. */
void stub_release(void) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < function_count; i++) {
    memset(functions[i].hangs, 0, sizeof functions[i].hangs);
  }
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

int stub_calls(const char *function) {
  pthread_mutex_lock(&lock);
  int calls = function_named(function)->calls;
  pthread_mutex_unlock(&lock);
  return calls;
}

/* How many calls hang at this moment. */
int stub_hanging(void) {
  pthread_mutex_lock(&lock);
  int count = hanging;
  pthread_mutex_unlock(&lock);
  return count;
}

/* The scope of the field that was asked for last. */
unsigned int stub_last_scope(void) {
  return last_scope;
}

void stub_field(int gpu, int id, int code, int type, unsigned long long bits) {
  set_field(gpu, id, code, type, bits);
}

/* From now on a call that asks for that field is refused as a whole. */
void stub_refuse_field(int id) {
  refused[id] = 1;
}

void stub_identity(int gpu, const char *uuid, const char *name) {
  snprintf(gpus[gpu].uuid, TEXT_BYTES, "%s", uuid);
  snprintf(gpus[gpu].name, TEXT_BYTES, "%s", name);
}

void stub_pci(int gpu, unsigned int domain, unsigned int bus, unsigned int device, const char *id) {
  gpus[gpu].domain = domain;
  gpus[gpu].bus = bus;
  gpus[gpu].device = device;
  snprintf(gpus[gpu].bus_id, sizeof gpus[gpu].bus_id, "%s", id);
}

void stub_sensors(int gpu, unsigned int temperature, unsigned int power, unsigned int replays) {
  gpus[gpu].temperature = temperature;
  gpus[gpu].power = power;
  gpus[gpu].replays = replays;
}

void stub_load(int gpu, unsigned int gpu_percent, unsigned int memory_percent) {
  gpus[gpu].gpu_percent = gpu_percent;
  gpus[gpu].memory_percent = memory_percent;
}

void stub_licenses(int gpu, int supported, unsigned int count) {
  gpus[gpu].licenses_supported = supported;
  gpus[gpu].license_count = count;
}

void stub_license(int gpu, int entry, int code, int state) {
  gpus[gpu].licenses[entry].featureCode = code;
  gpus[gpu].licenses[entry].featureState = state;
}

/* -- nvml.h ---------------------------------------------------------------------------------- */

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void take_time(void) {
  if (takes > 0) {
    for (long long began = now(); now() - began < takes;) {
    }
  }
}

static int closes(const char *name) {
  return strcmp(name, "nvmlShutdown") == 0 || strcmp(name, "nvmlEventSetFree") == 0;
}

/* What every call does first; 0 if it may go on. */
static int enter(const char *name, nvmlDevice_t device) {
  int gpu = device == NULL ? MAX_GPUS : (int)((device->parent ? device->parent : device) - gpus);
  pthread_mutex_lock(&lock);
  function_t *function = function_named(name);
  function->calls++;
  if (function->hangs[gpu]) {
    hanging++;
    while (function->hangs[gpu]) {
      pthread_cond_wait(&changed, &lock);
    }
    hanging--;
  }
  int code = function->code[gpu];
  if (code == SUCCESS && !closes(name)) {
    code = gpu < MAX_GPUS && removed[gpu] ? GPU_IS_LOST : everything[gpu];
  }
  pthread_mutex_unlock(&lock);
  take_time();
  return code;
}

static int is_mig(nvmlDevice_t device) {
  return device >= gpus + MAX_GPUS && device < gpus + MAX_GPUS + mig_count;
}

static int is_gpu(nvmlDevice_t device) {
  return (device >= gpus && device < gpus + gpu_count) || is_mig(device);
}

#define ENTER()                                                                                   \
  do {                                                                                            \
    int code = enter(__func__, NULL);                                                             \
    if (code != SUCCESS) return code == UNTOUCHED ? SUCCESS : code;                               \
  } while (0)

#define IN_SESSION()                                                                              \
  do {                                                                                            \
    if (sessions == 0) return UNINITIALIZED;                                                      \
  } while (0)

#define ENTER_GPU(device)                                                                         \
  do {                                                                                            \
    IN_SESSION();                                                                                 \
    if (!is_gpu(device)) return INVALID_ARGUMENT;                                                 \
    int code = enter(__func__, device);                                                           \
    if (code != SUCCESS) return code == UNTOUCHED ? SUCCESS : code;                               \
  } while (0)

static int put_text(char *out, unsigned int length, const char *text) {
  if (strlen(text) >= length) {
    return INSUFFICIENT_SIZE;
  }
  strcpy(out, text);
  return SUCCESS;
}

static int init(void) {
  sessions++;
  return SUCCESS;
}

#ifndef WITHOUT_nvmlInit_v2
int nvmlInit_v2(void) {
  ENTER();
  return init();
}
#endif

#ifndef WITHOUT_nvmlInit
int nvmlInit(void) {
  ENTER();
  return init();
}
#endif

#ifndef WITHOUT_nvmlShutdown
int nvmlShutdown(void) {
  ENTER();
  IN_SESSION();
  sessions--;
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlSystemGetDriverVersion
int nvmlSystemGetDriverVersion(char *version, unsigned int length) {
  ENTER();
  IN_SESSION();
  return put_text(version, length, "535.261.03");
}
#endif

#ifndef WITHOUT_nvmlSystemGetNVMLVersion
int nvmlSystemGetNVMLVersion(char *version, unsigned int length) {
  ENTER();
  IN_SESSION();
  return put_text(version, length, "12.535.261.03");
}
#endif

static int count(unsigned int *deviceCount) {
  IN_SESSION();
  *deviceCount = 0;
  for (int i = 0; i < gpu_count; i++) {
    *deviceCount += !removed[i];
  }
  return SUCCESS;
}

#ifndef WITHOUT_nvmlDeviceGetCount_v2
int nvmlDeviceGetCount_v2(unsigned int *deviceCount) {
  ENTER();
  return count(deviceCount);
}
#endif

#ifndef WITHOUT_nvmlDeviceGetCount
int nvmlDeviceGetCount(unsigned int *deviceCount) {
  ENTER();
  return count(deviceCount);
}
#endif

/* The GPU at that place among those that are there; gpu_count if there is none. */
static int gpu_at(unsigned int index) {
  int gpu = 0;
  for (unsigned int seen = 0; gpu < gpu_count; gpu++) {
    if (!removed[gpu] && seen++ == index) {
      break;
    }
  }
  return gpu;
}

static int handle(const char *function, unsigned int index, nvmlDevice_t *device) {
  IN_SESSION();
  int gpu = gpu_at(index);
  if (gpu == gpu_count) {
    return INVALID_ARGUMENT;
  }
  int code = enter(function, &gpus[gpu]);
  if (code == SUCCESS) {
    *device = &gpus[gpu];
  }
  return code;
}

#ifndef WITHOUT_nvmlDeviceGetHandleByIndex_v2
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
  return handle(__func__, index, device);
}
#endif

#ifndef WITHOUT_nvmlDeviceGetHandleByIndex
int nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device) {
  return handle(__func__, index, device);
}
#endif

#ifndef WITHOUT_nvmlDeviceGetUUID
int nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length) {
  ENTER_GPU(device);
  return put_text(uuid, length, device->uuid);
}
#endif

#ifndef WITHOUT_nvmlDeviceGetName
int nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length) {
  ENTER_GPU(device);
  return put_text(name, length, device->name);
}
#endif

/* The older ones keep private words where busId lies in the newest. */
static int old_pci(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  pci->domain = device->domain;
  pci->bus = device->bus;
  pci->device = device->device;
  memset(pci->busId, 'x', 16);
  return SUCCESS;
}

#ifndef WITHOUT_nvmlDeviceGetPciInfo_v3
int nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  ENTER_GPU(device);
  old_pci(device, pci);
  memcpy(pci->busId, device->bus_id, sizeof pci->busId);
  pci->pciDeviceId = long_or_zero(__func__, device, 0);
  pci->pciSubSystemId = long_or_zero(__func__, device, 1);
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetPciInfo_v2
int nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  ENTER_GPU(device);
  return old_pci(device, pci);
}
#endif

#ifndef WITHOUT_nvmlDeviceGetPciInfo
int nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  ENTER_GPU(device);
  return old_pci(device, pci);
}
#endif

#ifndef WITHOUT_nvmlDeviceGetClockInfo
int nvmlDeviceGetClockInfo(nvmlDevice_t device, int type, unsigned int *clock) {
  ENTER_GPU(device);
  *clock = type == 3 ? device->video_clock : type == 1 ? device->sm_clock : device->memory_clock;
  return type >= 1 && type <= 3 ? SUCCESS : INVALID_ARGUMENT;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetTemperature
int nvmlDeviceGetTemperature(nvmlDevice_t device, int sensor, unsigned int *temperature) {
  ENTER_GPU(device);
  *temperature = device->temperature;
  return sensor == 0 ? SUCCESS : INVALID_ARGUMENT;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetPowerUsage
int nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *power) {
  ENTER_GPU(device);
  *power = device->power;
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetPcieReplayCounter
int nvmlDeviceGetPcieReplayCounter(nvmlDevice_t device, unsigned int *value) {
  ENTER_GPU(device);
  *value = device->replays;
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetUtilizationRates
int nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *utilization) {
  ENTER_GPU(device);
  utilization->gpu = device->gpu_percent;
  utilization->memory = device->memory_percent;
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetEncoderUtilization
int nvmlDeviceGetEncoderUtilization(nvmlDevice_t device, unsigned int *percent, unsigned int *us) {
  ENTER_GPU(device);
  *percent = device->encoder_percent;
  *us = 167000;
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetDecoderUtilization
int nvmlDeviceGetDecoderUtilization(nvmlDevice_t device, unsigned int *percent, unsigned int *us) {
  ENTER_GPU(device);
  *percent = device->decoder_percent;
  *us = 167000;
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetMemoryInfo_v2
int nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory) {
  ENTER_GPU(device);
  if (memory->version != (sizeof(nvmlMemory_v2_t) | (2 << 24))) {
    return VERSION_MISMATCH;
  }
  memory->total = device->total;
  memory->reserved = device->reserved;
  memory->free = device->free;
  memory->used = device->used;
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetMemoryInfo
int nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  ENTER_GPU(device);
  memory->total = device->total;
  memory->free = device->free;
  memory->used = device->used + device->reserved;
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetFieldValues
int nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values) {
  ENTER_GPU(device);
  for (int i = 0; i < count; i++) {
    if (refused[values[i].fieldId % MAX_FIELDS]) {
      return INVALID_ARGUMENT;
    }
  }
  for (int i = 0; i < count; i++) {
    last_scope = values[i].scopeId;
    const field_t *field = &device->fields[values[i].fieldId % MAX_FIELDS];
    values[i].nvmlReturn = field->code;
    if (field->code == SUCCESS) {
      values[i].valueType = field->type;
      memcpy(&values[i].value, &field->bits, sizeof field->bits);
    }
  }
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetGridLicensableFeatures_v4
int nvmlDeviceGetGridLicensableFeatures_v4(nvmlDevice_t device,
                                           nvmlGridLicensableFeatures_t *features) {
  ENTER_GPU(device);
  features->isGridLicenseSupported = device->licenses_supported;
  features->licensableFeaturesCount = device->license_count;
  memcpy(features->gridLicensableFeatures, device->licenses, sizeof device->licenses);
  return SUCCESS;
}
#endif

#include "nvml_stub_sensors.h"
#include "nvml_stub_mig.h"
#include "nvml_stub_events.h"
#include "nvml_stub_lists.h"

static void reset_migs_and_events(void) {
  reset_migs();
  reset_events();
  reset_lists();
}
