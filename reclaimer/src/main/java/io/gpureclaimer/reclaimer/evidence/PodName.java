package io.gpureclaimer.reclaimer.evidence;

/**
 * How people call a pod. Another pod may have had the same name before.
 *
 * @param namespace where it lives
 * @param name what it is called there
 */
public record PodName(String namespace, String name) {

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
