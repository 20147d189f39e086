package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PastActivity;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastPod;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastSpell;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PodNamePattern;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The agents of all nodes: they report of every pod that holds GPUs what the trace says that it
 * does, without delays, and nothing while the trace does not know. Signals other than the activity
 * of GPUs are not reported. Confined to the thread of the simulation.
 */
final class SimulatedAgents implements ActivitySource {
  private static final int RECENT = 120;
  private static final double PERCENT = 100;

  /** Time between two samples of the past. */
  private static final int PAST_STEP = 600;

  private final SimulationClock clock;
  private final Map<String, SimulatedHolder> holdings = new LinkedHashMap<>();
  private final Map<String, PastSamples> past = new LinkedHashMap<>();
  private long sampled = -1;

  /** Samples of one pod, by the number of their step. Confined to the thread of the simulation. */
  private record PastSamples(PodName name, List<PastSpell> spells) {}

  /**
   * The GPUs of one pod.
   *
   * @param name of the pod, as the agents write it
   * @param entities the same as the agents name them
   * @param used how many of them the pod ever uses, the first ones
   * @param since when it got them, in seconds from the start of the trace
   */
  record SimulatedHolder(
      PodRef pod,
      PodName name,
      SimulatedWorkload workload,
      List<GpuUuid> devices,
      List<Entity> entities,
      int used,
      long since) {
    SimulatedHolder(
        PodRef pod, SimulatedWorkload workload, List<GpuUuid> devices, int used, long since) {
      this(
          pod,
          new PodName(pod.namespace(), pod.name()),
          workload,
          devices,
          devices.stream().map(Entity::whole).toList(),
          used,
          since);
    }
  }

  SimulatedAgents(SimulationClock clock) {
    this.clock = clock;
  }

  void add(SimulatedHolder holding) {
    holdings.put(holding.pod().uid(), holding);
  }

  /** Removes a pod; empty if it held nothing. */
  Optional<SimulatedHolder> remove(PodRef pod) {
    return Optional.ofNullable(holdings.remove(pod.uid()));
  }

  /** All GPUs that are held, in the order in which the pods got them. */
  List<SimulatedHolder> all() {
    return List.copyOf(holdings.values());
  }

  @Override
  public Observation fetchAll() {
    Map<String, PodActivity> pods = HashMap.newHashMap(holdings.size());
    holdings.forEach(
        (uid, holding) ->
            activity(uid, holding, false).ifPresent(activity -> pods.put(uid, activity)));
    samplePast(pods);
    return new Observation.Seen(clock.instant(), pods, List.of());
  }

  @Override
  public Observation fetchPod(PodActivity pod) {
    SimulatedHolder holding = holdings.get(pod.uid());
    return new Observation.Seen(
        clock.instant(),
        Optional.ofNullable(holding).flatMap(its -> activity(pod.uid(), its, true)).stream()
            .collect(Collectors.toMap(PodActivity::uid, activity -> activity)),
        List.of());
  }

  /** Keeps a sample of each pod at each step, as a Prometheus does. */
  private void samplePast(Map<String, PodActivity> pods) {
    long step = clock.seconds() / PAST_STEP;
    if (step == sampled) {
      return;
    }
    sampled = step;
    pods.forEach(
        (uid, pod) -> {
          DeviceActivity first = pod.devices().getFirst();
          PastSpell.add(
              past.computeIfAbsent(
                      uid, _ -> new PastSamples(pod.name().orElseThrow(), new ArrayList<>()))
                  .spells(),
              first.lastActive(),
              first.observedSince(),
              clock.instant(),
              step);
        });
  }

  /** The first device of a pod is used whenever one is. */
  @Override
  public PastActivity fetchPast(List<PodNamePattern> pods, TimeRange range) {
    if (range.step().toSeconds() != PAST_STEP) {
      throw new IllegalArgumentException("expected a step of 10m, was " + range.step());
    }
    long first = Math.floorDiv(SimulationClock.secondsOf(range.from()), (long) PAST_STEP);
    past.values().removeIf(each -> each.spells().getLast().lastStep() <= first);
    Map<String, List<PodNamePattern>> byNamespace =
        pods.stream().collect(Collectors.groupingBy(PodNamePattern::namespace));
    return new PastActivity.Known(
        range,
        past.values().stream()
            .filter(
                each ->
                    PodNamePattern.anyMatches(
                        byNamespace.getOrDefault(each.name().namespace(), List.of()), each.name()))
            .map(each -> new PastPod(each.name(), shifted(each.spells(), first, range.steps())))
            .filter(each -> !each.spells().isEmpty())
            .toList());
  }

  /** The spells within a range, with steps from its begin on. */
  private static List<PastSpell> shifted(List<PastSpell> spells, long first, long steps) {
    return spells.stream()
        .filter(spell -> spell.lastStep() > first && spell.firstStep() <= first + steps)
        .map(
            spell ->
                new PastSpell(
                    spell.lastActive(),
                    spell.observedSince(),
                    spell.observedUntil(),
                    Math.max(1, spell.firstStep() - first),
                    Math.min(steps, spell.lastStep() - first)))
        .toList();
  }

  /**
   * A pod whose activity is unknown is not observed, and after that it is observed from the start.
   */
  private Optional<PodActivity> activity(
      String uid, SimulatedHolder holding, boolean withUtilization) {
    SimulatedWorkload workload = holding.workload();
    long now = clock.seconds();
    OptionalLong known = workload.knownSince(now);
    if (known.isEmpty()) {
      return Optional.empty();
    }
    Instant at = clock.instant();
    Instant since = SimulationClock.instantOf(Math.max(known.getAsLong(), holding.since()));
    var last = workload.lastActivity(now);
    Optional<Instant> lastActive =
        last.isPresent() && last.getAsLong() >= known.getAsLong()
            ? Optional.of(SimulationClock.instantOf(last.getAsLong()))
            : Optional.empty();
    var devices = new ArrayList<DeviceActivity>(holding.entities().size());
    int used = holding.used();
    for (var device : holding.entities()) {
      boolean isUsed = devices.size() < used;
      devices.add(
          new DeviceActivity(
              device,
              isUsed ? lastActive : Optional.empty(),
              since,
              at,
              at,
              withUtilization
                  ? OptionalDouble.of(isUsed ? recentPercent(workload, now) : 0)
                  : OptionalDouble.empty()));
    }
    return Optional.of(
        new PodActivity(
            uid,
            Optional.of(holding.name()),
            devices,
            OptionalInt.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty()));
  }

  private static double recentPercent(SimulatedWorkload workload, long now) {
    return PERCENT * workload.highestLevel(now - RECENT, now + 1);
  }
}
