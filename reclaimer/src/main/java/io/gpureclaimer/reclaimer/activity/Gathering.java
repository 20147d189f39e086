package io.gpureclaimer.reclaimer.activity;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
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
  private static final double MILLIS_PER_SECOND = 1_000.0;

  private final Map<String, SortedMap<String, Trace>> traces = new HashMap<>();
  private final Map<String, Double> utilizations = new HashMap<>();
  private final Oddities oddities = new Oddities();

  /**
   * Takes one of the samples that make a {@link DeviceActivity}.
   *
   * @param podUid the sample's pod, as labeled
   * @param uuid the sample's GPU, as labeled
   * @param epochSeconds the sample's value
   * @param answeredAt the source's time when it gave the value, which cannot lie much before it
   */
  public void mark(
      Mark mark,
      @Nullable String podUid,
      @Nullable String uuid,
      double epochSeconds,
      Instant answeredAt) {
    if (podUid == null || podUid.isBlank() || uuid == null || uuid.isBlank()) {
      oddities.add(mark.text() + " without pod_uid or UUID: pod_uid " + podUid + ", UUID " + uuid);
      return;
    }
    Trace trace =
        traces
            .computeIfAbsent(podUid, _ -> new TreeMap<>())
            .computeIfAbsent(uuid, _ -> new Trace());
    double latest = answeredAt.plus(TOLERATED_FUTURE).toEpochMilli() / MILLIS_PER_SECOND;
    if (epochSeconds > 0 && epochSeconds <= latest) {
      trace.merge(mark, Instant.ofEpochMilli(Math.round(epochSeconds * MILLIS_PER_SECOND)));
    } else {
      trace.spoil();
      leaveOut(podUid, uuid, mark.text() + " is " + epochSeconds + ", no time in the past");
    }
  }

  /**
   * Takes the raw utilization of a GPU, whoever holds it.
   *
   * @param percent the sample's value
   */
  public void utilization(@Nullable String uuid, double percent) {
    if (uuid == null || uuid.isBlank()) {
      oddities.add("utilization without UUID");
      return;
    }
    // NaN stands for "cannot be true"; Math.max keeps it whatever else comes.
    boolean possible = percent >= 0 && Double.isFinite(percent);
    utilizations.merge(uuid, possible ? percent : Double.NaN, Math::max);
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
      oddities.add("no gpu_pod_* series in the answer: no pod holds a GPU, or no agent is scraped");
    }
    Map<String, PodActivity> pods = HashMap.newHashMap(traces.size());
    traces.forEach(
        (uid, devices) -> {
          PodActivity pod = pod(uid, devices);
          if (!pod.devices().isEmpty()) {
            pods.put(uid, pod);
          }
        });
    return new Observation.Seen(at, pods, oddities.lines());
  }

  private PodActivity pod(String uid, SortedMap<String, Trace> traces) {
    var devices = new ArrayList<DeviceActivity>(traces.size());
    traces.forEach(
        (uuid, trace) -> {
          if (believable(uid, uuid, trace)) {
            devices.add(trace.device(uuid, utilization(uuid)));
          }
        });
    return new PodActivity(uid, devices);
  }

  private boolean believable(String uid, String uuid, Trace trace) {
    if (trace.spoiled()) {
      return false;
    }
    var flaw = trace.flaw();
    if (flaw.isPresent()) {
      leaveOut(uid, uuid, flaw.get());
      return false;
    }
    if (utilization(uuid).isPresent() && Double.isNaN(utilization(uuid).getAsDouble())) {
      leaveOut(uid, uuid, "its utilization is no percentage");
      return false;
    }
    if (trace.activeBeforeObserved()) {
      oddities.add(of(uid, uuid) + "last_active is before observed_since; last_active left out");
    }
    return true;
  }

  private OptionalDouble utilization(String uuid) {
    Double percent = utilizations.get(uuid);
    return percent == null ? OptionalDouble.empty() : OptionalDouble.of(percent);
  }

  private void leaveOut(String uid, String uuid, String why) {
    oddities.add(of(uid, uuid) + why + "; GPU left out");
  }

  private static String of(String uid, String uuid) {
    return "pod " + uid + ", GPU " + uuid + ": ";
  }
}
