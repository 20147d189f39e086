package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.reclaimer.evidence.Observation.ByName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts the samples of one look together to what is known of each pod, the same whatever order they
 * come in. Confined to one thread at a time.
 *
 * <p>Several samples of one pod, GPU and mark are one reading: the least idle of them. A GPU is
 * left out of its pod, with an oddity, if one of its samples cannot be true or a needed one is
 * missing; the pod then shows fewer GPUs than it holds, which nobody takes for idle.
 */
public final class Gathering {
  private static final Duration TOLERATED_FUTURE = Duration.ofSeconds(60);

  /**
   * No pod has been watched for longer: such a time is of another unit, or of a clock never set.
   */
  private static final Duration LONGEST_PAST = Duration.ofDays(3_650);

  private static final double MILLIS_PER_SECOND = 1_000.0;
  private static final String NO_LEDGER =
      "no gpu_pod_* series in the answer: no pod holds a GPU, or no agent is scraped";

  private final Map<PodKey, SortedMap<Entity, Trace>> traces = new HashMap<>();
  private final Map<PodKey, DeviceCount> counts = new HashMap<>();
  private final Map<PodKey, Instant> sampledAt = new HashMap<>();
  private final Map<Entity, Double> utilizations = new HashMap<>();
  private final Measured measured = new Measured();
  private final Oddities oddities = new Oddities();
  private final String ifNothing;

  /** Of agents of ours. */
  public Gathering() {
    this(NO_LEDGER);
  }

  /**
   * @param ifNothing what to say if no pod holds a GPU
   */
  public Gathering(String ifNothing) {
    this.ifNothing = ifNothing;
  }

  /** The same mark of a whole GPU in the hands of a pod that is known by its UID. */
  public void mark(
      Mark mark,
      @Nullable String podUid,
      @Nullable String uuid,
      double epochSeconds,
      Instant answeredAt) {
    mark(mark, uid(podUid), Label.whole(uuid), epochSeconds, answeredAt);
  }

  /** By UID, if there is one. */
  public static Optional<PodKey> uid(@Nullable String podUid) {
    return Optional.ofNullable(podUid).map(PodKey.Uid::new);
  }

  /**
   * Takes one of the samples that make a {@link DeviceActivity}.
   *
   * @param pod the sample's pod, as labeled
   * @param label the sample's device, as labeled
   * @param epochSeconds the sample's value
   * @param answeredAt the source's time when it gave the value, which cannot lie much before it
   */
  public void mark(
      Mark mark, Optional<PodKey> pod, Label label, double epochSeconds, Instant answeredAt) {
    Optional<Entity> device = label.device();
    if (pod.isEmpty() || pod.get().isBlank() || device.isEmpty()) {
      oddities.add(
          mark.text()
              + " without pod_uid or UUID: pod_uid "
              + pod.map(PodKey::text).orElse("null")
              + ", "
              + label);
      return;
    }
    Trace trace = trace(pod.get(), device.get());
    Optional<Instant> instant = past(epochSeconds, answeredAt);
    instant.ifPresent(at -> trace.merge(mark, at));
    if (instant.isEmpty()) {
      trace.spoil();
      leaveOut(
          pod.get(), device.get(), mark.text() + " is " + epochSeconds + ", no time in the past");
    }
  }

  /**
   * Takes the time of the oldest scrape that anything of this pod's devices is from. Those of which
   * no time of their own is told are of this one.
   */
  public void sampledAt(Optional<PodKey> pod, double epochSeconds, Instant answeredAt) {
    Optional<Instant> instant = past(epochSeconds, answeredAt);
    if (pod.isEmpty() || pod.get().isBlank() || instant.isEmpty()) {
      oddities.add(
          Mark.SAMPLED_AT.text()
              + " of pod "
              + pod.map(PodKey::text).orElse("null")
              + " is "
              + epochSeconds);
      return;
    }
    sampledAt.merge(pod.get(), instant.get(), Mark.SAMPLED_AT::leastIdle);
  }

  /** What is no time, or none that can have been, is empty. */
  private static Optional<Instant> past(double epochSeconds, Instant answeredAt) {
    double latest = answeredAt.plus(TOLERATED_FUTURE).toEpochMilli() / MILLIS_PER_SECOND;
    double earliest = answeredAt.minus(LONGEST_PAST).toEpochMilli() / MILLIS_PER_SECOND;
    return epochSeconds > Math.max(0, earliest) && epochSeconds <= latest
        ? Optional.of(Instant.ofEpochMilli(Math.round(epochSeconds * MILLIS_PER_SECOND)))
        : Optional.empty();
  }

  /** Takes it that the device has not worked for the pod since the observation began. */
  public void neverActive(Optional<PodKey> pod, Label label) {
    label.device().ifPresent(device -> pod.ifPresent(key -> trace(key, device).neverActive()));
  }

  /**
   * Takes it that devices whose last activity is told to be the beginning of their observation have
   * not been seen to work. Asked when all marks are taken.
   */
  public void beganAtRest() {
    traces.values().forEach(devices -> devices.values().forEach(Trace::beganAtRest));
  }

  /** Takes it that the marks of the device are of different scrapes, so that they fit no moment. */
  public void torn(Optional<PodKey> pod, Label label) {
    label.device().ifPresent(device -> pod.ifPresent(key -> tear(key, device)));
  }

  private void tear(PodKey pod, Entity device) {
    trace(pod, device).spoil();
    leaveOut(pod, device, "its marks are of different scrapes");
  }

  /**
   * Takes it that nothing is known of the device before that time, whatever its marks say; and
   * nothing at all until then. Asked when all marks are taken.
   */
  public void knownSince(PodKey pod, Entity device, Instant since, Instant at) {
    SortedMap<Entity, Trace> known = traces.get(pod);
    if (known == null || !known.containsKey(device)) {
      return;
    }
    Trace trace = trace(pod, device);
    if (at.isAfter(since)) {
      trace.knownSince(since);
    } else {
      trace.spoil();
      leaveOut(pod, device, "has samples until " + since + ": the source's clock was set back");
    }
  }

  /** Takes how many devices the pod holds, as its agent says. */
  public void deviceCount(Optional<PodKey> pod, double count) {
    if (pod.isEmpty() || pod.get().isBlank()) {
      oddities.add("device count without pod_uid");
      return;
    }
    counts.computeIfAbsent(pod.get(), _ -> new DeviceCount()).merge(count);
  }

  /** The same of a whole GPU. */
  public void utilization(@Nullable String uuid, double percent) {
    utilization(Label.whole(uuid), percent);
  }

  /**
   * Takes the raw utilization of a device, whoever holds it.
   *
   * @param percent the sample's value
   */
  public void utilization(Label label, double percent) {
    Optional<Entity> device = label.device();
    if (device.isEmpty()) {
      oddities.add("utilization without UUID");
      return;
    }
    // NaN stands for "cannot be true"; Math.max keeps it whatever else comes.
    boolean possible = percent >= 0 && Double.isFinite(percent);
    utilizations.merge(device.get(), possible ? percent : Double.NaN, Math::max);
  }

  /** Whether nobody was seen holding a GPU so far. */
  public boolean isEmpty() {
    return traces.isEmpty();
  }

  /** What was measured besides. */
  public Measured measured() {
    return measured;
  }

  /** Takes note of something else that was left out. */
  public void odd(String line) {
    oddities.add(line);
  }

  /**
   * What the samples say together. Asked once, when the last sample has come.
   *
   * @param at the source's time of the answer
   */
  public Observation.Seen seen(Instant at) {
    if (traces.isEmpty()) {
      oddities.add(ifNothing);
    }
    Map<String, PodActivity> byUid = HashMap.newHashMap(traces.size());
    Map<PodName, PodActivity> byName = new HashMap<>();
    traces.forEach(
        (key, devices) -> {
          PodActivity pod = pod(key, devices);
          if (!pod.devices().isEmpty()) {
            switch (key) {
              case PodKey.Uid(String uid) -> byUid.put(uid, pod);
              case PodKey.Named(PodName name) -> byName.put(name, pod);
            }
          }
        });
    return new Observation.Seen(
        at,
        byUid,
        oddities.lines(),
        new ByName(byName, measured.byPod()),
        Optional.empty(),
        Optional.empty());
  }

  private Trace trace(PodKey pod, Entity device) {
    return traces
        .computeIfAbsent(pod, _ -> new TreeMap<>(Label.ORDER))
        .computeIfAbsent(device, _ -> new Trace());
  }

  private PodActivity pod(PodKey key, SortedMap<Entity, Trace> traces) {
    DeviceCount count = counts.getOrDefault(key, DeviceCount.UNTOLD);
    Optional.ofNullable(sampledAt.get(key))
        .ifPresent(at -> traces.values().forEach(trace -> trace.sampledAtUnlessTold(at)));
    var devices = new ArrayList<DeviceActivity>(traces.size());
    var signals = new ArrayList<Signal>();
    if (count.isImpossible()) {
      oddities.add("pod " + key.text() + ": its device count is no count; pod left out");
      return new PodActivity(key.text(), List.of());
    }
    traces.forEach(
        (device, trace) -> {
          if (believable(key, device, trace)) {
            devices.add(trace.device(device, utilization(device)));
            signals.addAll(measured.of(device));
          }
        });
    return new PodActivity(key.text(), devices, count.told(), signals);
  }

  private boolean believable(PodKey pod, Entity device, Trace trace) {
    if (trace.spoiled()) {
      return false;
    }
    var flaw = trace.flaw();
    if (flaw.isPresent()) {
      leaveOut(pod, device, flaw.get());
      return false;
    }
    if (utilization(device).isPresent() && Double.isNaN(utilization(device).getAsDouble())) {
      leaveOut(pod, device, "its utilization is no percentage");
      return false;
    }
    if (trace.activeBeforeObserved()) {
      oddities.add(of(pod, device) + "last_active is before observed_since; last_active left out");
    }
    return true;
  }

  private OptionalDouble utilization(Entity device) {
    Double percent = utilizations.get(device);
    return percent == null ? OptionalDouble.empty() : OptionalDouble.of(percent);
  }

  private void leaveOut(PodKey pod, Entity device, String why) {
    oddities.add(of(pod, device) + why + "; GPU left out");
  }

  private static String of(PodKey pod, Entity device) {
    return "pod " + pod.text() + ", GPU " + device + ": ";
  }
}
