package io.gpureclaimer.simulator;

import java.util.List;

/**
 * What every GPU of a simulated node does; one that is not listed is idle.
 *
 * @param gpus at most one entry per GPU
 */
public record Script(List<GpuScript> gpus) {
  /** Nothing runs anywhere. */
  public static final Script IDLE = new Script(List.of());

  public Script {
    gpus = List.copyOf(gpus);
    long distinct = gpus.stream().mapToInt(GpuScript::gpu).distinct().count();
    if (distinct != gpus.size()) {
      throw new IllegalArgumentException("a GPU must be listed at most once, were " + gpus);
    }
  }

  /** A script of these entries. */
  public static Script of(GpuScript... gpus) {
    return new Script(List.of(gpus));
  }

  GpuScript of(int gpu) {
    for (GpuScript entry : gpus) {
      if (entry.gpu() == gpu) {
        return entry;
      }
    }
    return GpuScript.idle(gpu);
  }
}
