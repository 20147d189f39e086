package io.gpureclaimer.common.device;

/**
 * CUDA compute capability of a GPU, such as 9.0.
 *
 * @param major the generation
 * @param minor the variant within it
 */
public record ComputeCapability(int major, int minor) implements Comparable<ComputeCapability> {
  public ComputeCapability {
    if (major < 0 || minor < 0) {
      throw new IllegalArgumentException(
          "a compute capability must not be negative, was " + major + '.' + minor);
    }
  }

  @Override
  public int compareTo(ComputeCapability other) {
    return major != other.major
        ? Integer.compare(major, other.major)
        : Integer.compare(minor, other.minor);
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
