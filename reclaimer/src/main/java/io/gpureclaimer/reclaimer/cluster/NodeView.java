package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node with GPUs.
 *
 * @param devices how many it can allocate, by the name of the extended resource: whole GPUs,
 *     instances by MIG profile, and replicas of shared devices; replicas and instances may have the
 *     name of GPUs
 * @param allocatable how much of further resources it can allocate to pods, such as CPU and memory,
 *     by name, in thousandths; nothing of what is not in it
 * @param accepting ready and not cordoned
 * @param unready not ready, and not cordoned either: it may accept pods again soon
 */
public record NodeView(
    String name,
    Map<String, Integer> devices,
    Map<String, Long> allocatable,
    Map<String, String> labels,
    List<Taint> taints,
    boolean accepting,
    boolean unready) {
  /** The label of the GPU's model, as GPU feature discovery writes it. */
  public static final String PRODUCT = "nvidia.com/gpu.product";

  /** In the label of the model where GPUs are divided. */
  private static final String DIVIDED = "-MIG-";

  private static final Pattern DIVIDED_PRODUCT =
      Pattern.compile("(.*)-MIG-([0-9][^-]*?)(?:-SHARED)?");
  private static final String REPLICAS = "nvidia.com/gpu.replicas";
  private static final String SHARING = "nvidia.com/gpu.sharing-strategy";
  private static final String SHARING_ON_GKE = "cloud.google.com/gke-gpu-sharing-strategy";
  private static final String SHARED_PRODUCT = "-SHARED";
  private static final String SHARED_RESOURCE = ".shared";
  private static final Set<String> ONE_REPLICA = Set.of("", "0", "1");
  private static final Set<String> NO_SHARING = Set.of("", "none");

  public NodeView {
    devices = Map.copyOf(devices);
    allocatable = Map.copyOf(allocatable);
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
    if (accepting && unready) {
      throw new IllegalArgumentException("a node that is not ready accepts no pods: " + name);
    }
  }

  /** A node with devices alone, for pods that request nothing else. */
  public NodeView(
      String name,
      Map<String, Integer> devices,
      Map<String, String> labels,
      List<Taint> taints,
      boolean accepting,
      boolean unready) {
    this(name, devices, Map.of(), labels, taints, accepting, unready);
  }

  /** The same, if it accepts pods or is cordoned. */
  public NodeView(
      String name,
      Map<String, Integer> devices,
      Map<String, String> labels,
      List<Taint> taints,
      boolean accepting) {
    this(name, devices, labels, taints, accepting, false);
  }

  /** A node with whole GPUs alone. */
  public NodeView(
      String name, int gpus, Map<String, String> labels, List<Taint> taints, boolean accepting) {
    this(name, Map.of(ResourceNames.GPU, gpus), labels, taints, accepting);
  }

  /** How many whole GPUs it can allocate. */
  public int gpus() {
    return offersWholeGpus() ? devices.getOrDefault(ResourceNames.GPU, 0) : 0;
  }

  /** Whole GPUs, and MIG instances by profile, that a pod has for itself, by kind. */
  public Map<String, Integer> unsharedDevices() {
    Map<String, Integer> unshared = new HashMap<>();
    for (String resource : devices.keySet()) {
      String kind = resource.equals(ResourceNames.GPU) ? kindOfGpus() : resource;
      boolean isMig = kind.startsWith(ResourceNames.MIG_PREFIX) && !kind.endsWith(SHARED_RESOURCE);
      if ((isMig || kind.equals(ResourceNames.GPU)) && count(kind) > 0) {
        unshared.put(kind, count(kind));
      }
    }
    return unshared;
  }

  /**
   * How many devices of a kind it can allocate, by whichever name.
   *
   * @param kind the resource by which they are usually named
   */
  public int count(String kind) {
    return kind.equals(ResourceNames.GPU) ? gpus() : devices.getOrDefault(nameOf(kind), 0);
  }

  /** By which resource pods request devices of a kind here: instances may be named GPUs. */
  public String nameOf(String kind) {
    return !devices.containsKey(kind) && kindOfGpus().equals(kind) ? ResourceNames.GPU : kind;
  }

  /** What it offers as GPUs, if anything, by the usual name. */
  private String kindOfGpus() {
    String kind =
        profileOfGpus(labels)
            .map(profile -> ResourceNames.MIG_PREFIX + profile)
            .orElse(ResourceNames.GPU);
    return sharesGpus(labels) ? kind + SHARED_RESOURCE : kind;
  }

  /**
   * The label of the product without the MIG profile, which it has in addition under the strategy
   * {@code single}; empty if there is no label.
   */
  public String model() {
    String product = labels.getOrDefault(PRODUCT, "");
    Matcher divided = DIVIDED_PRODUCT.matcher(product);
    return divided.matches() ? divided.group(1) : product;
  }

  /** Whether the label of the product names a model, and no GPU is divided unlike the others. */
  public boolean namesModel() {
    String model = model();
    return !model.isEmpty() && !model.contains(DIVIDED);
  }

  /** Whether what it offers as GPUs, if anything, is neither replicas nor instances of them. */
  public boolean offersWholeGpus() {
    return kindOfGpus().equals(ResourceNames.GPU);
  }

  /**
   * The MIG profile of what a node offers as GPUs, where all of its GPUs are divided alike, under
   * the MIG strategy {@code single}; by the label of GPU feature discovery.
   */
  public static Optional<String> profileOfGpus(Map<String, String> labels) {
    String label = labels.getOrDefault(PRODUCT, "");
    if (!label.contains(DIVIDED)) {
      return Optional.empty();
    }
    Matcher product = DIVIDED_PRODUCT.matcher(label);
    return product.matches() ? Optional.of(product.group(2)) : Optional.empty();
  }

  /**
   * Whether labels say that what a node offers as GPUs are replicas of them, by time slicing or
   * MPS: those of GPU feature discovery, or GKE's.
   */
  public static boolean sharesGpus(Map<String, String> labels) {
    return labels.getOrDefault(PRODUCT, "").endsWith(SHARED_PRODUCT)
        || !ONE_REPLICA.contains(labels.getOrDefault(REPLICAS, ""))
        || !NO_SHARING.contains(labels.getOrDefault(SHARING, ""))
        || !labels.getOrDefault(SHARING_ON_GKE, "").isEmpty();
  }

  /** Whether the placement allows this node, as far as selectors, node affinity and taints say. */
  public boolean suits(Placement placement) {
    return accepting && matches(placement) && isTolerated(placement);
  }

  /** Whether selector and node affinity of the placement allow this node. */
  public boolean matches(Placement placement) {
    return carries(placement.nodeSelector()) && placement.allows(this);
  }

  /** Whether the placement tolerates all taints; loops, because a planning asks every node. */
  public boolean isTolerated(Placement placement) {
    for (Taint taint : taints) {
      if (taint.forbids() && !placement.tolerates(taint)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the node has all of the labels. */
  public boolean carries(Map<String, String> wanted) {
    for (Map.Entry<String, String> label : wanted.entrySet()) {
      if (!label.getValue().equals(labels.get(label.getKey()))) {
        return false;
      }
    }
    return true;
  }

  /**
   * A node's mark that keeps pods away.
   *
   * @param value its value, maybe empty
   * @param effect {@code NoSchedule}, {@code PreferNoSchedule} or {@code NoExecute}
   */
  public record Taint(String key, String value, String effect) {

    /** Whether the taint forbids scheduling, rather than advising against it. */
    public boolean forbids() {
      return !effect.equals("PreferNoSchedule");
    }
  }
}
