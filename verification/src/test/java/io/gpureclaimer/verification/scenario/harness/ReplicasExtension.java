package io.gpureclaimer.verification.scenario.harness;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests their {@link Replicas}; the store ends them before the cluster is tidied up. */
final class ReplicasExtension implements ParameterResolver {
  private static final Namespace OURS = Namespace.create(ReplicasExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Replicas.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    TestCluster cluster = ClusterExtension.cluster(context);
    return context
        .getStore(OURS)
        .computeIfAbsent(
            Replicas.class,
            _ -> new Replicas(cluster, ClusterExtension.folder(context)),
            Replicas.class);
  }
}
