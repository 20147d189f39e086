/*
 * The least that a sampling pass can cost: makes the calls of some recorded passes, with the same
 * arguments and the same memory contents, again and again, and prints the CPU time of one
 * pass: wall time would tell how busy the machine is.
 *
 *   nvml_floor LIBRARY TRACE [NANOSECONDS-PER-CALL]
 *
 * The library is nvml_stub.c's. The trace (CallTrace.java) has one thing per line:
 *
 *   passes 2                          how many passes the calls are
 *   device 0 7f12a0                   what the driver called GPU 0, in hexadecimal
 *   sample 7f34b0                     what it called a sample of GPM
 *   call nvmlX 7f12a0 2 :00ff = 0     a call: numbers, memory with its contents, the code answered
 *
 * Handles are another process', so each is replaced wherever it stands: as an argument, or in
 * memory. The calls go through pointers, as those of every program that loads the library do.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_ARGUMENTS 6
#define MAX_CALLS 65536
#define MAX_HANDLES 256
#define MAX_LINE (1 << 21)
#define GPUS 8
#define BATCHES 21
#define BATCH_NANOS 50000000LL

typedef int (*function_t)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

typedef struct {
  function_t function;
  uintptr_t arguments[MAX_ARGUMENTS];
  const char *name;
  int code;
} call_t;

static call_t calls[MAX_CALLS];
static int call_count;
static uintptr_t theirs[MAX_HANDLES], ours[MAX_HANDLES];
static int handle_count;
static int passes;
static void *library;

static void fail(const char *what, const char *which) {
  fprintf(stderr, "nvml_floor: %s %s\n", what, which);
  exit(1);
}

static void *symbol(const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL) {
    fail("the library has no", name);
  }
  return found;
}

static uintptr_t translated(uintptr_t word) {
  for (int i = 0; i < handle_count; i++) {
    if (theirs[i] == word) {
      return ours[i];
    }
  }
  return word;
}

static void learn(const char *address, uintptr_t our_own) {
  if (handle_count == MAX_HANDLES) {
    fail("too many", "handles");
  }
  theirs[handle_count] = strtoull(address, NULL, 16);
  ours[handle_count++] = our_own;
}

static uintptr_t memory(const char *hex) {
  size_t size = strlen(hex) / 2;
  unsigned char *bytes = calloc(1, size + sizeof(uintptr_t));
  for (size_t i = 0; i < size; i++) {
    unsigned int byte;
    if (sscanf(hex + 2 * i, "%2x", &byte) != 1) {
      fail("not hexadecimal:", hex);
    }
    bytes[i] = (unsigned char)byte;
  }
  for (size_t i = 0; i + sizeof(uintptr_t) <= size; i += sizeof(uintptr_t)) {
    uintptr_t word;
    memcpy(&word, bytes + i, sizeof word);
    word = translated(word);
    memcpy(bytes + i, &word, sizeof word);
  }
  return (uintptr_t)bytes;
}

static void read_call(void) {
  if (call_count == MAX_CALLS) {
    fail("too many", "calls");
  }
  call_t *call = &calls[call_count++];
  call->name = strdup(strtok(NULL, " \n"));
  call->function = (function_t)symbol(call->name);
  int count = 0;
  for (char *word = strtok(NULL, " \n"); word != NULL; word = strtok(NULL, " \n")) {
    if (strcmp(word, "=") == 0) {
      call->code = atoi(strtok(NULL, " \n"));
    } else if (count == MAX_ARGUMENTS) {
      fail("too many arguments of", call->name);
    } else {
      call->arguments[count++] =
          word[0] == ':' ? memory(word + 1) : translated(strtoull(word, NULL, 16));
    }
  }
}

static void read_trace(const char *path) {
  FILE *file = fopen(path, "r");
  char *line = malloc(MAX_LINE);
  if (file == NULL || line == NULL) {
    fail("cannot read", path);
  }
  int (*handle)(unsigned int, uintptr_t *) = symbol("nvmlDeviceGetHandleByIndex_v2");
  int (*sample)(uintptr_t *) = symbol("nvmlGpmSampleAlloc");
  while (fgets(line, MAX_LINE, file) != NULL) {
    uintptr_t made = 0;
    char *kind = strtok(line, " \n");
    if (strcmp(kind, "passes") == 0) {
      passes = atoi(strtok(NULL, " \n"));
    } else if (strcmp(kind, "device") == 0) {
      handle((unsigned int)atoi(strtok(NULL, " \n")), &made);
      learn(strtok(NULL, " \n"), made);
    } else if (strcmp(kind, "sample") == 0) {
      sample(&made);
      learn(strtok(NULL, " \n"), made);
    } else {
      read_call();
    }
  }
  fclose(file);
  free(line);
  if (passes == 0 || call_count == 0) {
    fail("no calls in", path);
  }
}

static int make(const call_t *call) {
  const uintptr_t *a = call->arguments;
  return call->function(a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Twice, because a sample of GPM tells nothing by itself. */
static void check(void) {
  for (int i = 0; i < 2 * call_count; i++) {
    const call_t *call = &calls[i % call_count];
    int code = make(call);
    if (i >= call_count && code != call->code) {
      fprintf(stderr, "nvml_floor: %s answered %d, expected %d\n", call->name, code, call->code);
      exit(1);
    }
  }
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int ascending(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return difference < 0 ? -1 : difference > 0;
}

static double batch(void) {
  long long began = now(), ended;
  long done = 0;
  do {
    for (int i = 0; i < call_count; i++) {
      make(&calls[i]);
    }
    done++;
    ended = now();
  } while (ended - began < BATCH_NANOS);
  return (double)(ended - began) / done / passes;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fail("expected", "LIBRARY TRACE [NANOSECONDS-PER-CALL]");
  }
  library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) {
    fail("cannot load", arguments[1]);
  }
  ((void (*)(int))symbol("stub_benchmark"))(GPUS);
  ((void (*)(long long))symbol("stub_take"))(count > 3 ? atoll(arguments[3]) : 0);
  ((int (*)(void))symbol("nvmlInit_v2"))();
  read_trace(arguments[2]);
  check();
  double results[BATCHES];
  for (int i = 0; i < BATCHES; i++) {
    results[i] = batch();
  }
  qsort(results, BATCHES, sizeof(double), ascending);
  printf("%d calls, %.0f ns\n", call_count / passes, results[BATCHES / 2]);
  return 0;
}
