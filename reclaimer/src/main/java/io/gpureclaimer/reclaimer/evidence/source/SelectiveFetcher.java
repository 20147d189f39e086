package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat.SelectiveQueries;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusSource.EvidenceFetcher;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the evidence of all pods of a large cluster in parts, without what cannot matter: signals
 * of pods that work, and their records except when it is their turn. What is left out could only
 * say that a pod works. Safe for any thread.
 */
final class SelectiveFetcher {
  /** A pod that always works is read completely in one of so many fetches. */
  private static final int TURNS = 16;

  private static final String HEX_FROM_1 = "123456789abcdef";

  /** Records of an earlier fetch are not relied on after a pause. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private final EvidenceFetcher fetcher;
  private final PartialQueries queries;
  private final Clock clock;
  private final AtomicReference<@Nullable Earlier> earlier = new AtomicReference<>();

  SelectiveFetcher(EvidenceFetcher fetcher, Clock clock) {
    this.fetcher = fetcher;
    this.queries = new PartialQueries(fetcher);
    this.clock = clock;
  }

  /**
   * What earlier fetches found.
   *
   * @param number of the last fetch
   * @param pods as they were last read completely, by UID
   * @param countingAgents the last fetch that had counts of devices, by agent
   */
  private record Earlier(
      EvidenceFormat format,
      int number,
      Instant at,
      Map<String, PodActivity> pods,
      Map<String, Integer> countingAgents) {}

  /**
   * Begins a fetch.
   *
   * @param into reads the evidence
   * @param pods of the cluster
   */
  Fetch begin(EvidenceReader into, Collection<PodIdentity> pods) {
    Instant oldest = clock.instant().minus(LONGEST_PAUSE);
    return new Fetch(
        into,
        pods,
        Optional.ofNullable(earlier.get())
            .filter(last -> last.format().equals(into.format()) && last.at().isAfter(oldest)));
  }

  /** In which turn a pod is read completely, whatever it does. */
  private static int turn(String uid) {
    return HEX_FROM_1.indexOf(uid.charAt(uid.length() - 1)) + 1;
  }

  /** A matcher of the pods of a turn; those of all turns match every series. */
  private static String matcher(int turn) {
    String uids = turn == 0 ? "(.*[^1-9a-f])?" : ".*" + HEX_FROM_1.charAt(turn - 1);
    return Labels.POD_UID + "=~\"" + uids + "\"";
  }

  /** One fetch. Confined to one thread. */
  final class Fetch {
    private final EvidenceReader reader;
    private final Collection<PodIdentity> pods;
    private final Optional<Earlier> before;
    private final int number;
    private final Map<String, Instant> recentlyActive = new HashMap<>();
    private final Map<String, PodActivity> working = new HashMap<>();

    private Fetch(EvidenceReader reader, Collection<PodIdentity> pods, Optional<Earlier> before) {
      this.reader = reader;
      this.pods = pods;
      this.before = before;
      this.number = before.map(last -> last.number() + 1).orElse(0);
    }

    /** Whether no pod holds a device, by the evidence. */
    boolean isEmpty() {
      return working.isEmpty() && reader.isEmpty();
    }

    /** Fetches the evidence; it counts only without a result. */
    Optional<Blind> evidence() {
      Optional<SelectiveQueries> selective = reader.format().selective();
      return selective.isEmpty() ? fetcher.evidence(reader) : evidence(selective.get());
    }

    private Optional<Blind> evidence(SelectiveQueries of) {
      Stream<String> recent = before.stream().map(_ -> of.recentlyActive());
      return fetcher
          .query(
              PromQl.together(Stream.concat(EvidenceReader.SOURCE_QUERIES.stream(), recent)),
              EvidenceReader.evidenceLabels(reader.format()),
              this::ofSourceOrRecent)
          .or(() -> before.map(last -> some(of, last)).orElseGet(() -> turns(of, 0, TURNS)));
    }

    private void ofSourceOrRecent(MetricSample sample) {
      String uid = sample.labels().get(Labels.POD_UID);
      if (uid == null) {
        reader.evidence(sample);
      } else if (sample.value() > 0 && sample.value() <= sample.at().getEpochSecond()) {
        recentlyActive.put(uid, sample.valueAsInstant());
      }
    }

    private Optional<Blind> turns(SelectiveQueries of, int from, int to) {
      return queries.ask(
          IntStream.range(from, to).boxed().toList(),
          1,
          turn -> PromQl.together(of.pods(matcher(turn.getFirst())).stream()),
          reader.answeredAt(),
          EvidenceReader.evidenceLabels(reader.format()),
          reader::evidence);
    }

    private Optional<Blind> some(SelectiveQueries of, Earlier last) {
      int turn = number % TURNS;
      Set<String> unsure = new HashSet<>(last.pods().keySet());
      pods.forEach(pod -> unsure.add(pod.uid()));
      unsure.removeIf(uid -> uid.isBlank() || turn(uid) == turn);
      recentlyActive.forEach(
          (uid, at) -> {
            PodActivity known = last.pods().get(uid);
            if (unsure.contains(uid) && known != null && isPlain(known, at)) {
              working.put(uid, working(known, at));
            }
          });
      unsure.removeAll(working.keySet());
      if (unsure.size() > working.size()) {
        working.clear();
        return turns(of, 0, TURNS);
      }
      return turns(of, turn, turn + 1)
          .or(
              () ->
                  queries.ask(
                      unsure.stream().sorted().toList(),
                      PartialQueries.MANY,
                      uids -> PromQl.together(of.pods(PromQl.oneOf(Labels.POD_UID, uids)).stream()),
                      reader.answeredAt(),
                      EvidenceReader.evidenceLabels(reader.format()),
                      reader::evidence));
    }

    /** Fetches the signals that may matter, and returns the observation. */
    Observation completed() {
      Map<PodKey, Set<String>> quiet = reader.quietPods(FetchScope.ALL_PODS, clock);
      Optional<Blind> blind =
          quiet.size() > reader.pods() + working.size() - quiet.size()
              ? fetcher.signals(reader)
              : signals(quiet);
      return blind.<Observation>map(reason -> reason).orElseGet(this::observation);
    }

    private Optional<Blind> signals(Map<PodKey, Set<String>> quiet) {
      Set<String> labels = EvidenceReader.signalLabels(reader.format());
      String uuid = reader.format().labels().uuid();
      List<String> gpus = quiet.values().stream().flatMap(Set::stream).sorted().distinct().toList();
      return queries
          .ask(
              fetcher.signalQueries().hasDeviceSignals() ? gpus : List.of(),
              PartialQueries.MANY,
              some -> fetcher.signalQueries().ofDevices(uuid, Optional.of(some)).orElseThrow(),
              Optional.empty(),
              labels,
              reader::signal)
          .or(
              () ->
                  queries.ask(
                      fetcher.signalQueries().hasPodSignals() ? names(quiet.keySet()) : List.of(),
                      PartialQueries.MANY,
                      some -> fetcher.signalQueries().ofPods(some).orElseThrow(),
                      Optional.empty(),
                      labels,
                      reader::signal));
    }

    private List<PodName> names(Collection<PodKey> keys) {
      Map<String, PodName> names =
          pods.stream()
              .collect(Collectors.toMap(PodIdentity::uid, PodIdentity::name, (one, _) -> one));
      return keys.stream()
          .flatMap(
              key ->
                  switch (key) {
                    case PodKey.Uid(String uid) -> Optional.ofNullable(names.get(uid)).stream();
                    case PodKey.Named(PodName name) -> Stream.of(name);
                  })
          .distinct()
          .sorted((one, other) -> one.toString().compareTo(other.toString()))
          .toList();
    }

    private Seen observation() {
      Map<String, Integer> agents = new HashMap<>();
      before.ifPresent(
          last ->
              last.countingAgents()
                  .forEach(
                      (agent, counted) -> {
                        if (counted > number - TURNS) {
                          agents.put(agent, counted);
                        }
                      }));
      reader.countingAgents().forEach(agent -> agents.put(agent, number));
      reader.countedBy(agents.keySet());
      Seen seen = reader.observation(FetchScope.ALL_PODS, clock);
      Map<String, PodActivity> complete = new HashMap<>(seen.pods());
      before.ifPresent(
          last -> working.keySet().forEach(uid -> complete.put(uid, last.pods().get(uid))));
      earlier.set(
          new Earlier(reader.format(), number, clock.instant(), Map.copyOf(complete), agents));
      return seen.and(new Seen(seen.at(), working, List.of()));
    }
  }

  /** Whether nothing is odd about an earlier record, and this activity continues it. */
  private static boolean isPlain(PodActivity pod, Instant activeAt) {
    int devices = pod.devices().size();
    return pod.doubt().isEmpty()
        && devices > 0
        && pod.deviceCount().orElse(devices) == devices
        && pod.devices().stream().noneMatch(device -> device.observedSince().isAfter(activeAt));
  }

  /** The pod, observed until it was active, which makes it work whichever device it was. */
  private static PodActivity working(PodActivity pod, Instant activeAt) {
    return new PodActivity(
        pod.uid(),
        pod.devices().stream()
            .map(
                device ->
                    new DeviceActivity(
                        device.device(),
                        Optional.of(activeAt),
                        device.observedSince(),
                        activeAt,
                        activeAt,
                        OptionalDouble.empty()))
            .toList(),
        pod.deviceCount(),
        List.of());
  }
}
