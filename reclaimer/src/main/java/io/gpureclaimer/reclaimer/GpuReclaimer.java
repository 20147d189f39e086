package io.gpureclaimer.reclaimer;

import io.gpureclaimer.reclaimer.cli.CommandLineProgram;

/** The reclaimer's entry point. */
public final class GpuReclaimer {
  private GpuReclaimer() {}

  /** Runs the command that the arguments name. */
  public static void main(String[] args) {
    System.exit(CommandLineProgram.run(args));
  }
}
