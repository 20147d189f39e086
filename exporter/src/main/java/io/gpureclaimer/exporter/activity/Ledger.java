package io.gpureclaimer.exporter.activity;

import io.gpureclaimer.core.device.Entity;
import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, for each holder of each device, when it was last active and since when we have been
 * watching without a gap. Knows no clock: time is what the snapshots say. Confined to the thread
 * that feeds it.
 *
 * <p>An observation needs {@code DCGM_FI_DEV_GPU_UTIL}, and that no sign of work failed: a device
 * that did not tell one of them this time may have been at work. A sign that the device does not
 * support is none. A device that is not observed is not idle.
 */
public final class Ledger {
  /** The fields without which nothing can be observed, whether they are served or not. */
  public static final Set<DcgmField> SIGNS_OF_WORK =
      Set.of(
          DcgmField.DEV_GPU_UTIL,
          DcgmField.DEV_MEM_COPY_UTIL,
          DcgmField.DEV_ENC_UTIL,
          DcgmField.DEV_DEC_UTIL);

  private final double thresholdPercent;
  private final Duration longestGap;
  private Map<Key, Observation> entries = new HashMap<>();

  /**
   * @param thresholdPercent a device is at work when it is strictly above, or copies memory at all
   * @param longestGap two observations further apart than this are not one unbroken observation
   */
  public Ledger(double thresholdPercent, Duration longestGap) {
    this.thresholdPercent = thresholdPercent;
    this.longestGap = longestGap;
  }

  /**
   * Enters one pass.
   *
   * @return what this pass observed, in order of device; a holder whose device did not tell its
   *     utilization is not among them
   */
  public List<Observation> observe(Snapshot snapshot) {
    var kept = new HashMap<Key, Observation>();
    var observed = new ArrayList<Observation>();
    snapshot.holders().forEach((device, holders) -> keep(device, holders, kept));
    for (var sample : snapshot.gpus()) {
      if (sample instanceof Answered answered && isObserved(answered)) {
        enter(answered, snapshot.holdersOf(Entity.whole(answered.device().uuid())), kept, observed);
      }
    }
    entries = kept;
    return List.copyOf(observed);
  }

  private void enter(
      Answered answered,
      List<Holder> holders,
      Map<Key, Observation> kept,
      List<Observation> observed) {
    Gpu gpu = answered.device();
    boolean active = answered.readings().stream().anyMatch(this::isSignOfWork);
    for (Holder holder : holders) {
      var key = new Key(Entity.whole(gpu.uuid()), holder);
      var now = next(kept.get(key), gpu, holder, answered.at(), active);
      kept.put(key, now);
      observed.add(now);
    }
  }

  /**
   * A holder that still holds its device keeps its entry, even through a pass without an answer.
   */
  private void keep(Entity device, List<Holder> holders, Map<Key, Observation> kept) {
    for (Holder holder : holders) {
      var key = new Key(device, holder);
      var entry = entries.get(key);
      if (entry != null) {
        kept.put(key, entry);
      }
    }
  }

  private Observation next(
      @Nullable Observation before, Gpu gpu, Holder holder, Instant at, boolean active) {
    if (before == null || !continues(before, at)) {
      return new Observation(gpu, holder, at, at, active ? at : null);
    }
    return new Observation(gpu, holder, before.since(), at, active ? at : before.seenActive());
  }

  private boolean continues(Observation before, Instant at) {
    return !at.isBefore(before.until()) && !at.isAfter(before.until().plus(longestGap));
  }

  private static boolean isObserved(Answered answered) {
    boolean told = answered.readings().stream().anyMatch(r -> r.field() == DcgmField.DEV_GPU_UTIL);
    return told && Collections.disjoint(answered.failed(), SIGNS_OF_WORK);
  }

  /** Whatever copies memory is at work, be the share of time ever so small. */
  private boolean isSignOfWork(Reading reading) {
    return SIGNS_OF_WORK.contains(reading.field())
        && reading.value()
            > (reading.field() == DcgmField.DEV_MEM_COPY_UTIL ? 0 : thresholdPercent);
  }

  private record Key(Entity device, Holder holder) {}
}
