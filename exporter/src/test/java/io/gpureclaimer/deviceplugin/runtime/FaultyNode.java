package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.nvml.binding.LibNvml;

/** A node of eight GPUs, the first one partitioned, whose driver can be made to fail. */
interface FaultyNode {

  LibNvml library();

  /** Every query about that GPU returns {@code GPU_IS_LOST}. */
  void lose(int gpu);

  /** Queries for readings of that GPU do not return until {@link #repair}. */
  void hang(int gpu);

  /** The driver no longer counts that GPU. */
  void remove(int gpu);

  void refuseHandle(int gpu, int code);

  /** Of GPU 0, by place in its list of MIG devices. */
  void refuseInstance(int slot, int code);

  /** The function returns that code for GPU 0. */
  void failOfFirst(String function, int code);

  void unload();

  void load();

  /** GPU 0 has one MIG instance, with id 0, instead of four. */
  void uniteInstances();

  /** Ends all faults of GPUs; a call that hangs goes on. */
  void repair();
}
