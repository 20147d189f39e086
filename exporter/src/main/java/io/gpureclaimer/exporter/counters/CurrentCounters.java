package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.vocabulary.DcgmField;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counter set in use: the reader of the file replaces it, and the sampling job uses it from its
 * next pass on. For any thread.
 */
public final class CurrentCounters {
  private final Set<DcgmField> inAnyCase;
  private final AtomicReference<ActiveCounters> inForce;

  /**
   * @param first what is served to begin with
   * @param inAnyCase fields that are asked for whether they are served or not
   */
  public CurrentCounters(CounterSet first, Set<DcgmField> inAnyCase) {
    this.inAnyCase = Set.copyOf(inAnyCase);
    this.inForce = new AtomicReference<>(with(first));
  }

  /**
   * A counter set and the fields that it needs.
   *
   * @param set what is served
   * @param wanted its fields, and those that are asked for in any case
   */
  public record ActiveCounters(CounterSet set, Set<DcgmField> wanted) {
    public ActiveCounters {
      wanted = Set.copyOf(wanted);
    }
  }

  /** What is served from the next pass on. */
  public ActiveCounters get() {
    return inForce.get();
  }

  /** Another takes its place. */
  public void replaceBy(CounterSet next) {
    inForce.set(with(next));
  }

  private ActiveCounters with(CounterSet set) {
    var wanted = new HashSet<>(set.wanted());
    wanted.addAll(inAnyCase);
    return new ActiveCounters(set, wanted);
  }
}
