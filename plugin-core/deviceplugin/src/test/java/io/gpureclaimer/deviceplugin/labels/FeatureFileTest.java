package io.gpureclaimer.deviceplugin.labels;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.publication.Published;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeatureFileTest {
  private static final NodeLabels LABELS =
      new NodeLabels(Map.of("nvidia.com/gpu.count", "8", "gpu-type", "h100"));

  @TempDir Path folder;

  @Test
  void writesALineForEachLabel_andLeavesNothingElse() throws IOException {
    Path file = folder.resolve("gfd");

    assertThat(new FeatureFile(file).publish(LABELS)).isEqualTo(new Published.Written(List.of()));

    assertThat(file).hasContent("gpu-type=h100\nnvidia.com/gpu.count=8\n");
    assertThat(folder.toFile().list()).containsExactly("gfd");
  }

  @Test
  void touchesNothing_whenTheFileSaysItAlready() throws IOException {
    Path file = folder.resolve("gfd");
    new FeatureFile(file).publish(LABELS);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1000));

    assertThat(new FeatureFile(file).publish(LABELS)).isEqualTo(new Published.Same(List.of()));

    assertThat(Files.getLastModifiedTime(file)).isEqualTo(FileTime.fromMillis(1000));
  }

  @Test
  void saysWhatIsWrong_whenTheFolderIsNotThere() {
    Path file = folder.resolve("features.d/gfd");

    assertThat(new FeatureFile(file).publish(LABELS))
        .isEqualTo(
            new Published.Failed(
                Published.PublishFailure.FILE,
                "cannot write "
                    + file
                    + ": NoSuchFileException: "
                    + folder.resolve("features.d/.gfd.tmp")));
  }
}
