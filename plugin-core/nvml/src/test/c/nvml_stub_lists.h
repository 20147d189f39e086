/* The part of nvml_stub.c that is about processes, sample buffers and pairs of GPUs. */

#define MAX_LISTED 512
#define NOT_FOUND 6

static nvmlProcessInfo_v2_t processes[3][MAX_LISTED]; /* compute, graphics, MPS; of every GPU */
static unsigned int process_count[3];
static nvmlProcessUtilizationSample_t process_use[MAX_LISTED];
static unsigned int process_use_count;
static nvmlSample_t samples_of[8][MAX_LISTED]; /* by type */
static unsigned int samples_count[8];
static int p2p_status[MAX_GPUS][MAX_GPUS];
static long long last_arguments[6];
static int ancestors[MAX_GPUS][MAX_GPUS];
static int link_types[MAX_GPUS][36]; /* what it leads to, plus two; 1: down, 0: no such link */
static int link_peers[MAX_GPUS][36];

static void reset_lists(void) {
  memset(process_count, 0, sizeof process_count);
  process_use_count = 0;
  memset(samples_count, 0, sizeof samples_count);
  memset(p2p_status, 0, sizeof p2p_status);
  memset(link_types, 0, sizeof link_types);
  for (int i = 0; i < MAX_GPUS * MAX_GPUS; i++) {
    ancestors[i / MAX_GPUS][i % MAX_GPUS] = 50;
  }
}

/* -- what a test calls ----------------------------------------------------------------------- */

/* kind: 0 compute, 1 graphics, 2 MPS. */
void stub_process(int kind, unsigned int pid, unsigned long long bytes, unsigned int instance) {
  processes[kind][process_count[kind]++] = (nvmlProcessInfo_v2_t){pid, bytes, instance, instance};
}

void stub_process_use(unsigned int pid, unsigned long long at, unsigned int sm, unsigned int mem) {
  process_use[process_use_count++] = (nvmlProcessUtilizationSample_t){pid, at, sm, mem, 3, 4};
}

void stub_sample(int type, unsigned long long at, unsigned int value) {
  nvmlSample_t *sample = &samples_of[type][samples_count[type]++];
  memset(sample, 0, sizeof *sample);
  sample->timeStamp = at;
  sample->sampleValue.uiVal = value;
}

void stub_p2p(int gpu, int peer, int status) {
  p2p_status[gpu][peer] = status;
}

void stub_ancestor(int gpu, int peer, int level) {
  ancestors[gpu][peer] = level;
  ancestors[peer][gpu] = level;
}

/* A link of that GPU; type -1 if it is down. */
void stub_link(int gpu, int link, int type, int peer) {
  link_types[gpu][link] = type + 2;
  link_peers[gpu][link] = peer;
}

/* Those of the last call of nvmlDeviceGetSamples; of a pointer, whether it is one. */
long long stub_last_argument(int number) {
  return last_arguments[number];
}

/* -- nvml.h ---------------------------------------------------------------------------------- */

static int list(const void *all, unsigned int present, size_t size, unsigned int *count,
                void *entries) {
  unsigned int room = *count;
  *count = present;
  if (present > room) {
    return INSUFFICIENT_SIZE;
  }
  memcpy(entries, all, present * size);
  return SUCCESS;
}

#define PROCESSES(function, kind)                                                                 \
  int function(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v2_t *infos) {           \
    ENTER_GPU(device);                                                                            \
    return list(processes[kind], process_count[kind], sizeof *infos, count, infos);               \
  }

#ifndef WITHOUT_nvmlDeviceGetComputeRunningProcesses_v3
PROCESSES(nvmlDeviceGetComputeRunningProcesses_v3, 0)
#endif

#ifndef WITHOUT_nvmlDeviceGetComputeRunningProcesses_v2
PROCESSES(nvmlDeviceGetComputeRunningProcesses_v2, 0)
#endif

#ifndef WITHOUT_nvmlDeviceGetGraphicsRunningProcesses_v3
PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v3, 1)
#endif

#ifndef WITHOUT_nvmlDeviceGetGraphicsRunningProcesses_v2
PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v2, 1)
#endif

#ifndef WITHOUT_nvmlDeviceGetMPSComputeRunningProcesses_v3
PROCESSES(nvmlDeviceGetMPSComputeRunningProcesses_v3, 2)
#endif

#ifndef WITHOUT_nvmlDeviceGetMPSComputeRunningProcesses_v2
PROCESSES(nvmlDeviceGetMPSComputeRunningProcesses_v2, 2)
#endif

#ifndef WITHOUT_nvmlDeviceGetProcessUtilization
int nvmlDeviceGetProcessUtilization(nvmlDevice_t device, nvmlProcessUtilizationSample_t *samples,
                                    unsigned int *count, unsigned long long last_seen) {
  ENTER_GPU(device);
  if (process_use_count == 0 || process_use[0].timeStamp <= last_seen) {
    return NOT_FOUND;
  }
  return list(process_use, process_use_count, sizeof *samples, count, samples);
}
#endif

#ifndef WITHOUT_nvmlDeviceGetSamples
int nvmlDeviceGetSamples(nvmlDevice_t device, int type, unsigned long long last_seen,
                         int *value_type, unsigned int *count, nvmlSample_t *samples) {
  ENTER_GPU(device);
  last_arguments[0] = device - gpus;
  last_arguments[1] = type;
  last_arguments[2] = last_seen;
  last_arguments[3] = value_type != NULL;
  last_arguments[4] = count != NULL;
  last_arguments[5] = samples != NULL;
  unsigned int room = *count, filled = 0;
  for (unsigned int i = 0; i < samples_count[type] && filled < room; i++) {
    if (samples_of[type][i].timeStamp > last_seen) {
      samples[filled++] = samples_of[type][i];
    }
  }
  *count = filled;
  *value_type = 1;
  return filled == 0 ? NOT_FOUND : SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetP2PStatus
int nvmlDeviceGetP2PStatus(nvmlDevice_t device, nvmlDevice_t peer, int index, int *status) {
  ENTER_GPU(device);
  *status = p2p_status[device - gpus][peer - gpus];
  return index == 2 && is_gpu(peer) ? SUCCESS : INVALID_ARGUMENT;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetTopologyCommonAncestor
int nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t device, nvmlDevice_t peer, int *level) {
  ENTER_GPU(device);
  *level = ancestors[device - gpus][peer - gpus];
  return is_gpu(peer) ? SUCCESS : INVALID_ARGUMENT;
}
#endif

static int link_type(nvmlDevice_t device, unsigned int link) {
  return link < 36 ? link_types[device - gpus][link] - 2 : -2;
}

#ifndef WITHOUT_nvmlDeviceGetNvLinkState
int nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int link, int *active) {
  ENTER_GPU(device);
  *active = link_type(device, link) >= 0;
  return link_type(device, link) == -2 ? INVALID_ARGUMENT : SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetNvLinkRemoteDeviceType
int nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned int link, int *type) {
  ENTER_GPU(device);
  *type = link_type(device, link);
  return *type < 0 ? NOT_SUPPORTED : SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetNvLinkRemotePciInfo_v2
int nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t device, unsigned int link,
                                        nvmlPciInfo_t *pci) {
  ENTER_GPU(device);
  if (link_type(device, link) < 0) {
    return NOT_SUPPORTED;
  }
  const struct nvmlDevice_st *peer = &gpus[link_peers[device - gpus][link]];
  memcpy(pci->busId, peer->bus_id, sizeof pci->busId);
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceGetMinorNumber
int nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int *minor) {
  ENTER_GPU(device);
  *minor = device - gpus;
  return SUCCESS;
}
#endif

#ifndef WITHOUT_nvmlDeviceSetComputeMode
int nvmlDeviceSetComputeMode(nvmlDevice_t device, int mode) {
  ENTER_GPU(device);
  stub_number("nvmlDeviceGetComputeMode", device - gpus, NO_SELECTOR, mode);
  return SUCCESS;
}
#endif
