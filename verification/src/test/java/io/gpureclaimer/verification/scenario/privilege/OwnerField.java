package io.gpureclaimer.verification.scenario.privilege;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Locale;

/**
 * A kind that an action changes, with the field that it changes.
 *
 * @param change merge patch of the action, with single quotes
 * @param restore merge patch that restores the former value
 */
record OwnerField(
    String group, String version, String kind, String resource, String change, String restore) {
  private static final String SUSPEND = "{'spec':{'suspend':true}}";
  private static final String RESUME = "{'spec':{'suspend':false}}";
  private static final String SUSPEND_RUN = "{'spec':{'runPolicy':{'suspend':true}}}";
  private static final String RESUME_RUN = "{'spec':{'runPolicy':{'suspend':false}}}";

  /** Every kind that an action patches as a whole object, all of them custom kinds. */
  static final List<OwnerField> PATCHED =
      List.of(
          suspended("jobset.x-k8s.io/v1alpha2", "JobSet"),
          suspended("trainer.kubeflow.org/v1alpha1", "TrainJob"),
          suspended("ray.io/v1", "RayCluster"),
          suspended("ray.io/v1", "RayJob"),
          suspended("ray.io/v1", "RayService"),
          suspended("sparkoperator.k8s.io/v1beta2", "SparkApplication"),
          of("kubeflow.org/v1", "PyTorchJob", SUSPEND_RUN, RESUME_RUN),
          of("kubeflow.org/v2beta1", "MPIJob", SUSPEND_RUN, RESUME_RUN),
          of("kubeflow.org/v1", "TFJob", SUSPEND_RUN, RESUME_RUN),
          of("kubeflow.org/v1", "XGBoostJob", SUSPEND_RUN, RESUME_RUN),
          of("kubeflow.org/v1", "PaddleJob", SUSPEND_RUN, RESUME_RUN),
          of("kubeflow.org/v1", "JAXJob", SUSPEND_RUN, RESUME_RUN),
          of(
              "kubeflow.org/v1beta1",
              "Workspace",
              "{'spec':{'paused':true}}",
              "{'spec':{'paused':false}}"),
          of(
              "kueue.x-k8s.io/v1beta2",
              "Workload",
              "{'spec':{'active':false}}",
              "{'spec':{'active':true}}"),
          of(
              "workspace.devfile.io/v1alpha2",
              "DevWorkspace",
              "{'metadata':{'annotations':{'controller.devfile.io/stopped-by':'gpu-reclaimer'}},"
                  + "'spec':{'started':false}}",
              "{'metadata':{'annotations':{'controller.devfile.io/stopped-by':null}},"
                  + "'spec':{'started':true}}"),
          of(
              "apps.nvidia.com/v1alpha1",
              "NIMService",
              "{'spec':{'replicas':0}}",
              "{'spec':{'replicas':3}}"),
          annotated("kubeflow.org/v1", "Notebook", "kubeflow-resource-stopped"),
          annotated("serving.kserve.io/v1beta1", "InferenceService", "serving.kserve.io/stop"),
          annotated("serving.kserve.io/v1alpha1", "LLMInferenceService", "serving.kserve.io/stop"),
          annotated("serving.knative.dev/v1", "Revision", "autoscaling.knative.dev/min-scale"),
          annotated("keda.sh/v1alpha1", "ScaledObject", "autoscaling.keda.sh/paused-replicas"));

  /** What asks Volcano to abort or resume a Job. */
  static final OwnerField COMMAND = of("bus.volcano.sh/v1alpha1", "Command", "", "");

  /** Every custom kind that an action scales. */
  static final List<OwnerField> SCALED =
      List.of(
          scaled("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"),
          scaled("argoproj.io/v1alpha1", "Rollout"),
          scaled("grove.io/v1alpha1", "PodCliqueSet"),
          scaled("nvidia.com/v1beta1", "DynamoGraphDeploymentScalingAdapter"));

  private static OwnerField suspended(String apiVersion, String kind) {
    return of(apiVersion, kind, SUSPEND, RESUME);
  }

  private static OwnerField scaled(String apiVersion, String kind) {
    return of(apiVersion, kind, "{'spec':{'replicas':0}}", "{'spec':{'replicas':3}}");
  }

  private static OwnerField annotated(String apiVersion, String kind, String annotation) {
    return of(
        apiVersion,
        kind,
        "{'metadata':{'annotations':{'" + annotation + "':'0'}}}",
        "{'metadata':{'annotations':{'" + annotation + "':null}}}");
  }

  private static OwnerField of(String apiVersion, String kind, String change, String restore) {
    int slash = apiVersion.indexOf('/');
    return new OwnerField(
        apiVersion.substring(0, slash),
        apiVersion.substring(slash + 1),
        kind,
        kind.toLowerCase(Locale.ROOT) + "s",
        change,
        restore);
  }

  String apiVersion() {
    return group + "/" + version;
  }

  /** The kind with any fields, and with a scale subresource. */
  CustomResourceDefinition definition() {
    return new CustomResourceDefinitionBuilder()
        .withNewMetadata()
        .withName(resource + "." + group)
        .addToAnnotations("api-approved.kubernetes.io", "unapproved, for a test")
        .endMetadata()
        .withNewSpec()
        .withGroup(group)
        .withScope("Namespaced")
        .withNewNames()
        .withKind(kind)
        .withPlural(resource)
        .endNames()
        .addNewVersion()
        .withName(version)
        .withServed(true)
        .withStorage(true)
        .withNewSubresources()
        .withNewStatus()
        .endStatus()
        .withNewScale()
        .withSpecReplicasPath(".spec.replicas")
        .withStatusReplicasPath(".status.replicas")
        .endScale()
        .endSubresources()
        .withNewSchema()
        .withNewOpenAPIV3Schema()
        .withType("object")
        .withXKubernetesPreserveUnknownFields(true)
        .endOpenAPIV3Schema()
        .endSchema()
        .endVersion()
        .endSpec()
        .build();
  }

  /** An object of the kind with every field that some action changes, and with others. */
  GenericKubernetesResource object(String namespace) {
    return Serialization.unmarshal(
        """
        apiVersion: GROUP/VERSION
        kind: KIND
        metadata:
          name: owner
          namespace: NAMESPACE
          labels: {team: ml}
          annotations: {theirs: kept}
        spec:
          image: one
          replicas: 3
          suspend: false
          active: true
          paused: false
          started: true
          runPolicy: {suspend: false, cleanPodPolicy: Running}
        """
            .replace("GROUP/VERSION", apiVersion())
            .replace("KIND", kind)
            .replace("NAMESPACE", namespace),
        GenericKubernetesResource.class);
  }

  @Override
  public String toString() {
    return resource + "." + group;
  }
}
