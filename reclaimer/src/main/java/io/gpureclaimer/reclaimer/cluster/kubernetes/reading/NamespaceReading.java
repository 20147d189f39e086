package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.fabric8.kubernetes.api.model.Namespace;
import io.gpureclaimer.reclaimer.cluster.NamespaceView;
import java.util.Objects;

/** Reads a Namespace. */
public final class NamespaceReading {
  private NamespaceReading() {}

  public static NamespaceView of(Namespace namespace) {
    return new NamespaceView(
        Objects.requireNonNull(namespace.getMetadata().getName(), "metadata.name"),
        WrittenAnnotations.of(namespace.getMetadata()));
  }
}
