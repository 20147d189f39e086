package io.gpureclaimer.exporter.activity;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.BoardSignal;
import io.gpureclaimer.exporter.activity.ActivityRules.Work;
import io.gpureclaimer.exporter.activity.ActivityRules.Work.Known;
import io.gpureclaimer.exporter.activity.ActivityRules.Work.Unknown;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records, for each holder of each device, the last activity, the last signal of other work, the
 * busy time and the start of the observation. Knows no clock: time is what the snapshots say. A
 * device that is not observed is not idle. Confined to the thread that feeds it.
 */
public final class Ledger {
  private final ActivityRules signs;
  private final Duration longestGap;
  private final Map<Entity, DeviceSignals> signals = new HashMap<>();
  private Map<Key, LedgerEntry> entries = new HashMap<>();
  private Instant lastPass = Instant.MIN;

  /**
   * @param signs decide whether a device is at work
   * @param longestGap two observations further apart than this are not one unbroken observation
   */
  public Ledger(ActivityRules signs, Duration longestGap) {
    this.signs = signs;
    this.longestGap = longestGap;
  }

  /**
   * Enters one pass.
   *
   * @return what this pass observed, in order of device; without the holders whose device did not
   *     report whether it was at work
   */
  public List<DeviceObservation> observe(Snapshot snapshot) {
    forgetIfSetBack(snapshot.at());
    var kept = new HashMap<Key, LedgerEntry>();
    var observed = new ArrayList<DeviceObservation>();
    snapshot.holders().forEach((device, holders) -> keep(device, holders, snapshot.at(), kept));
    for (var sample : snapshot.gpus()) {
      if (sample instanceof Answered answered) {
        var whole = new PollTime(answered.device(), null, answered.at());
        readSignals(whole, answered.readings());
        enter(whole, signs.judge(answered), snapshot, kept, observed);
        for (InstanceSample part : answered.instances()) {
          var turn = new PollTime(answered.device(), part.instance(), answered.at());
          readSignals(turn, part.readings());
          enter(turn, signs.judge(part), snapshot, kept, observed);
        }
      }
    }
    entries = kept;
    Instant oldest = snapshot.at().minus(BoardSignal.MEMORY_WINDOW);
    signals.values().removeIf(device -> device.readAt().isBefore(oldest));
    return List.copyOf(observed);
  }

  /** Time of the poll of a device. */
  private record PollTime(Gpu gpu, @Nullable MigInstance part, Instant at) {
    Entity device() {
      return part == null ? Entity.whole(gpu.uuid()) : part.entity();
    }
  }

  /** Over a clock that was set back no gap can be measured, of a device that is silent neither. */
  private void forgetIfSetBack(Instant pass) {
    if (pass.isBefore(lastPass)) {
      entries = new HashMap<>();
      signals.clear();
    }
    lastPass = pass;
  }

  /** Also of a device whose work is unknown: what its signals show then counts later. */
  private void readSignals(PollTime turn, List<Reading> readings) {
    signals
        .computeIfAbsent(
            turn.device(),
            _ -> new DeviceSignals(turn.gpu().modelName(), turn.part() != null, longestGap))
        .read(readings, turn.at());
  }

  private LastSignal lastSignal(PollTime turn, Instant since) {
    DeviceSignals device = signals.get(turn.device());
    return device == null ? LastSignal.unwatched(since) : device.within(since, turn.at());
  }

  private void enter(
      PollTime turn,
      Work work,
      Snapshot snapshot,
      Map<Key, LedgerEntry> kept,
      List<DeviceObservation> observed) {
    switch (work) {
      case Unknown() -> {}
      case Known known -> {
        for (Holder holder : snapshot.holdersOf(turn.device())) {
          var key = new Key(turn.device(), holder);
          var held = kept.get(key);
          // An answer that comes late may be of who held the device before.
          if (held != null && !turn.at().isBefore(held.known())) {
            var now = next(held.seen(), turn, holder, known);
            kept.put(key, new LedgerEntry(held.known(), now));
            observed.add(now);
          }
        }
      }
    }
  }

  /**
   * A holder that still holds its device keeps its entry, even through a pass without an answer.
   */
  private void keep(Entity device, List<Holder> holders, Instant pass, Map<Key, LedgerEntry> kept) {
    for (Holder holder : holders) {
      var key = new Key(device, holder);
      var entry = entries.get(key);
      kept.put(key, entry == null ? new LedgerEntry(pass, null) : entry);
    }
  }

  private DeviceObservation next(
      @Nullable DeviceObservation before, PollTime turn, Holder holder, Known work) {
    var at = turn.at();
    var activeNow = work.active() ? at : null;
    if (before == null || !continues(before, at)) {
      return new DeviceObservation(
          turn.gpu(), turn.part(), holder, at, at, activeNow, Duration.ZERO, lastSignal(turn, at));
    }
    var active = activeNow == null ? before.seenActive() : activeNow;
    // So that a busy time never grows without activity: readers take that for a contradiction.
    double share = work.active() ? work.share() : 0;
    var busy = before.busy().plus(shareOf(Duration.between(before.until(), at), share));
    return new DeviceObservation(
        turn.gpu(),
        turn.part(),
        holder,
        before.since(),
        at,
        active,
        busy,
        lastSignal(turn, before.since()));
  }

  private static Duration shareOf(Duration time, double share) {
    return Duration.ofNanos(Math.round(Math.clamp(share, 0.0, 1.0) * time.toNanos()));
  }

  private boolean continues(DeviceObservation before, Instant at) {
    return !at.isBefore(before.until()) && !at.isAfter(before.until().plus(longestGap));
  }

  private record Key(Entity device, Holder holder) {}

  /** Start and content of the observation of one holder of one device. */
  private record LedgerEntry(Instant known, @Nullable DeviceObservation seen) {}
}
