package io.gpureclaimer.exporter.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

// Contexts of one process share what annotations refer to: one that closes fails another that
// starts.
@ResourceLock("ApplicationContext")
class ExporterConfigTest {
  private static final List<String> ALL_SIGNS =
      List.of(
          "gpu-util",
          "mem-copy",
          "encoder",
          "decoder",
          "jpeg",
          "ofa",
          "gr-engine",
          "sm",
          "tensor",
          "pipes",
          "dram");

  @TempDir Path folder;

  @Test
  void defaults() {
    assertThat(bound(Map.of(), SamplingConfig.class))
        .isEqualTo(new SamplingConfig(seconds(1), millis(500), seconds(5), null));
    assertThat(bound(Map.of(), DriverConfig.class))
        .isEqualTo(new DriverConfig(null, seconds(10), seconds(3)));
    assertThat(bound(Map.of(), SimulationConfig.class)).isEqualTo(new SimulationConfig(null, null));
    assertThat(bound(Map.of(), AttributionConfig.class))
        .isEqualTo(
            new AttributionConfig(
                null,
                false,
                Path.of("/var/lib/kubelet/pod-resources/kubelet.sock"),
                seconds(5),
                seconds(3),
                seconds(30),
                false,
                false,
                null,
                10,
                false,
                false,
                "uid",
                null,
                null,
                Path.of("/proc")));
    assertThat(bound(Map.of(), KubernetesConfig.class))
        .isEqualTo(new KubernetesConfig(null, seconds(10), seconds(10), seconds(30), seconds(120)));
    assertThat(bound(Map.of(), ExporterWebConfig.class))
        .isEqualTo(
            new ExporterWebConfig(
                null, seconds(5), false, false, seconds(10), seconds(10), 128, 64));
    assertThat(bound(Map.of(), DevicesConfig.class))
        .isEqualTo(new DevicesConfig("f", false, false));
    assertThat(bound(Map.of(), LabelsConfig.class))
        .isEqualTo(new LabelsConfig(false, "hostname", false));
    assertThat(bound(Map.of(), ActivityConfig.class))
        .isEqualTo(new ActivityConfig(ALL_SIGNS, 1, 1));
    assertThat(bound(Map.of(), CountersConfig.class))
        .isEqualTo(new CountersConfig(null, null, "classic", seconds(1)));
  }

  @Test
  void everyPropertyIsBound() throws IOException {
    Path counters = Files.writeString(folder.resolve("c.csv"), "dcgm_gpu_temp,gauge,x\n");
    Path web = Files.createFile(folder.resolve("web.yml"));
    assertThat(
            bound(
                Map.of(
                    "sampling.interval", "2s",
                    "sampling.turn-deadline", "200ms",
                    "sampling.introduce-after", "3s",
                    "sampling.stale-after", "9s"),
                SamplingConfig.class))
        .isEqualTo(new SamplingConfig(seconds(2), millis(200), seconds(3), seconds(9)));
    assertThat(
            bound(
                Map.of(
                    "driver.library", "/opt/lib.so",
                    "driver.deadline", "1s",
                    "driver.retry-after", "2s"),
                DriverConfig.class))
        .isEqualTo(new DriverConfig(Path.of("/opt/lib.so"), seconds(1), seconds(2)));
    assertThat(
            bound(
                Map.of("simulation.profile", "t4x4", "simulation.script", "s.yaml"),
                SimulationConfig.class))
        .isEqualTo(new SimulationConfig("t4x4", Path.of("s.yaml")));
    assertThat(bound(Map.of("attribution.pods-file", "p.yaml"), AttributionConfig.class).podsFile())
        .isEqualTo(Path.of("p.yaml"));
    assertThat(
            bound(
                Map.of(
                    "attribution.kubelet", "true",
                    "attribution.kubelet-socket", "/run/k.sock",
                    "attribution.refresh-after", "1s",
                    "attribution.deadline", "2s",
                    "attribution.stale-after", "6s",
                    "attribution.pod-uids", "true"),
                AttributionConfig.class))
        .isEqualTo(
            new AttributionConfig(
                null,
                true,
                Path.of("/run/k.sock"),
                seconds(1),
                seconds(2),
                seconds(6),
                true,
                false,
                null,
                10,
                false,
                false,
                "uid",
                null,
                null,
                Path.of("/proc")));
    assertThat(
            bound(
                Map.of(
                    "attribution.pod-labels", "true",
                    "attribution.pod-label-allow-list", "^team$,app",
                    "attribution.pod-label-limit", "3",
                    "attribution.virtual-gpus", "true",
                    "attribution.dra", "true",
                    "attribution.gpu-id-type", "device-name",
                    "attribution.resource-names", "example.com/gpu",
                    "attribution.hpc-job-mapping-dir", "/jobs",
                    "attribution.proc-folder", "/host/proc"),
                AttributionConfig.class))
        .isEqualTo(
            new AttributionConfig(
                null,
                false,
                Path.of("/var/lib/kubelet/pod-resources/kubelet.sock"),
                seconds(5),
                seconds(3),
                seconds(30),
                false,
                true,
                List.of("^team$", "app"),
                3,
                true,
                true,
                "device-name",
                List.of("example.com/gpu"),
                Path.of("/jobs"),
                Path.of("/host/proc")));
    assertThat(
            bound(
                Map.of(
                    "kubernetes.kubeconfig", "/k.yaml",
                    "kubernetes.connect-timeout", "1s",
                    "kubernetes.request-timeout", "2s",
                    "kubernetes.heartbeat", "3s",
                    "kubernetes.stale-after", "4s"),
                KubernetesConfig.class))
        .isEqualTo(
            new KubernetesConfig(
                Path.of("/k.yaml"), seconds(1), seconds(2), seconds(3), seconds(4)));
    assertThat(bound(Map.of("activity.threshold-percent", "2.5"), ActivityConfig.class))
        .isEqualTo(new ActivityConfig(ALL_SIGNS, 2.5, 1));
    assertThat(
            bound(
                Map.of(
                    "counters.file", counters.toString(),
                    "counters.vocabulary", "1.x",
                    "counters.refresh-after", "3s"),
                CountersConfig.class))
        .isEqualTo(new CountersConfig(counters, null, "1.x", seconds(3)));
    assertThat(
            bound(
                Map.of(
                    "web.config-file", web.toString(),
                    "web.refresh-after", "1s",
                    "web.open-health", "true",
                    "web.openmetrics", "true",
                    "web.read-timeout", "2s",
                    "web.write-timeout", "3s",
                    "web.max-connections", "9",
                    "web.max-connections-per-client", "8"),
                ExporterWebConfig.class))
        .isEqualTo(
            new ExporterWebConfig(web, seconds(1), true, true, seconds(2), seconds(3), 9, 8));
    assertThat(
            bound(
                Map.of(
                    "devices.gpus", "g:1",
                    "devices.may-be-missing", "true",
                    "devices.repeat-on-instances", "true"),
                DevicesConfig.class))
        .isEqualTo(new DevicesConfig("g:1", true, true));
    assertThat(
            bound(
                Map.of(
                    "labels.old-namespace", "true",
                    "labels.hostname", "none",
                    "labels.replace-blanks-in-model-name", "true"),
                LabelsConfig.class))
        .isEqualTo(new LabelsConfig(true, "none", true));
    assertThat(bound(Map.of("node.name", "node-a"), NodeConfig.class).hostname())
        .isEqualTo("node-a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"99ms", "61m", "0s"})
  void refusesToStart_whenTheIntervalIsOutOfBounds(String interval) {
    refuses("sampling.interval must be from 100ms to 1h", Map.of("sampling.interval", interval));
  }

  /** The first request is sent when the context starts, and no server listens. */
  @Test
  void refusesToStart_whenTheCountersCannotBeRead() {
    refuses(
        "counters ConfigMap gpu:counters: cannot be read: kubeconfig /nowhere does not exist",
        Map.of("counters.config-map", "gpu:counters", "kubernetes.kubeconfig", "/nowhere"));
    refuses("counters file /nowhere: no such file", Map.of("counters.file", "/nowhere"));
  }

  @Test
  void refusesToStart_whenItIsNotClearWhichFieldsAreServed() {
    refuses(
        "counters.file must not be set together with counters.config-map, was c.csv",
        Map.of("counters.file", "c.csv", "counters.config-map", "gpu:counters"));
    refuses(
        "counters.config-map must be namespace:name, was counters",
        Map.of("counters.config-map", "counters"));
    refuses(
        "counters.vocabulary must be one of classic, 1.x, dcgm-4.7, was 2.x",
        Map.of("counters.vocabulary", "2.x"));
    refuses("counters.refresh-after must be positive", Map.of("counters.refresh-after", "0s"));
  }

  @Test
  void refusesToStart_whenDevicesOrLabelsAreNotWhatTheyCanBe() {
    refuses("devices.gpus must be f, g[:LIST], i[:LIST]", Map.of("devices.gpus", "x"));
    refuses(
        "labels.hostname must be one of hostname, Hostname, none, was host",
        Map.of("labels.hostname", "host"));
    refuses(
        "the connections of one client must be at least 1 and at most those of all, were 64 of 9",
        Map.of("web.max-connections", "9"));
    refuses("web.refresh-after must be positive, was 0ms", Map.of("web.refresh-after", "0s"));
  }

  @Test
  void refusesToStart_whenTheNodeIsToBeTaintedWithoutTheCondition() {
    refuses(
        "device-plugin.node-taint needs device-plugin.node-condition, which was false",
        Map.of("device-plugin.node-taint", "true"));
  }

  @Test
  void refusesToStart_whenASnapshotWouldBeStaleBeforeTheNextOne() {
    refuses(
        "sampling.stale-after must be at least twice sampling.interval, was 1999ms",
        Map.of("sampling.stale-after", "1999ms"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sampling.turn-deadline",
        "sampling.introduce-after",
        "driver.deadline",
        "driver.retry-after",
        "attribution.refresh-after",
        "attribution.deadline",
        "kubernetes.connect-timeout",
        "kubernetes.request-timeout",
        "kubernetes.heartbeat",
        "kubernetes.stale-after"
      })
  void refusesToStart_whenADurationIsNotPositive(String property) {
    refuses(property + " must be positive, was 0ms", Map.of(property, "0s"));
  }

  @Test
  void refusesToStart_whenASignIsNotKnownOrTheDecisiveOneIsLeftOut() {
    refuses(
        "activity.signs must be of gpu-util, mem-copy, encoder, decoder, jpeg, ofa, gr-engine, sm,"
            + " tensor, pipes, dram, was \"gpu\"",
        Map.of("activity.signs", "gpu-util,gpu"));
    refuses(
        "activity.signs must name gpu-util or gr-engine, was [sm]", Map.of("activity.signs", "sm"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "100", "NaN"})
  void refusesToStart_whenTheThresholdIsNoShareOfTime(String percent) {
    refuses(
        "activity.threshold-percent must be at least 0 and below 100",
        Map.of("activity.threshold-percent", percent));
  }

  @Test
  void theWindowsOfEventsAreBound() {
    assertThat(
            bound(
                Map.of("events.xid-window", "60000ms", "events.clock-window", "1s"),
                EventsConfig.class))
        .isEqualTo(new EventsConfig(seconds(60), seconds(1)));
    assertThat(bound(Map.of(), EventsConfig.class))
        .isEqualTo(new EventsConfig(seconds(300), seconds(300)));
  }

  @Test
  void refusesToStart_whenAWindowOfEventsIsNone() {
    refuses("events.xid-window must be positive, was PT0S", Map.of("events.xid-window", "0s"));
    refuses("events.clock-window must be positive, was PT0S", Map.of("events.clock-window", "0s"));
  }

  @Test
  void refusesToStart_whenTheProfileIsUnknown() {
    refuses(
        "simulation.profile must be one of a100-mig, a100x8, h100x8, h100x8-mig, h200x8, mixed,"
            + " t4x4, was h300",
        Map.of("simulation.profile", "h300"));
  }

  @Test
  void refusesToStart_whenThereIsAScriptAndNothingToSimulate() {
    refuses("simulation.script needs simulation.profile", Map.of("simulation.script", "s.yaml"));
  }

  @Test
  void refusesToStart_whenHoldersWouldBeForgottenBeforeTheKubeletIsAskedAgain() {
    refuses(
        "attribution.stale-after must be at least twice attribution.refresh-after and"
            + " attribution.deadline together, was 15999ms",
        Map.of("attribution.stale-after", "15999ms"));
  }

  @Test
  void refusesToStart_whenAPodLabelsPatternIsNone() {
    refuses(
        "attribution.pod-label-allow-list must be regular expressions of Go (RE2), was app(",
        Map.of("attribution.pod-label-allow-list", "app("));
  }

  @Test
  void refusesToStart_whenTheLimitOfPodLabelsIsNegative() {
    refuses(
        "attribution.pod-label-limit must not be negative, was -1",
        Map.of("attribution.pod-label-limit", "-1"));
  }

  @Test
  void refusesToStart_whenTheTypeOfGpuIdsIsUnknown() {
    refuses(
        "attribution.gpu-id-type must be one of [uid, device-name], was index",
        Map.of("attribution.gpu-id-type", "index"));
  }

  @Test
  void refusesToStart_whenAPodsFileIsGivenAndTheKubeletIsToBeAsked() {
    refuses(
        "attribution.pods-file must not be set together with attribution.kubelet, was p.yaml",
        Map.of("attribution.pods-file", "p.yaml", "attribution.kubelet", "true"));
  }

  @ParameterizedTest
  @CsvSource({
    "sampling.intervall, sampling.interval",
    "sampling.staleAfterwards, sampling.stale-after",
    "driver.libary, driver.library",
    "attribution.podsfile, attribution.pods-file"
  })
  void refusesToStart_whenAKeyUnderOurPrefixesIsUnknown(String key, String nearest) {
    refuses("unknown property " + key, Map.of(key, "1"));
    refuses("did you mean " + nearest + "?", Map.of(key, "1"));
  }

  @Test
  void acceptsBothSpellingsOfAKey_andKeysOfOthers() {
    assertThat(
            bound(Map.of("sampling.staleAfter", "9s", "samplingfoo.bar", "1"), SamplingConfig.class)
                .longestServed())
        .isEqualTo(seconds(9));
  }

  @Test
  void servesFiveIntervals_butAtLeastFiveSeconds() {
    assertThat(sampling("200ms").longestServed()).isEqualTo(seconds(5));
    assertThat(sampling("30s").longestServed()).isEqualTo(seconds(150));
  }

  @Test
  void takesNoLongerGapForUnbroken_whateverTheInterval() {
    assertThat(sampling("1s").longestGap()).isEqualTo(seconds(5));
    assertThat(sampling("30s").longestGap()).isEqualTo(seconds(5));
  }

  @ParameterizedTest
  @CsvSource({"1s, true", "2s, true", "2001ms, false", "30s, false"})
  void offersNoLedger_whenMostOfTheTimeWouldBeUnseen(String interval, boolean offered) {
    assertThat(sampling(interval).whyNoLedger().isEmpty()).isEqualTo(offered);
  }

  @Test
  void letsNoPassTakeSoLongThatItsSnapshotIsStale() {
    assertThat(sampling("1s").passDeadline()).isEqualTo(seconds(4));
    assertThat(sampling("30s").passDeadline()).isEqualTo(seconds(120));
  }

  private static SamplingConfig sampling(String interval) {
    return bound(Map.of("sampling.interval", interval), SamplingConfig.class);
  }

  private static <C extends Record> C bound(Map<String, Object> properties, Class<C> config) {
    try (var context = context(properties)) {
      return context.getBean(config);
    }
  }

  /** The rule that was broken is the innermost exception. */
  private static void refuses(String rule, Map<String, Object> properties) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> {
              try (var context = context(properties)) {
                assertThat(context.isRunning()).isFalse();
              } catch (RuntimeException e) {
                throw innermost(e);
              }
            })
        .withMessageContaining(rule);
  }

  private static ApplicationContext context(Map<String, Object> properties) {
    return ApplicationContext.builder().deduceEnvironment(false).properties(properties).start();
  }

  private static RuntimeException innermost(RuntimeException thrown) {
    @Nullable Throwable cause = thrown.getCause();
    return cause instanceof RuntimeException deeper ? innermost(deeper) : thrown;
  }

  private static Duration seconds(long count) {
    return Duration.ofSeconds(count);
  }

  private static Duration millis(long count) {
    return Duration.ofMillis(count);
  }
}
