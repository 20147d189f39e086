package io.gpureclaimer.nvml.poll;

/**
 * A version of CUDA, such as 12.4.
 *
 * @param major its first number
 * @param minor its second
 */
public record CudaVersion(int major, int minor) {
  private static final int PER_MAJOR = 1_000;
  private static final int PER_MINOR = 10;

  /** From NVML's number, such as 12040. */
  static CudaVersion of(int number) {
    return new CudaVersion(number / PER_MAJOR, number % PER_MAJOR / PER_MINOR);
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
