package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.reclaimer.backtest.ActualHistory.Tick;
import io.gpureclaimer.reclaimer.verdict.ShortTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What must come of a history, found out the slow way: at every look it goes back through the ticks
 * themselves, and knows nothing of ledgers, judges, and annotations.
 */
final class Oracle {
  private static final Duration LONGEST_GAP = Duration.ofSeconds(30);
  private static final Duration ACTIVE_WITHIN = Duration.ofSeconds(15);

  /** What is known at one look. */
  private record KnownAtTick(int newest, int watchedFrom, Instant idleSince, boolean active) {}

  private final List<Tick> ticks;
  private final List<String> taken = new ArrayList<>();
  private Optional<Instant> warnedAt = Optional.empty();
  private Instant warnedAbout = Instant.EPOCH;
  private Instant actNotBefore = Instant.EPOCH;
  private Optional<Integer> takenAt = Optional.empty();
  private int takenKnowing;
  private int idleUntil;

  private final boolean isGone;

  /**
   * @param isGone whether the cluster no longer has the pod
   */
  Oracle(List<Tick> ticks, boolean isGone) {
    this.ticks = ticks;
    this.isGone = isGone;
  }

  /** One line for each time that it would have been reclaimed. */
  List<String> play(List<Integer> looks) {
    looks.forEach(this::look);
    if (takenAt.isPresent()) {
      settle(atTheEnd(looks.getLast()));
    }
    return taken;
  }

  private String atTheEnd(int last) {
    if (known(last).isPresent()) {
      return "idle to the end";
    }
    boolean seen =
        newest(last) >= 0 && since(newest(last), last).compareTo(ActualHistory.LOOK_BACK) < 0;
    return isGone && !seen ? "gone" : "unwatched";
  }

  private void look(int look) {
    Optional<KnownAtTick> known = known(look);
    if (known.isEmpty()) {
      return;
    }
    if (takenAt.isPresent()) {
      follow(known.get());
    } else {
      climb(known.get(), look);
    }
  }

  private void follow(KnownAtTick known) {
    boolean worked =
        IntStream.rangeClosed(takenKnowing + 1, known.newest())
            .filter(index -> index >= known.watchedFrom())
            .anyMatch(index -> ticks.get(index).watched() && works(index));
    if (worked || known.active()) {
      settle("back");
    } else if (known.watchedFrom() > takenKnowing) {
      settle("unwatched");
    } else {
      idleUntil = Math.max(known.newest(), takenAt.orElseThrow());
    }
  }

  private void climb(KnownAtTick known, int look) {
    Instant now = ticks.get(look).at();
    Duration idleFor = Duration.between(known.idleSince(), ticks.get(known.newest()).at());
    if (known.active() || (warnedAt.isPresent() && !known.idleSince().equals(warnedAbout))) {
      warnedAt = Optional.empty();
    } else if (warnedAt.isEmpty()) {
      if (idleFor.compareTo(ShortTimes.IDLE_AFTER.minus(ShortTimes.WARN_BEFORE)) >= 0) {
        Duration left = ShortTimes.IDLE_AFTER.minus(idleFor);
        warnedAt = Optional.of(now);
        warnedAbout = known.idleSince();
        actNotBefore =
            now.plus(left.compareTo(ShortTimes.WARN_BEFORE) > 0 ? left : ShortTimes.WARN_BEFORE);
      }
    } else if (idleFor.compareTo(ShortTimes.IDLE_AFTER) >= 0 && !now.isBefore(actNotBefore)) {
      takenAt = Optional.of(look);
      takenKnowing = known.newest();
      idleUntil = look;
      warnedAt = Optional.empty();
    }
  }

  private void settle(String how) {
    Instant at = ticks.get(takenAt.orElseThrow()).at();
    taken.add(at + " " + how + " " + Duration.between(at, ticks.get(idleUntil).at()));
    takenAt = Optional.empty();
  }

  /** Nothing where the newest sample is too old. */
  private Optional<KnownAtTick> known(int look) {
    int newest = newest(look);
    if (newest < 0 || since(newest, look).compareTo(ShortTimes.MAX_AGE) > 0) {
      return Optional.empty();
    }
    int from = watchedFrom(newest);
    Instant first = idleSince(from, newest, true);
    Instant second = idleSince(from, newest, false);
    return Optional.of(
        new KnownAtTick(
            newest, from, first.isAfter(second) ? first : second, isActive(from, newest)));
  }

  /** Less than 0 if there is none. */
  private int newest(int look) {
    int newest = look;
    while (newest >= 0 && !ticks.get(newest).isKnown()) {
      newest--;
    }
    return newest;
  }

  private Duration since(int one, int other) {
    return Duration.between(ticks.get(one).at(), ticks.get(other).at());
  }

  private int watchedFrom(int newest) {
    int from = newest;
    for (int index = newest - 1; index >= 0; index--) {
      if (since(index, from).compareTo(LONGEST_GAP) > 0) {
        return from;
      }
      if (ticks.get(index).watched()) {
        from = index;
      }
    }
    return from;
  }

  private Instant idleSince(int from, int newest, boolean first) {
    for (int index = newest; index >= from; index--) {
      Tick tick = ticks.get(index);
      if (tick.watched() && (first ? tick.first() : tick.second())) {
        return tick.at();
      }
    }
    return ticks.get(from).at();
  }

  private boolean isActive(int from, int newest) {
    return IntStream.rangeClosed(from, newest)
        .filter(index -> ticks.get(index).watched() && works(index))
        .anyMatch(index -> since(index, newest).compareTo(ACTIVE_WITHIN) <= 0);
  }

  private boolean works(int index) {
    return ticks.get(index).first() || ticks.get(index).second();
  }
}
