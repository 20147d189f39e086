package io.gpureclaimer.deviceplugin.health;

/** Part of a GPU with its own health, spelled as in DCGM. */
public enum HealthWatch {
  PCIE,
  NVLINK,
  PMU,
  MCU,
  MEM,
  SM,
  INFOROM,
  THERMAL,
  POWER,
  DRIVER,
  ALL
}
