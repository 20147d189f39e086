package io.gpureclaimer.common.kubernetes;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** Nodes, as the API server serves them. */
public final class NodeKind {
  /** What the client has to know of them. */
  public static final ResourceDefinitionContext CONTEXT =
      new ResourceDefinitionContext.Builder()
          .withVersion("v1")
          .withKind("Node")
          .withPlural("nodes")
          .withNamespaced(false)
          .build();

  private NodeKind() {}
}
