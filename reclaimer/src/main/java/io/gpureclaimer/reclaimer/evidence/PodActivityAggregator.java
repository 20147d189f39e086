package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.AgentSignal;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.TimestampKind;
import io.gpureclaimer.reclaimer.evidence.Evidence.Unknown;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.evidence.Observation.ByName;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodDevice;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates the samples of one fetch per pod; their order does not matter. Confined to one thread
 * at a time.
 *
 * <p>Of several samples of one device and timestamp, the least idle one counts. A device is left
 * out of its pod, with an oddity, if one of its samples cannot be true or a needed one is missing;
 * the pod then shows fewer devices than it holds, which is never taken for idle.
 */
public final class PodActivityAggregator {
  private static final Duration TOLERATED_FUTURE = Duration.ofSeconds(60);

  /** An older time is of another unit, or of a clock that was never set. */
  private static final Duration LONGEST_PAST = Duration.ofDays(3_650);

  /** So long after the last signal the pod counts as at work. */
  private static final Duration SHOWN_FOR = Duration.ofMinutes(2);

  private static final double MILLIS_PER_SECOND = 1_000.0;
  private static final int MOST_DEVICES = 10_000;

  private final Map<PodKey, SortedMap<Entity, DeviceActivity.Builder>> pods = new HashMap<>();
  private final Map<PodKey, Double> counts = new HashMap<>();
  private final Map<PodKey, Instant> sampledAt = new HashMap<>();
  private final Map<PodKey, List<String>> agents = new HashMap<>();
  private final Set<String> countingAgents = new HashSet<>();
  private final Set<PodKey> countedBefore = new HashSet<>();
  private final Map<PodKey, Unknown> doubts = new HashMap<>();
  private final Map<Entity, Double> utilizations = new HashMap<>();
  private final Map<Entity, Map<SignalKind, Signal>> deviceSignals = new HashMap<>();
  private final Map<PodName, Map<SignalKind, Signal>> podSignals = new HashMap<>();
  private final Set<SignalKind> judgedByAgents = EnumSet.noneOf(SignalKind.class);
  private final EvidenceRemarks oddities = new EvidenceRemarks();
  private final String ifEmpty;

  /**
   * @param ifEmpty the oddity to report if no pod holds a device
   */
  public PodActivityAggregator(String ifEmpty) {
    this.ifEmpty = ifEmpty;
  }

  /**
   * Adds a timestamp of a device.
   *
   * @param epochSeconds the sample's value
   * @param answeredAt the source's time of the answer, which cannot lie much before the value
   */
  public void timestamp(TimestampKind kind, PodDevice of, double epochSeconds, Instant answeredAt) {
    DeviceActivity.Builder device = device(of);
    past(epochSeconds, answeredAt)
        .ifPresentOrElse(
            at -> device.merge(kind, at),
            () -> reject(of, kind.text() + " is " + epochSeconds + ", no time in the past"));
  }

  /** Sets the signals of boards of which the records of agents are used. */
  public void judgedByAgents(Set<SignalKind> kinds) {
    judgedByAgents.addAll(kinds);
  }

  /**
   * Adds what an agent recorded of the signals of a device. Of an agent that also watches others
   * than those that count here, it is not known when one of these was last above its limit.
   */
  public void agentSignal(
      PodDevice of, double epochSeconds, AgentSignalNames names, Instant answeredAt) {
    timestamp(TimestampKind.LAST_SIGNAL, of, epochSeconds, answeredAt);
    Set<SignalKind> watched = names.watched();
    if (!watched.isEmpty() && judgedByAgents.containsAll(watched)) {
      past(epochSeconds, answeredAt)
          .ifPresent(at -> device(of).signal(new AgentSignal(at, names.kind(), watched)));
    }
  }

  /**
   * The signals of boards that agents watch of every device of a GPU, by UUID. A board with
   * instances has no other signal than they have.
   */
  public Map<String, Set<SignalKind>> watchedByAgents() {
    Map<String, Set<SignalKind>> watched = new HashMap<>();
    pods.values()
        .forEach(
            devices ->
                devices.forEach(
                    (device, builder) ->
                        watched.merge(
                            device.gpu().value(),
                            watched(device, builder.watched()),
                            PodActivityAggregator::both)));
    return watched;
  }

  /** What is in both. */
  public static Set<SignalKind> both(Set<SignalKind> one, Set<SignalKind> other) {
    return one.equals(other)
        ? one
        : one.stream().filter(other::contains).collect(Collectors.toSet());
  }

  /** The signals of a board that need no query, because the agent watches those of the device. */
  public static Set<SignalKind> watched(Entity device, Set<SignalKind> byAgent) {
    return device.instanceId().isPresent() && byAgent.contains(SignalKind.MEMORY)
        ? EnumSet.allOf(SignalKind.class)
        : byAgent;
  }

  /** Adds the time of the oldest scrape of a pod, for its devices without one of their own. */
  public void sampledAt(PodKey pod, double epochSeconds, Instant answeredAt) {
    past(epochSeconds, answeredAt)
        .ifPresentOrElse(
            at -> sampledAt.merge(pod, at, TimestampKind.SAMPLED_AT::leastIdle),
            () ->
                skip(
                    TimestampKind.SAMPLED_AT.text()
                        + " of pod "
                        + pod.text()
                        + " is "
                        + epochSeconds));
  }

  /** Adds the agent that observes a pod. */
  public void observedBy(PodKey pod, String agent) {
    agents.merge(
        pod,
        List.of(agent),
        (known, _) ->
            known.contains(agent)
                ? known
                : Stream.concat(known.stream(), Stream.of(agent)).sorted().toList());
  }

  /** Adds an agent that reports how many devices pods hold, which it then does for each pod. */
  public void countedBy(String agent) {
    countingAgents.add(agent);
  }

  /** The agents that report how many devices pods hold. */
  public Set<String> countingAgents() {
    return Set.copyOf(countingAgents);
  }

  /**
   * The pods of which no device was active a moment before its last observation, with their GPUs.
   * Call it when all timestamps are added.
   */
  public Map<PodKey, Set<String>> quietPods() {
    Map<PodKey, Set<String>> quiet = new HashMap<>();
    pods.forEach(
        (key, devices) -> {
          if (devices.values().stream().noneMatch(DeviceActivity.Builder::wasJustActive)) {
            quiet.put(
                key,
                devices.keySet().stream()
                    .map(device -> device.gpu().value())
                    .collect(Collectors.toSet()));
          }
        });
    return quiet;
  }

  /**
   * UIDs of the pods that were sampled since then, the oldest of their samples. Call it when all
   * timestamps are added.
   */
  public Set<String> podsSampledSince(Instant since) {
    Set<String> fresh = new HashSet<>();
    pods.keySet()
        .forEach(
            key -> {
              if (key instanceof PodKey.Uid(String uid) && isSampledSince(key, since)) {
                fresh.add(uid);
              }
            });
    return fresh;
  }

  private boolean isSampledSince(PodKey pod, Instant since) {
    Instant sampled = sampledAt.get(pod);
    return sampled != null && sampled.isAfter(since);
  }

  /** Signals of a device. */
  public Collection<Signal> signalsOf(Entity device) {
    return deviceSignals.getOrDefault(device, Map.of()).values();
  }

  /** How many pods were added. */
  public int pods() {
    return pods.size();
  }

  /** Records that an earlier fetch had the number of devices of a pod. */
  public void countedBefore(PodKey pod) {
    countedBefore.add(pod);
  }

  /** Records a contradiction in the record of a device; nothing about its pod is then believed. */
  public void contradiction(PodDevice of, String what) {
    oddities.add(of + ": its record contradicts itself: " + what);
    doubt(of.pod(), EvidenceRule.DeviceChecks.contradiction(of.device(), what));
  }

  private void doubt(PodKey pod, Unknown why) {
    doubts.merge(
        pod, why, (one, other) -> one.reason().compareTo(other.reason()) <= 0 ? one : other);
  }

  /** A timestamp of a device, as merged so far. */
  public Optional<Instant> timestamp(TimestampKind kind, PodDevice of) {
    return isKnown(of) ? device(of).timestamp(kind) : Optional.empty();
  }

  /** The instant; empty if it is no time, or none that can have been. */
  private static Optional<Instant> past(double epochSeconds, Instant answeredAt) {
    double latest = answeredAt.plus(TOLERATED_FUTURE).toEpochMilli() / MILLIS_PER_SECOND;
    double earliest = answeredAt.minus(LONGEST_PAST).toEpochMilli() / MILLIS_PER_SECOND;
    return epochSeconds > Math.max(0, earliest) && epochSeconds <= latest
        ? Optional.of(Instant.ofEpochMilli(Math.round(epochSeconds * MILLIS_PER_SECOND)))
        : Optional.empty();
  }

  /** Records that a device has not worked for the pod since its observation began. */
  public void neverActive(PodDevice of) {
    device(of).neverActive();
  }

  /**
   * Records that one of the samples of a device is older than that of its last observation, because
   * samples were lost. Nothing is then known of the time after the older one.
   */
  public void lag(PodDevice of, double seconds) {
    if (seconds > 0 && Double.isFinite(seconds)) {
      device(of).lag(Duration.ofMillis((long) Math.ceil(seconds * MILLIS_PER_SECOND)));
    } else {
      reject(of, "one of its samples is older by " + seconds + " s, which is no time");
    }
  }

  /**
   * Takes a last activity at the very start of an observation for none. Call it when all timestamps
   * are added.
   */
  public void idleFromStart() {
    pods.values()
        .forEach(devices -> devices.values().forEach(DeviceActivity.Builder::idleFromStart));
  }

  /**
   * Discards what is known of a device before an instant, and everything until then. Call it when
   * all timestamps are added.
   */
  public void knownSince(PodDevice of, Instant since, Instant at) {
    if (!isKnown(of)) {
      return;
    }
    if (at.isAfter(since)) {
      device(of).knownSince(since);
    } else {
      reject(of, "has samples until " + since + ": the source's clock was set back");
    }
  }

  private boolean isKnown(PodDevice of) {
    SortedMap<Entity, DeviceActivity.Builder> devices = pods.get(of.pod());
    return devices != null && devices.containsKey(of.device());
  }

  /** Adds the number of devices that a pod holds, as its agent reports it. */
  public void deviceCount(PodKey pod, double count) {
    boolean possible = count >= 0 && count <= MOST_DEVICES && count == Math.rint(count);
    // NaN stands for "cannot be true"; Math.max keeps it whatever else comes.
    counts.merge(pod, possible ? count : Double.NaN, Math::max);
  }

  /** Adds the raw utilization of a device in percent, whatever pod holds it. */
  public void utilization(Entity device, double percent) {
    boolean possible = percent >= 0 && Double.isFinite(percent);
    utilizations.merge(device, possible ? percent : Double.NaN, Math::max);
  }

  /** Adds a signal of a device; the highest of each kind counts. */
  public void signal(Entity device, Signal signal) {
    merge(deviceSignals.computeIfAbsent(device, _ -> new EnumMap<>(SignalKind.class)), signal);
  }

  /** Adds a signal of a pod; the highest of each kind counts. */
  public void signal(PodName pod, Signal signal) {
    merge(podSignals.computeIfAbsent(pod, _ -> new EnumMap<>(SignalKind.class)), signal);
  }

  /** NaN stays, too: it says that the pod works. */
  private static void merge(Map<SignalKind, Signal> signals, Signal signal) {
    signals.merge(
        signal.kind(),
        signal,
        (one, other) -> Double.isNaN(one.value()) || one.value() >= other.value() ? one : other);
  }

  /** Reports something else that was left out. */
  public void skip(String line) {
    oddities.add(line);
  }

  /** Reports a device that is left out. */
  public void skip(PodDevice of, String why) {
    oddities.add(of + ": " + why + "; GPU left out");
  }

  /** Whether no pod with a device was added. */
  public boolean isEmpty() {
    return pods.isEmpty();
  }

  /**
   * The activity of all pods. Call it once, after the last sample.
   *
   * @param at the source's time of the answer
   */
  public Observation.Seen observation(Instant at) {
    if (pods.isEmpty()) {
      oddities.add(ifEmpty);
    }
    Map<String, PodActivity> byUid = HashMap.newHashMap(pods.size());
    Map<PodName, PodActivity> byName = new HashMap<>();
    pods.forEach(
        (key, samples) -> {
          PodActivity pod = pod(key, samples);
          if (!pod.devices().isEmpty()) {
            switch (key) {
              case PodKey.Uid(String uid) -> byUid.put(uid, pod);
              case PodKey.Named(PodName name) -> byName.put(name, pod);
            }
          }
        });
    Map<PodName, List<Signal>> signals = HashMap.newHashMap(podSignals.size());
    podSignals.forEach((pod, kinds) -> signals.put(pod, new ArrayList<>(kinds.values())));
    return new Observation.Seen(
        at,
        byUid,
        oddities.lines(),
        new ByName(byName, signals),
        Optional.empty(),
        Optional.empty());
  }

  private DeviceActivity.Builder device(PodDevice of) {
    return pods.computeIfAbsent(of.pod(), _ -> new TreeMap<>(PodActivity.ORDER))
        .computeIfAbsent(of.device(), _ -> new DeviceActivity.Builder());
  }

  private PodActivity pod(PodKey key, SortedMap<Entity, DeviceActivity.Builder> samples) {
    Double count = counts.get(key);
    if (count != null && count.isNaN()) {
      oddities.add("pod " + key.text() + ": its device count is no count; pod left out");
      return new PodActivity(key.text(), List.of());
    }
    Optional<Instant> scrapedAt = Optional.ofNullable(sampledAt.get(key));
    var devices = new ArrayList<DeviceActivity>(samples.size());
    var signals = new ArrayList<Signal>();
    samples.forEach(
        (device, builder) -> {
          scrapedAt.ifPresent(builder::sampledAtIfAbsent);
          if (isBelievable(new PodDevice(key, device), builder)) {
            DeviceActivity activity = builder.build(device, utilization(device));
            devices.add(activity);
            signals.addAll(signals(activity));
          }
        });
    return new PodActivity(
            key.text(),
            devices,
            count == null ? OptionalInt.empty() : OptionalInt.of(count.intValue()),
            signals)
        .doubted(doubt(key, count));
  }

  /** Those that were read, and the one that its agent recorded, unless the same shows work. */
  private List<Signal> signals(DeviceActivity activity) {
    Map<SignalKind, Signal> read = deviceSignals.getOrDefault(activity.device(), Map.of());
    Optional<Signal> byAgent =
        activity
            .signal()
            .filter(
                signal ->
                    Duration.between(signal.at(), activity.observedUntil()).compareTo(SHOWN_FOR)
                        <= 0)
            .flatMap(AgentSignal::kind)
            .filter(kind -> !read.containsKey(kind) || !read.get(kind).saysWork())
            .map(kind -> SignalLimits.byAgent(kind, activity.device().toString()));
    return Stream.concat(read.values().stream(), byAgent.stream()).toList();
  }

  private Optional<Unknown> doubt(PodKey key, @Nullable Double count) {
    return Optional.ofNullable(doubts.get(key))
        .or(() -> count == null ? missingCount(key) : Optional.empty());
  }

  /** One scrape brings the counts of all pods of its agent, so this sample was lost. */
  private Optional<Unknown> missingCount(PodKey key) {
    return agents.getOrDefault(key, List.of()).stream()
        .filter(countingAgents::contains)
        .findFirst()
        .map(agent -> "its agent " + agent + " reports those of other pods")
        .or(
            () ->
                countedBefore.contains(key)
                    ? Optional.of("there was one a moment ago")
                    : Optional.empty())
        .map(
            why ->
                new Unknown(
                    UnknownCause.GPU_COUNT, "expected its device count, found none, but " + why));
  }

  private boolean isBelievable(PodDevice of, DeviceActivity.Builder device) {
    if (device.isRejected()) {
      return false;
    }
    Optional<String> flaw = device.flaw();
    if (flaw.isPresent()) {
      skip(of, flaw.get());
      return false;
    }
    if (Double.isNaN(utilization(of.device()).orElse(0))) {
      skip(of, "its utilization is no percentage");
      return false;
    }
    if (device.activeBeforeObserved()) {
      oddities.add(of + ": last_active is before observed_since; last_active left out");
    }
    return true;
  }

  private OptionalDouble utilization(Entity device) {
    Double percent = utilizations.get(device);
    return percent == null ? OptionalDouble.empty() : OptionalDouble.of(percent);
  }

  private void reject(PodDevice of, String why) {
    device(of).reject();
    skip(of, why);
  }

  /**
   * Signals as an agent names them.
   *
   * @param kind the last that was above its limit; absent if none was
   * @param watched those that it watches
   */
  public record AgentSignalNames(Optional<SignalKind> kind, Set<SignalKind> watched) {
    public AgentSignalNames {
      watched = Set.copyOf(watched);
    }

    /** Of its two labels; empty if they name a signal that is not known here. */
    public static Optional<AgentSignalNames> of(String kind, String watched) {
      Set<SignalKind> known = EnumSet.noneOf(SignalKind.class);
      for (String code : watched.split(",", -1)) {
        Optional<SignalKind> one = SignalKind.ofBoards(code);
        if (one.isEmpty()) {
          return Optional.empty();
        }
        known.add(one.get());
      }
      if (kind.equals(LedgerMetrics.NO_SIGNAL)) {
        return Optional.of(new AgentSignalNames(Optional.empty(), known));
      }
      Optional<SignalKind> last = SignalKind.ofBoards(kind).filter(known::contains);
      return last.isEmpty() ? Optional.empty() : Optional.of(new AgentSignalNames(last, known));
    }
  }

  /** Lines about what was left out: few, and the same in any order of the samples. */
  private static final class EvidenceRemarks {
    private static final int MOST_LINES = 100;
    private static final int LONGEST_LINE = 400;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private final TreeSet<String> first = new TreeSet<>();
    private int added;

    void add(String text) {
      added++;
      String line = CONTROL.matcher(text).replaceAll(" ");
      first.add(line.substring(0, Math.min(line.length(), LONGEST_LINE)));
      if (first.size() > MOST_LINES) {
        first.pollLast();
      }
    }

    List<String> lines() {
      var lines = new ArrayList<>(first);
      if (lines.size() == MOST_LINES && added > MOST_LINES) {
        lines.add("only the first " + MOST_LINES + " of " + added + " oddities are listed");
      }
      return lines;
    }
  }
}
