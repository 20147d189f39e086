package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Failed;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Listed;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Unsupported;
import io.gpureclaimer.exporter.attribution.SourceState.KubeletContact;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cache of the last response of the kubelet. {@link #refresh} is confined to the attribution job,
 * {@link #now} to the sampling job, and never waits.
 *
 * <p>The cache keeps the answer itself, and not which pod holds which device: some devices are
 * identified only with the devices of the node, and the MIG layout may change at any time.
 *
 * <p>When the kubelet does not answer, its last answer is used for a while, since it is usually the
 * kubelet that restarts and not the pods. After that all holders are unknown: in the ledger that is
 * a gap in the observation, not idleness.
 */
public final class PodResourcesCache implements HolderSource {
  private static final Logger log = LoggerFactory.getLogger(PodResourcesCache.class);
  private static final String NOT_ASKED = "it was not asked yet";
  private static final String ASKED_LONG_AGO = "it was asked too long ago";

  private final Supplier<PodResourcesListing> kubelet;
  private final NodePods pods;
  private final ResourceSliceDevices devices;
  private final ResourceClaims claims;
  private final Duration staleAfter;
  private final MonotonicClock monotonic;
  private final AtomicReference<PodResourcesState> latest =
      new AtomicReference<>(
          new PodResourcesState(
              null, NOT_ASKED, Map.of(), NodePods.NOTHING, ResourceSliceDevices.NOTHING));
  private final Map<String, Long> failures = new HashMap<>();
  private String state = "";
  private @Nullable Joined joined;
  private boolean loggedUnmapped;

  /**
   * @param kubelet asks it
   * @param pods of this node
   * @param devices of dynamic resource allocation, of this node
   * @param claims of pods on this node
   * @param staleAfter how long an answer stands without a newer one
   * @param monotonic monotonic clock
   */
  public PodResourcesCache(
      Supplier<PodResourcesListing> kubelet,
      NodePods pods,
      ResourceSliceDevices devices,
      ResourceClaims claims,
      Duration staleAfter,
      MonotonicClock monotonic) {
    this.kubelet = kubelet;
    this.pods = pods;
    this.devices = devices;
    this.claims = claims;
    this.staleAfter = staleAfter;
    this.monotonic = monotonic;
  }

  @Override
  public Attribution now(DeviceLookup inventory) {
    var state = latest.get();
    var answer = state.answer();
    var knownClaims = claims.now();
    if (answer == null) {
      return noHolders(state, new KubeletContact.NeverAnswered(state.trouble()), knownClaims);
    }
    if (isStale(answer)) {
      var trouble = state.trouble().isEmpty() ? ASKED_LONG_AGO : state.trouble();
      return noHolders(state, new KubeletContact.Silent(trouble), knownClaims);
    }
    KubeletContact contact =
        state.trouble().isEmpty()
            ? new KubeletContact.Answering()
            : new KubeletContact.Silent(state.trouble());
    var join = join(answer, knownClaims, inventory);
    return new Attribution(
        join.holdings(),
        join.unplaced(),
        answer.pods(),
        state.state(
            contact, OptionalInt.of(join.unmapped().size() + join.unclear()), knownClaims.watch()));
  }

  private static Attribution noHolders(
      PodResourcesState state, KubeletContact contact, ResourceClaims.KnownClaims knownClaims) {
    return new Attribution(
        Map.of(), state.pods(), state.state(contact, OptionalInt.empty(), knownClaims.watch()));
  }

  /**
   * Asks the kubelet.
   *
   * <p>The uids are read before the kubelet is asked, never after: so a uid may be older than its
   * holder, and never newer. The kubelet reports no uids, and a name is free for a new pod as soon
   * as the API server has deleted the old one. If a pod is replaced by one of its name during the
   * call, the new holder has the old uid until the next refresh. That is harmless, because no
   * action applies to a uid of a deleted pod. The other way round, the idle time of the old pod
   * would count for the new one.
   *
   * <p>Claims are asked for afterwards, and not waited for: what is said of them counts as soon as
   * it is known.
   *
   * @return whether it answered
   */
  public boolean refresh() {
    var knownPods = pods.now();
    var knownDevices = devices.now();
    long asked = monotonic.nanos();
    return switch (kubelet.get()) {
      case Listed said -> {
        take(new PodResourcesReply(asked, said, knownPods, knownDevices));
        claims.follow(ClaimUsage.of(said, knownPods));
        yield true;
      }
      case Unsupported() -> {
        miss(
            "unimplemented",
            "it is older than 1.20 and does not offer pod-resources v1",
            knownPods,
            knownDevices);
        yield false;
      }
      case Failed(var code, var reason) -> {
        miss(code, reason, knownPods, knownDevices);
        yield false;
      }
    };
  }

  private void take(PodResourcesReply answer) {
    latest.set(new PodResourcesState(answer, "", failures, answer.pods(), answer.devices()));
    if (enters("answers")) {
      var said = answer.said();
      log.info(
          "the kubelet responds; allocated devices: {}",
          said.devices().size() + said.claims().size());
    }
  }

  private void miss(
      String code,
      String reason,
      NodePods.KnownPods knownPods,
      ResourceSliceDevices.KnownDevices knownDevices) {
    failures.merge(code, 1L, Long::sum);
    var answer = latest.get().answer();
    latest.set(new PodResourcesState(answer, reason, failures, knownPods, knownDevices));
    if (answer != null && !isStale(answer)) {
      if (enters(code)) {
        log.warn(
            "the kubelet does not respond: {}; its last response is used for {} s",
            reason,
            staleAfter.toSeconds());
      }
    } else if (enters(code + ", holders unknown")) {
      log.warn("the kubelet does not respond: {}; pods of GPUs are unknown", reason);
    }
  }

  /** Nothing is put together twice: most passes find the same answer and the same devices. */
  private HolderJoin.HolderJoinResult join(
      PodResourcesReply answer, ResourceClaims.KnownClaims knownClaims, DeviceLookup inventory) {
    var known = joined;
    if (known != null && known.isOf(answer, knownClaims, inventory)) {
      return known.result();
    }
    var result =
        HolderJoin.of(answer.said(), answer.pods(), answer.devices(), knownClaims, inventory);
    joined = new Joined(answer, knownClaims, inventory, result);
    logUnmapped(result, inventory);
    return result;
  }

  /** Once; but not before the first GPU is identified. */
  private void logUnmapped(HolderJoin.HolderJoinResult result, DeviceLookup inventory) {
    if (!result.unmapped().isEmpty() && !inventory.equals(DeviceLookup.EMPTY) && !loggedUnmapped) {
      loggedUnmapped = true;
      log.info(
          "allocated devices with ids that match no device of this node: {}, such "
              + "as {}; their pods stay unknown",
          result.unmapped().size(),
          result.unmapped().getFirst());
    }
  }

  private boolean enters(String next) {
    boolean changes = !next.equals(state);
    state = next;
    return changes;
  }

  private boolean isStale(PodResourcesReply answer) {
    return monotonic.nanos() - answer.asked() > staleAfter.toNanos();
  }

  /**
   * State of the kubelet's pod-resources API; {@code trouble} is empty after a successful query.
   */
  private record PodResourcesState(
      @Nullable PodResourcesReply answer,
      String trouble,
      Map<String, Long> failures,
      NodePods.KnownPods pods,
      ResourceSliceDevices.KnownDevices devices) {
    private PodResourcesState {
      failures = Map.copyOf(failures);
    }

    OfKubelet state(KubeletContact contact, OptionalInt unmapped, NodePods.WatchState claims) {
      return new OfKubelet(contact, failures, unmapped, pods.watch(), devices.watch(), claims);
    }
  }

  private record PodResourcesReply(
      long asked,
      Listed said,
      NodePods.KnownPods pods,
      ResourceSliceDevices.KnownDevices devices) {}

  private record Joined(
      PodResourcesReply answer,
      ResourceClaims.KnownClaims claims,
      DeviceLookup inventory,
      HolderJoin.HolderJoinResult result) {
    boolean isOf(
        PodResourcesReply other,
        ResourceClaims.KnownClaims otherClaims,
        DeviceLookup otherInventory) {
      return answer.equals(other) && claims.equals(otherClaims) && inventory.equals(otherInventory);
    }
  }
}
