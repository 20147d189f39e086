package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads a Node. */
public final class NodeParser {
  private static final String NOT_READY = "not ready";

  private final AcceleratorNames names;

  public NodeParser(AcceleratorNames names) {
    this.names = names;
  }

  /** Any node, with or without GPUs: pods must be known to run on a healthy one. */
  public KnownNode of(Node node) {
    Map<String, String> labels = MetadataParser.asEmpty(node.getMetadata().getLabels());
    String name = Objects.requireNonNull(node.getMetadata().getName(), "metadata.name");
    Optional<String> standing = standing(node);
    Optional<String> profile = NodeView.profileOfGpus(labels);
    GpuOffer offer = offer(labels, profile);
    Map<String, Integer> devices = offer == GpuOffer.UNCLEAR ? Map.of() : devices(node, labels);
    return new KnownNode(
        standing,
        offer,
        profile,
        hasDevicePlugin(node),
        new NodeView(
            name,
            devices,
            node.getStatus() == null
                ? Map.of()
                : ResourceRequests.amounts(node.getStatus().getAllocatable()),
            interned(labels),
            taints(node),
            standing.isEmpty(),
            standing.equals(Optional.of(NOT_READY))));
  }

  /** Most labels are the same for thousands of nodes. */
  private static Map<String, String> interned(Map<String, String> labels) {
    return labels.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                label -> label.getKey().intern(), label -> label.getValue().intern()));
  }

  /** What there is to plan with, by resource. MIG instances that are replicas are not. */
  private Map<String, Integer> devices(Node node, Map<String, String> labels) {
    Map<String, Integer> devices = new HashMap<>();
    if (node.getStatus() == null) {
      return devices;
    }
    var allocatable = node.getStatus().getAllocatable();
    for (String resource : allocatable.keySet()) {
      boolean isProfile =
          AcceleratorNames.profile(resource).isPresent() && !isReplicated(labels, resource);
      if ((isProfile || names.isReplicas(resource))
          && GpuRequest.count(allocatable, resource) > 0) {
        devices.put(resource, GpuRequest.count(allocatable, resource));
      }
    }
    int gpus = usualGpus(allocatable);
    if (gpus > 0) {
      devices.put(ResourceNames.GPU, gpus);
    }
    return devices;
  }

  /** Whether it offers accelerators as extended resources, under whatever name. */
  private boolean hasDevicePlugin(Node node) {
    if (node.getStatus() == null) {
      return false;
    }
    var allocatable = node.getStatus().getAllocatable();
    return allocatable.keySet().stream()
        .filter(
            name ->
                names.counted(name).isPresent()
                    || name.startsWith(ResourceNames.MIG_PREFIX)
                    || names.isOther(name))
        .anyMatch(name -> GpuRequest.count(allocatable, name) > 0);
  }

  private static boolean isReplicated(Map<String, String> labels, String resource) {
    return !Set.of("", "0", "1").contains(labels.getOrDefault(resource + ".replicas", ""))
        || !Set.of("", "none").contains(labels.getOrDefault(resource + ".sharing-strategy", ""));
  }

  /**
   * How many GPUs, or replicas of them, there are to plan with. A node that offers GPUs under
   * several names, or only under another one than the usual, has none: which of them a pending pod
   * could get is not known.
   */
  private int usualGpus(Map<String, Quantity> allocatable) {
    boolean otherNames =
        names.gpus().stream()
            .filter(name -> !name.equals(ResourceNames.GPU))
            .anyMatch(name -> GpuRequest.count(allocatable, name) > 0);
    return otherNames ? 0 : GpuRequest.count(allocatable, ResourceNames.GPU);
  }

  private static GpuOffer offer(Map<String, String> labels, Optional<String> profile) {
    if (NodeView.sharesGpus(labels)) {
      return GpuOffer.REPLICAS;
    }
    return labels.getOrDefault(NodeView.PRODUCT, "").contains("-MIG-") && profile.isEmpty()
        ? GpuOffer.UNCLEAR
        : GpuOffer.DEVICES;
  }

  private static List<Taint> taints(Node node) {
    if (node.getSpec() == null) {
      return List.of();
    }
    return node.getSpec().getTaints().stream()
        .map(
            taint ->
                new Taint(
                    taint.getKey(), MetadataParser.asEmpty(taint.getValue()), taint.getEffect()))
        .toList();
  }

  private static Optional<String> standing(Node node) {
    if (node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
      return Optional.of("cordoned");
    }
    boolean ready =
        node.getStatus() != null
            && node.getStatus().getConditions().stream()
                .anyMatch(
                    condition ->
                        "Ready".equals(condition.getType())
                            && "True".equals(condition.getStatus()));
    return ready ? Optional.empty() : Optional.of(NOT_READY);
  }

  /** What a node offers as whole GPUs. */
  public enum GpuOffer {
    /** GPUs, or MIG instances of one profile. */
    DEVICES,
    /** Replicas of GPUs or MIG instances. */
    REPLICAS,
    /** MIG instances of a profile that is not known. */
    UNCLEAR
  }

  /**
   * A node, and what a pod on it really gets.
   *
   * @param standing why its pods are not to be touched; empty while it is ready and not cordoned
   * @param offer what it offers as whole GPUs
   * @param profile the MIG profile of what it offers as whole GPUs, where those are instances
   * @param hasDevicePlugin whether a device plugin offers accelerators there
   * @param view the node with the resources that can be freed for pending pods
   */
  public record KnownNode(
      Optional<String> standing,
      GpuOffer offer,
      Optional<String> profile,
      boolean hasDevicePlugin,
      NodeView view) {

    public String name() {
      return view.name();
    }

    /** What a pod on this node holds that requests this. */
    public Accelerators held(Accelerators requested) {
      return switch (offer) {
        case DEVICES -> devices(requested);
        case REPLICAS -> requested.onSharedGpus();
        case UNCLEAR -> requested.andOthers();
      };
    }

    private Accelerators devices(Accelerators requested) {
      return profile.map(requested::onDividedGpus).orElse(requested);
    }
  }
}
