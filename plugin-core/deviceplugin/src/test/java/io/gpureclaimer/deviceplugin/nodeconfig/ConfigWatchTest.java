package io.gpureclaimer.deviceplugin.nodeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.nodeconfig.ConfigChoice.Fallback;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigWatch.ConfigState.Kept;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigWatch.ConfigState.None;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigWatch.ConfigState.Selected;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigWatch.ConfigStatus;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigWatch.SelectedConfig;
import io.gpureclaimer.deviceplugin.nodeconfig.NodeLabelSource.NodeLabel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigWatchTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String KEY = ConfigChoice.USUAL_LABEL;

  @TempDir Path folder;

  private NodeLabel label = new NodeLabel.Value("a");

  @Test
  void reportsAConfigurationOnce_andAgainWhenTheLabelNamesAnother() throws IOException {
    write("a", "version: v1");
    write("b", "version: v1");
    var watch = watch();

    assertThat(watch.tick(START)).contains(selected("a", "version: v1"));
    assertThat(watch.tick(START.plusSeconds(5))).isEmpty();
    label = new NodeLabel.Value("b");
    assertThat(watch.tick(START.plusSeconds(10))).contains(selected("b", "version: v1"));

    assertThat(watch.status())
        .isEqualTo(
            new ConfigStatus(new Selected(selected("b", "version: v1")), START.plusSeconds(10)));
  }

  @Test
  void reportsTheConfigurationAgain_whenItsTextChanges() throws IOException {
    write("a", "old");
    var watch = watch();
    watch.tick(START);

    write("a", "new");

    assertThat(watch.tick(START.plusSeconds(5))).contains(selected("a", "new"));
  }

  /** As the kubelet does: the folder that the link ..data points to is another one. */
  @Test
  void readsAMountedConfigMap_alsoWhenItIsReplaced() throws IOException {
    Files.createDirectory(folder.resolve("..1"));
    Files.writeString(folder.resolve("..1/a"), "old");
    Files.createDirectory(folder.resolve("..2"));
    Files.writeString(folder.resolve("..2/a"), "new");
    Files.createSymbolicLink(folder.resolve("..data"), Path.of("..1"));
    Files.createSymbolicLink(folder.resolve("a"), Path.of("..data/a"));
    label = new NodeLabel.Absent();
    var watch =
        new ConfigWatch(
            () -> label,
            new ConfigFolder(folder),
            new ConfigChoice(KEY, null, List.of(Fallback.SINGLE)));
    assertThat(watch.tick(START)).map(SelectedConfig::content).contains("old");

    Files.createSymbolicLink(folder.resolve("..tmp"), Path.of("..2"));
    Files.move(
        folder.resolve("..tmp"), folder.resolve("..data"), StandardCopyOption.REPLACE_EXISTING);

    assertThat(watch.tick(START.plusSeconds(5))).map(SelectedConfig::content).contains("new");
  }

  @Test
  void keepsTheLastGood_whenTheLabelNamesNoFile() throws IOException {
    write("a", "text");
    var watch = watch();
    watch.tick(START);
    label = new NodeLabel.Value("x");

    assertThat(watch.tick(START.plusSeconds(5))).isEmpty();

    assertThat(watch.status())
        .isEqualTo(
            new ConfigStatus(
                new Kept(
                    selected("a", "text"),
                    "the Node's label " + KEY + " is x, but there are only the files [a]"),
                START));
  }

  @Test
  void keepsTheLastGood_whenTheFolderIsGone() throws IOException {
    write("a", "text");
    var watch = watch();
    watch.tick(START);
    Files.delete(folder.resolve("a"));
    Files.delete(folder);

    assertThat(watch.tick(START.plusSeconds(5))).isEmpty();

    assertThat(watch.status().state())
        .isEqualTo(
            new Kept(
                selected("a", "text"),
                "the folder " + folder + " cannot be read: NoSuchFileException: " + folder));
    Files.createDirectory(folder);
  }

  @Test
  void hasNone_untilThereIsAChoice() throws IOException {
    label = new NodeLabel.Unknown("timeout");
    write("a", "text");
    var watch = watch();

    assertThat(watch.tick(START)).isEmpty();
    assertThat(watch.status())
        .isEqualTo(
            new ConfigStatus(new None("the Node's label " + KEY + " is not known: timeout"), null));

    label = new NodeLabel.Value("a");
    assertThat(watch.tick(START.plusSeconds(5))).contains(selected("a", "text"));
  }

  private ConfigWatch watch() {
    return new ConfigWatch(
        () -> label, new ConfigFolder(folder), new ConfigChoice(KEY, null, List.of()));
  }

  private SelectedConfig selected(String name, String content) {
    return new SelectedConfig(
        name, folder.resolve(name), content, "the Node's label " + KEY + " is " + name);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }
}
