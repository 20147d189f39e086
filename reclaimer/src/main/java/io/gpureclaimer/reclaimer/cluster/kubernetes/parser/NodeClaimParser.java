package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.NodeClaim;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads a NodeClaim of Karpenter. */
public final class NodeClaimParser {
  /** What {@code Launched} says before the first try; then the reason is that of a failure. */
  private static final Set<String> NOT_TRIED = Set.of("", "AwaitingReconciliation");

  private final AcceleratorNames names;

  public NodeClaimParser(AcceleratorNames names) {
    this.names = names;
  }

  /** What is known of the node of a NodeClaim. */
  public sealed interface NodeClaimState {

    /** It is not ready yet. */
    record Expected(NodeClaim claim) implements NodeClaimState {}

    /** It is ready, is not for pods that request devices, or may not come. */
    record NotExpected() implements NodeClaimState {}

    /** It does not come, or leaves. */
    record Lost() implements NodeClaimState {}

    /** The NodeClaim, if its node is not ready yet. */
    default Optional<NodeClaim> expected() {
      return this instanceof Expected(var claim) ? Optional.of(claim) : Optional.empty();
    }
  }

  /** What a NodeClaim says. */
  public NodeClaimState of(GenericKubernetesResource object) {
    ObjectMeta metadata = object.getMetadata();
    JsonNode tree = ObjectParser.tree(object);
    JsonNode conditions = tree.at("/status/conditions");
    if (metadata.getDeletionTimestamp() != null
        || elements(conditions).anyMatch(NodeClaimParser::isFailure)) {
      return new NodeClaimState.Lost();
    }
    Map<String, Integer> devices = devices(tree.at("/spec/resources/requests"));
    if (devices.isEmpty()
        || metadata.getCreationTimestamp() == null
        || elements(conditions).anyMatch(NodeClaimParser::isReady)
        || elements(conditions).anyMatch(NodeClaimParser::isInDoubt)) {
      return new NodeClaimState.NotExpected();
    }
    String name = tree.at("/status/nodeName").asText();
    return new NodeClaimState.Expected(
        new NodeClaim(
            OffsetDateTime.parse(metadata.getCreationTimestamp()).toInstant(),
            new NodeView(
                name.isEmpty() ? metadata.getName() : name,
                devices,
                MetadataParser.asEmpty(metadata.getLabels()),
                elements(tree.at("/spec/taints")).map(NodeClaimParser::taint).toList(),
                false),
            elements(tree.at("/spec/requirements")).map(NodeClaimParser::requirement).toList()));
  }

  private static boolean isReady(JsonNode condition) {
    return switch (condition.path("type").asText()) {
      case "Ready", "Initialized" -> condition.path("status").asText().equals("True");
      default -> false;
    };
  }

  /** In older releases of Karpenter; newer ones delete the NodeClaim instead. */
  private static boolean isFailure(JsonNode condition) {
    return condition.path("type").asText().equals("Launched")
        && condition.path("status").asText().equals("False");
  }

  /** Whether a condition says that a launch failed, which Karpenter tries again. */
  private static boolean isInDoubt(JsonNode condition) {
    return condition.path("type").asText().equals("Launched")
        && condition.path("status").asText().equals("Unknown")
        && !NOT_TRIED.contains(condition.path("reason").asText());
  }

  /** By the names that pods have for them, see {@link NodeView#devices}. */
  private Map<String, Integer> devices(JsonNode requests) {
    Map<String, Integer> devices = new HashMap<>();
    for (Entry<String, JsonNode> each : requests.properties()) {
      String resource = each.getKey();
      int count =
          GpuRequest.count(Map.of(resource, new Quantity(each.getValue().asText())), resource);
      if (count > 0) {
        names.counted(resource).ifPresent(name -> devices.merge(name, count, Integer::sum));
      }
    }
    return devices;
  }

  private static Taint taint(JsonNode sent) {
    return new Taint(
        sent.path("key").asText(), sent.path("value").asText(), sent.path("effect").asText());
  }

  private static LabelRequirement requirement(JsonNode sent) {
    return new LabelRequirement(
        sent.path("key").asText(),
        sent.path("operator").asText(),
        elements(sent.path("values"))
            .map(JsonNode::asText)
            .collect(Collectors.toUnmodifiableSet()));
  }

  private static Stream<JsonNode> elements(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }
}
