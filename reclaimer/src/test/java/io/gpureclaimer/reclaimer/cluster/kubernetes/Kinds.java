package io.gpureclaimer.reclaimer.cluster.kubernetes;

/** What an API server answers that is asked which kinds it has. */
public final class Kinds {
  public static final String APPS =
      """
      {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "apps/v1", "resources": [
        {"name": "deployments", "namespaced": true, "kind": "Deployment", "verbs": ["list"]},
        {"name": "deployments/scale", "namespaced": true, "kind": "Scale", "verbs": ["get"]},
        {"name": "replicasets", "namespaced": true, "kind": "ReplicaSet", "verbs": ["list"]},
        {"name": "statefulsets", "namespaced": true, "kind": "StatefulSet", "verbs": ["list"]}]}
      """;

  public static final String KEDA =
      """
      {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "keda.sh/v1alpha1",
       "resources": [
        {"name": "scaledobjects", "namespaced": true, "kind": "ScaledObject", "verbs": ["list"]}]}
      """;

  public static final String DYNAMO =
      """
      {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "nvidia.com/v1beta1",
       "resources": [
        {"name": "dynamographdeployments", "namespaced": true, "kind": "DynamoGraphDeployment",
         "verbs": ["list"]},
        {"name": "dynamographdeploymentscalingadapters", "namespaced": true,
         "kind": "DynamoGraphDeploymentScalingAdapter", "verbs": ["list"]}]}
      """;

  private Kinds() {}
}
