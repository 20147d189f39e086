package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Kubernetes objects written as YAML in tests. */
final class Yaml {
  private Yaml() {}

  /** The document mark keeps a flow mapping from being taken for JSON. */
  static <T> T read(String yaml, Class<T> type) {
    return new KubernetesSerialization().unmarshal("---\n" + yaml, type);
  }
}
