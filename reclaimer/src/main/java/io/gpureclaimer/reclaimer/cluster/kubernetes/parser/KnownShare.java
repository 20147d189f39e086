package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.GpuShare;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads what ResourceQuotas and the queues of Kueue say about whole GPUs. */
public sealed interface KnownShare {

  /** The quota of a namespace. */
  record OfNamespace(String namespace, GpuShare share) implements KnownShare {}

  /** The nominal quota of a ClusterQueue, and what all its namespaces use. */
  record OfQueue(String queue, GpuShare share) implements KnownShare {}

  /** What a namespace uses of a ClusterQueue. */
  record Use(String namespace, String queue, int gpus) implements KnownShare {}

  /**
   * Of a ResourceQuota, ClusterQueue or LocalQueue; empty if it says nothing about GPUs, or if its
   * controller has not filled its status.
   */
  static Optional<KnownShare> of(GenericKubernetesResource object) {
    JsonNode tree = ObjectParser.tree(object);
    String name = object.getMetadata().getName();
    return switch (object.getKind()) {
      case "ResourceQuota" -> quota(object.getMetadata().getNamespace(), name, tree);
      case "ClusterQueue" -> queue(name, tree);
      case "LocalQueue" ->
          sum(usage(tree))
              .map(
                  gpus ->
                      new Use(
                          object.getMetadata().getNamespace(),
                          tree.at("/spec/clusterQueue").asText(),
                          gpus));
      default -> Optional.empty();
    };
  }

  private static Optional<KnownShare> quota(String namespace, String name, JsonNode tree) {
    String resource = "requests." + ResourceNames.GPU;
    return amount(tree.at("/status/hard").path(resource))
        .flatMap(
            hard ->
                amount(tree.at("/status/used").path(resource))
                    .map(
                        used ->
                            new OfNamespace(
                                namespace, new GpuShare("ResourceQuota " + name, used, hard))));
  }

  private static Optional<KnownShare> queue(String name, JsonNode tree) {
    Stream<JsonNode> flavors =
        elements(tree.at("/spec/resourceGroups")).flatMap(group -> elements(group.path("flavors")));
    return sum(amounts(flavors, "nominalQuota"))
        .flatMap(
            nominal ->
                sum(usage(tree))
                    .map(
                        used ->
                            new OfQueue(
                                name, new GpuShare("ClusterQueue " + name, used, nominal))));
  }

  /** By flavor; before v1beta2, LocalQueues had another name for it. */
  private static List<Integer> usage(JsonNode tree) {
    return amounts(
        Stream.of("flavorsUsage", "flavorUsage")
            .flatMap(field -> elements(tree.path("status").path(field))),
        "total");
  }

  private static List<Integer> amounts(Stream<JsonNode> flavors, String field) {
    return flavors
        .flatMap(flavor -> elements(flavor.path("resources")))
        .filter(resource -> resource.path("name").asText().equals(ResourceNames.GPU))
        .flatMap(resource -> amount(resource.path(field)).stream())
        .toList();
  }

  private static Optional<Integer> sum(List<Integer> amounts) {
    return amounts.isEmpty()
        ? Optional.empty()
        : Optional.of(amounts.stream().mapToInt(Integer::intValue).sum());
  }

  private static Optional<Integer> amount(JsonNode quantity) {
    return quantity.isMissingNode() || quantity.isNull()
        ? Optional.empty()
        : Optional.of(new Quantity(quantity.asText()).getNumericalAmount().intValue());
  }

  private static Stream<JsonNode> elements(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }
}
