package io.gpureclaimer.reclaimer.evidence.source;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.matching.StringValuePattern;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.IdlePower;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.AgentSignal;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a large cluster is asked in the first fetch and in the next. */
class SelectiveFetcherIT {
  private static final Instant NOW = Instant.parse("2026-11-21T06:00:00Z");
  private static final Instant SINCE = NOW.minusSeconds(7_200);
  private static final SignalLimits SIGNALS =
      new SignalLimits(
          Set.of(SignalKind.POWER), new IdlePower(Map.of()), 0, 0, 0, 0, List.of(), true);
  private static final String RECENT = "> time() - 150";

  private static final List<String> BUSY =
      IntStream.range(0, 70).mapToObj(i -> "busy-" + i + "-b").toList();

  private static FakePrometheus prometheus;

  private PrometheusSource source;

  @BeforeAll
  static void start() {
    prometheus = new FakePrometheus();
  }

  @AfterAll
  static void stop() {
    prometheus.close();
  }

  /** Many pods work all the time, one is idle, and one will be either. */
  @BeforeEach
  void firstFetch() {
    source =
        new PrometheusSource(
            prometheus.connection(),
            Clock.fixed(NOW, ZoneOffset.UTC),
            new Options(Optional.of("ledger"), Optional.empty(), SIGNALS, 0));
    prometheus.answers(FakePrometheus.vector(List.of(), NOW));
    answers(
        containing(".*b"),
        vector(
            Stream.concat(BUSY.stream(), Stream.of("works-b"))
                .flatMap(uid -> ledger(uid, Optional.of(NOW.minusSeconds(70))))));
    answers(containing(".*c"), vector(ledger("idle-c", Optional.empty())));
    assertThat(fetch("works-b", "idle-c").pods()).hasSize(BUSY.size() + 2);
    assertThat(queries()).hasSize(18);
    prometheus.answers(FakePrometheus.vector(List.of(), NOW));
    recently(Stream.of());
  }

  @Test
  void readsAPodThatWorks_onlyInItsTurn() {
    Instant active = NOW.minusSeconds(20);
    recently(Stream.of(recent("works-b", active)));
    answers(containing("pod_uid=~\"idle-c\""), vector(ledger("idle-c", Optional.empty())));

    Seen seen = fetch("works-b", "idle-c");

    assertThat(seen.pods())
        .containsEntry("works-b", activity("works-b", Optional.of(active), active))
        .containsEntry("idle-c", activity("idle-c", Optional.empty(), NOW));
    assertThat(queries().stream().filter(query -> query.contains("works-b"))).isEmpty();
    assertThat(queries()).hasSize(4);
  }

  @Test
  void leavesOutTheRecordOfAPod_fromWhichNothingCanFollowYet_andReadsItsSignals() {
    PodActivity idle = activity("idle-c", Optional.empty(), NOW);
    recently(Stream.of(recent("works-b", NOW.minusSeconds(20))));
    answers(containing("POWER"), vector(Stream.of(power("idle-c", 300))));

    assertThat(fetch(Map.of("idle-c", LeftOut.RECORD), "works-b", "idle-c").pods())
        .containsEntry(
            "idle-c",
            idle.leftOut(
                LeftOut.RECORD,
                List.of(new Signal(SignalKind.POWER, 300, 156.25, "power of GPU-of-idle-c in W"))));
    assertThat(queries().stream().filter(query -> query.contains("pod_uid=~\"idle-c"))).isEmpty();
  }

  @Test
  void queriesNoSignalOfABoard_thatItsAgentRecords() {
    Instant shown = NOW.minusSeconds(100);
    recently(Stream.of(recent("works-b", NOW.minusSeconds(20))));
    records(signal("idle-c", "power", "power", shown));

    PodActivity read = fetch("works-b", "idle-c").pod("idle-c").orElseThrow();

    assertThat(read.devices().getFirst().signal())
        .contains(new AgentSignal(shown, Optional.of(SignalKind.POWER), Set.of(SignalKind.POWER)));
    assertThat(read.signals()).singleElement().matches(Signal::saysWork);
    assertThat(queries().stream().filter(query -> query.contains("POWER"))).isEmpty();
  }

  @Test
  void queriesNoSignalOfABoard_whoseRecordIsLeftOut_ifItsAgentRecordsIt() {
    recently(Stream.of(recent("works-b", NOW.minusSeconds(20))));
    records(signal("idle-c", "none", "power", SINCE));
    fetch("works-b", "idle-c");

    PodActivity leftOut =
        fetch(Map.of("idle-c", LeftOut.RECORD), "works-b", "idle-c").pod("idle-c").orElseThrow();

    assertThat(leftOut.leftOut()).contains(LeftOut.RECORD);
    assertThat(queries().stream().filter(query -> query.contains("POWER"))).isEmpty();
  }

  /** As of an older agent, of one that watches other signals, and of one with unknown signals. */
  @ParameterizedTest
  @ValueSource(strings = {"", "memory", "memory,power", "power,unheard-of", "power,"})
  void queriesTheSignalOfABoard_thatItsAgentDoesNotWatchAlone(String watched) {
    recently(Stream.of(recent("works-b", NOW.minusSeconds(20))));
    records(
        watched.isEmpty()
            ? device("idle-c", "device", 0)
            : signal("idle-c", "none", watched, SINCE));
    answers(containing("POWER"), vector(Stream.of(power("idle-c", 300))));

    assertThat(fetch("works-b", "idle-c").pod("idle-c").orElseThrow().signals())
        .containsExactly(new Signal(SignalKind.POWER, 300, 156.25, "power of GPU-of-idle-c in W"));
  }

  /** Of two fetches, one reads it; the other counts its record and its signals once more. */
  @Test
  void readsAnIdlePodInEverySecondFetch_whileItsRecordIsNew() {
    recently(Stream.of(recent("works-b", NOW.minusSeconds(20))));
    records(signal("idle-c", "none", "power", SINCE));
    PodActivity first = fetch("works-b", "idle-c").pod("idle-c").orElseThrow();
    prometheus.server().resetRequests();

    List<PodActivity> found =
        IntStream.range(0, 4)
            .mapToObj(_ -> fetch("works-b", "idle-c").pod("idle-c").orElseThrow())
            .toList();

    assertThat(found).allMatch(first::equals);
    assertThat(queriesOf("idle-c")).isEqualTo(2);
  }

  @Test
  void countsNoRecordOnceMore_whenItsPodHasWorked() {
    Instant active = NOW.minusSeconds(20);
    recently(Stream.of(recent("works-b", active)));
    records(signal("idle-c", "none", "power", SINCE));
    fetch("works-b", "idle-c");
    recently(Stream.of(recent("works-b", active), recent("idle-c", active)));

    IntStream.range(0, 3)
        .forEach(
            _ ->
                assertThat(
                        fetch("works-b", "idle-c")
                            .pod("idle-c")
                            .orElseThrow()
                            .devices()
                            .getFirst()
                            .lastActive())
                    .contains(active));
  }

  @Test
  void countsNoRecordOnceMore_thatIsOld() {
    Instant later = NOW.plusSeconds(101);
    recently(Stream.of(recent("works-b", NOW.minusSeconds(20))));
    records(signal("idle-c", "none", "power", SINCE));
    fetch("works-b", "idle-c");
    answers(
        containing(RECENT),
        aResponse()
            .withBody(
                FakePrometheus.vector(
                    Stream.concat(
                            Stream.of(of(Map.of(), "source_time", seconds(later))),
                            Stream.concat(BUSY.stream(), Stream.of("works-b"))
                                .map(uid -> recent(uid, later.minusSeconds(20))))
                        .toList(),
                    later)));
    prometheus.server().resetRequests();

    fetch("works-b", "idle-c");
    fetch("works-b", "idle-c");

    assertThat(queriesOf("idle-c")).isEqualTo(2);
  }

  @Test
  void leavesOutSignalsToo_whereNeitherWarningNorActionIsPossible() {
    PodActivity idle = activity("idle-c", Optional.empty(), NOW);
    recently(Stream.of(recent("works-b", NOW.minusSeconds(20))));

    assertThat(fetch(Map.of("idle-c", LeftOut.RECORD_AND_SIGNALS), "works-b", "idle-c").pods())
        .containsEntry("idle-c", idle.leftOut(LeftOut.RECORD_AND_SIGNALS, List.of()));
    assertThat(queries().stream().filter(query -> query.contains("idle-c"))).isEmpty();
  }

  @Test
  void readsAPodCompletely_whenItsLastSampleIsOld() {
    Instant later = NOW.plus(Duration.ofMinutes(5));
    prometheus.answers(FakePrometheus.vector(List.of(), later));
    answers(
        containing(RECENT),
        aResponse()
            .withBody(
                FakePrometheus.vector(
                    BUSY.stream().map(uid -> recent(uid, later.minusSeconds(20))).toList(),
                    later)));

    var _ = fetch(Map.of("idle-c", LeftOut.RECORD), "works-b", "idle-c");

    assertThat(queries()).anyMatch(query -> query.contains("pod_uid=~\"idle-c"));
  }

  @Test
  void readsAPodCompletely_thatLastWorkedMoreThanTwoMinutesAgo() {
    recently(
        Stream.of(
            recent("works-b", NOW.minusSeconds(20)), recent("idle-c", NOW.minusSeconds(121))));

    var _ = fetch(Map.of("idle-c", LeftOut.RECORD), "works-b", "idle-c");

    assertThat(queriesOf("idle-c")).isEqualTo(1);
  }

  @Test
  void readsAPodCompletely_whenItJustWorked_whateverMayBeLeftOut() {
    recently(Stream.of(recent("idle-c", NOW.minusSeconds(7_300))));
    answers(containing("pod_uid=~\"idle-c"), vector(ledger("idle-c", Optional.empty())));

    assertThat(fetch(Map.of("idle-c", LeftOut.RECORD), "works-b", "idle-c").pods())
        .containsEntry("idle-c", activity("idle-c", Optional.empty(), NOW));
  }

  /** Of all pods that are read again, some are missing: the others are not taken to be there. */
  @Test
  void leavesNothingOut_whenRecordsAreMissing() {
    answers(containing("pod_uid=~\"idle-c\""), vector(ledger("idle-c", Optional.empty())));

    assertThat(fetch(Map.of("idle-c", LeftOut.RECORD), "works-b", "idle-c").pods())
        .containsEntry("idle-c", activity("idle-c", Optional.empty(), NOW));
  }

  @Test
  void readsAPodCompletely_whenItNoLongerWorks() {
    Instant active = NOW.minusSeconds(70);
    answers(containing("idle-c|works-b"), vector(ledger("works-b", Optional.of(active))));

    assertThat(all("works-b", "idle-c"))
        .contains(activity("works-b", Optional.of(active), NOW))
        .hasSize(BUSY.size() + 1);
  }

  @Test
  void readsAPodCompletely_whenOnlyTheClusterKnowsIt() {
    Instant active = NOW.minusSeconds(20);
    recently(Stream.of(recent("works-b", active), recent("new-d", active)));
    answers(containing(".*d"), vector(ledger("new-d", Optional.of(active))));
    answers(containing("idle-c|new-d"), vector(ledger("new-d", Optional.of(active))));

    assertThat(fetch("works-b", "idle-c", "new-d").pods())
        .containsEntry("new-d", activity("new-d", Optional.of(active), NOW));
  }

  /** The answer about recent work is old or of another clock: what is read completely counts. */
  @Test
  void readsAPodCompletely_whenItsActivityIsInTheFuture() {
    recently(Stream.of(recent("works-b", NOW.plusSeconds(5))));
    answers(containing("idle-c|works-b"), vector(ledger("works-b", Optional.empty())));

    assertThat(all("works-b")).contains(activity("works-b", Optional.empty(), NOW));
  }

  /** The agent counted devices of another pod in the first fetch; that one is not read again. */
  @Test
  void doubtsAPodWithoutCount_whenItsAgentCountedThoseOfAPodThatIsLeftOut() {
    recently(Stream.of(recent("works-b", NOW.minusSeconds(20))));
    answers(
        containing("pod_uid=~\"idle-c\""),
        vector(
            ledger("idle-c", Optional.empty())
                .filter(one -> !"count".equals(one.labels().get("_kind")))));

    assertThat(all("works-b", "idle-c").stream().flatMap(pod -> pod.doubt().stream()).toList())
        .singleElement()
        .satisfies(doubt -> assertThat(doubt.cause()).isEqualTo(UnknownCause.GPU_COUNT));
  }

  /** 40 000 pods: no part has more than a quarter of them. */
  @Test
  void readsALargeClusterInParts_andNothingIsKnownOfAPodBeforeItsPart() {
    List<PodIdentity> many =
        Stream.concat(
                identities("idle-1", "idle-c").stream(),
                IntStream.range(0, 40_000)
                    .mapToObj(i -> identities("other-" + i + "-5"))
                    .flatMap(List::stream))
            .toList();
    source =
        new PrometheusSource(
            prometheus.connection(),
            Clock.fixed(NOW, ZoneOffset.UTC),
            new Options(Optional.of("ledger"), Optional.empty(), SIGNALS, 0));
    answers(containing(".*1"), vector(ledger("idle-1", Optional.empty())));
    answers(containing(".*c"), vector(ledger("idle-c", Optional.empty())));

    List<Seen> parts =
        IntStream.range(0, 6).mapToObj(_ -> seen(source.fetchAll(many, Map.of()))).toList();

    assertThat(parts.getFirst().pod("idle-1").orElseThrow())
        .isEqualTo(activity("idle-1", Optional.empty(), NOW));
    assertThat(parts.getFirst().pod("idle-c").orElseThrow().doubt().orElseThrow().cause())
        .isEqualTo(UnknownCause.NOT_SEEN);
    assertThat(parts.get(1).pod("idle-1").orElseThrow().leftOut()).contains(LeftOut.RECORD);
    assertThat(parts.get(3).pod("idle-c").orElseThrow().doubt()).isPresent();
    assertThat(parts.get(4).pod("idle-c").orElseThrow())
        .isEqualTo(activity("idle-c", Optional.empty(), NOW));
    assertThat(parts.getLast().pod("idle-1").orElseThrow().leftOut()).contains(LeftOut.RECORD);
  }

  /** Otherwise this one fetch would read twice as much as every later one. */
  @Test
  void readsHalfOfTheIdlePods_directlyAfterAllParts_andTheOtherHalfInTheNextFetch() {
    List<String> working = IntStream.range(0, 8_000).mapToObj(i -> "works-" + i + "-5").toList();
    List<String> idle = List.of("idle-1", "idle-4", "idle-c");
    List<PodIdentity> many =
        identities(Stream.concat(idle.stream(), working.stream()).toArray(String[]::new));
    source =
        new PrometheusSource(
            prometheus.connection(),
            Clock.fixed(NOW, ZoneOffset.UTC),
            new Options(Optional.of("ledger"), Optional.empty(), SIGNALS, 0));
    Instant active = NOW.minusSeconds(20);
    answers(
        containing(".*5"),
        vector(working.stream().flatMap(uid -> ledger(uid, Optional.of(active)))));
    idle.forEach(
        uid -> answers(containing(".*" + uid.substring(5)), vector(ledger(uid, Optional.empty()))));
    assertThat(seen(source.fetchAll(many, Map.of())).pod("idle-4").orElseThrow().doubt()).isEmpty();
    assertThat(seen(source.fetchAll(many, Map.of())).pod("idle-4").orElseThrow().leftOut())
        .as("the last of 16 parts")
        .contains(LeftOut.RECORD);
    prometheus.server().resetMappings();
    prometheus.answers(FakePrometheus.vector(List.of(), NOW));
    recently(working.stream().map(uid -> recent(uid, active)));
    answers(containing("pod_uid=~\"idle-1|idle-c\""), vector(ledgers("idle-1", "idle-c")));
    answers(containing("pod_uid=~\"idle-4\""), vector(ledgers("idle-4")));
    answers(
        containing("pod_uid=~\"idle-1|idle-4|idle-c\""),
        vector(ledgers("idle-1", "idle-4", "idle-c")));

    Seen half = seen(source.fetchAll(many, Map.of()));
    assertThat(half.pod("idle-4").orElseThrow())
        .isEqualTo(activity("idle-4", Optional.empty(), NOW));
    assertThat(half.pod("idle-1").orElseThrow().leftOut()).contains(LeftOut.RECORD);
    assertThat(half.pod("idle-c").orElseThrow().leftOut()).contains(LeftOut.RECORD);
    Seen all = seen(source.fetchAll(many, Map.of()));
    assertThat(idle)
        .allSatisfy(
            uid ->
                assertThat(all.pod(uid).orElseThrow())
                    .isEqualTo(activity(uid, Optional.empty(), NOW)));
  }

  @Test
  void isBlind_whenOnePartFails() {
    answers(containing("idle-c"), aResponse().withStatus(503).withBody("overloaded"));

    assertThat(source.fetchAll(identities("works-b", "idle-c"), Map.of()))
        .isInstanceOfSatisfying(
            Blind.class, blind -> assertThat(blind.reason()).contains("503", "overloaded"));
  }

  @Test
  void dividesAQuery_thatTheServerRefusesAsTooLong() {
    List<String> uids =
        IntStream.range(0, 60)
            .mapToObj(i -> "00000000-0000-4000-8000-" + (1_000 + i) + "e")
            .toList();
    answers(containing("4000-8000-1005e"), vector(ledger(uids.get(5), Optional.empty())));
    answers(containing("4000-8000-1059e"), vector(ledger(uids.get(59), Optional.empty())));
    answers(matching("(?s).{10000,}"), aResponse().withStatus(422).withBody("too long"));

    assertThat(fetch(uids.toArray(String[]::new)).pods())
        .containsKeys(uids.get(5), uids.get(59))
        .hasSize(BUSY.size() + 2);
  }

  private static void recently(Stream<ExposedSeries> active) {
    answers(
        containing(RECENT),
        vector(Stream.concat(active, BUSY.stream().map(uid -> recent(uid, NOW.minusSeconds(20))))));
  }

  private static void answers(StringValuePattern query, ResponseDefinitionBuilder answer) {
    prometheus
        .server()
        .stubFor(
            post(urlEqualTo("/api/v1/query")).withFormParam("query", query).willReturn(answer));
  }

  /** Answers the record of the idle pod with this signal of its agent. */
  private static void records(ExposedSeries signal) {
    answers(containing("pod_uid=~\"idle-c\""), vector(ledger("idle-c", signal)));
  }

  private static ResponseDefinitionBuilder vector(Stream<ExposedSeries> series) {
    return aResponse().withBody(FakePrometheus.vector(series.toList(), NOW));
  }

  private static Stream<ExposedSeries> ledgers(String... uids) {
    return Stream.of(uids).flatMap(uid -> ledger(uid, Optional.empty()));
  }

  private static ExposedSeries power(String uid, double watts) {
    return new ExposedSeries(
            "", Map.of("UUID", gpu(uid), "modelName", "NVIDIA H100 80GB HBM3"), watts)
        .with("_kind", "power");
  }

  private static ExposedSeries recent(String uid, Instant active) {
    return new ExposedSeries("", Map.of("pod_uid", uid), active.getEpochSecond());
  }

  /** The record of a pod with one GPU, as the query of its turn or of its UID has it. */
  private static Stream<ExposedSeries> ledger(String uid, Optional<Instant> active) {
    return ledger(uid, active, device(uid, "device", 0));
  }

  /** The same of an agent that records signals of boards. */
  private static Stream<ExposedSeries> ledger(String uid, ExposedSeries signal) {
    return ledger(uid, Optional.empty(), signal);
  }

  private static Stream<ExposedSeries> ledger(
      String uid, Optional<Instant> active, ExposedSeries device) {
    Map<String, String> pod = Map.of("pod_uid", uid, "instance", "node-1:9400");
    return Stream.concat(
        Stream.of(
            device
                .with("since", Long.toString(SINCE.getEpochSecond()))
                .with("until", Long.toString(NOW.getEpochSecond()))
                .with("busy", active.isPresent() ? "7" : "0"),
            of(pod, "sampled_at", seconds(NOW)),
            of(pod, "count", 1)),
        active.stream().map(at -> device(uid, "active", seconds(at))));
  }

  private static ExposedSeries device(String uid, String kind, double value) {
    return of(Map.of("pod_uid", uid, "UUID", gpu(uid)), kind, value);
  }

  private static ExposedSeries signal(String uid, String kind, String watched, Instant at) {
    return device(uid, "device", seconds(at)).with("signal", kind).with("watched", watched);
  }

  private static ExposedSeries of(Map<String, String> labels, String kind, double value) {
    return new ExposedSeries("", labels, value).with("_kind", kind);
  }

  private static double seconds(Instant at) {
    return at.toEpochMilli() / 1_000.0;
  }

  private static String gpu(String uid) {
    return "GPU-of-" + uid;
  }

  private static PodActivity activity(String uid, Optional<Instant> active, Instant until) {
    return new PodActivity(
        uid,
        List.of(
            new DeviceActivity(
                new GpuUuid(gpu(uid)), active, SINCE, until, until, OptionalDouble.empty())),
        OptionalInt.of(1),
        List.of());
  }

  private Seen fetch(String... uids) {
    return fetch(Map.of(), uids);
  }

  private Seen fetch(Map<String, LeftOut> mayLeaveOut, String... uids) {
    Observation observation = source.fetchAll(identities(uids), mayLeaveOut);
    assertThat(observation).isInstanceOf(Seen.class);
    return (Seen) observation;
  }

  private static Seen seen(Observation observation) {
    assertThat(observation).isInstanceOf(Seen.class);
    return (Seen) observation;
  }

  private List<PodActivity> all(String... uids) {
    return List.copyOf(fetch(uids).pods().values());
  }

  private static List<PodIdentity> identities(String... uids) {
    return Stream.of(uids)
        .map(uid -> new PodIdentity(uid, new PodName("research", uid), Optional.of(SINCE)))
        .toList();
  }

  private static long queriesOf(String uid) {
    return queries().stream().filter(query -> query.contains("pod_uid=~\"" + uid + "\"")).count();
  }

  private static List<String> queries() {
    return prometheus.server().getAllServeEvents().stream()
        .map(event -> event.getRequest().getBodyAsString())
        .map(body -> URLDecoder.decode(body, StandardCharsets.UTF_8))
        .toList();
  }
}
