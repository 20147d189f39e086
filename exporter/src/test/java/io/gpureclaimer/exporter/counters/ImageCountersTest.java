package io.gpureclaimer.exporter.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.counters.CountersSource.Content.Found;
import io.gpureclaimer.exporter.counters.CountersSource.Content.Missing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageCountersTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "default-counters.csv, built-in counters dcgm-4.7",
    "dcp-metrics-included.csv, built-in counters dcgm-4.7",
    "1.x-compatibility-metrics.csv, built-in counters 1.x"
  })
  void areCompiledIn_whereThereAreNone(String file, String name) {
    assertThat(ImageCounters.of(Path.of("/etc/dcgm-exporter", file), Vocabulary.BASE_UNITS).name())
        .isEqualTo(name);
  }

  @Test
  void anyOtherFileMustBeThere() {
    Path other = folder.resolve("my.csv");

    assertThat(of(other).read()).isEqualTo(new Missing("is not there"));
    assertThat(ImageCounters.of(folder.resolve("default-counters.csv"), Vocabulary.CLASSIC).read())
        .as("in another folder")
        .isEqualTo(new Missing("is not there"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"default-counters.csv", "dcp-metrics-included.csv"})
  void theDefaultFileStandsForTheVocabularys_whileItIsAsShipped(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, Vocabulary.CLASSIC.builtIn());
    var text = of(file);
    assertThat(text.read()).isEqualTo(new Found(Vocabulary.BASE_UNITS.builtIn()));

    Files.writeString(file, "DCGM_FI_DEV_GPU_TEMP, gauge, warm");
    assertThat(text.read()).isEqualTo(new Found("DCGM_FI_DEV_GPU_TEMP, gauge, warm"));
    Files.delete(file);
    assertThat(text.read()).isEqualTo(new Missing("is not there"));
  }

  @Test
  void theLegacyFileIsItself() throws IOException {
    Path file = folder.resolve("1.x-compatibility-metrics.csv");
    Files.writeString(file, Vocabulary.LEGACY.builtIn());

    assertThat(of(file).read()).isEqualTo(new Found(Vocabulary.LEGACY.builtIn()));
  }

  private CountersSource of(Path file) {
    return ImageCounters.of(file, Vocabulary.BASE_UNITS, folder);
  }
}
