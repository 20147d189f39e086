package io.gpureclaimer.reclaimer.cluster;

import java.util.Map;

/**
 * A namespace and what is written on it.
 *
 * @param name its name
 * @param annotations all of its annotations
 */
public record NamespaceView(String name, Map<String, String> annotations) {
  public NamespaceView {
    annotations = Map.copyOf(annotations);
  }
}
