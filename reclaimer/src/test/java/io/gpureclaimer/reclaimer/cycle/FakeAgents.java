package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.GpuHolder;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PastActivity;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PodNamePattern;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The agents of all nodes and the server that collects their records, in one: it sees every GPU of
 * the simulated cluster, and knows which pods work. Records are as old as the last {@link
 * #observe}.
 */
final class FakeAgents implements ActivitySource {
  private final SimulatedCluster cluster;
  private final Clock clock;
  private final Map<String, RecordedHolder> notes = new TreeMap<>();
  private final Set<String> busy = new HashSet<>();
  private final Set<String> withoutUtilization = new HashSet<>();
  private final Map<String, Double> utilization = new HashMap<>();
  private final List<String> secondLooks = new ArrayList<>();
  private final List<List<PodNamePattern>> pastLooks = new ArrayList<>();
  private UnaryOperator<PastActivity> past = none -> none;
  private Optional<String> blind = Optional.empty();
  private Optional<String> blindAtSecondLook = Optional.empty();
  private Runnable duringLook = () -> {};
  private Runnable beforeSecondLook = () -> {};

  /** One pod on one GPU. */
  private record RecordedHolder(
      String uid,
      GpuUuid device,
      Instant observedSince,
      Instant observedUntil,
      Optional<Instant> lastActive) {}

  FakeAgents(SimulatedCluster cluster, Clock clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  /** The pod works from now on, on all its GPUs. */
  void work(PodRef pod) {
    busy.add(pod.uid());
    observe();
  }

  /** The pod worked until now, and stops. */
  void rest(PodRef pod) {
    observe();
    busy.remove(pod.uid());
  }

  boolean isBusy(PodRef pod) {
    return busy.contains(pod.uid());
  }

  /** The driver says this of the pod's GPUs, whatever the agent records. */
  void claimUtilization(PodRef pod, double percent) {
    utilization.put(pod.uid(), percent);
  }

  /** The driver of the pod's node does not report the utilization. */
  void hideUtilization(PodRef pod) {
    withoutUtilization.add(pod.uid());
  }

  void showUtilization(PodRef pod) {
    withoutUtilization.remove(pod.uid());
  }

  /** All agents restart and lose their records. */
  void restart() {
    notes.clear();
    observe();
  }

  void restart(PodRef pod) {
    notes.values().removeIf(note -> note.uid().equals(pod.uid()));
    observe();
  }

  void goBlind(String reason) {
    blind = Optional.of(reason);
  }

  void seeAgain() {
    blind = Optional.empty();
    blindAtSecondLook = Optional.empty();
  }

  void goBlindAtSecondLook(String reason) {
    blindAtSecondLook = Optional.of(reason);
  }

  /** What happens while the evidence of all pods is fetched. */
  void duringLook(Runnable event) {
    duringLook = event;
  }

  void beforeSecondLook(Runnable event) {
    beforeSecondLook = event;
  }

  /** The UIDs of the pods that were rechecked. */
  List<String> secondLooks() {
    return List.copyOf(secondLooks);
  }

  /** Every agent takes a sample of its GPUs. */
  void observe() {
    Map<String, RecordedHolder> seen = new HashMap<>();
    for (GpuHolder holder : cluster.holders()) {
      String key = holder.pod().uid() + " " + holder.device().value();
      seen.put(key, sample(holder, Optional.ofNullable(notes.get(key))));
    }
    notes.clear();
    notes.putAll(seen);
  }

  @Override
  public Observation fetchAll() {
    Observation look =
        blind
            .<Observation>map(Observation.Blind::new)
            .orElseGet(() -> seen(new ArrayList<>(notes.values()), false));
    duringLook.run();
    return look;
  }

  @Override
  public Observation fetchPod(PodActivity pod) {
    secondLooks.add(pod.uid());
    beforeSecondLook.run();
    return blindAtSecondLook
        .or(() -> blind)
        .<Observation>map(Observation.Blind::new)
        .orElseGet(
            () ->
                seen(
                    notes.values().stream().filter(note -> note.uid().equals(pod.uid())).toList(),
                    true));
  }

  /** What it says about the past; it is given an answer without pods. */
  void remember(UnaryOperator<PastActivity> answer) {
    past = answer;
  }

  /** Of which pods the past was read, by query. */
  List<List<PodNamePattern>> pastLooks() {
    return List.copyOf(pastLooks);
  }

  @Override
  public PastActivity fetchPast(List<PodNamePattern> pods, TimeRange range) {
    pastLooks.add(pods);
    return past.apply(new PastActivity.Known(range, List.of()));
  }

  private RecordedHolder sample(GpuHolder holder, Optional<RecordedHolder> before) {
    Instant now = clock.instant();
    String uid = holder.pod().uid();
    return new RecordedHolder(
        uid,
        holder.device(),
        before.map(RecordedHolder::observedSince).orElse(now),
        now,
        busy.contains(uid) ? Optional.of(now) : before.flatMap(RecordedHolder::lastActive));
  }

  private Observation seen(List<RecordedHolder> some, boolean again) {
    Map<String, List<DeviceActivity>> byPod = new TreeMap<>();
    for (RecordedHolder note : some) {
      byPod
          .computeIfAbsent(note.uid(), _ -> new ArrayList<>())
          .add(
              new DeviceActivity(
                  note.device(),
                  note.lastActive(),
                  note.observedSince(),
                  note.observedUntil(),
                  note.observedUntil(),
                  again ? utilization(note.uid()) : OptionalDouble.empty()));
    }
    Map<String, PodActivity> pods = new HashMap<>();
    byPod.forEach(
        (uid, devices) ->
            pods.put(
                uid, new PodActivity(uid, devices, OptionalInt.of(devices.size()), List.of())));
    return new Observation.Seen(clock.instant(), pods, List.of());
  }

  private OptionalDouble utilization(String uid) {
    return withoutUtilization.contains(uid)
        ? OptionalDouble.empty()
        : OptionalDouble.of(utilization.getOrDefault(uid, busy.contains(uid) ? 80.0 : 0.0));
  }
}
