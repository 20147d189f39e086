package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed.Devices;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed.Unread;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * GPUs that a pod requests, counted as an agent would observe them.
 *
 * @param gpus how many whole GPUs its specification requests
 * @param slices how many MIG instances it requests, by profile, for example {@code 1g.10gb}
 * @param claimed what its resource claims gave it in addition
 * @param requestedByClaims how many devices its claims request by class and selectors, with the
 *     names of {@link #byResource}; none if that is not all that they say, or if it is not known
 *     that other pods could get these devices. In addition, the GPUs and instances of its
 *     specification that the scheduler gave it by a claim rather than by a device plugin
 * @param slicesNamedGpus whether it requests those instances as GPUs, under the MIG strategy {@code
 *     single}
 * @param replicas how many replicas of shared GPUs or MIG devices it requests, by resource; a
 *     single one is of one device, several may be of one device or of several
 * @param several GPUs and replicas of which a single container requests several, by resource
 * @param others whether it also requests accelerators that are not counted, such as those of other
 *     makers
 */
public record Accelerators(
    int gpus,
    Map<String, Integer> slices,
    boolean slicesNamedGpus,
    Claimed claimed,
    Map<String, Integer> requestedByClaims,
    Map<String, Integer> replicas,
    Set<String> several,
    boolean others) {
  public Accelerators {
    slices = Map.copyOf(slices);
    requestedByClaims = Map.copyOf(requestedByClaims);
    replicas = Map.copyOf(replicas);
    several = Set.copyOf(several);
    if (gpus < 0) {
      throw new IllegalArgumentException("gpus must not be negative, was " + gpus);
    }
    slices.forEach(Accelerators::requirePositive);
    replicas.forEach(Accelerators::requirePositive);
  }

  /** Of one container. */
  public Accelerators(
      int gpus,
      Map<String, Integer> slices,
      boolean slicesNamedGpus,
      Claimed claimed,
      Map<String, Integer> requestedByClaims,
      Map<String, Integer> replicas,
      boolean others) {
    this(
        gpus,
        slices,
        slicesNamedGpus,
        claimed,
        requestedByClaims,
        replicas,
        severalOf(gpus, replicas),
        others);
  }

  /** With instances by their profiles. */
  public Accelerators(
      int gpus,
      Map<String, Integer> slices,
      Claimed claimed,
      Map<String, Integer> requestedByClaims,
      Map<String, Integer> replicas,
      boolean others) {
    this(gpus, slices, false, claimed, requestedByClaims, replicas, others);
  }

  /** Without replicas. */
  public Accelerators(
      int gpus,
      Map<String, Integer> slices,
      Claimed claimed,
      Map<String, Integer> requestedByClaims,
      boolean others) {
    this(gpus, slices, claimed, requestedByClaims, Map.of(), others);
  }

  /** Where it is not known what claims request. */
  public Accelerators(int gpus, Map<String, Integer> slices, Claimed claimed, boolean others) {
    this(gpus, slices, claimed, Map.of(), others);
  }

  /** Those of a pod without claims. */
  public Accelerators(int gpus, Map<String, Integer> slices, boolean others) {
    this(gpus, slices, Claimed.NOTHING, others);
  }

  /** Whole GPUs and nothing else. */
  public static Accelerators whole(int gpus) {
    return new Accelerators(gpus, Map.of(), false);
  }

  /** One replica of a shared device and nothing else. */
  public static Accelerators replicaOf(String resource) {
    return Accelerators.whole(0).sharing(Map.of(resource, 1));
  }

  private static Set<String> severalOf(int gpus, Map<String, Integer> replicas) {
    if (gpus < 2 && replicas.isEmpty()) {
      return Set.of();
    }
    Set<String> several = new HashSet<>();
    replicas.forEach((resource, count) -> several.addAll(count > 1 ? Set.of(resource) : Set.of()));
    if (gpus > 1) {
      several.add(ResourceNames.GPU);
    }
    return several;
  }

  /** The same with replicas of shared devices. */
  public Accelerators sharing(Map<String, Integer> requested) {
    return new Accelerators(
        gpus, slices, slicesNamedGpus, claimed, requestedByClaims, requested, others);
  }

  /** The same, of containers of which one requests several of these. */
  public Accelerators withSeveral(Set<String> resources) {
    return new Accelerators(
        gpus, slices, slicesNamedGpus, claimed, requestedByClaims, replicas, resources, others);
  }

  /** What a pod holds that requests this, on a node that offers replicas as GPUs. */
  public Accelerators onSharedGpus() {
    Accelerators whole = whole(gpus).and(Claimed.NOTHING, requestedByClaims);
    if (gpus > 0 && equals(whole.withSeveral(several))) {
      return whole(0).sharing(Map.of(ResourceNames.GPU, gpus)).withSeveral(several);
    }
    return shares() ? this : andOthers();
  }

  /** What a pod holds that requests this, on a node that offers instances as GPUs. */
  public Accelerators onDividedGpus(String profile) {
    if (gpus == 0) {
      return this;
    }
    Map<String, Integer> held = Map.of(profile, gpus);
    return slices.isEmpty()
        ? new Accelerators(0, held, true, claimed, requestedByClaims, replicas, others)
        : andOthers();
  }

  /** The same, and something that is not counted. */
  public Accelerators andOthers() {
    return new Accelerators(
        gpus, slices, slicesNamedGpus, claimed, requestedByClaims, replicas, several, true);
  }

  /** The same with what claims gave. */
  public Accelerators and(Claimed byClaims) {
    return and(byClaims, Map.of());
  }

  /** The same with what claims gave, and request in addition. */
  public Accelerators and(Claimed byClaims, Map<String, Integer> requested) {
    Map<String, Integer> all = new HashMap<>(requestedByClaims);
    all.putAll(requested);
    return new Accelerators(
        gpus, slices, slicesNamedGpus, byClaims, all, replicas, several, others);
  }

  /**
   * How many devices an agent has to see in the pod's hands: whole GPUs and instances, shared ones
   * included. At most so many if it has several replicas.
   */
  public int devices() {
    return gpus + claimedDevices() + sum(slices) + sum(replicas);
  }

  /** A loop, because every cycle asks all pods. */
  private static int sum(Map<String, Integer> counts) {
    int sum = 0;
    if (!counts.isEmpty()) {
      for (int count : counts.values()) {
        sum += count;
      }
    }
    return sum;
  }

  /** Whether it holds replicas alone, and so shares its devices with other pods, or may. */
  public boolean shares() {
    return !replicas.isEmpty() && !hasUncounted();
  }

  /** How many of the devices are held by claims, as far as that is known. */
  public int claimedDevices() {
    return switch (claimed) {
      case Devices(var count) -> count;
      case Unread _ -> 0;
    };
  }

  /**
   * How many it requests by the name of a resource: whole GPUs by the usual one, MIG instances by
   * that of their profile or of GPUs, devices of claims by that of their class, replicas by the one
   * that the pod names.
   */
  public Map<String, Integer> byResource() {
    if (slices.isEmpty() && requestedByClaims.isEmpty() && replicas.isEmpty()) {
      return gpus == 0 ? Map.of() : Map.of(ResourceNames.GPU, gpus);
    }
    Map<String, Integer> found = new HashMap<>(requestedByClaims);
    if (slicesNamedGpus) {
      found.put(ResourceNames.GPU, sum(slices));
    } else {
      slices.forEach((profile, count) -> found.put(ResourceNames.MIG_PREFIX + profile, count));
    }
    if (gpus > 0) {
      found.put(ResourceNames.GPU, gpus);
    }
    replicas.forEach((resource, count) -> found.merge(resource, count, Integer::sum));
    return Map.copyOf(found);
  }

  /** How many it requests of one of {@link #byResource}. */
  public int count(String resource) {
    int replica = replicas.getOrDefault(resource, 0);
    if (replica > 0) {
      return replica;
    }
    if (resource.equals(ResourceNames.GPU)) {
      return slicesNamedGpus ? sum(slices) : gpus;
    }
    return resource.startsWith(ResourceNames.MIG_PREFIX) && !slicesNamedGpus
        ? slices.getOrDefault(resource.substring(ResourceNames.MIG_PREFIX.length()), 0)
        : requestedByClaims.getOrDefault(resource, 0);
  }

  /** The same, of which no other pod is known to get what claims gave. */
  public Accelerators withoutRequestsOfClaims() {
    return new Accelerators(
        gpus, slices, slicesNamedGpus, claimed, Map.of(), replicas, several, others);
  }

  /** How many its own claims request, by class and selectors. */
  public Map<String, Integer> requestedByClass() {
    if (requestedByClaims.isEmpty()) {
      return requestedByClaims;
    }
    return requestedByClaims.entrySet().stream()
        .filter(each -> each.getKey().startsWith(ResourceNames.CLASS_PREFIX))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Whether there are any devices, or may be. */
  public boolean mayBeAny() {
    return claimed instanceof Unread || devices() > 0;
  }

  /** Whether claims gave it devices, or may have. */
  public boolean mayHoldClaims() {
    return claimed instanceof Unread || claimedDevices() > 0;
  }

  /** Whether {@link #devices} is all of it, and exact. */
  public boolean isCounted() {
    return !hasUncounted() && claimed instanceof Devices && sum(replicas) < 2;
  }

  /** Whether it requests what is not counted, replicas beside other devices included. */
  public boolean hasUncounted() {
    return others || (!replicas.isEmpty() && (replicas.size() > 1 || gpus + sum(slices) > 0));
  }

  /**
   * The kinds of devices that it requests, as names of resources: those of replicas and instances
   * that are named GPUs as if they were not.
   */
  public Set<String> kinds() {
    Set<String> kinds = new HashSet<>(requestedByClass().keySet());
    slices.keySet().forEach(profile -> kinds.add(ResourceNames.MIG_PREFIX + profile));
    replicas
        .keySet()
        .forEach(
            name -> kinds.add(name.equals(ResourceNames.GPU) ? ResourceNames.SHARED_GPU : name));
    if (gpus > 0) {
      kinds.add(ResourceNames.GPU);
    }
    return kinds;
  }

  private static void requirePositive(String name, int count) {
    if (count < 1) {
      throw new IllegalArgumentException(
          "a profile or resource that is requested is requested at least once, was "
              + count
              + " of "
              + name);
    }
  }

  /** What a pod holds by resource claims, which are not in its specification. */
  public sealed interface Claimed {

    /** Nothing, as a pod without claims. */
    Claimed NOTHING = new Devices(0);

    /** So many GPUs and MIG instances together. */
    record Devices(int count) implements Claimed {
      public Devices {
        if (count < 0) {
          throw new IllegalArgumentException("count must not be negative, was " + count);
        }
      }
    }

    /** Unknown, with the reason. */
    record Unread(String why) implements Claimed {}
  }
}
