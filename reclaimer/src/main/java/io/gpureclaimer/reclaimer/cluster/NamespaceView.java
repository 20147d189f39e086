package io.gpureclaimer.reclaimer.cluster;

import java.util.Map;

/**
 * A namespace and what is written on it.
 *
 * @param annotations its annotations, without kubectl's copy of the manifest
 */
public record NamespaceView(String name, Map<String, String> annotations) {
  public NamespaceView {
    annotations = Map.copyOf(annotations);
  }
}
