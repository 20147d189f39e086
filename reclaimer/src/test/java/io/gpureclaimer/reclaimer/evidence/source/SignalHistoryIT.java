package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpureclaimer.common.vocabulary.IdlePower;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Signals over a time range: a signal that stops being reported is not zero, and memory is compared
 * with what it was. With each real server and a past.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(PrometheusCompatibleServer.class)
class SignalHistoryIT {
  private static final String CPU = "container_cpu_usage_seconds_total";
  private static final String REQUESTS = "vllm:request_success_total";
  private static final SignalLimits SIGNALS =
      new SignalLimits(
          EnumSet.of(SignalKind.CPU, SignalKind.REQUESTS, SignalKind.MEMORY, SignalKind.JUPYTER),
          new IdlePower(Map.of()),
          64,
          0,
          0,
          0.5,
          counters(),
          true);
  private static final Duration EVERY = Duration.ofSeconds(30);

  @TempDir private static Path folder;
  private static PrometheusCompatibleServer.RunningServer server;
  private static PrometheusSource source;
  private static Seen seen;
  private static Seen seenInParts;

  private static List<String> counters() {
    return List.of(REQUESTS, "tgi_request_count");
  }

  SignalHistoryIT(PrometheusCompatibleServer kind) {
    assertThat(kind.isHere()).isTrue();
  }

  @BeforeParameterizedClassInvocation
  static void look(PrometheusCompatibleServer kind) throws IOException {
    assumeTrue(kind.isHere(), kind + " is not on the PATH, nor where ./test puts it");
    Instant now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS);
    var past = new Backfill();
    for (String pod : pods()) {
      reported(past, "DCGM_FI_DEV_GPU_UTIL", pod, now, now);
    }
    for (int busy = 0; busy <= pods().size(); busy++) {
      reported(past, "DCGM_FI_DEV_GPU_UTIL", "busy-" + busy, now, now, 100);
    }
    Instant longAgo = now.minusSeconds(3_600);
    reported(past, CPU, "steady", longAgo, now);
    reported(past, CPU, "lost", longAgo, now.minusSeconds(660));
    reported(past, CPU, "gone", longAgo, now.minusSeconds(1_200));
    reported(past, CPU, "skipped", longAgo, now.minusSeconds(90));
    // Sparse enough that no rate of it is ever known.
    reported(past, CPU, "sparse", now.minusSeconds(960), now.minusSeconds(960));
    reported(past, CPU, "sparse", now.minusSeconds(600), now.minusSeconds(600));
    reported(past, CPU, "sparse", now.minusSeconds(240), now.minusSeconds(240));
    reported(past, REQUESTS, "server", longAgo, now.minusSeconds(660));
    jupyter(past, "typing", now, now.minusSeconds(600));
    jupyter(past, "typed", now, now.minusSeconds(930));
    jupyter(past, "ahead", now, now.plusSeconds(300));
    jupyter(past, "unheard", now.minusSeconds(660), now.minusSeconds(3_500));
    used(past, "filling", now, 1_000, 1_100, 1_200);
    used(past, "filled", now, 24_000, 24_000, 24_064);
    used(past, "emptied", now, 24_000, 24_000, 500);
    used(past, "refilled", now, 24_000, 500, 24_000);
    reported(
        past, "DCGM_FI_DEV_FB_USED", "young", now.minusSeconds(390), now.minusSeconds(150), 100);
    reported(past, "DCGM_FI_DEV_FB_USED", "young", now.minusSeconds(120), now, 300);
    server =
        kind.start(
            Files.createTempDirectory(folder, "past"),
            PrometheusCompatibleServer.ServerSetup.of(past));
    source = source(1_000);
    seen = ((Seen) source.fetchAll()).joined(holders());
    seenInParts = ((Seen) source(0).fetchAll(holders(), Map.of())).joined(holders());
  }

  private static List<String> pods() {
    return List.of(
        "steady",
        "lost",
        "gone",
        "skipped",
        "sparse",
        "server",
        "never",
        "typing",
        "typed",
        "ahead",
        "unheard",
        "filling",
        "filled",
        "emptied",
        "refilled",
        "young");
  }

  /** At zero: idle, and reported. */
  private static void reported(Backfill past, String metric, String pod, Instant from, Instant to) {
    reported(past, metric, pod, from, to, 0);
  }

  private static void reported(
      Backfill past, String metric, String pod, Instant from, Instant to, double value) {
    Map<String, String> labels =
        Map.of("namespace", "ml", "pod", pod, "UUID", "GPU-" + pod, "container", "main");
    Stream.iterate(from, at -> !at.isAfter(to), at -> at.plus(EVERY))
        .forEach(at -> past.add(metric, labels, value, at));
  }

  /** A server with a last use at one time, reported until another. */
  private static void jupyter(Backfill past, String pod, Instant until, Instant used) {
    String metric = "jupyter_server_last_activity_timestamp_seconds";
    reported(past, metric, pod, until.minusSeconds(1_800), until, (double) used.getEpochSecond());
  }

  /** Memory in use ten minutes ago, five minutes ago, and now, in MiB. */
  private static void used(Backfill past, String pod, Instant now, double... mebibytes) {
    String metric = "DCGM_FI_DEV_FB_USED";
    reported(past, metric, pod, now.minusSeconds(900), now.minusSeconds(540), mebibytes[0]);
    reported(past, metric, pod, now.minusSeconds(510), now.minusSeconds(180), mebibytes[1]);
    reported(past, metric, pod, now.minusSeconds(150), now, mebibytes[2]);
  }

  @AfterParameterizedClassInvocation
  static void tearDown() {
    server.close();
  }

  @Test
  void isNotKnown_whatWasReportedTenMinutesAgoAndIsNoLonger() {
    for (String pod : List.of("lost", "sparse")) {
      assertThat(of(pod))
          .as(pod)
          .singleElement()
          .satisfies(
              signal ->
                  isNotKnown(
                      signal,
                      SignalKind.CPU,
                      "cores kept busy (last reported 10 minutes" + " ago)"));
    }
    assertThat(of("server"))
        .singleElement()
        .satisfies(
            signal ->
                isNotKnown(
                    signal,
                    SignalKind.REQUESTS,
                    "requests by its counters within 15 minutes (last reported 10 minutes ago)"));
  }

  @Test
  void isTheSame_whenALargeClusterIsReadInParts() {
    for (String pod : pods()) {
      assertThat(signals(seenInParts, pod)).as(pod).hasToString(of(pod).toString());
    }
  }

  @Test
  void isNothing_whatIsReported_orWasAMomentAgo_orWasLongAgo_orNever() {
    for (String pod : List.of("steady", "skipped", "gone", "never")) {
      assertThat(of(pod)).as(pod).isEmpty();
    }
  }

  @Test
  void aNotebookIsUsed_whenItsServerSaysSo() {
    var used = new Signal(SignalKind.JUPYTER, 1, 0, "Jupyter servers used within 15 minutes");

    assertThat(of("typing")).containsExactly(used);
    assertThat(of("ahead")).containsExactly(used);
    assertThat(of("typed")).isEmpty();
    assertThat(of("unheard"))
        .singleElement()
        .satisfies(
            signal ->
                isNotKnown(
                    signal,
                    SignalKind.JUPYTER,
                    "Jupyter servers used within 15 minutes (last reported 10 minutes ago)"));
  }

  @Test
  void isNotKnownToASecondLookEither() {
    PodActivity lost = seen.pod("lost").orElseThrow();

    assertThat(signals(((Seen) source.fetchPod(lost)).joined(holders()), "lost"))
        .singleElement()
        .satisfies(signal -> assertThat(signal.isKnown()).isFalse());
  }

  @Test
  void memoryFills_whenMoreIsInUseThanAtEitherTimeBefore() {
    assertThat(of("filling"))
        .containsExactly(
            new Signal(
                SignalKind.MEMORY,
                200,
                64,
                "memory of GPU-filling filled within 10 minutes in MiB"));
    assertThat(of("refilled")).extracting(Signal::value).containsExactly(23_500.0);
    assertThat(of("young")).extracting(Signal::value).containsExactly(200.0);
    assertThat(of("filled")).isEmpty();
    assertThat(of("emptied")).isEmpty();
  }

  private static void isNotKnown(Signal signal, SignalKind kind, String what) {
    assertThat(signal.isKnown()).isFalse();
    assertThat(signal.saysWork()).isTrue();
    assertThat(signal.kind()).isEqualTo(kind);
    assertThat(signal.what()).isEqualTo(what);
  }

  private static List<Signal> of(String pod) {
    return signals(seen, pod);
  }

  private static List<Signal> signals(Seen seen, String pod) {
    return seen.pod(pod).orElseThrow().signals();
  }

  private static List<PodIdentity> holders() {
    Instant start = Clock.systemUTC().instant().minusSeconds(3_600);
    return pods().stream()
        .map(pod -> new PodIdentity(pod, new PodName("ml", pod), Optional.of(start)))
        .toList();
  }

  private static PrometheusSource source(int selectiveFrom) {
    return new PrometheusSource(
        PrometheusConnection.to(server.base(), Duration.ofSeconds(10)),
        Clock.systemUTC(),
        new Options(Optional.of("series"), Optional.empty(), SIGNALS, selectiveFrom));
  }
}
