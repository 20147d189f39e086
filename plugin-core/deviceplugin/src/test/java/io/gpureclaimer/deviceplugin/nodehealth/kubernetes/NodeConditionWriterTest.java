package io.gpureclaimer.deviceplugin.nodehealth.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.deviceplugin.nodehealth.NodeHealth;
import io.gpureclaimer.deviceplugin.nodehealth.NodeHealth.UnhealthyStatus;
import io.gpureclaimer.deviceplugin.publication.Published;
import io.gpureclaimer.deviceplugin.publication.Published.Failed;
import io.gpureclaimer.deviceplugin.publication.Published.PublishFailure;
import io.gpureclaimer.deviceplugin.publication.Published.Written;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeConditionWriterTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00.5Z");
  private static final String MANAGER = "?fieldManager=gpu-reclaimer-health";
  private static final String STATUS = "/api/v1/nodes/node-a/status" + MANAGER;
  private static final String SPEC = "/api/v1/nodes/node-a" + MANAGER;
  private static final NodeHealth UNHEALTHY =
      new NodeHealth(UnhealthyStatus.TRUE, "GpusUnhealthy", "GPU 3: XID 79");
  private static final NodeHealth HEALTHY =
      new NodeHealth(UnhealthyStatus.FALSE, "AllGpusHealthy", "8 of 8 healthy");
  private static final NodeHealth UNKNOWN =
      new NodeHealth(UnhealthyStatus.UNKNOWN, "NoGpuOffered", "none");

  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private Instant now = START;

  @BeforeEach
  void createNode() {
    server
        .admin()
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName("node-a")
                .endMetadata()
                .withNewSpec()
                .addNewTaint("NoExecute", "example.com/theirs", null, "yes")
                .endSpec()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build())
        .create();
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void writesTheCondition_besideThoseOfOthers() {
    assertThat(publish(UNHEALTHY)).isEqualTo(new Written(List.of()));

    assertThat(node().getStatus().getConditions())
        .extracting(NodeCondition::getType)
        .containsExactly("Ready", "GpuUnhealthy");
    NodeCondition condition = condition();
    assertThat(condition.getStatus()).isEqualTo("True");
    assertThat(condition.getReason()).isEqualTo("GpusUnhealthy");
    assertThat(condition.getMessage()).isEqualTo("GPU 3: XID 79");
    assertThat(condition.getLastHeartbeatTime()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(condition.getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  void renewsTheHeartbeat_andKeepsTheTransition_whileTheStatusIsTheSame() {
    publish(UNHEALTHY);
    now = START.plusSeconds(300);
    publish(new NodeHealth(UnhealthyStatus.TRUE, "GpusUnhealthy", "GPU 3 and GPU 4"));

    assertThat(condition().getMessage()).isEqualTo("GPU 3 and GPU 4");
    assertThat(condition().getLastHeartbeatTime()).isEqualTo("2026-01-01T00:05:00Z");
    assertThat(condition().getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(node().getStatus().getConditions()).hasSize(2);
  }

  /** Also what an agent before this one left. */
  @ParameterizedTest
  @CsvSource({
    "TRUE, FALSE, False",
    "TRUE, UNKNOWN, Unknown",
    "FALSE, TRUE, True",
    "FALSE, UNKNOWN, Unknown",
    "UNKNOWN, TRUE, True",
    "UNKNOWN, FALSE, False"
  })
  void correctsTheCondition_andItsTransition(
      UnhealthyStatus before, UnhealthyStatus after, String status) {
    publish(new NodeHealth(before, "Before", "before"));
    now = START.plusSeconds(60);
    publish(new NodeHealth(after, "After", "after"));

    assertThat(condition().getStatus()).isEqualTo(status);
    assertThat(condition().getReason()).isEqualTo("After");
    assertThat(condition().getLastTransitionTime()).isEqualTo("2026-01-01T00:01:00Z");
  }

  @Test
  void changesNothing_whenAnotherProgramWroteMeanwhile_andSucceedsLater() {
    server.force("PATCH", STATUS, 409, "the object has been modified");
    assertThat(publish(UNHEALTHY))
        .isEqualTo(new Failed(PublishFailure.CONFLICT, "the object has been modified"));
    assertThat(node().getStatus().getConditions()).hasSize(1);

    server.relent("PATCH", STATUS);
    assertThat(publish(UNHEALTHY)).isEqualTo(new Written(List.of()));
  }

  @Test
  void saysWhy_whenTheServerIsAway_orTheNodeIsNotThere() {
    assertThat(new NodeConditionWriter(client, "node-b", false, () -> now).publish(UNHEALTHY))
        .isEqualTo(
            new Failed(
                PublishFailure.NO_SUCH_NODE,
                "the condition GpuUnhealthy of the Node node-b does not exist"));
    server.cutOff();

    assertThat(publish(UNHEALTHY))
        .isInstanceOfSatisfying(
            Failed.class,
            failed -> assertThat(failed.reason()).isEqualTo(PublishFailure.UNREACHABLE));
  }

  @Test
  void namesTheRuleThatIsMissing_whenItMayNot() {
    server.force("PATCH", STATUS, 403, "nodes is forbidden");

    assertThat(publish(UNHEALTHY))
        .isEqualTo(
            new Failed(
                PublishFailure.FORBIDDEN,
                "our account may not write the condition GpuUnhealthy of the Node node-a; it needs"
                    + " a ClusterRole with apiGroups [\"\"], resources [\"nodes\"], verbs [\"get\"],"
                    + " and resources [\"nodes/status\"], verbs [\"patch\"] (nodes is forbidden)"));
  }

  @Test
  void taintsTheNode_onlyIfItShould_andOnlyWhileAGpuIsUnhealthy() {
    publish(UNHEALTHY);
    assertThat(taints()).containsExactly("example.com/theirs");

    NodeConditionWriter tainting = new NodeConditionWriter(client, "node-a", true, () -> now);
    tainting.publish(UNHEALTHY);
    tainting.publish(UNHEALTHY);
    assertThat(taints()).containsExactly("example.com/theirs", "nvidia.com/gpu-unhealthy");
    assertThat(node().getSpec().getTaints().getLast().getEffect()).isEqualTo("NoSchedule");

    tainting.publish(UNKNOWN);
    assertThat(taints()).as("not known is not healthy").hasSize(2);

    tainting.publish(HEALTHY);
    assertThat(taints()).containsExactly("example.com/theirs");
    assertThat(server.calls()).filteredOn(("PATCH " + SPEC)::equals).hasSize(2);
  }

  private Published publish(NodeHealth health) {
    return new NodeConditionWriter(client, "node-a", false, () -> now).publish(health);
  }

  private Node node() {
    return server.admin().nodes().withName("node-a").get();
  }

  private NodeCondition condition() {
    return node().getStatus().getConditions().getLast();
  }

  private List<String> taints() {
    return node().getSpec().getTaints().stream().map(Taint::getKey).toList();
  }
}
