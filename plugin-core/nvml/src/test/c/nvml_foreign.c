/*
 * A library for tests that is not NVIDIA's, but calls itself libnvidia-ml: it knows the plain
 * questions, most of them in one spelling, takes no struct but of the version that it was made
 * for, and says "not supported" to the older spellings that it carries for the linker's sake.
 *
 * It differs from the driver's where such libraries do:
 *
 *  - all sets of events are one: whoever waits is told what happens next, to whichever GPU, and a
 *    GPU that is lost fails every wait;
 *  - with foreign_eager a wait comes back at once, with nothing;
 *  - a GPU that is lost cannot be found any more, neither by its index nor by an old handle;
 *  - of a GPU that is not divided it says instance 0, not "none";
 *  - it knows eighteen NVLinks of every GPU, all down where there are none, and sums up nothing;
 *  - without foreign_links it does not tell how many of them there are.
 */
#include "nvml_structs.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_GPUS 8
#define MAX_EVENTS 64
#define MAX_PROCESSES 8
#define LINKS 18
#define NOT_TOLD (-1)

#define SUCCESS 0
#define UNINITIALIZED 1
#define INVALID_ARGUMENT 2
#define NOT_SUPPORTED 3
#define INSUFFICIENT_SIZE 7
#define TIMEOUT 10
#define GPU_IS_LOST 15
#define VERSION_MISMATCH 25

#define VERSIONED(type, version) (sizeof(type) | (unsigned)(version) << 24)

struct nvmlDevice_st {
  int lost;
  int process_count;
  unsigned int pids[MAX_PROCESSES];
};

struct nvmlEventSet_st {
  int unused;
};

typedef struct {
  int gpu;
  unsigned long long xid;
} event_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct nvmlDevice_st gpus[MAX_GPUS];
static event_t events[MAX_EVENTS];
static int gpu_count, sessions, event_count, events_told, eager, waits;
static int link_count = NOT_TOLD, links_up;

/* -- what a test calls ----------------------------------------------------------------------- */

/* So many healthy GPUs without NVLink, and no session. */
void foreign_reset(int count) {
  pthread_mutex_lock(&lock);
  memset(gpus, 0, sizeof gpus);
  gpu_count = count;
  sessions = event_count = events_told = eager = waits = links_up = 0;
  link_count = NOT_TOLD;
  pthread_mutex_unlock(&lock);
}

#ifdef FOREIGN_GPUS
__attribute__((constructor)) static void foreign_begin(void) { foreign_reset(FOREIGN_GPUS); }
#endif

void foreign_lose(int gpu) {
  pthread_mutex_lock(&lock);
  gpus[gpu].lost = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

void foreign_xid(int gpu, unsigned long long xid) {
  pthread_mutex_lock(&lock);
  events[event_count++] = (event_t){gpu, xid};
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

/* From now on nobody waits for an event. */
void foreign_eager(void) {
  eager = 1;
}

/* How often somebody has asked for an event. */
int foreign_waits(void) {
  return waits;
}

void foreign_process(int gpu, unsigned int pid) {
  gpus[gpu].pids[gpus[gpu].process_count++] = pid;
}

/* From now on each GPU says that it has so many links; the first ones are up. */
void foreign_links(int count, int up) {
  link_count = count;
  links_up = up;
}

/* -- nvml.h ---------------------------------------------------------------------------------- */

static int check(nvmlDevice_t device) {
  if (sessions == 0 || device < gpus || device >= gpus + gpu_count) {
    return INVALID_ARGUMENT;
  }
  return device->lost ? GPU_IS_LOST : SUCCESS;
}

#define CHECK(device)                                                                             \
  do {                                                                                            \
    int code = check(device);                                                                     \
    if (code != SUCCESS) return code;                                                             \
  } while (0)

#define UINT_GETTER(name, value)                                                                  \
  int name(nvmlDevice_t device, unsigned int *out) {                                              \
    CHECK(device);                                                                                \
    *out = value;                                                                                 \
    return SUCCESS;                                                                               \
  }

static int put_text(char *out, unsigned int length, const char *text) {
  return snprintf(out, length, "%s", text) < (int)length ? SUCCESS : INSUFFICIENT_SIZE;
}

int nvmlInit_v2(void) {
  sessions++;
  return SUCCESS;
}

int nvmlShutdown(void) {
  return sessions > 0 ? (sessions--, SUCCESS) : UNINITIALIZED;
}

int nvmlSystemGetDriverVersion(char *version, unsigned int length) {
  return put_text(version, length, "550.163.01");
}

int nvmlSystemGetNVMLVersion(char *version, unsigned int length) {
  return put_text(version, length, "12.550.163.01");
}

int nvmlSystemGetCudaDriverVersion_v2(int *version) {
  *version = 12040;
  return SUCCESS;
}

int nvmlDeviceGetCount_v2(unsigned int *count) {
  *count = gpu_count;
  return sessions > 0 ? SUCCESS : UNINITIALIZED;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
  if (index >= (unsigned int)gpu_count) {
    return INVALID_ARGUMENT;
  }
  CHECK(&gpus[index]);
  *device = &gpus[index];
  return SUCCESS;
}

int nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length) {
  CHECK(device);
  char text[48];
  snprintf(text, sizeof text, "GPU-f0e14e00-0000-0000-0000-%012d", (int)(device - gpus));
  return put_text(uuid, length, text);
}

int nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length) {
  CHECK(device);
  return put_text(name, length, "Foreign GPU");
}

int nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  CHECK(device);
  pci->domain = 0;
  pci->bus = 0x10 + (unsigned int)(device - gpus);
  pci->device = 0;
  snprintf(pci->busId, sizeof pci->busId, "00000000:%02X:00.0", pci->bus);
  return SUCCESS;
}

UINT_GETTER(nvmlDeviceGetMinorNumber, (unsigned int)(device - gpus))
UINT_GETTER(nvmlDeviceGetPowerUsage, 95000)
UINT_GETTER(nvmlDeviceGetPcieReplayCounter, 0)

int nvmlDeviceGetTemperature(nvmlDevice_t device, int sensor, unsigned int *celsius) {
  CHECK(device);
  *celsius = 34;
  return sensor == 0 ? SUCCESS : INVALID_ARGUMENT;
}

int nvmlDeviceGetClockInfo(nvmlDevice_t device, int type, unsigned int *clock) {
  CHECK(device);
  *clock = type == 2 ? 2619 : 345;
  return SUCCESS;
}

int nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *utilization) {
  CHECK(device);
  *utilization = (nvmlUtilization_t){12, 3};
  return SUCCESS;
}

int nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory) {
  CHECK(device);
  if (memory->version != VERSIONED(nvmlMemory_v2_t, 2)) {
    return VERSION_MISMATCH;
  }
  memory->total = 85899345920ULL;
  memory->reserved = 1073741824ULL;
  memory->free = 84825604096ULL;
  memory->used = 0;
  return SUCCESS;
}

int nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *current, unsigned int *pending) {
  CHECK(device);
  (void)current;
  (void)pending;
  return NOT_SUPPORTED;
}

int nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values) {
  CHECK(device);
  for (int i = 0; i < count; i++) {
    nvmlFieldValue_t *value = &values[i];
    value->nvmlReturn = NOT_SUPPORTED;
    if (value->fieldId == 91 && link_count != NOT_TOLD) {
      value->nvmlReturn = SUCCESS;
      value->valueType = 1;
      value->value.uiVal = link_count;
    }
  }
  return SUCCESS;
}

int nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int link, unsigned int *active) {
  CHECK(device);
  if (link >= LINKS) {
    return INVALID_ARGUMENT;
  }
  *active = (int)link < links_up;
  return SUCCESS;
}

#define OLDER_SPELLING(name)                                                                      \
  int name(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v2_t *infos) {               \
    CHECK(device);                                                                                \
    (void)count;                                                                                  \
    (void)infos;                                                                                  \
    return NOT_SUPPORTED;                                                                         \
  }

OLDER_SPELLING(nvmlDeviceGetComputeRunningProcesses_v2)
OLDER_SPELLING(nvmlDeviceGetGraphicsRunningProcesses_v2)
OLDER_SPELLING(nvmlDeviceGetMPSComputeRunningProcesses_v2)
OLDER_SPELLING(nvmlDeviceGetMPSComputeRunningProcesses_v3)

int nvmlDeviceGetComputeRunningProcesses_v3(
    nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v2_t *infos) {
  CHECK(device);
  if ((int)*count < device->process_count) {
    *count = device->process_count;
    return INSUFFICIENT_SIZE;
  }
  *count = device->process_count;
  for (int i = 0; i < device->process_count; i++) {
    infos[i] = (nvmlProcessInfo_v2_t){device->pids[i], 1 << 30, 0, 0};
  }
  return SUCCESS;
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(
    nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v2_t *infos) {
  CHECK(device);
  (void)infos;
  *count = 0;
  return SUCCESS;
}

int nvmlEventSetCreate(nvmlEventSet_t *set) {
  *set = malloc(sizeof **set);
  return SUCCESS;
}

int nvmlEventSetFree(nvmlEventSet_t set) {
  free(set);
  return SUCCESS;
}

int nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device, unsigned long long *types) {
  CHECK(device);
  *types = 8;
  return SUCCESS;
}

int nvmlDeviceRegisterEvents(nvmlDevice_t device, unsigned long long types, nvmlEventSet_t set) {
  CHECK(device);
  (void)types;
  (void)set;
  return SUCCESS;
}

/* What a wait has to say now; the caller holds the lock. */
static int next_event(nvmlEventData_t *data) {
  if (events_told < event_count) {
    const event_t *event = &events[events_told++];
    *data = (nvmlEventData_t){&gpus[event->gpu], 8, event->xid, 0, 0};
    return SUCCESS;
  }
  for (int i = 0; i < gpu_count; i++) {
    if (gpus[i].lost) {
      return GPU_IS_LOST;
    }
  }
  return TIMEOUT;
}

int nvmlEventSetWait_v2(nvmlEventSet_t set, nvmlEventData_t *data, unsigned int millis) {
  (void)set;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  long long nanos = until.tv_nsec + millis * 1000000LL;
  until.tv_sec += nanos / 1000000000;
  until.tv_nsec = nanos % 1000000000;
  pthread_mutex_lock(&lock);
  waits++;
  int code = next_event(data);
  int timed_out = eager;
  while (code == TIMEOUT && !timed_out) {
    timed_out = pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT;
    code = next_event(data);
  }
  pthread_mutex_unlock(&lock);
  return code;
}
