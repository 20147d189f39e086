/*
 * The nodes on which NVIDIA's programs and ours are compared, chosen by the variable NODE: the stub of
 * the driver, and further queries of NVIDIA's programs.
 */
#include "nvml_stub.c"

#define MIG_PROFILES 5
#define OF_SEVEN 7

/* As nvml.h has them. */
typedef struct {
  unsigned int id, peers, slices, instances, processors, copy, decoders, encoders, jpeg, ofa;
  unsigned long long mib;
} gpu_profile_t;

typedef struct {
  unsigned int id, slices, instances, processors, copy, decoders, encoders, jpeg, ofa;
} compute_profile_t;

typedef struct {
  nvmlDevice_t device;
  unsigned int id, profile, start, size;
} gpu_instance_t;

typedef struct {
  nvmlDevice_t device;
  void *instance;
  unsigned int id, profile, start, size;
} compute_instance_t;

/* Those of an H100 with 80 GB, at their places in nvml.h: of 1, 2, 3, 4 and 7 slices. */
static const gpu_profile_t profiles[MIG_PROFILES] = {
    {19, 0, 1, 7, 16, 1, 1, 0, 1, 0, 9856},   {14, 0, 2, 3, 32, 2, 2, 0, 2, 0, 20096},
    {9, 0, 3, 2, 60, 3, 3, 0, 3, 0, 40448},   {5, 0, 4, 1, 64, 4, 4, 0, 4, 0, 40448},
    {0, 0, 7, 1, 132, 8, 7, 0, 7, 1, 81024},
};

static int of_instance[MAX_GPUS][2 * OF_SEVEN]; /* the place of its profile */

int nvmlSystemGetCudaDriverVersion(int *version) {
  IN_SESSION();
  *version = 12040;
  return SUCCESS;
}

int nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned int *is) {
  *is = is_mig(device);
  return SUCCESS;
}

int nvmlDeviceGetGpuInstanceProfileInfo(nvmlDevice_t device, unsigned int place, gpu_profile_t *out) {
  if (mig_slots[device - gpus] == 0 || place >= MIG_PROFILES) {
    return NOT_SUPPORTED;
  }
  *out = profiles[place];
  return SUCCESS;
}

int nvmlDeviceGetGpuInstanceById(nvmlDevice_t device, unsigned int id, void **instance) {
  *instance = &of_instance[device - gpus][id];
  return SUCCESS;
}

int nvmlGpuInstanceGetInfo(void *instance, gpu_instance_t *out) {
  out->profile = profiles[*(int *)instance].id;
  return SUCCESS;
}

int nvmlGpuInstanceGetComputeInstanceById(void *instance, unsigned int id, void **compute) {
  *compute = instance;
  return id == 0 ? SUCCESS : INVALID_ARGUMENT;
}

int nvmlComputeInstanceGetInfo_v2(void *compute, compute_instance_t *out) {
  out->profile = 0;
  return SUCCESS;
}

int nvmlGpuInstanceGetComputeInstanceProfileInfo(void *instance, unsigned int place,
                                                 unsigned int engine, compute_profile_t *out) {
  if ((int)place != *(int *)instance || engine != 0) {
    return NOT_SUPPORTED;
  }
  out->id = 0;
  out->slices = profiles[place].slices;
  return SUCCESS;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
  for (int i = 0; i < MAX_GPUS + mig_count; i++) {
    if (is_gpu(&gpus[i]) && strcmp(gpus[i].uuid, uuid) == 0) {
      *device = &gpus[i];
      return SUCCESS;
    }
  }
  return 6; /* not found */
}

const char *nvmlErrorString(int code) {
  static char text[TEXT_BYTES];
  snprintf(text, sizeof text, "code %d", code);
  return text;
}

static void gpu(const char *name, int major, int minor, int architecture, unsigned long long mib) {
  int at = gpu_count++;
  char uuid[TEXT_BYTES];
  snprintf(uuid, sizeof uuid, "GPU-%08x-1111-2222-3333-444444444444", at);
  stub_identity(at, uuid, name);
  gpus[at].total = mib << 20;
  stub_number("nvmlDeviceGetCudaComputeCapability", at, 0, major);
  stub_number("nvmlDeviceGetCudaComputeCapability", at, 1, minor);
  stub_number("nvmlDeviceGetArchitecture", at, NO_SELECTOR, architecture);
  stub_number("nvmlDeviceGetMinorNumber", at, NO_SELECTOR, at);
  stub_number("nvmlDeviceGetIndex", at, NO_SELECTOR, at);
  stub_number("nvmlDeviceGetVirtualizationMode", at, NO_SELECTOR, 0);
}

static void h100(int divided) {
  gpu("NVIDIA H100 80GB HBM3", 9, 0, 9, 81559);
  stub_mig_mode(gpu_count - 1, divided, OF_SEVEN);
}

static void part(int gpu, unsigned int slot, unsigned int instance, int place) {
  const gpu_profile_t *is = &profiles[place];
  nvmlDeviceAttributes_t *has = &gpus[MAX_GPUS + mig_count].attributes;
  stub_mig_device(gpu, slot, instance, 0, is->slices, is->mib);
  snprintf(gpus[MAX_GPUS + mig_count - 1].name, TEXT_BYTES, "%s MIG %ug.%llugb", gpus[gpu].name,
           is->slices, (is->mib + 1023) / 1024);
  of_instance[gpu][instance] = place;
  has->multiprocessorCount = is->processors;
  has->sharedCopyEngineCount = is->copy;
  has->sharedDecoderCount = is->decoders;
  has->sharedEncoderCount = is->encoders;
  has->sharedJpegCount = is->jpeg;
  has->sharedOfaCount = is->ofa;
}

__attribute__((constructor(65535))) static void choose(void) {
  const char *node = getenv("NODE");
  stub_reset(0);
  if (node == NULL || strcmp(node, "h100x8") == 0) {
    for (int i = 0; i < 8; i++) {
      h100(0);
    }
  } else if (strcmp(node, "t4-and-a100") == 0) {
    gpu("Tesla T4", 7, 5, 6, 15360);
    gpu("NVIDIA A100-SXM4-40GB", 8, 0, 7, 40960);
    gpu("NVIDIA A100-SXM4-40GB", 8, 0, 7, 40960);
    stub_fail("nvmlDeviceGetMigMode", 0, NOT_SUPPORTED);
    stub_mig_mode(1, 0, OF_SEVEN);
    stub_mig_mode(2, 0, OF_SEVEN);
  } else if (strcmp(node, "alike") == 0) {
    h100(1);
    h100(1);
    for (int i = 0; i < 2 * OF_SEVEN; i++) {
      part(i / OF_SEVEN, i % OF_SEVEN, OF_SEVEN + i % OF_SEVEN, 0);
    }
  } else if (strcmp(node, "unlike") == 0) {
    h100(1);
    h100(1);
    h100(0);
    part(0, 0, 1, 2);
    part(0, 1, 5, 1);
    part(0, 2, 9, 0);
    part(1, 0, 1, 3);
    part(1, 1, 11, 0);
  } else if (strcmp(node, "undivided") == 0) {
    h100(1);
    h100(1);
  }
}
