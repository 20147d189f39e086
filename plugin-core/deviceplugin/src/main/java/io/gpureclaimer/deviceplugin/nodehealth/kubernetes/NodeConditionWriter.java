package io.gpureclaimer.deviceplugin.nodehealth.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.gpureclaimer.deviceplugin.nodehealth.NodeHealth;
import io.gpureclaimer.deviceplugin.publication.PublicationSink;
import io.gpureclaimer.deviceplugin.publication.Published;
import io.gpureclaimer.deviceplugin.publication.kubernetes.ApiFailure;
import io.gpureclaimer.deviceplugin.publication.kubernetes.ApiObject;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes the condition {@code GpuUnhealthy} of one Node and, if asked to, the taint that keeps new
 * pods away while it is True. Each write names the version that was read, so a concurrent change by
 * another program is a conflict, and never undone. Blocks for as long as the client's requests
 * take.
 */
public final class NodeConditionWriter implements PublicationSink<NodeHealth> {
  private static final String TYPE = "GpuUnhealthy";
  private static final String TAINT = "nvidia.com/gpu-unhealthy";
  private static final String NO_SCHEDULE = "NoSchedule";
  private static final PatchContext MERGE =
      new PatchContext.Builder()
          .withPatchType(PatchType.JSON_MERGE)
          .withFieldManager("gpu-reclaimer-health")
          .build();

  private final KubernetesClient client;
  private final String node;
  private final boolean taints;
  private final InstantSource clock;
  private final ApiObject object;

  /**
   * @param client makes each call once
   * @param node the name of the Node
   * @param taints whether the taint is written, too
   */
  public NodeConditionWriter(
      KubernetesClient client, String node, boolean taints, InstantSource clock) {
    this.client = client;
    this.node = node;
    this.taints = taints;
    this.clock = clock;
    this.object = new HealthObject(node, taints);
  }

  private record HealthObject(String node, boolean taints) implements ApiObject {
    @Override
    public String describe() {
      return "the condition " + TYPE + " of the Node " + node;
    }

    @Override
    public String rule() {
      return "a ClusterRole with apiGroups [\"\"], resources [\"nodes\"], verbs [\"get\""
          + (taints ? ", \"patch\"" : "")
          + "], and resources [\"nodes/status\"], verbs [\"patch\"]";
    }

    @Override
    public boolean mayBeCreated() {
      return false;
    }
  }

  @Override
  public String target() {
    return object.describe();
  }

  @Override
  public Published publish(NodeHealth health) {
    try {
      Node live = client.nodes().withName(node).get();
      if (live == null) {
        return ApiFailure.noSuchNode(object);
      }
      Node written = writeCondition(live, health);
      if (taints) {
        writeTaint(written, health);
      }
      return new Published.Written(List.of());
    } catch (KubernetesClientException e) {
      return ApiFailure.of(e, object);
    }
  }

  private Node writeCondition(Node live, NodeHealth health) {
    List<NodeCondition> before =
        live.getStatus() == null ? List.of() : live.getStatus().getConditions();
    var after = new ArrayList<>(before);
    after.removeIf(NodeConditionWriter::isOurs);
    after.add(condition(before.stream().filter(NodeConditionWriter::isOurs).findFirst(), health));
    return client
        .nodes()
        .withName(node)
        .subresource("status")
        .patch(MERGE, patch(live, "status", "conditions", after));
  }

  private NodeCondition condition(Optional<NodeCondition> before, NodeHealth health) {
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    String status = health.status().text();
    return new NodeConditionBuilder()
        .withType(TYPE)
        .withStatus(status)
        .withReason(health.reason())
        .withMessage(health.message())
        .withLastHeartbeatTime(now)
        .withLastTransitionTime(
            before
                .filter(condition -> Objects.equals(condition.getStatus(), status))
                .map(NodeCondition::getLastTransitionTime)
                .orElse(now))
        .build();
  }

  /** While it is not known whether a GPU is unhealthy, the taint stays as it is. */
  private void writeTaint(Node live, NodeHealth health) {
    List<Taint> before = live.getSpec() == null ? List.of() : live.getSpec().getTaints();
    var after = new ArrayList<>(before);
    switch (health.status()) {
      case TRUE -> {
        if (before.stream().noneMatch(NodeConditionWriter::isOurs)) {
          after.add(new TaintBuilder().withKey(TAINT).withEffect(NO_SCHEDULE).build());
        }
      }
      case FALSE -> after.removeIf(NodeConditionWriter::isOurs);
      case UNKNOWN -> {}
    }
    if (!after.equals(before)) {
      client.nodes().withName(node).patch(MERGE, patch(live, "spec", "taints", after));
    }
  }

  private String patch(Node live, String part, String list, List<?> items) {
    return client
        .getKubernetesSerialization()
        .asJson(
            Map.of(
                "metadata",
                Map.of("resourceVersion", live.getMetadata().getResourceVersion()),
                part,
                Map.of(list, items)));
  }

  private static boolean isOurs(NodeCondition condition) {
    return TYPE.equals(condition.getType());
  }

  private static boolean isOurs(Taint taint) {
    return TAINT.equals(taint.getKey()) && NO_SCHEDULE.equals(taint.getEffect());
  }
}
