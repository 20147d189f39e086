package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpureclaimer.reclaimer.cluster.GpuShare;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reads what ResourceQuotas and the queues of Kueue say about devices: whole GPUs, MIG instances,
 * replicas of shared devices, and in ResourceQuotas also those of claims.
 */
public sealed interface KnownShare {

  /** The quota of a namespace, by resource. */
  record OfNamespace(String namespace, List<GpuShare> shares) implements KnownShare {
    public OfNamespace {
      shares = List.copyOf(shares);
    }
  }

  /** The nominal quota of a ClusterQueue, and what all its namespaces use, by resource. */
  record OfQueue(String queue, List<GpuShare> shares) implements KnownShare {
    public OfQueue {
      shares = List.copyOf(shares);
    }
  }

  /**
   * What a namespace uses of a ClusterQueue.
   *
   * @param resources those of which it uses any
   */
  record Use(String namespace, String queue, Set<String> resources) implements KnownShare {
    public Use {
      resources = Set.copyOf(resources);
    }
  }

  /**
   * Of a ResourceQuota, ClusterQueue or LocalQueue; empty if it says nothing about devices, or if
   * its controller has not filled its status.
   */
  static Optional<KnownShare> of(GenericKubernetesResource object, AcceleratorNames names) {
    JsonNode tree = ObjectParser.tree(object);
    String name = object.getMetadata().getName();
    return switch (object.getKind()) {
      case "ResourceQuota" ->
          Optional.of(ofQuota(name, tree, names))
              .filter(shares -> !shares.isEmpty())
              .map(shares -> new OfNamespace(object.getMetadata().getNamespace(), shares));
      case "ClusterQueue" ->
          Optional.of(ofQueue(name, tree, names))
              .filter(shares -> !shares.isEmpty())
              .map(shares -> new OfQueue(name, shares));
      case "LocalQueue" ->
          Optional.of(used(tree, names))
              .filter(resources -> !resources.isEmpty())
              .map(
                  resources ->
                      new Use(
                          object.getMetadata().getNamespace(),
                          tree.at("/spec/clusterQueue").asText(),
                          resources));
      default -> Optional.empty();
    };
  }

  private static List<GpuShare> ofQuota(String name, JsonNode tree, AcceleratorNames names) {
    JsonNode used = tree.at("/status/used");
    return tree.at("/status/hard").properties().stream()
        .flatMap(
            hard ->
                names.ofQuota(hard.getKey()).stream()
                    .flatMap(
                        resource ->
                            share(
                                "ResourceQuota " + name,
                                resource,
                                amount(used.path(hard.getKey())),
                                amount(hard.getValue()))))
        .toList();
  }

  private static List<GpuShare> ofQueue(String name, JsonNode tree, AcceleratorNames names) {
    Map<String, Integer> nominal =
        sums(
            elements(tree.at("/spec/resourceGroups"))
                .flatMap(group -> elements(group.path("flavors"))),
            "nominalQuota");
    Map<String, Integer> used = sums(usage(tree), "total");
    return nominal.entrySet().stream()
        .flatMap(
            quota ->
                names.counted(quota.getKey()).stream()
                    .flatMap(
                        resource ->
                            share(
                                "ClusterQueue " + name,
                                resource,
                                Optional.ofNullable(used.get(quota.getKey())),
                                Optional.of(quota.getValue()))))
        .toList();
  }

  private static Set<String> used(JsonNode tree, AcceleratorNames names) {
    return sums(usage(tree), "total").entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .flatMap(each -> names.counted(each.getKey()).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Stream<GpuShare> share(
      String source, String resource, Optional<Integer> used, Optional<Integer> entitled) {
    return used
        .flatMap(now -> entitled.map(most -> new GpuShare(source, resource, now, most)))
        .stream();
  }

  /** By flavor; before v1beta2, LocalQueues had another name for it. */
  private static Stream<JsonNode> usage(JsonNode tree) {
    return Stream.of("flavorsUsage", "flavorUsage")
        .flatMap(field -> elements(tree.path("status").path(field)));
  }

  /** Over all flavors, by the name of the resource. */
  private static Map<String, Integer> sums(Stream<JsonNode> flavors, String field) {
    Map<String, Integer> sums = new TreeMap<>();
    flavors
        .flatMap(flavor -> elements(flavor.path("resources")))
        .forEach(
            resource ->
                amount(resource.path(field))
                    .ifPresent(
                        amount ->
                            sums.merge(resource.path("name").asText(), amount, Integer::sum)));
    return sums;
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
