package io.gpureclaimer.reclaimer.evidence.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Evidence.Idle;
import io.gpureclaimer.reclaimer.evidence.Evidence.Unknown;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule.EvidenceLimits;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the records of agents come to as evidence: one pod, one GPU, idle for an hour. */
class LedgerParserTest {
  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
  private static final Instant ACTIVE = NOW.minusSeconds(3_600);
  private static final String AGENT = "http://node-1:9400/metrics";
  private static final EvidenceRule RULE =
      new EvidenceRule(
          new EvidenceLimits(
              Duration.ofMinutes(2), Duration.ofSeconds(30), Duration.ofSeconds(30)));

  private final BusyTimeStore busyTimes = new BusyTimeStore();

  @Test
  void isUnknown_whileTheBusyTimeGrowsWithoutActivity() {
    assertThat(fetch(0, 100)).isEqualTo(idle(0, ACTIVE));
    assertThat(fetch(60, 140))
        .isEqualTo(
            new Unknown(
                UnknownCause.IMPOSSIBLE,
                "GPU-1: its record contradicts itself: gpu_pod_busy_seconds_total grew by 40.0s"
                    + " without a later last_active than 2026-11-27T11:00:00Z"));
    assertThat(fetch(120, 180)).isInstanceOf(Unknown.class);
  }

  @Test
  void isIdleSinceTheGrowth_twoMinutesAfterIt() {
    fetch(0, 100);
    fetch(60, 140);

    assertThat(fetch(170, 140)).isInstanceOf(Unknown.class);
    assertThat(fetch(181, 140)).isEqualTo(idle(181, NOW.plusSeconds(60)));
  }

  @Test
  void isIdle_whileTheBusyTimeGrowsByNoise() {
    fetch(0, 100);

    assertThat(fetch(60, 100.6)).isEqualTo(idle(60, ACTIVE));
    assertThat(fetch(120, 101.2)).isEqualTo(idle(120, ACTIVE));
  }

  @Test
  void isIdle_whenTheBusyTimeGrewWithTheActivity() {
    fetch(0, 100);
    Instant later = NOW.plusSeconds(30);

    assertThat(fetch(FetchScope.ALL_PODS, 200, 130, later)).isEqualTo(idle(200, later));
  }

  @Test
  void isUnknown_whenTheBusyTimeGrewSinceTheCycle() {
    fetch(0, 100);

    assertThat(fetch(FetchScope.ONE_POD, 20, 120, ACTIVE))
        .isInstanceOfSatisfying(
            Unknown.class, unknown -> assertThat(unknown.reason()).contains("grew by 20.0s"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "-1", "later"})
  void isUnknown_whenTheLastSignalCannotBe(String value) {
    double seconds =
        value.equals("later")
            ? (double) NOW.plusSeconds(2).getEpochSecond()
            : Double.parseDouble(value);

    assertThat(weighSignal(seconds)).isInstanceOf(Unknown.class);
  }

  @Test
  void isIdle_whateverItsAgentRecordedOfItsBoard() {
    assertThat(weighSignal((double) NOW.getEpochSecond())).isEqualTo(idle(0, ACTIVE));
  }

  private Evidence weighSignal(double seconds) {
    var signal =
        new MetricSample(
            Map.of(
                "__name__",
                LedgerMetrics.LAST_SIGNAL,
                "pod_uid",
                "u",
                "UUID",
                "GPU-1",
                "signal",
                "power",
                "watched",
                "power"),
            seconds,
            NOW);
    return weigh(
        0,
        FetchScope.ALL_PODS,
        parser -> {
          parser.acceptScraped(signal, AGENT);
          scraped(0, 100, ACTIVE).forEach(sample -> parser.acceptScraped(sample, AGENT));
        });
  }

  /** As from a query of a large cluster: the row of a device, of its activity and of its pod. */
  @Test
  void isIdle_byTheRowOfADevice() {
    assertThat(weighRow(0, Map.of())).isEqualTo(idle(0, ACTIVE));
    assertThat(
            weighRow((double) NOW.getEpochSecond(), Map.of("signal", "power", "watched", "power")))
        .isEqualTo(idle(0, ACTIVE));
  }

  @Test
  void isUnknown_whileTheBusyTimeInTheRowOfADeviceGrows() {
    weighRow(0, Map.of("busy", "100"));

    assertThat(weighRow(0, Map.of("busy", "140")))
        .isInstanceOfSatisfying(
            Unknown.class, unknown -> assertThat(unknown.reason()).contains("grew by 40.0s"));
  }

  @ParameterizedTest
  @CsvSource({"since,NaN", "since,+Inf", "since,", "since,soon", "until,-1", "until,''", "until,0"})
  void isUnknown_whenAValueInTheRowOfADeviceIsNoTime(String label, @Nullable String value) {
    assertThat(weighRow(0, Map.of(label, value == null ? "" : value))).isInstanceOf(Unknown.class);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, -1, 4e9})
  void isUnknown_whenTheSignalInTheRowOfADeviceCannotBe(double seconds) {
    assertThat(weighRow(seconds, Map.of("signal", "power", "watched", "power")))
        .isInstanceOf(Unknown.class);
  }

  /** The last activity is missing, and the row says that the device worked, or nothing of it. */
  @ParameterizedTest
  @ValueSource(strings = {"0.5", "NaN", "-1", "+Inf", "none"})
  void isUnknown_whenNeitherActivityNorRowSaysThatADeviceNeverWorked(String busy) {
    assertThat(weigh(0, FetchScope.ALL_PODS, parser -> row(parser, 0, Map.of("busy", busy))))
        .isInstanceOf(Unknown.class);
    assertThat(weigh(0, FetchScope.ALL_PODS, parser -> row(parser, 0, Map.of("busy", "0"))))
        .isEqualTo(idle(0, NOW.minusSeconds(7_200)));
  }

  /** Its last activity is of another sample, which may be the older one. */
  @Test
  void doesNotCompareTheBusyTimeInARow_whileTheDeviceJustWorked() {
    Instant active = NOW.minusSeconds(59);
    weighRow(active, 0, Map.of("busy", "100"));

    assertThat(weighRow(active, 0, Map.of("busy", "140"))).isEqualTo(idle(0, active));
  }

  private Evidence weighRow(double signal, Map<String, String> labels) {
    return weighRow(ACTIVE, signal, labels);
  }

  private Evidence weighRow(Instant active, double signal, Map<String, String> labels) {
    return weigh(
        0,
        FetchScope.ALL_PODS,
        parser -> {
          parser.accept(
              new MetricSample(
                  Map.of("_kind", "active", "pod_uid", "u", "UUID", "GPU-1"),
                  (double) active.getEpochSecond(),
                  NOW));
          row(parser, signal, labels);
        });
  }

  private static void row(LedgerParser parser, double signal, Map<String, String> labels) {
    Map<String, String> device =
        new HashMap<>(Map.of("_kind", "device", "pod_uid", "u", "UUID", "GPU-1"));
    device.put("since", Long.toString(NOW.getEpochSecond() - 7_200));
    device.put("until", Long.toString(NOW.getEpochSecond()));
    device.put("busy", "100");
    device.putAll(labels);
    parser.accept(new MetricSample(device, signal, NOW));
    parser.accept(
        new MetricSample(
            Map.of("_kind", "sampled_at", "pod_uid", "u"), (double) NOW.getEpochSecond(), NOW));
  }

  @Test
  void isUnknown_whenTheStoredBusyTimeGrew() {
    var labels = Map.of("_kind", "busy_grew", "pod_uid", "u", "UUID", "GPU-1", "container", "x");

    assertThat(
            weigh(
                0,
                FetchScope.ALL_PODS,
                parser -> {
                  scraped(0, 100, ACTIVE).forEach(sample -> parser.acceptScraped(sample, AGENT));
                  parser.accept(new MetricSample(labels, 300, NOW));
                }))
        .isEqualTo(
            new Unknown(
                UnknownCause.IMPOSSIBLE,
                "GPU-1: its record contradicts itself: gpu_pod_busy_seconds_total grew by 300.0s"
                    + " without a later last_active than 2026-11-27T11:00:00Z"));
  }

  @Test
  void isUnknown_whenItsDeviceCountIsMissing_thoughItsAgentHasThoseOfOtherPods() {
    assertThat(withCountOfAnotherPod(AGENT))
        .isEqualTo(
            new Unknown(
                UnknownCause.GPU_COUNT,
                "expected its device count, found none, but its agent "
                    + AGENT
                    + " reports those of other pods"));
  }

  /** As while agents are upgraded one by one. */
  @ParameterizedTest
  @ValueSource(strings = {"http://node-2:9400/metrics", ""})
  void isIdle_whenOnlyOtherAgentsReportDeviceCounts(String agent) {
    assertThat(withCountOfAnotherPod(agent)).isEqualTo(idle(0, ACTIVE));
  }

  private Evidence withCountOfAnotherPod(String agent) {
    var count =
        new MetricSample(
            Map.of("__name__", LedgerMetrics.DEVICE_COUNT, "pod_uid", "another"), 1, NOW);
    return weigh(
        0,
        FetchScope.ALL_PODS,
        parser -> {
          parser.acceptScraped(count, agent);
          scraped(0, 100, ACTIVE).forEach(sample -> parser.acceptScraped(sample, AGENT));
        });
  }

  private Evidence fetch(int seconds, double busy) {
    return fetch(FetchScope.ALL_PODS, seconds, busy, ACTIVE);
  }

  private Evidence fetch(FetchScope scope, int seconds, double busy, Instant active) {
    return weigh(
        seconds,
        scope,
        parser ->
            scraped(seconds, busy, active).forEach(sample -> parser.acceptScraped(sample, AGENT)));
  }

  private Evidence weigh(int seconds, FetchScope scope, Consumer<LedgerParser> samples) {
    var aggregator = new PodActivityAggregator(LedgerFormat.NO_PODS);
    aggregator.judgedByAgents(Set.of(SignalKind.POWER));
    var parser = new LedgerParser(aggregator, busyTimes);
    samples.accept(parser);
    Instant at = NOW.plusSeconds(seconds);
    parser.finish(at, scope);
    return RULE.weigh(aggregator.observation(at), "u", 1, FetchScope.ALL_PODS);
  }

  private static Idle idle(int seconds, Instant since) {
    return new Idle(since, Duration.between(since, NOW.plusSeconds(seconds)));
  }

  private static List<MetricSample> scraped(int seconds, double busy, Instant active) {
    Instant at = NOW.plusSeconds(seconds);
    var samples = new ArrayList<MetricSample>();
    samples.add(sample(LedgerMetrics.LAST_ACTIVE, (double) active.getEpochSecond(), at));
    samples.add(sample(LedgerMetrics.OBSERVED_SINCE, (double) NOW.getEpochSecond() - 7_200, at));
    samples.add(sample(LedgerMetrics.OBSERVED_UNTIL, (double) at.getEpochSecond(), at));
    samples.add(sample(LedgerMetrics.BUSY, busy, at));
    return samples;
  }

  private static MetricSample sample(String name, double value, Instant at) {
    return new MetricSample(Map.of("__name__", name, "pod_uid", "u", "UUID", "GPU-1"), value, at);
  }
}
