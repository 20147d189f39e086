package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KindWatches.KindWatch;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim.ClaimReference;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.PodParser.KnownPod;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the devices that a pod holds by its claims. A claim of several pods makes the pod
 * untouchable, because the activity of its devices belongs to no single pod. Confined to one pod.
 */
final class ClaimedDevices {
  private final PodView pod;
  private final KindWatch<KnownClaim> watch;

  private int devices;
  private final Map<String, Integer> requested = new HashMap<>();

  /** Whether {@link #requested} is all that the claims say. */
  private boolean isPlain = true;

  private boolean others;
  private Optional<String> doubt;
  private Optional<String> shared = Optional.empty();

  private ClaimedDevices(PodView pod, KindWatch<KnownClaim> watch) {
    this.pod = pod;
    this.watch = watch;
    this.doubt = watch.doubt().map(why -> "resource claims cannot be read: " + why);
  }

  /**
   * The pod with what its claims gave it; claims are watched from the first pod on that has one.
   */
  static PodView of(KnownPod known, KindWatches<KnownClaim> watches) {
    if (known.claims().isEmpty()) {
      return known.view();
    }
    var counting = new ClaimedDevices(known.view(), watches.asked(ClaimKind.CLAIMS));
    known.claims().forEach(counting::add);
    return counting.counted();
  }

  private PodView counted() {
    Claimed claimed =
        doubt.<Claimed>map(Claimed.Unread::new).orElseGet(() -> new Claimed.Devices(devices));
    boolean isWhole =
        pod.node().isEmpty()
            || requested.values().stream().mapToInt(Integer::intValue).sum() == devices;
    Accelerators held = pod.accelerators().and(claimed, isPlain && isWhole ? requested : Map.of());
    return pod.onNode(others ? held.andOthers() : held, shared);
  }

  private void add(ClaimReference reference) {
    if (reference.needless()) {
      return;
    }
    if (reference.claim().isEmpty()) {
      isPlain = false;
      doubt("its resource claim " + reference.inPod() + " has not been made yet");
      return;
    }
    String name = reference.claim().get();
    String called = "the resource claim " + pod.ref().namespace() + "/" + name;
    watch
        .lastKnown(pod.ref().namespace(), name)
        .ifPresentOrElse(
            claim -> add(claim, called),
            () -> {
              isPlain = false;
              doubt(called + " is not known");
            });
  }

  private void add(KnownClaim claim, String called) {
    devices += claim.devices().size();
    // One that is allocated already may bind a pending pod to a node.
    isPlain &= !claim.requested().isEmpty() && claim.allocated() == pod.node().isPresent();
    claim.requested().forEach((name, count) -> requested.merge(name, count, Integer::sum));
    others |= claim.others();
    if (!claim.allocated()) {
      doubt(called + " has no devices yet");
    } else if (!claim.holders().contains(pod.ref().uid())) {
      doubt(called + " is not reserved for the pod");
    } else if (claim.holders().size() > 1) {
      shared = shared.or(() -> Optional.of("shares " + called + " with other pods"));
    }
  }

  private void doubt(String why) {
    doubt = doubt.or(() -> Optional.of(why));
  }
}
