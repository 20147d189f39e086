/* The part of nvml_stub.c that is about events. */

#include <errno.h>
#include <time.h>

#define MAX_EVENTS 20000
#define MAX_SETS 64
#define TIMEOUT 10

struct nvmlEventSet_st {
  int used;
  unsigned long long types[MAX_GPUS];
  int next; /* of all events, the first that it has not told */
};

static struct nvmlEventSet_st sets[MAX_SETS];
static nvmlEventData_t events[MAX_EVENTS];
static int event_count;
static int waiting;
static unsigned long long supported_events = 0x10f;
static unsigned long long refused_events; /* supported, they say, and not to be had */

static void reset_events(void) {
  memset(sets, 0, sizeof sets);
  event_count = 0;
  supported_events = 0x10f;
  refused_events = 0;
}

/* -- what a test calls ----------------------------------------------------------------------- */

void stub_event(int gpu, unsigned long long type, unsigned long long data, unsigned int instance) {
  pthread_mutex_lock(&lock);
  events[event_count++] = (nvmlEventData_t){&gpus[gpu], type, data, instance, 0xffffffff};
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

void stub_supported_events(unsigned long long types) {
  supported_events = types;
}

void stub_refused_events(unsigned long long types) {
  refused_events = types;
}

/* What a set has been registered for; 0 if no set listens to that GPU. */
unsigned long long stub_registered(int gpu) {
  unsigned long long types = 0;
  for (int i = 0; i < MAX_SETS; i++) {
    types |= sets[i].used ? sets[i].types[gpu] : 0;
  }
  return types;
}

/* How many sets there are. */
int stub_sets(void) {
  int count = 0;
  for (int i = 0; i < MAX_SETS; i++) {
    count += sets[i].used;
  }
  return count;
}

/* How many calls wait for an event at this moment. */
int stub_waiting(void) {
  pthread_mutex_lock(&lock);
  int count = waiting;
  pthread_mutex_unlock(&lock);
  return count;
}

/* -- nvml.h ---------------------------------------------------------------------------------- */

#ifndef WITHOUT_nvmlEventSetCreate
int nvmlEventSetCreate(nvmlEventSet_t *set) {
  ENTER();
  IN_SESSION();
  pthread_mutex_lock(&lock);
  int found = 0;
  while (sets[found].used) {
    found++;
  }
  sets[found].used = 1;
  sets[found].next = event_count;
  memset(sets[found].types, 0, sizeof sets[found].types);
  *set = &sets[found];
  pthread_mutex_unlock(&lock);
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetSupportedEventTypes
int nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device, unsigned long long *types) {
  ENTER_GPU(device);
  *types = supported_events;
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceRegisterEvents
int nvmlDeviceRegisterEvents(nvmlDevice_t device, unsigned long long types, nvmlEventSet_t set) {
  ENTER_GPU(device);
  if (types & (~supported_events | refused_events)) {
    return NOT_SUPPORTED;
  }
  set->types[device - gpus] |= types;
  return SUCCESS;
}
#endif

/* The caller holds the lock. */
static int next_event(nvmlEventSet_t set, nvmlEventData_t *data) {
  while (set->next < event_count) {
    const nvmlEventData_t *event = &events[set->next++];
    if (set->types[event->device - gpus] & event->eventType) {
      *data = *event;
      return 1;
    }
  }
  return 0;
}

static int wait_for_event(nvmlEventSet_t set, nvmlEventData_t *data, unsigned int millis) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += millis / 1000;
  until.tv_nsec += (long)(millis % 1000) * 1000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000;
  }
  pthread_mutex_lock(&lock);
  waiting++;
  int told = next_event(set, data);
  int timed_out = 0;
  while (!told && !timed_out) {
    timed_out = pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT;
    told = next_event(set, data);
  }
  waiting--;
  pthread_mutex_unlock(&lock);
  return told ? SUCCESS : TIMEOUT;
}

#ifndef WITHOUT_nvmlEventSetWait_v2
int nvmlEventSetWait_v2(nvmlEventSet_t set, nvmlEventData_t *data, unsigned int millis) {
  ENTER();
  IN_SESSION();
  return wait_for_event(set, data, millis);
}
#endif

#ifndef WITHOUT_nvmlEventSetWait
int nvmlEventSetWait(nvmlEventSet_t set, nvmlEventData_t *data, unsigned int millis) {
  ENTER();
  IN_SESSION();
  nvmlEventData_t all;
  int code = wait_for_event(set, &all, millis);
  if (code == SUCCESS) {
    data->device = all.device;
    data->eventType = all.eventType;
    data->eventData = all.eventData;
  }
  return code;
}
#endif

#ifndef WITHOUT_nvmlEventSetFree
int nvmlEventSetFree(nvmlEventSet_t set) {
  ENTER();
  IN_SESSION();
  set->used = 0;
  return SUCCESS;
}
#endif
