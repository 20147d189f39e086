/* The part of nvml_stub.c that is about MIG. */

static unsigned int mig_mode[MAX_GPUS];
static int mig_slots[MAX_GPUS]; /* how many MIG devices it could have */
static int empty_slot = 6;      /* what is said of one without: not found */

static void reset_migs(void) {
  mig_count = 0;
  empty_slot = 6;
  memset(mig_mode, 0, sizeof mig_mode);
  memset(mig_slots, 0, sizeof mig_slots);
}

/* -- what a test calls ----------------------------------------------------------------------- */

void stub_mig_mode(int gpu, unsigned int mode, int slots) {
  mig_mode[gpu] = mode;
  mig_slots[gpu] = slots;
}

/* No GPU has a MIG device any more. */
void stub_undivide(void) {
  mig_count = 0;
}

/* A MIG device more; on this GPU, in that slot. */
void stub_mig_device(int gpu, unsigned int slot, unsigned int instance, unsigned int compute,
                     unsigned int slices, unsigned long long mib) {
  struct nvmlDevice_st *mig = &gpus[MAX_GPUS + mig_count++];
  mig->parent = &gpus[gpu];
  mig->slot = slot;
  mig->instance = instance;
  mig->compute = compute;
  mig->attributes.gpuInstanceSliceCount = slices;
  mig->attributes.computeInstanceSliceCount = slices;
  mig->attributes.multiprocessorCount = 16 * slices;
  mig->attributes.sharedCopyEngineCount = slices;
  mig->attributes.sharedDecoderCount = 2;
  mig->attributes.sharedEncoderCount = 3;
  mig->attributes.sharedJpegCount = 4;
  mig->attributes.sharedOfaCount = 5;
  mig->attributes.memorySizeMB = mib;
  mig->total = mib << 20;
  mig->used = 1 << 20;
  mig->free = mig->total - mig->used;
  snprintf(mig->name, TEXT_BYTES, "Stub GPU MIG %ug.%llugb+me", slices, (mib + 1023) / 1024);
  snprintf(mig->uuid, TEXT_BYTES, "MIG-00000000-1111-2222-%04d-%04u%08u", gpu, instance, compute);
}

/* From now on that code is said of a slot without a device. */
void stub_mig_empty_slot(int code) { empty_slot = code; }

/* The device that was added last is called that. */
void stub_mig_name(const char *name) {
  snprintf(gpus[MAX_GPUS + mig_count - 1].name, TEXT_BYTES, "%s", name);
}

/* -- nvml.h ---------------------------------------------------------------------------------- */

#ifndef WITHOUT_nvmlDeviceGetMigMode
int nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *current, unsigned int *pending) {
  ENTER_GPU(device);
  *current = mig_mode[device - gpus];
  *pending = *current;
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetMaxMigDeviceCount
int nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned int *count) {
  ENTER_GPU(device);
  *count = mig_slots[device - gpus];
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetMigDeviceHandleByIndex
int nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned int index,
                                        nvmlDevice_t *mig) {
  ENTER_GPU(device);
  for (int i = 0; i < mig_count; i++) {
    struct nvmlDevice_st *one = &gpus[MAX_GPUS + i];
    if (one->parent == device && one->slot == index) {
      *mig = one;
      return SUCCESS;
    }
  }
  return empty_slot;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetDeviceHandleFromMigDeviceHandle
int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t mig, nvmlDevice_t *device) {
  ENTER_GPU(mig);
  *device = mig->parent;
  return is_mig(mig) ? SUCCESS : INVALID_ARGUMENT;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetGpuInstanceId
int nvmlDeviceGetGpuInstanceId(nvmlDevice_t mig, unsigned int *id) {
  ENTER_GPU(mig);
  *id = mig->instance;
  return is_mig(mig) ? SUCCESS : INVALID_ARGUMENT;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetComputeInstanceId
int nvmlDeviceGetComputeInstanceId(nvmlDevice_t mig, unsigned int *id) {
  ENTER_GPU(mig);
  *id = mig->compute;
  return is_mig(mig) ? SUCCESS : INVALID_ARGUMENT;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetAttributes_v2
int nvmlDeviceGetAttributes_v2(nvmlDevice_t mig, nvmlDeviceAttributes_t *attributes) {
  ENTER_GPU(mig);
  *attributes = mig->attributes;
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetAttributes
int nvmlDeviceGetAttributes(nvmlDevice_t mig, nvmlDeviceAttributes_t *attributes) {
  ENTER_GPU(mig);
  *attributes = mig->attributes;
  return SUCCESS;
}
#endif
