package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.common.vocabulary.DcgmField;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Plan that a collector prepares for the requested fields, and keeps until these change. Safe for
 * several threads.
 */
public final class CollectorPlanCache<P> {
  private final Function<Set<DcgmField>, P> preparation;
  private final AtomicReference<CachedPlan<P>> kept;

  private record CachedPlan<P>(Set<DcgmField> wanted, P prepared) {}

  public CollectorPlanCache(Function<Set<DcgmField>, P> preparation) {
    this.preparation = preparation;
    this.kept = new AtomicReference<>(kept(Set.of()));
  }

  public P of(Set<DcgmField> wanted) {
    CachedPlan<P> last = kept.get();
    if (!last.wanted().equals(wanted)) {
      last = kept(wanted);
      kept.set(last);
    }
    return last.prepared();
  }

  private CachedPlan<P> kept(Set<DcgmField> wanted) {
    return new CachedPlan<>(wanted, preparation.apply(wanted));
  }
}
