package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.nodeconfig.ConfigChoice;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigFolder;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigWatch;
import io.gpureclaimer.deviceplugin.nodeconfig.NodeLabelSource.NodeLabel;
import io.gpureclaimer.deviceplugin.runtime.SettingsSource.FolderByLabel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderByLabelTest {
  private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

  @TempDir Path folder;
  private NodeLabel label = new NodeLabel.Value("a100");
  private FolderByLabel source;

  @BeforeEach
  void make() throws IOException {
    Files.writeString(folder.resolve("a100"), "flags: {migStrategy: mixed}");
    Files.writeString(folder.resolve("t4"), "version: v1");
    source =
        new FolderByLabel(
            new ConfigWatch(
                () -> label,
                new ConfigFolder(folder),
                new ConfigChoice(ConfigChoice.USUAL_LABEL, null, List.of())));
  }

  @Test
  void reportsTheFileThatTheLabelNames_onceForEachText() throws IOException {
    assertThat(source.read(NOON).map(SettingsSource.Text::content))
        .contains("flags: {migStrategy: mixed}");
    assertThat(source.read(NOON)).isEmpty();

    Files.writeString(folder.resolve("a100"), "flags: {migStrategy: single}");
    assertThat(source.read(NOON).map(SettingsSource.Text::content))
        .contains("flags: {migStrategy: single}");
    label = new NodeLabel.Value("t4");
    assertThat(source.read(NOON).map(SettingsSource.Text::content)).contains("version: v1");
    assertThat(source.problem()).isEmpty();
  }

  @Test
  void saysWhatIsWrong_whenNoFileHasThatName_untilOneHas() {
    source.read(NOON);
    label = new NodeLabel.Value("h100");

    assertThat(source.read(NOON)).isEmpty();
    assertThat(source.problem())
        .contains(
            "the Node's label nvidia.com/device-plugin.config is h100, but there are only the"
                + " files [a100, t4]");

    label = new NodeLabel.Value("a100");
    assertThat(source.read(NOON)).isEmpty();
    assertThat(source.problem()).isEmpty();
  }

  @Test
  void saysWhyItIsThatFile_alsoWhileNoFileHasTheNewName() {
    source.read(NOON);
    String why = "the Node's label nvidia.com/device-plugin.config is a100";
    assertThat(source.why()).contains(why);

    label = new NodeLabel.Value("h100");
    source.read(NOON);

    assertThat(source.why()).contains(why);
  }

  @Test
  void choosesNothing_beforeTheApiServerHasAnswered() {
    label = new NodeLabel.Unknown("no answer yet");

    assertThat(source.read(NOON)).isEmpty();
    assertThat(source.problem())
        .contains("the Node's label nvidia.com/device-plugin.config is not known: no answer yet");
  }
}
