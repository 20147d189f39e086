package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpureclaimer.reclaimer.cluster.GpuShare;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.Admission.PodSetUse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reads what ResourceQuotas, and the queues and Workloads of Kueue, say about devices: whole GPUs,
 * MIG instances, replicas of shared devices, and those of claims.
 */
public sealed interface KnownShare {

  /** The quota of a namespace, by resource. */
  record OfNamespace(String namespace, List<GpuShare> shares) implements KnownShare {
    public OfNamespace {
      shares = List.copyOf(shares);
    }
  }

  /**
   * The nominal quota of a ClusterQueue, and what all its namespaces use, by the names that Kueue
   * has for resources. Devices of claims may have any name, so resources of other kinds are among
   * them.
   */
  record OfQueue(String queue, List<GpuShare> shares) implements KnownShare {
    public OfQueue {
      shares = List.copyOf(shares);
    }
  }

  /**
   * What a namespace uses of a ClusterQueue.
   *
   * @param resources those of which it uses any, by the same names
   */
  record Use(String namespace, String queue, Set<String> resources) implements KnownShare {
    public Use {
      resources = Set.copyOf(resources);
    }
  }

  /**
   * What Kueue admitted for a Workload, as far as its pods do not request it by the same name.
   * Kueue counts devices of claims so.
   *
   * @param owners UIDs of its pods, or of what controls them
   */
  record Admission(String namespace, String workload, Set<String> owners, List<PodSetUse> podSets)
      implements KnownShare {
    public Admission {
      owners = Set.copyOf(owners);
      podSets = List.copyOf(podSets);
    }

    /**
     * Pods that are alike.
     *
     * @param pods how many
     * @param resources what they use together
     */
    public record PodSetUse(int pods, Map<String, Integer> resources) {
      public PodSetUse {
        resources = Map.copyOf(resources);
      }
    }
  }

  /**
   * Of a ResourceQuota, ClusterQueue, LocalQueue or Workload; empty if it says nothing about
   * devices, or if its controller has not filled its status.
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
          Optional.of(ofQueue(name, tree))
              .filter(shares -> !shares.isEmpty())
              .map(shares -> new OfQueue(name, shares));
      case "LocalQueue" ->
          Optional.of(used(tree))
              .filter(resources -> !resources.isEmpty())
              .map(
                  resources ->
                      new Use(
                          object.getMetadata().getNamespace(),
                          tree.at("/spec/clusterQueue").asText(),
                          resources));
      case "Workload" ->
          Optional.of(podSets(tree))
              .filter(podSets -> !podSets.isEmpty())
              .map(
                  podSets ->
                      new Admission(
                          object.getMetadata().getNamespace(),
                          name,
                          object.getMetadata().getOwnerReferences().stream()
                              .map(OwnerReference::getUid)
                              .collect(Collectors.toUnmodifiableSet()),
                          podSets));
      default -> Optional.empty();
    };
  }

  private static List<PodSetUse> podSets(JsonNode workload) {
    Map<String, JsonNode> templates = new HashMap<>();
    elements(workload.at("/spec/podSets"))
        .forEach(
            podSet -> templates.put(podSet.path("name").asText(), podSet.at("/template/spec")));
    return elements(workload.at("/status/admission/podSetAssignments"))
        .filter(assignment -> assignment.path("count").canConvertToInt())
        .flatMap(
            assignment ->
                Optional.ofNullable(templates.get(assignment.path("name").asText())).stream()
                    .map(template -> use(assignment, template)))
        .filter(use -> !use.resources().isEmpty())
        .toList();
  }

  private static PodSetUse use(JsonNode assignment, JsonNode template) {
    Set<String> requested =
        Stream.of("containers", "initContainers")
            .flatMap(field -> elements(template.path(field)))
            .map(container -> container.path("resources"))
            .flatMap(all -> Stream.of(all.path("requests"), all.path("limits")))
            .flatMap(all -> all.properties().stream().map(Map.Entry::getKey))
            .collect(Collectors.toSet());
    Map<String, Integer> resources = new HashMap<>();
    assignment
        .path("resourceUsage")
        .properties()
        .forEach(
            each -> {
              if (AcceleratorNames.mayBeDevices(each.getKey())
                  && !requested.contains(each.getKey())) {
                amount(each.getValue()).ifPresent(amount -> resources.put(each.getKey(), amount));
              }
            });
    return new PodSetUse(assignment.path("count").asInt(), resources);
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

  private static List<GpuShare> ofQueue(String name, JsonNode tree) {
    Map<String, Integer> nominal =
        sums(
            elements(tree.at("/spec/resourceGroups"))
                .flatMap(group -> elements(group.path("flavors"))),
            "nominalQuota");
    Map<String, Integer> used = sums(usage(tree), "total");
    return nominal.entrySet().stream()
        .flatMap(
            quota ->
                share(
                    "ClusterQueue " + name,
                    quota.getKey(),
                    Optional.ofNullable(used.get(quota.getKey())),
                    Optional.of(quota.getValue())))
        .toList();
  }

  private static Set<String> used(JsonNode tree) {
    return sums(usage(tree), "total").entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .map(Map.Entry::getKey)
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

  /** Over all flavors, by the name of the resource that may be of devices. */
  private static Map<String, Integer> sums(Stream<JsonNode> flavors, String field) {
    Map<String, Integer> sums = new TreeMap<>();
    flavors
        .flatMap(flavor -> elements(flavor.path("resources")))
        .filter(resource -> AcceleratorNames.mayBeDevices(resource.path("name").asText()))
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
