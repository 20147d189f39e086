// Stand-in for libcuda.so.1 that checks what it is called with. Any mistake is an error code of its own.
#include <stdint.h>
#include <string.h>

static int device_memory, context, module, function;
static int current;

int cuInit(unsigned flags) { return flags == 0 ? 0 : 900; }

int cuDeviceGet(int *device, int ordinal) {
  *device = 7;
  return ordinal == 0 ? 0 : 901;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = 3;
  return attribute == 16 && device == 7 ? 0 : 902;
}

int cuDevicePrimaryCtxRetain(void **result, int device) {
  *result = &context;
  return device == 7 ? 0 : 903;
}

int cuCtxSetCurrent(void *chosen) {
  current = chosen == &context;
  return current ? 0 : 904;
}

int cuModuleLoadData(void **result, const char *text) {
  *result = &module;
  return current && strstr(text, ".entry spin(") ? 0 : 905;
}

int cuModuleGetFunction(void **result, void *from, const char *name) {
  *result = &function;
  return from == &module && strcmp(name, "spin") == 0 ? 0 : 906;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  *address = (uint64_t)&device_memory;
  return bytes == (size_t)512 << 20 ? 0 : 907;
}

int cuLaunchKernel(void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **parameters,
                   void **extra) {
  int grid = grid_x == 24 && grid_y == 1 && grid_z == 1;
  int block = block_x == 256 && block_y == 1 && block_z == 1;
  if (kernel != &function || !grid || !block || shared != 0 || stream || extra) return 908;
  if (*(uint64_t *)parameters[0] != (uint64_t)&device_memory) return 909;
  return *(uint32_t *)parameters[1] >= 4096 ? 0 : 910;
}

int cuCtxSynchronize(void) { return current ? 0 : 911; }
