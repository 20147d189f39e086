package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.IdlePower;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.rules.RulesFormat;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same past in each real server: whatever is asked in whatever form, each gives the same
 * evidence.
 */
@Tag("nightly")
@ParameterizedClass(name = "{0}")
@EnumSource(PrometheusCompatibleServer.class)
class ServersIT {
  private static final Duration EVERY = Duration.ofSeconds(30);
  private static final String REQUESTS = "vllm:request_success_total";
  private static final SignalLimits SIGNALS =
      new SignalLimits(
          EnumSet.allOf(SignalKind.class),
          new IdlePower(Map.of()),
          64,
          5e7,
          5e7,
          0.5,
          List.of(REQUESTS, "tgi_request_count"),
          true);

  /** Each of one GPU, but for the one of an instance. */
  private static final List<String> PODS =
      List.of(
          "began",
          "computing",
          "dimmed",
          "drawing",
          "gone",
          "idle",
          "new",
          "sending",
          "serving",
          "silent",
          "slice",
          "switched",
          "torn",
          "unheard",
          "worked",
          "works");

  @TempDir private static Path folder;
  private static PrometheusCompatibleServer.RunningServer server;
  private static Instant now;

  private final PrometheusCompatibleServer kind;

  ServersIT(PrometheusCompatibleServer kind) {
    this.kind = kind;
  }

  @BeforeParameterizedClassInvocation
  static void fill(PrometheusCompatibleServer kind) throws IOException {
    assumeTrue(kind.isHere(), kind + " is not on the PATH, nor where ./test puts it");
    now = Instant.ofEpochSecond(Clock.systemUTC().instant().getEpochSecond());
    var past = new Backfill();
    PODS.forEach(pod -> records(past, pod));
    signals(past);
    server =
        kind.start(
            Files.createTempDirectory(folder, "server"),
            PrometheusCompatibleServer.ServerSetup.of(past));
  }

  @AfterParameterizedClassInvocation
  static void close() {
    server.close();
  }

  /** What agents, recording rules, and another exporter reported about it in the last hour. */
  private static void records(Backfill past, String pod) {
    Instant to =
        switch (pod) {
          case "silent" -> now.minusSeconds(120);
          case "gone" -> now.minusSeconds(420);
          default -> now;
        };
    Instant since = now.minusSeconds(3_600);
    times(since, to).forEach(at -> record(past, pod, since, at));
  }

  private static void record(Backfill past, String pod, Instant since, Instant at) {
    Map<String, String> labels = new HashMap<>(Map.of("namespace", "ml", "pod", pod));
    labels.put("UUID", "GPU-" + pod);
    if (pod.equals("slice")) {
      labels.put("GPU_I_ID", "3");
    }
    Optional<Instant> active =
        switch (pod) {
          case "works" -> Optional.of(at);
          case "worked" -> Optional.of(since.plusSeconds(600)).filter(last -> !at.isBefore(last));
          case "torn" -> Optional.of(since);
          default -> Optional.empty();
        };
    past.add(RulesFormat.SAMPLED, labels, seconds(at), at);
    past.add(RulesFormat.OBSERVED_SINCE, labels, seconds(since), at);
    past.add(RulesFormat.LAST_ACTIVE, labels, seconds(active.orElse(since)), at);
    labels.put("container", "main");
    double percent = active.equals(Optional.of(at)) ? 80 : 0;
    past.add("DCGM_FI_DEV_GPU_UTIL", labels, percent, at);
    past.add("DCGM_FI_PROF_GR_ENGINE_ACTIVE", labels, percent / 100, at);
    labels.put("pod_uid", "uid-" + pod);
    past.add(LedgerMetrics.OBSERVED_SINCE, labels, seconds(since), at);
    past.add(LedgerMetrics.OBSERVED_UNTIL, labels, seconds(at), at);
    past.add(LedgerMetrics.BUSY, labels, active.isPresent() ? 1 : 0, at);
    boolean lost = pod.equals("torn") && at.isAfter(now.minusSeconds(60));
    active
        .filter(_ -> !lost)
        .ifPresent(last -> past.add(LedgerMetrics.LAST_ACTIVE, labels, seconds(last), at));
    lastSignal(past, pod, labels, since, at);
    labels.keySet().retainAll(List.of("namespace", "pod", "pod_uid"));
    past.add(LedgerMetrics.DEVICE_COUNT, labels, 1, at);
  }

  /** Of one the newest samples are lost; of another, the series ended when another signal came. */
  private static void lastSignal(
      Backfill past, String pod, Map<String, String> labels, Instant since, Instant at) {
    boolean recent = at.isAfter(now.minusSeconds(60));
    Optional<String> signal =
        switch (pod) {
          case "dimmed" -> recent ? Optional.empty() : Optional.of("none");
          case "switched" -> Optional.of(recent ? "power" : "memory");
          default -> Optional.empty();
        };
    signal.ifPresent(
        name -> {
          Map<String, String> signalLabels = new HashMap<>(labels);
          signalLabels.put("signal", name);
          signalLabels.put("watched", "memory,power");
          past.add(LedgerMetrics.LAST_SIGNAL, signalLabels, seconds(since), at);
        });
  }

  private static void signals(Backfill past) {
    Instant start = now.minusSeconds(3_600);
    times(start, now)
        .forEach(
            at -> {
              double age = (double) Duration.between(start, at).toSeconds();
              cpu(past, "computing", 2 * age, at);
              cpu(past, "idle", 0.1 * age, at);
              if (at.isBefore(now.minusSeconds(1_800))) {
                cpu(past, "unheard", age, at);
              }
              past.add(REQUESTS, Map.of("namespace", "ml", "pod", "serving"), age, at);
              past.add(REQUESTS, Map.of("namespace", "ml", "pod", "idle"), 7, at);
              board(past, "DCGM_FI_DEV_POWER_USAGE", "drawing", 60.125, at);
              board(past, "DCGM_FI_DEV_POWER_USAGE", "idle", 18, at);
              board(past, "DCGM_FI_PROF_PCIE_TX_BYTES", "sending", 6e7, at);
              board(past, "DCGM_FI_PROF_NVLINK_RX_BYTES", "sending", 7e7, at);
              board(past, "DCGM_FI_PROF_NVLINK_RX_BYTES", "idle", 7, at);
            });
    // Servers that were scraped for the first time four minutes ago: one of them serves.
    times(now.minusSeconds(240), now)
        .forEach(
            at -> {
              double age = (double) Duration.between(now.minusSeconds(240), at).toSeconds();
              past.add(REQUESTS, Map.of("namespace", "ml", "pod", "began"), 100 + age, at);
              past.add(REQUESTS, Map.of("namespace", "ml", "pod", "new"), 7, at);
            });
  }

  private static void cpu(Backfill past, String pod, double seconds, Instant at) {
    past.add(
        "container_cpu_usage_seconds_total",
        Map.of("namespace", "ml", "pod", pod, "container", "main"),
        seconds,
        at);
  }

  private static void board(Backfill past, String name, String pod, double value, Instant at) {
    past.add(name, Map.of("UUID", "GPU-" + pod, "modelName", "NVIDIA L4"), value, at);
  }

  private static List<Instant> times(Instant from, Instant to) {
    return Stream.iterate(from, at -> !at.isAfter(to), at -> at.plus(EVERY)).toList();
  }

  private static double seconds(Instant at) {
    return (double) at.getEpochSecond();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ledger", "rules", "series"})
  void givesTheSameEvidence(String form) {
    Seen seen = joined(source(Optional.of(form)).fetchAll());

    assertThat(reported(seen)).isEqualTo(expected(form));
    assertThat(seen.oddities()).isEqualTo(oddities(form));
    assertThat(seen.format().orElseThrow().code()).isEqualTo(form);
  }

  /** As that of a large cluster, in which each device has one row. */
  @Test
  void givesTheSameEvidence_inParts() {
    var source =
        new PrometheusSource(
            connection(),
            Clock.systemUTC(),
            new Options(Optional.of("ledger"), Optional.empty(), SIGNALS, 0));

    Seen seen = joined(source.fetchAll(identities(), Map.of()));

    assertThat(reported(seen)).isEqualTo(expected("ledger"));
    assertThat(seen.oddities()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ledger", "rules", "series"})
  void givesTheSame_andTheRawUtilization_whenItLooksAgain(String form) {
    PrometheusSource source = source(Optional.of(form));
    Seen all = joined(source.fetchAll());

    Map<String, String> found = new TreeMap<>();
    all.pods()
        .forEach(
            (uid, pod) -> {
              Seen again = joined(source.fetchPod(pod));
              assertThat(again.pods()).containsOnlyKeys(uid);
              assertThat(again.oddities()).isEmpty();
              found.putAll(reported(again));
            });

    Map<String, String> expected = expected(form);
    expected.replaceAll(
        (uid, line) ->
            switch (uid) {
              case "uid-silent" -> line;
              case "uid-unheard" -> line.replaceFirst("$", " raw 0; CPU not known");
              case "uid-works" -> line.replaceFirst("(;|$)", " raw 80$1");
              default -> line.replaceFirst("(;|$)", " raw 0$1");
            });
    assertThat(found).isEqualTo(expected);
  }

  /** The question about them would be longer than a VictoriaMetrics takes. */
  @ParameterizedTest
  @ValueSource(strings = {"ledger", "rules", "series"})
  void looksAgainAtAPodOfManyGpus(String form) {
    PrometheusSource source = source(Optional.of(form));
    PodActivity works = joined(source.fetchAll()).pod("uid-works").orElseThrow();
    Stream<DeviceActivity> others =
        IntStream.range(0, 15)
            .mapToObj(i -> new GpuUuid("GPU-f0000000-0000-0000-0000-0000000000" + (10 + i)))
            .map(
                gpu ->
                    new DeviceActivity(
                        gpu, Optional.empty(), now, now, now, OptionalDouble.empty()));
    var wide =
        new PodActivity(
            works.uid(),
            works.name(),
            Stream.concat(others, works.devices().stream()).toList(),
            OptionalInt.of(16),
            List.of(),
            Optional.empty(),
            Optional.empty());

    PodActivity again = joined(source.fetchPod(wide)).pod("uid-works").orElseThrow();

    assertThat(again.devices())
        .extracting(DeviceActivity::recentUtilization)
        .containsExactly(OptionalDouble.of(80));
  }

  @Test
  void findsOutTheBestForm() {
    assertThat(joined(source(Optional.empty()).fetchAll()).format().orElseThrow().code())
        .isEqualTo("ledger");
  }

  /** At times that are no multiples of anything, which a server may move to such as are. */
  @ParameterizedTest
  @ValueSource(strings = {"ledger", "rules", "series"})
  void reportsThePast_forTheVeryTimesThatItIsAskedAbout(String form) {
    Instant from = now.minusSeconds(3_600 - 30 - now.getEpochSecond() % 30);
    var range = new TimeRange(from.plusSeconds(7), now, Duration.ofMinutes(1));
    List<HistoricalObservation> looks = new ArrayList<>();

    PrometheusHistory.Replayed reported =
        new PrometheusHistory(
                connection(), new Options(Optional.of(form), Optional.empty(), SIGNALS), List.of())
            .replay(range, looks::add);

    assertThat(reported).isInstanceOf(PrometheusHistory.Replayed.Complete.class);
    assertThat(looks).hasSizeGreaterThan(55);
    for (HistoricalObservation look : looks) {
      Instant at = look.seen().at();
      PodActivity idle = joined(look.seen()).pod("uid-idle").orElseThrow();
      assertThat(idle.devices())
          .singleElement()
          .satisfies(device -> assertThat(device.sampledAt()).isBetween(at.minusSeconds(30), at));
    }
  }

  /** VictoriaMetrics takes it that a small counter was 0 before it was there: that looks busier. */
  @Test
  void mayTakeTheFirstCountOfANewCounterForRequests_butForNothingLess() {
    PodActivity pod = joined(source(Optional.of("ledger")).fetchAll()).pod("uid-new").orElseThrow();

    assertThat(pod.signals())
        .extracting(Signal::value)
        .isEqualTo(kind == PrometheusCompatibleServer.VICTORIA_METRICS ? List.of(7.0) : List.of());
  }

  private static Map<String, String> expected(String form) {
    boolean clocksAreKeptHere = form.equals("series");
    String observed = clocksAreKeptHere ? " observed -0 to -0" : " observed -3600 to -0";
    Map<String, String> signals =
        Map.of(
            "began", "; REQUESTS some",
            "computing", "; CPU 2",
            "drawing", "; POWER 60",
            "idle", "; POWER 18",
            "sending", "; NVLINK 70000000; PCIE 60000000",
            "serving", "; REQUESTS some");
    Map<String, String> expected = new TreeMap<>();
    for (String pod : PODS) {
      String active =
          switch (pod) {
            case "works" -> "-0";
            case "worked" -> clocksAreKeptHere ? "never" : "-3000";
            default -> "never";
          };
      expected.put(
          "uid-" + pod,
          "active " + active + observed + " sampled -0" + signals.getOrDefault(pod, ""));
    }
    expected.remove("uid-gone");
    expected.put("uid-silent", "active never observed -3600 to -120 sampled -120");
    if (clocksAreKeptHere) {
      expected.remove("uid-silent");
    }
    if (form.equals("ledger")) {
      expected.put("uid-torn", "active -3600 observed -3600 to -60 sampled -60");
      expected.put("uid-dimmed", "active never observed -3600 to -60 sampled -60");
    }
    return expected;
  }

  private static List<String> oddities(String form) {
    return switch (form) {
      case "series" ->
          List.of("pod ml/silent, GPU GPU-silent: no sample within the last minutes; GPU left out");
      default -> List.of();
    };
  }

  /** What is known about each pod; times are in seconds before now. */
  private static Map<String, String> reported(Seen seen) {
    Map<String, String> reported = new TreeMap<>();
    seen.pods().forEach((uid, pod) -> reported.put(uid, reported(pod)));
    return reported;
  }

  private static String reported(PodActivity pod) {
    assertThat(pod.devices()).hasSize(1);
    DeviceActivity device = pod.devices().getFirst();
    String name = pod.uid().replace("uid-", "GPU-");
    assertThat(device.device().toString()).isEqualTo(name + (name.endsWith("slice") ? "/gi3" : ""));
    return "active "
        + device.lastActive().map(ServersIT::ago).orElse("never")
        + " observed "
        + ago(device.observedSince())
        + " to "
        + ago(device.observedUntil())
        + " sampled "
        + ago(device.sampledAt())
        + device.recentUtilization().stream()
            .mapToObj(percent -> " raw " + Math.round(percent))
            .collect(Collectors.joining())
        + pod.signals().stream()
            .filter(_ -> !pod.uid().equals("uid-new"))
            .map(signal -> "; " + signal.kind() + " " + value(signal))
            .sorted()
            .collect(Collectors.joining());
  }

  /** What a counter has grown by at the ends of a range, each server guesses in its own way. */
  private static String value(Signal signal) {
    if (!signal.isKnown()) {
      return "not known";
    }
    return signal.kind() == SignalKind.REQUESTS && signal.value() > 200
        ? "some"
        : "" + Math.round(signal.value());
  }

  private static String ago(Instant instant) {
    return "-" + Duration.between(instant, now).toSeconds();
  }

  private static Seen joined(Observation observation) {
    assertThat(observation).isInstanceOf(Seen.class);
    return ((Seen) observation).joined(identities());
  }

  private static List<PodIdentity> identities() {
    Instant start = now.minusSeconds(7_200);
    return PODS.stream()
        .map(pod -> new PodIdentity("uid-" + pod, new PodName("ml", pod), Optional.of(start)))
        .toList();
  }

  private static PrometheusConnection connection() {
    return PrometheusConnection.to(server.base(), Duration.ofSeconds(10));
  }

  private static PrometheusSource source(Optional<String> form) {
    return new PrometheusSource(
        connection(), Clock.systemUTC(), new Options(form, Optional.empty(), SIGNALS));
  }
}
