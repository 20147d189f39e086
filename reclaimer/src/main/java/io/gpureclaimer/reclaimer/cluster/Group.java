package io.gpureclaimer.reclaimer.cluster;

/**
 * A group of pods that are of use only together, as their labels or annotations name it.
 *
 * @param key the label or annotation that names it
 * @param name its name, unique in the namespace for this key
 */
public record Group(String key, String name) {

  @Override
  public String toString() {
    return name + " (" + key + ")";
  }
}
