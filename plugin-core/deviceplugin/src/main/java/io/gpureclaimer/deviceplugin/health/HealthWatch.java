package io.gpureclaimer.deviceplugin.health;

/** A part of a GPU whose health is reported by itself; spelled as DCGM spells them. */
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
