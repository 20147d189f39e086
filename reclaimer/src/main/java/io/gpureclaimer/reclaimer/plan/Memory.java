package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.plan.Step.Evict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one cycle hands to the next. It is forgotten with the process, and nothing unsafe follows
 * from that: budgets begin empty, and nothing is begun until the leader has settled.
 */
public final class Memory {
  private final Optional<Instant> leadingSince;
  private final Optional<IdleLevel> idle;
  private final Spending spending;
  private final EvictedNames names;
  private final Nominations nominations;

  private Memory(
      Optional<Instant> leadingSince,
      Optional<IdleLevel> idle,
      Spending spending,
      EvictedNames names,
      Nominations nominations) {
    this.leadingSince = leadingSince;
    this.idle = idle;
    this.spending = spending;
    this.names = names;
    this.nominations = nominations;
  }

  /** Of nothing, as who only looks has it: no budget has been touched. */
  public static Memory none(Instant now) {
    return new Memory(
        Optional.empty(),
        Optional.empty(),
        Spending.none(now),
        EvictedNames.NONE,
        Nominations.NONE);
  }

  /**
   * The same after a look.
   *
   * @param leading whether this replica leads, and its plan may be carried out
   */
  public Memory at(boolean leading, Instant now) {
    if (leading == leadingSince.isPresent()) {
      return this;
    }
    return leading
        ? new Memory(Optional.of(now), idle, Spending.from(now), names, nominations)
        : new Memory(Optional.empty(), idle, Spending.none(now), names, nominations);
  }

  /** Whether the last look was that of a leader. */
  public boolean leads() {
    return leadingSince.isPresent();
  }

  /**
   * What became of earlier evictions.
   *
   * @param found in this look
   * @param memory knowing it
   */
  public record News(List<Aftermath> found, Memory memory) {}

  /** Looks what became of earlier evictions. */
  public News news(ClusterView cluster, PlanLimits limits, Instant now) {
    List<Aftermath.Regretted> regretted = names.comebacks(cluster.pods(), now);
    Map<String, PodView> nominated = nominations.among(cluster.pods());
    var found = new ArrayList<Aftermath>(regretted);
    found.addAll(nominations.bound(nominated, now));
    var memory =
        new Memory(
            leadingSince,
            idle,
            spending,
            names.after(regretted, now),
            nominations.after(nominated, limits.nomination(), now));
    return new News(List.copyOf(found), memory);
  }

  /**
   * The same after an eviction, whether it is known to have been accepted or may have been.
   *
   * @param situation which it was planned in
   */
  public Memory after(Evict evict, Situation situation, PlanLimits limits, Instant now) {
    PodView pod = evict.verdict().pod();
    NamespaceBudget caps =
        situation.caps(pod.ref().namespace()).within(limits.budgets().namespace());
    var rates =
        new Spending.Rates(
            limits.budgets().perHour(),
            limits.budgets().gpusPerHour(situation.gpus()),
            caps.perHour());
    return new Memory(
        leadingSince,
        idle,
        spending.after(pod.ref().namespace(), pod.accelerators().devices(), rates, now),
        names.after(pod.ref(), now),
        evict
            .forWhom()
            .map(demand -> nominations.after(pod.ref(), pod.node().orElse(""), demand, now))
            .orElse(nominations));
  }

  Memory with(IdleLevel level) {
    return new Memory(leadingSince, Optional.of(level), spending, names, nominations);
  }

  Optional<Instant> leadingSince() {
    return leadingSince;
  }

  Optional<IdleLevel> idle() {
    return idle;
  }

  Spending spending() {
    return spending;
  }

  EvictedNames names() {
    return names;
  }

  Nominations nominations() {
    return nominations;
  }
}
