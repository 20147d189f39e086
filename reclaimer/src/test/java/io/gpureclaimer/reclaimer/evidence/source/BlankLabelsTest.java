package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat.Detection;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader.ClockRollbackGuard;
import io.gpureclaimer.reclaimer.evidence.format.ProbeResult;
import io.gpureclaimer.reclaimer.evidence.ledger.LedgerFormat;
import io.gpureclaimer.reclaimer.evidence.rules.RulesFormat;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A label without text names no pod and no device, whatever the format. */
class BlankLabelsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T06:00:00Z");
  private static final Map<String, String> WHOLE =
      Map.of("pod_uid", "u", "UUID", "GPU-1", "namespace", "n", "pod", "p");

  /** Complete samples of one idle device. */
  record IdleDeviceAnswer(EvidenceFormat format, List<MetricSample> samples) {
    @Override
    public String toString() {
      return format.name().code();
    }

    Seen with(Map<String, String> labels) {
      var reader = new EvidenceReader(format, SignalLimits.none(), new ClockRollbackGuard());
      samples.forEach(
          sample -> {
            Map<String, String> all = new HashMap<>(sample.labels());
            all.putAll(labels);
            reader.evidence(new MetricSample(all, sample.value(), NOW));
          });
      return reader.observation(FetchScope.ALL_PODS, Clock.fixed(NOW, ZoneOffset.UTC));
    }
  }

  @ParameterizedTest
  @MethodSource("answers")
  void seesThePod_whenEveryLabelHasText(IdleDeviceAnswer answer) {
    assertThat(answer.with(WHOLE).pods()).containsOnlyKeys("u");
  }

  @ParameterizedTest
  @MethodSource("answers")
  void seesNoPod_whenUidAndNameAreBlank(IdleDeviceAnswer answer) {
    for (String blank : List.of("", " ")) {
      expectNothing(
          answer.with(Map.of("pod_uid", blank, "UUID", "GPU-1", "namespace", blank, "pod", blank)));
      expectNothing(
          answer.with(Map.of("pod_uid", blank, "UUID", "GPU-1", "namespace", "n", "pod", blank)));
      expectNothing(
          answer.with(Map.of("pod_uid", blank, "UUID", "GPU-1", "namespace", blank, "pod", "p")));
    }
  }

  @ParameterizedTest
  @MethodSource("answers")
  void seesNoDevice_whenTheUuidIsBlank(IdleDeviceAnswer answer) {
    for (String blank : List.of("", " ")) {
      Map<String, String> labels = new HashMap<>(WHOLE);
      labels.put("UUID", blank);
      expectNothing(answer.with(labels));
    }
  }

  @Test
  void reportsUtilizationAndDeviceCount_whenTheirLabelsAreBlank() {
    var ledger =
        new IdleDeviceAnswer(
            new LedgerFormat(),
            List.of(
                sample("_kind", "utilization", 1),
                sample("__name__", LedgerMetrics.DEVICE_COUNT, 1)));

    assertThat(ledger.with(Map.of("pod_uid", " ", "UUID", " ")).oddities())
        .contains("utilization without UUID", "device count without pod_uid");
  }

  private static void expectNothing(Seen seen) {
    assertThat(seen.pods()).isEmpty();
    assertThat(seen.unjoined().pods()).isEmpty();
    assertThat(seen.oddities()).isNotEmpty();
  }

  static Stream<IdleDeviceAnswer> answers() {
    double now = (double) NOW.getEpochSecond();
    return Stream.of(
        new IdleDeviceAnswer(
            new LedgerFormat(),
            List.of(
                sample("_kind", "since", now - 7_200),
                sample("_kind", "until", now - 1),
                sample("_kind", "sampled_at", now),
                sample("_kind", "busy", 0))),
        new IdleDeviceAnswer(
            new RulesFormat(),
            List.of(
                sample("__name__", RulesFormat.OBSERVED_SINCE, now - 7_200),
                sample("__name__", RulesFormat.LAST_ACTIVE, now - 7_200),
                sample("__name__", RulesFormat.SAMPLED, now))),
        new IdleDeviceAnswer(
            series(), List.of(sample("_kind", "activity", 0), sample("_kind", "sampled_at", now))));
  }

  private static EvidenceFormat series() {
    var probe = new ProbeResult();
    probe.accept(sample("_kind", "plain", 1));
    probe.accept(sample("_kind", "plain/pod_uid", 1));
    var options = new Options(Optional.of("series"), Optional.empty(), SignalLimits.none());
    return ((Detection.Found) new EvidenceFormats(options).detect(probe)).format();
  }

  private static MetricSample sample(String label, String text, double value) {
    return new MetricSample(Map.of(label, text), value, NOW);
  }
}
