package io.gpureclaimer.exporter.activity;

import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, for each holder of each device, when it was last active and since when we have been
 * watching without a gap. Knows no clock: time is what the snapshots say. Confined to the thread
 * that feeds it.
 *
 * <p>An observation needs {@code DCGM_FI_DEV_GPU_UTIL}: a device that does not tell it is not
 * observed, and a device that is not observed is not idle.
 */
public final class Ledger {
  private static final Set<DcgmField> SIGNS_OF_WORK =
      EnumSet.of(DcgmField.DEV_GPU_UTIL, DcgmField.DEV_ENC_UTIL, DcgmField.DEV_DEC_UTIL);

  private final double thresholdPercent;
  private final Duration longestGap;
  private Map<Key, Observation> entries = new HashMap<>();

  /**
   * @param thresholdPercent a device is at work when it is strictly above
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
      if (sample instanceof Answered answered) {
        utilization(answered)
            .ifPresent(
                percent -> {
                  Gpu gpu = answered.device();
                  for (Holder holder : snapshot.holdersOf(gpu.uuid())) {
                    var key = new Key(gpu.uuid(), holder);
                    var now = next(kept.get(key), gpu, holder, answered.at(), percent);
                    kept.put(key, now);
                    observed.add(now);
                  }
                });
      }
    }
    entries = kept;
    return List.copyOf(observed);
  }

  /**
   * A holder that still holds its device keeps its entry, even through a pass without an answer.
   */
  private void keep(GpuUuid device, List<Holder> holders, Map<Key, Observation> kept) {
    for (Holder holder : holders) {
      var key = new Key(device, holder);
      var entry = entries.get(key);
      if (entry != null) {
        kept.put(key, entry);
      }
    }
  }

  private Observation next(
      @Nullable Observation before, Gpu gpu, Holder holder, Instant at, double percent) {
    boolean active = percent > thresholdPercent;
    if (before == null || !continues(before, at)) {
      return new Observation(gpu, holder, at, at, active ? at : null);
    }
    return new Observation(gpu, holder, before.since(), at, active ? at : before.seenActive());
  }

  private boolean continues(Observation before, Instant at) {
    return !at.isBefore(before.until()) && !at.isAfter(before.until().plus(longestGap));
  }

  private static OptionalDouble utilization(Answered answered) {
    boolean told = answered.readings().stream().anyMatch(r -> r.field() == DcgmField.DEV_GPU_UTIL);
    return told
        ? answered.readings().stream()
            .filter(reading -> SIGNS_OF_WORK.contains(reading.field()))
            .mapToDouble(Reading::value)
            .max()
        : OptionalDouble.empty();
  }

  private record Key(GpuUuid device, Holder holder) {}
}
