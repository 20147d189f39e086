package io.gpureclaimer.core.vocabulary;

/** The extended resources under which Kubernetes counts GPUs. */
public final class ResourceNames {
  public static final String GPU = "nvidia.com/gpu";

  private ResourceNames() {}
}
