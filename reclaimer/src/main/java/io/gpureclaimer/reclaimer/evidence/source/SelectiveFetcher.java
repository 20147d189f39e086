package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.AgentSignal;
import io.gpureclaimer.reclaimer.evidence.Evidence.Unknown;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat.SelectiveQueries;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.format.SignalQueries;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusSource.EvidenceFetcher;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the evidence of all pods of a large cluster in parts, without what cannot matter: signals
 * of pods that work, and their records except when it is their turn; and records of idle pods from
 * which nothing can follow yet. What is left out could only say that a pod works. Of the other idle
 * pods, half are read in each fetch, and the records of the others count once more while they are
 * new. Safe for any thread.
 */
final class SelectiveFetcher {
  /** A pod that always works is read completely in one of so many fetches. */
  private static final int TURNS = 16;

  /** What {@link Earlier#turns} is after a fetch that may have read every pod, and not in parts. */
  private static final int SETTLED = TURNS + 1;

  /** Of so many pods one fetch may read everything; the first of a larger cluster are parts. */
  private static final int PODS_AT_ONCE = 7_500;

  private static final Comparator<PodName> BY_NAME = Comparator.comparing(PodName::toString);

  private static final String HEX_FROM_1 = "123456789abcdef";

  /** Records of an earlier fetch are not relied on after a pause. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  /** So long after its last sample, the record of an idle pod is read again. */
  private static final Duration RECORD_AFTER = Duration.ofMinutes(5);

  /** The same where neither a warning nor an action is possible. */
  private static final Duration RECORD_AND_SIGNALS_AFTER = Duration.ofMinutes(20);

  /**
   * A record that is no older counts once more. Whatever a pod did since then, it did within the
   * time of {@link SelectiveQueries#recentlyActive}.
   */
  private static final Duration COUNTS_AGAIN = Duration.ofSeconds(100);

  /** If more than one in so many records that were read before is missing, nothing is left out. */
  private static final int ONE_MISSING_OF = 100;

  /** A record that is older counts as missing, and older activity does not make a pod work. */
  private static final Duration FRESH = Duration.ofMinutes(2);

  private final EvidenceFetcher fetcher;
  private final PartialQueries queries;
  private final Clock clock;
  private final AtomicReference<@Nullable Earlier> earlier = new AtomicReference<>();

  SelectiveFetcher(EvidenceFetcher fetcher, Clock clock) {
    this.fetcher = fetcher;
    this.queries = new PartialQueries(fetcher::answer);
    this.clock = clock;
  }

  /**
   * What earlier fetches found.
   *
   * @param number of the last fetch
   * @param pods as they were last read completely, by UID
   * @param seen pods of the cluster that were ever seen, by UID
   * @param countingAgents the last fetch that had counts of devices, by agent
   * @param turns how many of the turns were read at least once; one more after the fetch that
   *     follows all of them
   * @param repeated pods that the last fetch did not read
   */
  private record Earlier(
      EvidenceFormat format,
      int number,
      Instant at,
      Map<String, PodActivity> pods,
      Set<String> seen,
      Map<String, Integer> countingAgents,
      int turns,
      Set<String> repeated) {}

  /**
   * Begins a fetch.
   *
   * @param into reads the evidence
   * @param pods of the cluster
   * @param mayLeaveOut by UID, idle pods from whose evidence nothing can follow yet
   */
  Fetch begin(EvidenceReader into, Collection<PodIdentity> pods, Map<String, LeftOut> mayLeaveOut) {
    Instant oldest = clock.instant().minus(LONGEST_PAUSE);
    Optional<Earlier> known =
        Optional.ofNullable(earlier.get()).filter(last -> last.format().equals(into.format()));
    Optional<Earlier> recent = known.filter(last -> last.at().isAfter(oldest));
    // Parts that are too far apart would never become a whole.
    boolean inParts = recent.isPresent() || known.isEmpty();
    return new Fetch(into, pods, mayLeaveOut, recent, inParts ? turnsAtOnce(pods) : TURNS);
  }

  private static int turnsAtOnce(Collection<PodIdentity> pods) {
    return Math.clamp(Math.ceilDiv(TURNS * PODS_AT_ONCE, Math.max(1, pods.size())), 1, TURNS);
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
    private final Map<String, LeftOut> mayLeaveOut;
    private final Optional<Earlier> before;
    private final int turnsAtOnce;
    private final int number;
    private int turnsRead = TURNS;
    private final Map<String, Instant> recentlyActive = new HashMap<>();
    private final Map<String, PodActivity> working = new HashMap<>();
    private final Map<String, PodActivity> leftOut = new HashMap<>();
    private final Map<String, PodActivity> repeated = new HashMap<>();
    private final Set<PodName> perhapsLost = new HashSet<>();

    private Fetch(
        EvidenceReader reader,
        Collection<PodIdentity> pods,
        Map<String, LeftOut> mayLeaveOut,
        Optional<Earlier> before,
        int turnsAtOnce) {
      this.turnsAtOnce = turnsAtOnce;
      this.reader = reader;
      this.pods = pods;
      this.mayLeaveOut = mayLeaveOut;
      this.before = before;
      this.number = before.map(last -> last.number() + 1).orElse(0);
    }

    /** Whether no pod holds a device, by the evidence. */
    boolean isEmpty() {
      return notRead() == 0 && reader.isEmpty();
    }

    private int notRead() {
      return working.size() + leftOut.size() + repeated.size();
    }

    /** Fetches the evidence; it counts only without a result. */
    Optional<Blind> evidence() {
      Optional<SelectiveQueries> selective = reader.format().selective();
      return selective.isEmpty() ? fetcher.evidence(reader) : evidence(selective.get());
    }

    private Optional<Blind> evidence(SelectiveQueries of) {
      Optional<Earlier> whole = before.filter(last -> last.turns() >= TURNS);
      Stream<String> recent = whole.stream().map(_ -> of.recentlyActive());
      return fetcher
          .query(
              PromQl.together(Stream.concat(EvidenceReader.SOURCE_QUERIES.stream(), recent)),
              EvidenceReader.evidenceLabels(reader.format()),
              this::ofSourceOrRecent)
          .or(() -> whole.map(last -> some(of, last)).orElseGet(() -> next(of)));
    }

    /**
     * Reads as many turns as fit into one fetch. Pods of earlier turns are left out, so that
     * nothing follows from them until all are read; those of later turns are not known yet.
     */
    private Optional<Blind> next(SelectiveQueries of) {
      int from = before.map(Earlier::turns).orElse(0);
      turnsRead = Math.min(TURNS, from + turnsAtOnce);
      before.ifPresent(
          last ->
              last.pods()
                  .keySet()
                  .forEach(
                      uid ->
                          knownPlainly(uid, last)
                              .ifPresent(pod -> leftOut.put(uid, leftOut(pod)))));
      return turns(of, from, turnsRead);
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
      return ask(
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
            if (unsure.contains(uid)
                && known != null
                && at.isAfter(askedAt().minus(FRESH))
                && isPlain(known, at)) {
              working.put(uid, working(known, at));
            }
          });
      unsure.removeAll(working.keySet());
      unsure.stream()
          .filter(uid -> !recentlyActive.containsKey(uid))
          .forEach(uid -> leavable(uid, last).ifPresent(pod -> leftOut.put(uid, pod)));
      unsure.removeAll(leftOut.keySet());
      unsure.stream()
          .filter(uid -> !recentlyActive.containsKey(uid))
          .forEach(uid -> repeatable(uid, last).ifPresent(pod -> repeated.put(uid, pod)));
      unsure.removeAll(repeated.keySet());
      if (last.turns() == TURNS) {
        leaveHalfOut(unsure, last);
        unsure.removeAll(leftOut.keySet());
      }
      if (unsure.size() > notRead()) {
        working.clear();
        leftOut.clear();
        repeated.clear();
        return turns(of, 0, TURNS);
      }
      return turns(of, turn, turn + 1)
          .or(() -> some(of, unsure))
          .or(() -> isMuchMissing(last) ? leftOutAfterAll(of) : Optional.empty());
    }

    private Optional<Blind> some(SelectiveQueries of, Set<String> uids) {
      return ask(
          uids.stream().sorted().toList(),
          PartialQueries.MANY,
          some -> PromQl.together(of.pods(PromQl.oneOf(Labels.POD_UID, some)).stream()),
          reader.answeredAt(),
          EvidenceReader.evidenceLabels(reader.format()),
          reader::evidence);
    }

    /** Directly after all parts no record is new; the other half is new in the next fetch. */
    private void leaveHalfOut(Set<String> unsure, Earlier last) {
      unsure.stream()
          .filter(uid -> !recentlyActive.containsKey(uid) && isOfThisHalf(uid))
          .forEach(uid -> knownPlainly(uid, last).ifPresent(pod -> leftOut.put(uid, leftOut(pod))));
    }

    /** Of two fetches in sequence, each pod is of the half of one. */
    private boolean isOfThisHalf(String uid) {
      return Math.floorMod(uid.hashCode(), 2) == number % 2;
    }

    private static Optional<PodActivity> knownPlainly(String uid, Earlier last) {
      return Optional.ofNullable(last.pods().get(uid))
          .filter(pod -> pod.doubt().isEmpty() && !pod.devices().isEmpty());
    }

    private static PodActivity leftOut(PodActivity pod) {
      return pod.leftOut(LeftOut.RECORD, List.of());
    }

    /** The record that the last fetch read, with its signals, if this one may count it again. */
    private Optional<PodActivity> repeatable(String uid, Earlier last) {
      if (!isOfThisHalf(uid) || last.repeated().contains(uid)) {
        return Optional.empty();
      }
      Instant oldest = askedAt().minus(COUNTS_AGAIN);
      return knownPlainly(uid, last)
          .filter(
              known ->
                  known.devices().stream()
                      .allMatch(device -> device.sampledAt().isAfter(oldest) && isWatched(device)));
    }

    /** Whether its agent records all signals of the board: those of queries have to be newer. */
    private boolean isWatched(DeviceActivity device) {
      return fetcher.signalQueries().notWatched(watchedBy(device)).isEmpty();
    }

    /** The earlier record of a pod of which no newer one is necessary. */
    private Optional<PodActivity> leavable(String uid, Earlier last) {
      LeftOut what = mayLeaveOut.get(uid);
      if (what == null) {
        return Optional.empty();
      }
      Instant oldest =
          askedAt()
              .minus(
                  switch (what) {
                    case RECORD -> RECORD_AFTER;
                    case RECORD_AND_SIGNALS -> RECORD_AND_SIGNALS_AFTER;
                  });
      return knownPlainly(uid, last)
          .filter(
              pod -> pod.devices().stream().allMatch(device -> device.sampledAt().isAfter(oldest)))
          .map(pod -> pod.leftOut(what, List.of()));
    }

    /**
     * An outage concerns the pods that are left out as well, and has to be seen as large as it is.
     */
    private boolean isMuchMissing(Earlier last) {
      Set<String> expected = new HashSet<>(last.seen());
      expected.retainAll(uids());
      expected.removeAll(working.keySet());
      expected.removeAll(leftOut.keySet());
      expected.removeAll(repeated.keySet());
      int asked = expected.size();
      expected.removeAll(reader.podsSampledSince(askedAt().minus(FRESH)));
      return expected.size() * ONE_MISSING_OF > asked + working.size();
    }

    private Optional<Blind> leftOutAfterAll(SelectiveQueries of) {
      Set<String> all = new HashSet<>(leftOut.keySet());
      all.addAll(repeated.keySet());
      leftOut.clear();
      repeated.clear();
      return some(of, all);
    }

    private <T> Optional<Blind> ask(
        List<T> items,
        int size,
        Function<List<T>, String> query,
        Optional<Instant> at,
        Set<String> labels,
        Consumer<MetricSample> into) {
      return queries.ask(items, size, query, at, labels, into).map(fetcher::blind);
    }

    private Instant askedAt() {
      return reader.answeredAt().orElseGet(clock::instant);
    }

    private Set<String> uids() {
      return pods.stream().map(PodIdentity::uid).collect(Collectors.toSet());
    }

    /** Fetches the signals that may matter, and returns the observation. */
    Observation completed() {
      Map<PodKey, Set<String>> quiet = new HashMap<>(reader.quietPods(FetchScope.ALL_PODS, clock));
      leftOut.forEach(
          (uid, pod) -> {
            if (pod.leftOut().filter(LeftOut.RECORD::equals).isPresent() && !isActive(pod)) {
              quiet.put(new PodKey.Uid(uid), gpus(pod));
            }
          });
      Optional<Blind> blind =
          turnsRead == TURNS && quiet.size() > reader.pods() + notRead() - quiet.size()
              ? fetcher.signals(reader)
              : signals(quiet);
      return blind.<Observation>map(reason -> reason).orElseGet(this::observation);
    }

    private Optional<Blind> signals(Map<PodKey, Set<String>> quiet) {
      Set<String> labels = EvidenceReader.signalLabels(reader.format());
      return boardSignals(quiet, labels)
          .or(
              () ->
                  ask(
                      fetcher.signalQueries().hasPodSignals() ? names(quiet.keySet()) : List.of(),
                      PartialQueries.MANY,
                      some -> fetcher.signalQueries().ofPods(some).orElseThrow(),
                      Optional.empty(),
                      labels,
                      this::signal))
          .or(
              () ->
                  ask(
                      perhapsLost.stream().sorted(BY_NAME).toList(),
                      PartialQueries.MANY,
                      fetcher.signalQueries()::lostOfPods,
                      Optional.empty(),
                      labels,
                      reader::signal));
    }

    /** Of each GPU those that its agent does not watch. */
    private Optional<Blind> boardSignals(Map<PodKey, Set<String>> quiet, Set<String> labels) {
      String uuid = reader.format().labels().uuid();
      Map<String, Set<SignalKind>> watched = new HashMap<>(reader.watchedByAgents());
      leftOut.values().forEach(pod -> pod.devices().forEach(device -> watched(device, watched)));
      Map<Set<SignalKind>, List<String>> gpus =
          quiet.values().stream()
              .flatMap(Set::stream)
              .sorted()
              .distinct()
              .collect(
                  Collectors.groupingBy(
                      gpu ->
                          fetcher.signalQueries().notWatched(watched.getOrDefault(gpu, Set.of()))));
      for (Map.Entry<Set<SignalKind>, List<String>> each : gpus.entrySet()) {
        Optional<Blind> blind =
            ask(
                each.getKey().isEmpty() ? List.of() : each.getValue(),
                PartialQueries.MANY,
                some ->
                    fetcher
                        .signalQueries()
                        .ofDevices(uuid, Optional.of(some), each.getKey())
                        .orElseThrow(),
                Optional.empty(),
                labels,
                reader::signal);
        if (blind.isPresent()) {
          return blind;
        }
      }
      return Optional.empty();
    }

    private void signal(MetricSample sample) {
      if (SignalQueries.isPerhapsLost(sample)) {
        EvidenceReader.podName(sample).ifPresent(perhapsLost::add);
      } else {
        reader.signal(sample);
      }
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
          .sorted(BY_NAME)
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
      Map<String, PodActivity> notRead = new HashMap<>(working);
      notRead.putAll(repeated);
      leftOut.forEach((uid, pod) -> notRead.put(uid, withSignals(pod)));
      before.ifPresent(
          last -> notRead.keySet().forEach(uid -> complete.put(uid, last.pods().get(uid))));
      Set<String> everSeen = new HashSet<>(complete.keySet());
      before.ifPresent(last -> everSeen.addAll(last.seen()));
      everSeen.retainAll(uids());
      earlier.set(
          new Earlier(
              reader.format(),
              number,
              clock.instant(),
              Map.copyOf(complete),
              everSeen,
              agents,
              turnsRead < TURNS || isLastPart() ? turnsRead : SETTLED,
              Set.copyOf(repeated.keySet())));
      notYetRead().forEach(uid -> notRead.put(uid, notYetRead(uid)));
      return seen.and(new Seen(seen.at(), notRead, List.of()));
    }

    private boolean isLastPart() {
      return before.filter(last -> last.turns() < TURNS).isPresent();
    }

    private Set<String> notYetRead() {
      return turnsRead == TURNS
          ? Set.of()
          : uids().stream()
              .filter(uid -> !uid.isBlank() && turn(uid) >= turnsRead)
              .collect(Collectors.toSet());
    }

    private static PodActivity notYetRead(String uid) {
      return new PodActivity(
          uid,
          Optional.empty(),
          List.of(),
          OptionalInt.empty(),
          List.of(),
          Optional.empty(),
          Optional.of(
              new Unknown(
                  UnknownCause.NOT_SEEN,
                  "expected its record, found none yet: a large cluster is read in parts")));
    }

    private PodActivity withSignals(PodActivity pod) {
      return pod.leftOut()
          .filter(LeftOut.RECORD::equals)
          .map(
              what ->
                  pod.leftOut(
                      what,
                      pod.devices().stream()
                          .flatMap(device -> reader.signalsOf(device.device()).stream())
                          .toList()))
          .orElse(pod);
    }
  }

  /** By the record of an earlier fetch. */
  private static void watched(DeviceActivity device, Map<String, Set<SignalKind>> into) {
    into.merge(device.device().gpu().value(), watchedBy(device), PodActivityAggregator::both);
  }

  private static Set<SignalKind> watchedBy(DeviceActivity device) {
    return PodActivityAggregator.watched(
        device.device(), device.signal().map(AgentSignal::watched).orElse(Set.of()));
  }

  private static boolean isActive(PodActivity pod) {
    return pod.devices().stream()
        .anyMatch(
            device ->
                device
                    .lastActive()
                    .filter(
                        last ->
                            !last.plus(EvidenceRule.ACTIVE_WITHIN).isBefore(device.observedUntil()))
                    .isPresent());
  }

  private static Set<String> gpus(PodActivity pod) {
    return pod.devices().stream()
        .map(device -> device.device().gpu().value())
        .collect(Collectors.toSet());
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
