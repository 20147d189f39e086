package io.gpureclaimer.deviceplugin.nodeevents.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.deviceplugin.kubelet.ContainerDevice;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink.Delivery.Delivered;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink.Delivery.Failed;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventsOnHoldersTest {
  private static final String EVENTS = "/api/v1/namespaces/team/events";

  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private PodResourcesListing listing =
      new PodResourcesListing.Listed(
          List.of(
              held("train", "main", "GPU-a"),
              held("train", "side", "GPU-a"),
              held("share", "main", "GPU-a::3"),
              held("other", "main", "GPU-b")));
  private final EventsOnHolders events =
      new EventsOnHolders(client, "node-a", "gpu-exporter", () -> listing);

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void reportsEachPodThatHoldsTheDevice_once() {
    List.of("train", "share", "other").forEach(pod -> create(pod, "node-a"));

    assertThat(events.write(unhealthy())).isEqualTo(new Delivered());

    assertThat(written())
        .extracting(event -> event.getInvolvedObject().getName())
        .containsExactlyInAnyOrder("train", "share");
    assertThat(written())
        .allSatisfy(
            event -> {
              assertThat(event.getInvolvedObject().getKind()).isEqualTo("Pod");
              assertThat(event.getInvolvedObject().getUid())
                  .as("without it kubectl describe does not show the Event")
                  .isEqualTo(uid(event.getInvolvedObject().getName()));
              assertThat(event.getReason()).isEqualTo("GpuUnhealthy");
              assertThat(event.getType()).isEqualTo("Warning");
              assertThat(event.getSource().getHost()).isEqualTo("node-a");
            });
  }

  @Test
  void reportsNoPodThatIsGone_orHasItsNamesakeElsewhere() {
    create("train", "node-b");

    assertThat(events.write(unhealthy())).isEqualTo(new Delivered());

    assertThat(written()).isEmpty();
  }

  @Test
  void saysWhy_whenTheKubeletDoesNotReportTheHolders() {
    listing = new PodResourcesListing.Failed("unavailable", "no listener");

    assertThat(events.write(unhealthy()))
        .isEqualTo(new Failed("the kubelet does not report who holds the device: no listener"));

    listing = new PodResourcesListing.Unsupported();
    assertThat(events.write(unhealthy())).isEqualTo(new Delivered());
  }

  @Test
  void namesTheRuleThatIsMissing_whenItMayNot() {
    create("train", "node-a");
    server.force("POST", EVENTS, 403, "events is forbidden");

    assertThat(events.write(unhealthy()))
        .isEqualTo(
            new Failed(
                "our account may not; it needs a ClusterRole with apiGroups [\"\"], resources"
                    + " [\"events\"], verbs [\"create\"] (events is forbidden)"));
  }

  @Test
  void saysWhy_whenTheServerIsAway() {
    server.cutOff();

    assertThat(events.write(unhealthy())).isInstanceOf(Failed.class);
  }

  private void create(String pod, String node) {
    server
        .admin()
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(pod)
                .withNamespace("team")
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .endSpec()
                .build())
        .create();
  }

  private String uid(String pod) {
    return server.admin().pods().inNamespace("team").withName(pod).get().getMetadata().getUid();
  }

  private List<Event> written() {
    return server.admin().v1().events().inNamespace("team").list().getItems();
  }

  private static ContainerDevice held(String pod, String container, String id) {
    return new ContainerDevice("team", pod, container, "nvidia.com/gpu", id);
  }

  private static NodeEvent unhealthy() {
    return new NodeEvent(
        "GpuUnhealthy", true, "XID 79", "1", Instant.parse("2026-01-01T00:00:00Z"), "GPU-a");
  }
}
