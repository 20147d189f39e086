package io.gpureclaimer.reclaimer.cluster;

/**
 * How many whole GPUs a namespace is entitled to, and how many it uses.
 *
 * @param source the object that says so, for people
 */
public record GpuShare(String source, int used, int entitled) {

  /** Whether it uses more than it is entitled to, because others lend it theirs. */
  public boolean isOver() {
    return used > entitled;
  }

  /** Of two of the same namespace, the one that is exceeded by more. */
  public GpuShare or(GpuShare other) {
    return other.used - other.entitled > used - entitled ? other : this;
  }

  @Override
  public String toString() {
    return source + ": " + used + " of " + entitled + (entitled == 1 ? " GPU" : " GPUs");
  }
}
