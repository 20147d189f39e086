package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.core.device.Entity;
import io.gpureclaimer.core.kubelet.HeldDevice;
import io.gpureclaimer.core.kubelet.Listing;
import io.gpureclaimer.core.kubelet.Listing.Failed;
import io.gpureclaimer.core.kubelet.Listing.Listed;
import io.gpureclaimer.core.kubelet.Listing.Unsupported;
import io.gpureclaimer.exporter.attribution.PodUids.Watch;
import io.gpureclaimer.exporter.attribution.SourceState.Contact;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.sample.Holder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers who holds which device as the kubelet last told. {@link #refresh} is confined to the
 * attribution job; {@link #now} may be called by any thread, and never waits.
 *
 * <p>When the kubelet does not answer, what it last said stands for a while, since it is usually
 * the kubelet that is restarted and not the pods. After that nobody is known to hold anything: to
 * the ledger that is a gap in the observation, and no idleness.
 */
public final class KubeletHolders implements HolderSource {
  private static final Logger log = LoggerFactory.getLogger(KubeletHolders.class);
  private static final String NOT_ASKED = "it was not asked yet";
  private static final String ASKED_LONG_AGO = "it was asked too long ago";

  private final Supplier<Listing> kubelet;
  private final PodUids uids;
  private final Duration staleAfter;
  private final LongSupplier nanoTime;
  private final AtomicReference<Told> latest =
      new AtomicReference<>(new Told(null, NOT_ASKED, Map.of(), new Watch.NotAsked()));
  private final Map<String, Long> failures = new HashMap<>();
  private String state = "";
  private boolean toldOfUnmapped;

  /**
   * @param kubelet asks it
   * @param uids of the pods of this node
   * @param staleAfter how long an answer stands without a newer one
   * @param nanoTime a clock that nobody sets, in nanoseconds
   */
  public KubeletHolders(
      Supplier<Listing> kubelet, PodUids uids, Duration staleAfter, LongSupplier nanoTime) {
    this.kubelet = kubelet;
    this.uids = uids;
    this.staleAfter = staleAfter;
    this.nanoTime = nanoTime;
  }

  @Override
  public Attribution now() {
    var told = latest.get();
    var answer = told.answer();
    if (answer == null) {
      return attribution(
          Map.of(), new Contact.NeverHeard(told.trouble()), told, OptionalInt.empty());
    }
    boolean stale = isStale(answer);
    return attribution(
        stale ? Map.of() : answer.holders(),
        contact(told.trouble(), stale),
        told,
        stale ? OptionalInt.empty() : OptionalInt.of(answer.unmapped()));
  }

  /**
   * Asks the kubelet.
   *
   * <p>The uids are read before the kubelet is asked, never after: so a uid may be older than its
   * holder, and never newer. The kubelet tells no uids, and a name is free for a new pod as soon as
   * the API server has deleted the old one. If a pod is replaced by one of its name while we ask,
   * the new holder bears the old uid until the next refresh, which is harmless: nobody acts upon a
   * uid that no pod has any more. The other way round, the new pod would be said to have held,
   * idle, what the old one held.
   */
  public void refresh() {
    var pods = uids.now();
    long asked = nanoTime.getAsLong();
    switch (kubelet.get()) {
      case Listed(var devices, _) -> take(asked, devices, pods);
      case Unsupported() ->
          miss(
              "unimplemented",
              "it is older than 1.20 and does not offer pod-resources v1",
              pods.watch());
      case Failed(var code, var reason) -> miss(code, reason, pods.watch());
    }
  }

  private void take(long asked, List<HeldDevice> devices, PodUids.Known pods) {
    var join = Join.of(devices, pods);
    var unmapped = join.unmapped();
    latest.set(
        new Told(new Answer(asked, join.holders(), unmapped.size()), "", failures, pods.watch()));
    if (enters("answers")) {
      log.info("the kubelet answers; GPUs held: {}", join.holders().size());
    }
    if (!unmapped.isEmpty() && !toldOfUnmapped) {
      toldOfUnmapped = true;
      log.info(
          "devices held whose id names no GPU: {}, such as {}; their holders stay unknown",
          unmapped.size(),
          unmapped.getFirst());
    }
  }

  private void miss(String code, String reason, Watch watch) {
    failures.merge(code, 1L, Long::sum);
    var answer = latest.get().answer();
    latest.set(new Told(answer, reason, failures, watch));
    if (answer != null && !isStale(answer)) {
      if (enters(code)) {
        log.warn(
            "the kubelet does not answer: {}; what it last said stands for {} s",
            reason,
            staleAfter.toSeconds());
      }
    } else if (enters(code + ", holders unknown")) {
      log.warn("the kubelet does not answer: {}; nobody knows who holds which GPU", reason);
    }
  }

  private static Contact contact(String trouble, boolean stale) {
    if (trouble.isEmpty()) {
      return stale ? new Contact.Silent(ASKED_LONG_AGO) : new Contact.Answering();
    }
    return new Contact.Silent(trouble);
  }

  private boolean enters(String next) {
    boolean changes = !next.equals(state);
    state = next;
    return changes;
  }

  private boolean isStale(Answer answer) {
    return nanoTime.getAsLong() - answer.asked() > staleAfter.toNanos();
  }

  private static Attribution attribution(
      Map<Entity, List<Holder>> holders, Contact contact, Told told, OptionalInt unmapped) {
    return new Attribution(
        holders, new OfKubelet(contact, told.failures(), unmapped, told.watch()));
  }

  /** {@code trouble} is empty if the last question was answered. */
  private record Told(
      @Nullable Answer answer, String trouble, Map<String, Long> failures, Watch watch) {
    private Told {
      failures = Map.copyOf(failures);
    }
  }

  private record Answer(long asked, Map<Entity, List<Holder>> holders, int unmapped) {}
}
