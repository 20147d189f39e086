package io.gpureclaimer.deviceplugin.nodeevents.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink.Delivery.Delivered;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink.Delivery.Failed;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventsOnNodeTest {
  private static final String CREATE = "POST";
  private static final String PATH = "/api/v1/namespaces/default/events";

  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private final EventsOnNode events = new EventsOnNode(client, "node-a", "gpu-exporter");

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void reportsOnTheNode() {
    assertThat(events.write(event("XID 79", "1"))).isEqualTo(new Delivered());

    assertThat(written())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getType()).isEqualTo("Warning");
              assertThat(event.getReason()).isEqualTo("GpuUnhealthy");
              assertThat(event.getMessage()).isEqualTo("XID 79");
              assertThat(event.getInvolvedObject().getKind()).isEqualTo("Node");
              assertThat(event.getInvolvedObject().getName()).isEqualTo("node-a");
              assertThat(event.getInvolvedObject().getUid()).isEqualTo("node-a");
              assertThat(event.getSource().getComponent()).isEqualTo("gpu-exporter");
              assertThat(event.getSource().getHost()).isEqualTo("node-a");
              assertThat(event.getLastTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
            });
  }

  @Test
  void asksForNoRightButToCreate() {
    events.write(event("XID 79", "1"));

    assertThat(server.calls()).containsExactly(CREATE + " " + PATH);
  }

  @Test
  void hasOneNameForOneIncident_soThatARestartReportsItOnce() {
    events.write(event("XID 79", "1"));
    events.write(event("XID 79", "2"));
    String name = written().getFirst().getMetadata().getName();
    new EventsOnNode(client, "node-b", "gpu-exporter").write(event("XID 79", "1"));
    assertThat(written()).hasSize(3);
    server.force(CREATE, PATH, 409, "events \"" + name + "\" already exists");

    assertThat(events.write(event("XID 79", "1"))).isEqualTo(new Delivered());
  }

  @Test
  void namesTheRuleThatIsMissing_whenItMayNot() {
    server.force(CREATE, PATH, 403, "events is forbidden");

    assertThat(events.write(event("XID 79", "1")))
        .isEqualTo(
            new Failed(
                "our account may not; it needs a Role in namespace default with apiGroups [\"\"],"
                    + " resources [\"events\"], verbs [\"create\"] (events is forbidden)"));
  }

  @Test
  void saysWhy_whenTheServerIsAway() {
    server.cutOff();

    assertThat(events.write(event("XID 79", "1"))).isInstanceOf(Failed.class);
  }

  private List<Event> written() {
    return server.admin().v1().events().inNamespace("default").list().getItems();
  }

  private static NodeEvent event(String message, String incident) {
    return new NodeEvent(
        "GpuUnhealthy", true, message, incident, Instant.parse("2026-01-01T00:00:00.7Z"));
  }
}
