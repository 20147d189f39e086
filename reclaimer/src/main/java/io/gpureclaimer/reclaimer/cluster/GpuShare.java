package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.common.vocabulary.ResourceNames;

/**
 * How many devices of a resource a namespace is entitled to, and how many it uses.
 *
 * @param source the object that says so, for people
 * @param resource with the names of {@link Accelerators#byResource}, a class without selectors
 */
public record GpuShare(String source, String resource, int used, int entitled) {
  private static final String SELECTORS = " [";

  /** Whether it uses more than it is entitled to, because others lend it theirs. */
  public boolean isOver() {
    return used > entitled;
  }

  /** Whether devices of a resource count, by whichever selectors of its class. */
  public boolean counts(String requested) {
    return withoutSelectors(requested).equals(resource);
  }

  /** A name of {@link Accelerators#byResource}, without the selectors of a class. */
  public static String withoutSelectors(String requested) {
    int end = requested.indexOf(SELECTORS);
    return end < 0 ? requested : requested.substring(0, end);
  }

  /** Of two of the same namespace and resource, the one that is exceeded by more. */
  public GpuShare or(GpuShare other) {
    return other.used - other.entitled > used - entitled ? other : this;
  }

  @Override
  public String toString() {
    String noun = entitled == 1 ? " GPU" : " GPUs";
    return source
        + ": "
        + used
        + " of "
        + entitled
        + (resource.equals(ResourceNames.GPU) ? noun : " " + resource);
  }
}
