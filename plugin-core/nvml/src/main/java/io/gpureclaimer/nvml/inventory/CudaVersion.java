package io.gpureclaimer.nvml.inventory;

/**
 * A version of CUDA, such as 12.4.
 *
 * @param major its first number
 * @param minor its second
 */
public record CudaVersion(int major, int minor) {
  @Override
  public String toString() {
    return major + "." + minor;
  }
}
