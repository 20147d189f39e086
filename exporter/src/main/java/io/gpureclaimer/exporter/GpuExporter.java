package io.gpureclaimer.exporter;

import io.micronaut.runtime.Micronaut;

/** The agent's entry point. */
public final class GpuExporter {
  private GpuExporter() {}

  /** Starts the agent. */
  public static void main(String[] args) {
    Micronaut.build(args).mainClass(GpuExporter.class).banner(false).start();
  }
}
