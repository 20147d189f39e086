/*
 * Fault injection over any NVML library: forwards each call, unless a rule says otherwise. Two files
 * beside this library, or environment variables, name what it needs:
 *
 *   nvml_target.so    NVML_SHIM_TARGET   the library behind
 *   nvml_faults       NVML_SHIM_FAULTS   the rules, read again at each call
 *
 * A rule is a line FUNCTION GPU ACTION. FUNCTION is a name, or * for all functions but those that
 * close. GPU is an index, * for every call, or GPU/N for calls whose second argument is N. A MIG
 * device counts as its GPU. ACTION is a return code, "hang" until the rule is gone, "crash" (an
 * abort), or "segfault".
 *
 * shim_functions.h has one line SHIM(name) per function. All arguments of NVML are integers or
 * pointers, at most six, so one signature forwards them all on x86-64 and aarch64.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libgen.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_HANDLES 256
#define PATH_BYTES 4096
#define NAME_BYTES 96
#define SUCCESS 0
#define FUNCTION_NOT_FOUND 13
#define NO_GPU (-1)
#define NO_RULE (-1)
#define HANG (-2)
#define CRASH (-3)
#define SEGFAULT (-4)

typedef int (*function_t)(long, long, long, long, long, long);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  long handle;
  int gpu;
} handles[MAX_HANDLES];
static int handle_count;
static void *target;
static char faults[PATH_BYTES];

static void place(char *out, const char *variable, const char *file) {
  Dl_info self;
  char path[PATH_BYTES / 2];
  if (getenv(variable) != NULL) {
    snprintf(out, PATH_BYTES, "%s", getenv(variable));
  } else if (dladdr(&handle_count, &self) != 0) {
    snprintf(path, sizeof path, "%s", self.dli_fname);
    snprintf(out, PATH_BYTES, "%s/%s", dirname(path), file);
  }
}

__attribute__((constructor)) static void begin(void) {
  char path[PATH_BYTES] = "";
  place(path, "NVML_SHIM_TARGET", "nvml_target.so");
  place(faults, "NVML_SHIM_FAULTS", "nvml_faults");
  target = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (target == NULL) {
    fprintf(stderr, "nvml_shim: %s\n", dlerror());
  }
}

static int gpu_of(long handle) {
  int gpu = NO_GPU;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < handle_count; i++) {
    if (handles[i].handle == handle) {
      gpu = handles[i].gpu;
    }
  }
  pthread_mutex_unlock(&lock);
  return gpu;
}

static void remember(long handle, int gpu) {
  if (gpu_of(handle) == NO_GPU) {
    pthread_mutex_lock(&lock);
    if (handle_count < MAX_HANDLES) {
      handles[handle_count].handle = handle;
      handles[handle_count++].gpu = gpu;
    }
    pthread_mutex_unlock(&lock);
  }
}

static int closes(const char *name) {
  return strcmp(name, "nvmlShutdown") == 0 || strstr(name, "Free") != NULL;
}

static int matches(const char *name, int gpu, long second, const char *function, const char *which) {
  int index, argument;
  if (strcmp(function, "*") == 0 ? closes(name) : strcmp(function, name) != 0) {
    return 0;
  }
  int read = sscanf(which, "%d/%d", &index, &argument);
  return strcmp(which, "*") == 0 ||
         (read >= 1 && index == gpu && (read < 2 || argument == (int)second));
}

/* The first rule about that call: a return code, HANG, CRASH, SEGFAULT or NO_RULE. */
static int rule(const char *name, int gpu, long second) {
  char function[NAME_BYTES], which[NAME_BYTES], action[NAME_BYTES];
  int found = NO_RULE;
  FILE *file = fopen(faults, "re");
  if (file == NULL) {
    return NO_RULE;
  }
  while (found == NO_RULE && fscanf(file, "%95s %95s %95s", function, which, action) == 3) {
    if (matches(name, gpu, second, function, which)) {
      found = strcmp(action, "hang") == 0       ? HANG
              : strcmp(action, "crash") == 0    ? CRASH
              : strcmp(action, "segfault") == 0 ? SEGFAULT
                                                : atoi(action);
    }
  }
  fclose(file);
  return found;
}

static int forward(const char *name, long a, long b, long c, long d, long e, long f) {
  int by_index = strncmp(name, "nvmlDeviceGetHandleByIndex", 26) == 0;
  int mig = strcmp(name, "nvmlDeviceGetMigDeviceHandleByIndex") == 0;
  int gpu = by_index ? (int)a : gpu_of(a);
  int action = rule(name, gpu, b);
  while (action == HANG) {
    struct timespec pause = {0, 5000000};
    nanosleep(&pause, NULL);
    action = rule(name, gpu, b);
  }
  if (action == CRASH) {
    signal(SIGABRT, SIG_DFL);
    abort();
  }
  if (action == SEGFAULT) {
    *(volatile int *)16 = 0;
  }
  if (action != NO_RULE) {
    return action;
  }
  function_t function = target == NULL ? NULL : (function_t)dlsym(target, name);
  if (function == NULL) {
    return FUNCTION_NOT_FOUND;
  }
  int code = function(a, b, c, d, e, f);
  if (code == SUCCESS && (by_index || mig)) {
    remember(*(long *)(by_index ? b : c), gpu);
  }
  return code;
}

#define SHIM(name)                                                                                \
  int name(long a, long b, long c, long d, long e, long f) {                                      \
    return forward(#name, a, b, c, d, e, f);                                                      \
  }
#include "shim_functions.h"
