package io.gpureclaimer.reclaimer;

/** Compiled for old JVMs too, so that they can say what they lack. */
public final class ReclaimerLauncher {
  private static final int OLDEST = 25;

  private ReclaimerLauncher() {}

  /** Runs the program, or says that this JVM cannot. */
  public static void main(String[] args) {
    String[] version = System.getProperty("java.specification.version").split("\\.");
    if (Integer.parseInt(version[version.length - 1]) < OLDEST) {
      System.err.println(
          "gpu-reclaimer needs Java "
              + OLDEST
              + " or newer, this is "
              + System.getProperty("java.version")
              + "; use that JVM's own bin/java, or put it first on the PATH");
      System.exit(1);
    }
    GpuReclaimer.main(args);
  }
}
