package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.retry.Backoff;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.labels.FakeLabelSink;
import io.gpureclaimer.deviceplugin.labels.MachineSurvey;
import io.gpureclaimer.deviceplugin.publication.Publication;
import io.gpureclaimer.nvml.poll.PolledTestNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeLabelingTest {
  private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

  @TempDir Path folder;
  private final FakeLabelSink sink = new FakeLabelSink();

  @Test
  void asksForTheSameLabels_alsoAfterARestart() {
    Configuration plain = configuration(Map.of());
    keep(plain, NOON, NOON);
    keep(plain, NOON.plusSeconds(60), NOON.plusSeconds(60));

    assertThat(sink.asked()).hasSize(2);
    assertThat(sink.asked().getFirst()).isEqualTo(sink.asked().getLast());
    assertThat(sink.asked().getFirst().byKey()).doesNotContainKey("nvidia.com/gfd.timestamp");
  }

  @Test
  void reportsWhenItBegan_whenItIsAskedTo() {
    keep(configuration(Map.of("no-timestamp", "false")), NOON, NOON.plusSeconds(60));

    assertThat(sink.asked().getFirst().byKey())
        .containsEntry("nvidia.com/gfd.timestamp", String.valueOf(NOON.getEpochSecond()));
  }

  @Test
  void readsTheMachineFromTheFileThatWasNamed() throws IOException {
    Files.writeString(
        Files.createDirectories(folder.resolve("etc")).resolve("machine"), "DGX H100");

    keep(configuration(Map.of("machine-type-file", "/etc/machine")), NOON, NOON);

    assertThat(sink.asked().getFirst().byKey()).containsEntry("nvidia.com/gpu.machine", "DGX-H100");
  }

  @Test
  void keepsNoCallerWaiting_andWritesTheLastFactsOnly() {
    var waiting = new ArrayList<Runnable>();
    NodeLabeling labeling = labeling(NOON, waiting::add);
    var none = configuration(Map.of()).settings().orElseThrow();
    var mixed = configuration(Map.of("mig-strategy", "mixed")).settings().orElseThrow();
    var inventory = new PolledTestNode("t4x4", folder).inventory();

    labeling.keep(inventory, none, AdvertisedResources.NOTHING, NOON);
    labeling.keep(inventory, mixed, AdvertisedResources.NOTHING, NOON.plusSeconds(10));
    assertThat(sink.asked()).isEmpty();
    waiting.forEach(Runnable::run);

    assertThat(waiting).hasSize(1);
    assertThat(sink.asked())
        .singleElement()
        .satisfies(
            labels -> assertThat(labels.byKey()).containsEntry("nvidia.com/mig.strategy", "mixed"));
  }

  private void keep(Configuration configuration, Instant began, Instant now) {
    var inventory = new PolledTestNode("t4x4", folder).inventory();
    var settings = configuration.settings().orElseThrow();
    labeling(began, Runnable::run)
        .keep(
            inventory,
            settings,
            AdvertisedResources.of(
                inventory, settings.offer(), _ -> true, AdvertisedResources.NOTHING),
            now);
  }

  private NodeLabeling labeling(Instant began, Executor thread) {
    return new NodeLabeling(
        new Publication<>(
            "labels",
            sink,
            Duration.ofMinutes(10),
            new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), () -> 0)),
        new MachineSurvey(folder),
        began,
        thread);
  }

  private static Configuration configuration(Map<String, String> options) {
    return Configuration.begin(options, Map.of(), SettingsSource.none(), true, NOON);
  }
}
