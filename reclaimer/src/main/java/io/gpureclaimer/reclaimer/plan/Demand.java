package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A pending pod that needs devices, and nothing else that an action cannot free.
 *
 * @param pod which one
 * @param devices how many the pod needs, all on one node, by the name of the resource: whole GPUs,
 *     instances of a MIG profile, replicas, or devices of a class
 * @param priority its priority
 * @param since when the scheduler first found no node for it
 * @param placement where it may run
 * @param group the group without which it is of no use
 * @param requests how much it requests of further resources, by name, in thousandths
 * @param scarce names of those of which some nodes have too little, by the scheduler's words
 * @param several GPUs and replicas of which a container requests several: where they are replicas,
 *     device plugins may refuse such a container
 * @param byClaims whether the scheduler also tried to give it devices by claims, so that it may get
 *     those that it requests by name from a node without a device plugin
 */
public record Demand(
    PodRef pod,
    Map<String, Integer> devices,
    int priority,
    Instant since,
    Placement placement,
    Optional<Group> group,
    Map<String, Long> requests,
    Set<String> scarce,
    Set<String> several,
    boolean byClaims) {
  public Demand {
    devices = Map.copyOf(devices);
    several = Set.copyOf(several);
    requests = Map.copyOf(requests);
    scarce = Set.copyOf(scarce);
  }

  /** Of whole GPUs and nothing else. */
  public Demand(
      PodRef pod,
      int gpus,
      int priority,
      Instant since,
      Placement placement,
      Optional<Group> group) {
    this(
        pod,
        Map.of(ResourceNames.GPU, gpus),
        priority,
        since,
        placement,
        group,
        Map.of(),
        Set.of(),
        gpus > 1 ? Set.of(ResourceNames.GPU) : Set.of(),
        false);
  }

  /** Of no group. */
  public Demand(PodRef pod, int gpus, int priority, Instant since, Placement placement) {
    this(pod, gpus, priority, since, placement, Optional.empty());
  }

  /**
   * Which devices suffice.
   *
   * @param resources of which kinds, all on one node
   * @param placement on which nodes
   * @param several of which of them replicas do not suffice, unless the node is known to accept it
   * @param byClaims see {@link Demand}
   */
  record Target(
      Set<String> resources, Placement placement, Set<String> several, boolean byClaims) {}

  Target target() {
    return new Target(devices.keySet(), placement, several, byClaims);
  }

  /** How many devices, of all kinds together. */
  public int count() {
    int count = 0;
    for (int each : devices.values()) {
      count += each;
    }
    return count;
  }

  /** How many of one resource. */
  int countOf(String resource) {
    return devices.getOrDefault(resource, 0);
  }

  /**
   * A block of devices that is to be kept free for the next pod, as if that pod were pending.
   *
   * @param pool on whose nodes, and for what pod
   * @param target one of the pool
   */
  static Demand ofFloor(FloorPool pool, Target target, int block, Instant now) {
    FreeGpuFloor floor = pool.floor();
    Map<String, Long> requests = pool.usual().requests();
    return new Demand(
        new PodRef("", floor.toString(), "keep-free/" + floor + "/" + block),
        MissingResources.byKind(target.resources(), _ -> floor.devices()),
        0,
        now,
        target.placement(),
        Optional.empty(),
        requests,
        requests.keySet(),
        target.several(),
        target.byClaims());
  }

  /**
   * Empty if devices on a suitable node, with as much of scarce resources, are not all that the pod
   * needs, or may not be.
   */
  public static Optional<Demand> of(PodView pod) {
    return of(pod, SchedulerMessage::scarceResources);
  }

  /**
   * The same.
   *
   * @param reading of the scheduler's words, see {@link SchedulerMessage#scarceResources}
   */
  static Optional<Demand> of(PodView pod, Function<String, Optional<Set<String>>> reading) {
    boolean isPending = pod.awaitsGpus() && !pod.terminating();
    return pod.waiting()
        .filter(_ -> isPending && objection(pod, reading).isEmpty())
        .map(
            waiting ->
                new Demand(
                    pod.ref(),
                    pod.accelerators().byResource(),
                    pod.priority(),
                    waiting.since(),
                    pod.placement(),
                    pod.traits().schedulingGroup(),
                    pod.requests(),
                    scarceBeside(pod, reading).orElse(Set.of()),
                    pod.accelerators().several(),
                    reading
                        .apply(waiting.message())
                        .filter(names -> names.contains(SchedulerMessage.CLAIMS))
                        .isPresent()));
  }

  /**
   * The resources of which some nodes have too little in addition to the devices that it requests;
   * empty if it lacks no devices, or if the scheduler's words are not understood.
   */
  static Optional<Set<String>> scarceBeside(
      PodView pod, Function<String, Optional<Set<String>>> reading) {
    Accelerators requested = pod.accelerators();
    return pod.waiting()
        .flatMap(waiting -> reading.apply(waiting.message()))
        .filter(
            names ->
                names.contains(SchedulerMessage.CLAIMS)
                    || requested.byResource().keySet().stream().anyMatch(names::contains))
        .map(
            names ->
                names.stream()
                    .filter(name -> requested.count(name) == 0)
                    .filter(name -> !name.equals(SchedulerMessage.CLAIMS))
                    .collect(Collectors.toUnmodifiableSet()));
  }

  /** Whether it is known how much of it the pod needs. */
  private static boolean isServable(PodView pod, Set<String> names) {
    return names.stream()
        .allMatch(name -> name.equals(SchedulerMessage.PODS) || pod.requests().containsKey(name));
  }

  /** Why free GPUs would not help a pending pod, or may not, without the final stop. */
  static Optional<String> objection(PodView pod, Function<String, Optional<Set<String>>> reading) {
    if (pod.accelerators().others()) {
      return Optional.of(
          "the pod requests other accelerators, and pods that hold such are not judged");
    }
    if (pod.accelerators().byResource().isEmpty()
        || (pod.accelerators().mayHoldClaims()
            && pod.accelerators().requestedByClaims().isEmpty())) {
      return Optional.of(
          "the pod has resource claims that are not known, or that request more than a number of"
              + " devices by class and selectors");
    }
    if (pod.placement().constrainedFurther()) {
      return Optional.of(
          "the pod has affinity or topology spread with an operator or field that is not known, or that"
              + " releases of kube-scheduler read differently");
    }
    if (pod.waiting().isEmpty()) {
      return Optional.of(
          "the scheduler has not said that no node has GPUs for it; a scheduling "
              + "gate or a queue may"
              + " hold it");
    }
    String message = pod.waiting().get().message();
    boolean helps =
        scarceBeside(pod, reading).filter(names -> isServable(pod, names)).isPresent()
            || (pod.traits().group().isPresent()
                && SchedulerMessage.onlyItsGroupIsMissing(message));
    return helps
        ? Optional.empty()
        : Optional.of(
            (pod.gpus() > 0 ? "free GPUs" : "free devices")
                + " may not be all that it lacks; the scheduler says: "
                + message);
  }

  /** Whether any pod needs GPUs and nothing else, even if the others of its group need more. */
  public static boolean isAnyIn(ClusterView cluster) {
    return cluster.pods().stream().anyMatch(pod -> of(pod).isPresent());
  }

  /** What the pod has in common with those without which it is of no use. */
  static String unitOf(PodView pod) {
    return unitOf(pod.ref(), pod.traits().schedulingGroup());
  }

  private static String unitOf(PodRef pod, Optional<Group> group) {
    return group
        .map(each -> String.join("/", pod.namespace(), each.key(), each.name()))
        .orElse(pod.uid());
  }

  /** The same without its group, which runs without it. */
  Demand alone() {
    return with(devices, requests, scarce);
  }

  /** What both need on one node, as one pod without a group. */
  Demand and(Demand other) {
    Map<String, Long> sum = new HashMap<>(requests);
    other.requests().forEach((name, amount) -> sum.merge(name, amount, Long::sum));
    Set<String> both = new HashSet<>(scarce);
    both.addAll(other.scarce());
    Map<String, Integer> all = new HashMap<>(devices);
    other.devices().forEach((name, count) -> all.merge(name, count, Integer::sum));
    return with(all, sum, both);
  }

  /** Without requests of what no node has too little of. */
  Demand ofScarce() {
    if (scarce.containsAll(requests.keySet())) {
      return this;
    }
    Map<String, Long> some = new HashMap<>(requests);
    some.keySet().retainAll(scarce);
    return with(devices, some, scarce);
  }

  private Demand with(Map<String, Integer> all, Map<String, Long> amounts, Set<String> names) {
    return new Demand(
        pod, all, priority, since, placement, Optional.empty(), amounts, names, several, byClaims);
  }

  /** {@code 2 GPUs}, {@code 1 nvidia.com/mig-1g.10gb}, or both. */
  public String amount() {
    return amount(devices);
  }

  static String amount(Map<String, Integer> devices) {
    return devices.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(each -> amount(each.getKey(), each.getValue()))
        .collect(Collectors.joining(" and "));
  }

  private static String amount(String resource, int count) {
    return resource.equals(ResourceNames.GPU)
        ? count + (count == 1 ? " GPU" : " GPUs")
        : count + " " + resource;
  }

  /** See {@link PendingUnit}. */
  public String unit() {
    return unitOf(pod, group);
  }

  /**
   * Reads the scheduler's words about a pod that fits nowhere, for example {@code 0/3 nodes are
   * available: 1 node(s) had untolerated taint {a: b}, 2 Insufficient nvidia.com/gpu. preemption:
   * …}.
   */
  static final class SchedulerMessage {
    /** What keeps a pod off a node for reasons that we check ourselves. */
    private static final List<String> CHECKED_BY_US =
        List.of(
            "taint",
            "didn't match Pod's node affinity/selector",
            "were unschedulable",
            "were not ready",
            "didn't have free ports for the requested pod ports",
            "didn't match pod affinity rules",
            "didn't match pod anti-affinity rules",
            "didn't satisfy existing pods anti-affinity rules",
            "didn't match pod topology spread constraints");

    /** What the plugins say that were asked once no node was left; it gives no reasons. */
    private static final String AFTERWARDS =
        "(?:no new claims to deallocate|still not schedulable|preemption: .*|PodGroup \\S+ gets rejected due to Pod .*)";

    private static final Pattern SENTENCE =
        Pattern.compile(
            "^0/[0-9]+ nodes are (?:un)?available: (.+?)\\.?(?: %s(?:, %s)*)?$"
                .replace("%s", AFTERWARDS));

    /** Room for one more pod, in the same set as names of resources. */
    static final String PODS = "pods";

    /**
     * Devices for the claims of the pod, of whatever class, in the same set. A node without a
     * device plugin may give GPUs by such a claim to pods that request them by name.
     */
    static final String CLAIMS = "claims";

    private static final Pattern NO_DEVICES = Pattern.compile("[0-9]+ cannot allocate all claims");

    private static final Pattern SHORTAGE =
        Pattern.compile("[0-9]+ (?:Insufficient (\\S+)|Too many pods)");

    private static final Pattern NEXT_REASON = Pattern.compile(", (?=[0-9]+ )");

    /**
     * What gang schedulers write on a pod that would fit and is not scheduled because another pod
     * of its group does not: the coscheduling plugin, and Volcano.
     */
    private static final Pattern GROUP_REJECTED =
        Pattern.compile(
            "optimistic rejection in PostFilter|rejected while waiting on permit"
                + "|^[0-9]+/[0-9]+ tasks in gang unschedulable: pod group is not ready");

    private SchedulerMessage() {}

    /** Whether the pod would have a node if the others of its group had one. */
    static boolean onlyItsGroupIsMissing(String message) {
      return GROUP_REJECTED.matcher(message).find();
    }

    /**
     * The resources of which some nodes have too little, so that victims must leave as much of
     * them. A reason that is not understood might remain after an eviction, so then the answer is
     * empty.
     */
    static Optional<Set<String>> scarceResources(String message) {
      Matcher sentence = SENTENCE.matcher(message.strip());
      if (!sentence.matches()) {
        return Optional.empty();
      }
      Set<String> scarce = new HashSet<>();
      for (String reason : NEXT_REASON.splitAsStream(sentence.group(1)).toList()) {
        Matcher shortage = SHORTAGE.matcher(reason);
        if (NO_DEVICES.matcher(reason).matches()) {
          scarce.add(CLAIMS);
        } else if (shortage.matches()) {
          scarce.add(shortage.group(1) == null ? PODS : shortage.group(1));
        } else if (!isCheckedByUs(reason)) {
          return Optional.empty();
        }
      }
      return Optional.of(scarce);
    }

    private static boolean isCheckedByUs(String reason) {
      return CHECKED_BY_US.stream().anyMatch(reason::contains);
    }
  }
}
