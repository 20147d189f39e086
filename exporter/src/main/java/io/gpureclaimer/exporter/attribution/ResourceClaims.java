package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.PublishedDevice;
import java.util.Map;
import java.util.Set;

/**
 * Devices that resource claims (DRA) of pods on this node allocate or observe (admin access). The
 * kubelet does not distinguish the two. The kubelet does not distinguish the two.
 */
public interface ResourceClaims {

  /** What is known now; never fails and never waits. */
  KnownClaims now();

  /**
   * Which claims to know from now on, and no others. Those that are not known are asked for, which
   * is not waited for.
   */
  void follow(Map<ClaimName, ClaimUse> claims);

  /** Name of a ResourceClaim; unique at one time. */
  record ClaimName(String namespace, String name) {}

  /**
   * Pods and devices that use a claim.
   *
   * @param devices that pods have by it
   * @param pods uids of those pods, as far as they are known
   */
  record ClaimUse(Set<PublishedDevice> devices, Set<String> pods) {
    public ClaimUse {
      devices = Set.copyOf(devices);
      pods = Set.copyOf(pods);
    }
  }

  /**
   * Claims that the API server has reported.
   *
   * @param watch broken while it does not answer for claims that it is asked for
   * @param claims those that it has reported
   */
  record KnownClaims(WatchState watch, Map<ClaimName, ClaimAllocation> claims) {
    public KnownClaims {
      claims = Map.copyOf(claims);
    }

    Access access(ClaimName claim, PublishedDevice device) {
      return claims.getOrDefault(claim, ClaimAllocation.NOTHING).access(device);
    }
  }

  /**
   * Devices of a claim.
   *
   * @param held devices that are its own
   * @param observed devices that it may look at
   */
  record ClaimAllocation(Set<PublishedDevice> held, Set<PublishedDevice> observed) {
    /** Nothing yet, or the devices are unknown. */
    public static final ClaimAllocation NOTHING = new ClaimAllocation(Set.of(), Set.of());

    public ClaimAllocation {
      held = Set.copyOf(held);
      observed = Set.copyOf(observed);
    }

    /** A device that two requests of one claim were given, one of them to look at, is held. */
    public Access access(PublishedDevice device) {
      if (held.contains(device)) {
        return Access.HOLDS;
      }
      return observed.contains(device) ? Access.LOOKS_ON : Access.UNKNOWN;
    }
  }

  /** Access of a claim's pods to a device: allocated or observed. */
  enum Access {
    /** It is theirs. */
    HOLDS,
    /** They see it, and so may others, one of whom may hold it. */
    LOOKS_ON,
    /** No source has reported. */
    UNKNOWN
  }

  /** What an agent knows without reports of dynamic resource allocation. */
  KnownClaims NOTHING = new KnownClaims(new WatchState.NotEnabled(), Map.of());

  /** For such an agent. */
  static ResourceClaims none() {
    return fixed(NOTHING);
  }

  /** That never knows more than this. */
  static ResourceClaims fixed(KnownClaims known) {
    return new ResourceClaims() {
      @Override
      public KnownClaims now() {
        return known;
      }

      @Override
      public void follow(Map<ClaimName, ClaimUse> claims) {}
    };
  }
}
