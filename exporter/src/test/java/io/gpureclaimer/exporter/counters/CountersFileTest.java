package io.gpureclaimer.exporter.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.files.ReloadingFile.Refresh;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CountersFileTest {
  @TempDir Path folder;

  /** As the kubelet changes the files of a ConfigMap. */
  @Test
  void readsAnotherText_whenALinkOnTheWayIsSwapped() throws IOException {
    Path first = Files.createDirectory(folder.resolve("..1"));
    Path second = Files.createDirectory(folder.resolve("..2"));
    Files.writeString(first.resolve("counters.csv"), "one");
    Files.writeString(second.resolve("counters.csv"), "two");
    Path data = Files.createSymbolicLink(folder.resolve("..data"), first.getFileName());
    Path path =
        Files.createSymbolicLink(folder.resolve("counters.csv"), Path.of("..data", "counters.csv"));
    var file = of(path);
    assertThat(file.reload()).isEqualTo(new Refresh.Loaded<>("one"));

    Files.delete(data);
    assertThat(problem(file)).isEqualTo("no such file");
    Files.createSymbolicLink(data, second.getFileName());
    assertThat(file.refresh()).isEqualTo(new Refresh.Unchanged<>());
    assertThat(file.refresh()).isEqualTo(new Refresh.Loaded<>("two"));
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    Path path = folder.resolve("counters.csv");
    var file = of(path);
    assertThat(file.name()).isEqualTo("counters file " + path);
    assertThat(problem(file)).isEqualTo("no such file");

    Files.write(path, new byte[CountersFile.LARGEST_BYTES + 1]);
    assertThat(problem(file)).isEqualTo("must have at most 1048576 bytes, has more");
    Files.write(path, new byte[] {'a', (byte) 0xff});
    assertThat(problem(file)).isEqualTo("must be UTF-8, is not");

    assertThat(problem(CountersFile.of(folder, MetricNaming.CLASSIC)))
        .startsWith("cannot be read: ");
  }

  @ParameterizedTest
  @CsvSource({
    "default-counters.csv, built-in counters dcgm-4.7",
    "dcp-metrics-included.csv, built-in counters dcgm-4.7",
    "1.x-compatibility-metrics.csv, built-in counters 1.x"
  })
  void filesOfTheImageAreCompiledIn_whereTheyDoNotExist(String file, String name) {
    assertThat(CountersFile.of(Path.of("/etc/dcgm-exporter", file), MetricNaming.BASE_UNITS).name())
        .isEqualTo(name);
  }

  @Test
  void anyOtherFileMustExist() {
    assertThat(problem(of(folder.resolve("my.csv")))).isEqualTo("no such file");
    assertThat(
            problem(CountersFile.of(folder.resolve("default-counters.csv"), MetricNaming.CLASSIC)))
        .as("in another folder")
        .isEqualTo("no such file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"default-counters.csv", "dcp-metrics-included.csv"})
  void theDefaultFileStandsForTheVocabularys_whileItIsAsShipped(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, MetricNaming.CLASSIC.builtIn());
    var text = of(file);
    assertThat(text.reload()).isEqualTo(new Refresh.Loaded<>(MetricNaming.BASE_UNITS.builtIn()));

    Files.writeString(file, "DCGM_FI_DEV_GPU_TEMP, gauge, warm");
    assertThat(text.reload()).isEqualTo(new Refresh.Loaded<>("DCGM_FI_DEV_GPU_TEMP, gauge, warm"));
    Files.delete(file);
    assertThat(problem(text)).isEqualTo("no such file");
  }

  @Test
  void theLegacyFileIsItself() throws IOException {
    Path file = folder.resolve("1.x-compatibility-metrics.csv");
    Files.writeString(file, MetricNaming.LEGACY.builtIn());

    assertThat(of(file).reload()).isEqualTo(new Refresh.Loaded<>(MetricNaming.LEGACY.builtIn()));
  }

  private CountersSource of(Path file) {
    return CountersFile.of(file, MetricNaming.BASE_UNITS, folder);
  }

  private static String problem(CountersSource source) {
    return source.reload() instanceof Refresh.Rejected<String>(var problem, _) ? problem : "none";
  }
}
