package io.gpureclaimer.deviceplugin.labels.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.deviceplugin.labels.NodeLabels;
import io.gpureclaimer.deviceplugin.labels.kubernetes.NodeFeatureTarget.FeatureOwner;
import io.gpureclaimer.deviceplugin.publication.PublicationSink;
import io.gpureclaimer.deviceplugin.publication.Published;
import io.gpureclaimer.deviceplugin.publication.Published.Contested;
import io.gpureclaimer.deviceplugin.publication.Published.Failed;
import io.gpureclaimer.deviceplugin.publication.Published.PublishFailure;
import io.gpureclaimer.deviceplugin.publication.Published.Same;
import io.gpureclaimer.deviceplugin.publication.Published.Written;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AppliedLabelsTest {
  private static final String US = "gpu-reclaimer-labels";
  private static final String COUNT = "nvidia.com/gpu.count";
  private static final String PRODUCT = "nvidia.com/gpu.product";

  private final FakeLabelApi api =
      new FakeLabelApi("/api/v1/nodes/node-a", List.of("f:metadata", "f:labels"));
  private final KubernetesClient client = api.connect();

  @AfterEach
  void close() {
    client.close();
    api.close();
  }

  @Test
  void writesLabels_andLeavesThoseOfOthers() {
    api.create();
    api.set("kubelet", "kubernetes.io/arch", "amd64");

    assertThat(publish(Map.of(COUNT, "8"))).isEqualTo(new Written(List.of()));

    assertThat(api.labels()).isEqualTo(Map.of("kubernetes.io/arch", "amd64", COUNT, "8"));
    assertThat(api.writes())
        .singleElement()
        .asString()
        .startsWith("PATCH /api/v1/nodes/node-a?fieldManager=" + US);
    assertThat(api.lastWrite())
        .isEqualTo(
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Node",
                "metadata",
                Map.of("name", "node-a", "uid", "uid-1", "labels", Map.of(COUNT, "8"))));
  }

  @Test
  void writesNothing_whenNothingChanged_alsoAfterARestart() {
    api.create();
    publish(Map.of(COUNT, "8", PRODUCT, "T4"));

    assertThat(publish(Map.of(COUNT, "8", PRODUCT, "T4"))).isEqualTo(new Same(List.of()));

    assertThat(api.writes()).hasSize(1);
  }

  @Test
  void takesALabelBack_thatIsNoLongerWanted() {
    api.create();
    publish(Map.of(COUNT, "8", PRODUCT, "T4"));

    assertThat(publish(Map.of(COUNT, "8"))).isEqualTo(new Written(List.of()));

    assertThat(api.labels()).isEqualTo(Map.of(COUNT, "8"));
  }

  @Test
  void takesEverythingBack_whenNothingIsWanted() {
    api.create();
    publish(Map.of(COUNT, "8"));

    assertThat(publish(Map.of())).isEqualTo(new Written(List.of()));
    assertThat(publish(Map.of())).isEqualTo(new Same(List.of()));

    assertThat(api.labels()).isEmpty();
    assertThat(api.writes()).hasSize(2);
  }

  @Test
  void leavesWhatAnotherProgramSetOtherwise_andWritesTheRest() {
    api.create();
    api.set("nfd-master", COUNT, "4");
    var contested = List.of(new Contested(COUNT, "8", "4", "nfd-master"));

    assertThat(publish(Map.of(COUNT, "8", PRODUCT, "T4"))).isEqualTo(new Written(contested));
    assertThat(publish(Map.of(COUNT, "8", PRODUCT, "T4"))).isEqualTo(new Same(contested));

    assertThat(api.labels()).isEqualTo(Map.of(COUNT, "4", PRODUCT, "T4"));
  }

  @Test
  void sharesALabel_thatAnotherProgramSetToTheSame() {
    api.create();
    api.set("nfd-master", COUNT, "8");

    assertThat(publish(Map.of(COUNT, "8"))).isEqualTo(new Written(List.of()));
    assertThat(publish(Map.of(COUNT, "8"))).isEqualTo(new Same(List.of()));

    assertThat(api.owned("nfd-master")).isEqualTo(Set.of(COUNT));
  }

  @Test
  void takesOver_whenConfigured() {
    api.create();
    api.set("nfd-master", COUNT, "4");

    assertThat(AppliedLabels.onNode(client, "node-a", US, true).publish(labels(COUNT, "8")))
        .isEqualTo(new Written(List.of()));

    assertThat(api.labels()).isEqualTo(Map.of(COUNT, "8"));
    assertThat(api.owned("nfd-master")).isEmpty();
  }

  @Test
  void givesALabelUp_thatAnotherProgramTookOver() {
    api.create();
    publish(Map.of(COUNT, "8"));
    api.set("kubectl", COUNT, "9");

    assertThat(publish(Map.of(COUNT, "8")))
        .isEqualTo(new Same(List.of(new Contested(COUNT, "8", "9", "kubectl"))));
    assertThat(api.labels()).isEqualTo(Map.of(COUNT, "9"));
  }

  @Test
  void createsNoNode() {
    assertThat(publish(Map.of(COUNT, "8")))
        .isEqualTo(new Failed(PublishFailure.NO_SUCH_NODE, "the Node node-a does not exist"));
    assertThat(api.writes()).isEmpty();
  }

  @Test
  void namesTheRule_whenItIsForbidden() {
    api.refuse(403, "nodes \"node-a\" is forbidden: User \"system:serviceaccount:gpu:agent\"");

    assertThat(publish(Map.of(COUNT, "8")))
        .isEqualTo(
            new Failed(
                PublishFailure.FORBIDDEN,
                "our account may not write the Node node-a; it needs a ClusterRole with apiGroups"
                    + " [\"\"], resources [\"nodes\"], verbs [\"get\", \"patch\"] (nodes"
                    + " \"node-a\" is forbidden: User \"system:serviceaccount:gpu:agent\")"));
  }

  @Test
  void reportsWhatTheServerSays_whenItRefusesOtherwise() {
    api.refuse(422, "metadata.labels: Invalid value");

    assertThat(publish(Map.of(COUNT, "8")))
        .isEqualTo(
            new Failed(
                PublishFailure.REFUSED,
                "the API server answers 422: metadata.labels: Invalid value"));
  }

  @Test
  void reportsThatTheServerIsAway() {
    api.cutOff();

    assertThat(publish(Map.of(COUNT, "8")))
        .isInstanceOfSatisfying(
            Failed.class,
            failed -> assertThat(failed.reason()).isEqualTo(PublishFailure.UNREACHABLE));
  }

  @Test
  void writesTheObjectOfNodeFeatureDiscovery() {
    try (var features = new FakeLabelApi(FEATURES, List.of("f:spec", "f:labels"));
        var other = features.connect()) {
      PublicationSink<NodeLabels> sink =
          AppliedLabels.onNodeFeature(
              other,
              "node-a",
              "gpu",
              List.of(new FeatureOwner("v1", "Pod", "agent-x", "uid-9")),
              US,
              false);

      assertThat(sink.publish(labels(COUNT, "8"))).isEqualTo(new Written(List.of()));
      assertThat(sink.publish(labels(COUNT, "8"))).isEqualTo(new Same(List.of()));
      assertThat(sink.publish(labels(PRODUCT, "T4"))).isEqualTo(new Written(List.of()));

      assertThat(features.labels()).isEqualTo(Map.of(PRODUCT, "T4"));
      assertThat(features.lastWrite())
          .isEqualTo(
              Map.of(
                  "apiVersion",
                  "nfd.k8s-sigs.io/v1alpha1",
                  "kind",
                  "NodeFeature",
                  "metadata",
                  Map.of(
                      "name",
                      "nvidia-features-for-node-a",
                      "namespace",
                      "gpu",
                      "labels",
                      Map.of("nfd.node.kubernetes.io/node-name", "node-a"),
                      "ownerReferences",
                      List.of(
                          Map.of(
                              "apiVersion",
                              "v1",
                              "kind",
                              "Pod",
                              "name",
                              "agent-x",
                              "uid",
                              "uid-9"))),
                  "spec",
                  Map.of(
                      "features",
                      Map.of("flags", Map.of(), "attributes", Map.of(), "instances", Map.of()),
                      "labels",
                      Map.of(PRODUCT, "T4"))));
    }
  }

  @Test
  void reportsThatTheClusterHasNoFeatureDiscovery() {
    try (var features = new FakeLabelApi(FEATURES, List.of("f:spec", "f:labels"));
        var other = features.connect()) {
      features.refuse(404, "the server could not find the requested resource");
      PublicationSink<NodeLabels> sink =
          AppliedLabels.onNodeFeature(other, "node-a", "gpu", List.of(), US, false);

      assertThat(sink.publish(labels(COUNT, "8")))
          .isEqualTo(
              new Failed(
                  PublishFailure.NO_SUCH_API,
                  "the NodeFeature gpu/nvidia-features-for-node-a cannot be made, since the cluster"
                      + " has no Node Feature Discovery: install it, or write labels to the Node"
                      + " (the server could not find the requested resource)"));
    }
  }

  private static final String FEATURES =
      "/apis/nfd.k8s-sigs.io/v1alpha1/namespaces/gpu/nodefeatures/nvidia-features-for-node-a";

  /** As each start of the program would: with nothing remembered. */
  private Published publish(Map<String, String> labels) {
    return AppliedLabels.onNode(client, "node-a", US, false).publish(new NodeLabels(labels));
  }

  private static NodeLabels labels(String key, String value) {
    return new NodeLabels(Map.of(key, value));
  }
}
