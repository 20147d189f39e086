package io.gpureclaimer.exporter.exposition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpureclaimer.exporter.attribution.SourceState.OfFile;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.gpureclaimer.exporter.exposition.text.SeriesStyle;
import io.gpureclaimer.exporter.exposition.text.SnapshotText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Prometheus' own checker thinks of whole scrapes. It may complain only of the names that
 * dcgm-exporter chose, and of one of ours. Rewrite the file with {@code -Dgolden.update=true}.
 */
@Tag("slow")
class PromtoolTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/promtool.txt");
  private static final int SCENES = 300;

  /** What it says when it could read a scrape and only dislikes names, or likes all. */
  private static final Set<Integer> READ = Set.of(0, 3);

  /** These have the labels of DCGM's families, to be joined with them. */
  private static final String DCGM_LABELS =
      "(gpu_xid_errors_total|gpu_exporter_gpu_down) label names should be .*";

  /** A name that others rely on: it is how many devices, and no part of a histogram. */
  private static final String DEVICE_COUNT =
      "gpu_pod_device_count non-histogram and non-summary metrics should not have \"_count\""
          + " suffix";

  @TempDir Path folder;
  private Path promtool = Path.of("");

  @BeforeEach
  void find() {
    var found = candidates().filter(Files::isExecutable).findFirst();
    assumeTrue(found.isPresent(), "promtool is not on the PATH, nor where ./test unpacks it");
    promtool = found.orElseThrow();
  }

  @Test
  void complainsOnlyOfNamesThatAreNotOurs() throws Exception {
    String said = check(wholeScrape());

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GOLDEN, said);
    }
    assertThat(said).isEqualTo(Files.readString(GOLDEN));
    assertThat(said.lines())
        .filteredOn(line -> !line.startsWith("DCGM_FI_"))
        .containsExactly(DEVICE_COUNT);
  }

  @Test
  void readsEveryScrape_whateverIsToBeReported() throws Exception {
    for (int seed = 0; seed < SCENES; seed++) {
      byte[] scrape = RandomSnapshots.of(seed).scrape();

      String said = check(scrape);

      assertThat(said.lines())
          .as("scene %s", seed)
          .allMatch(
              line ->
                  line.startsWith("DCGM_")
                      || line.startsWith("dcgm_")
                      || line.equals(DEVICE_COUNT)
                      || line.matches(DCGM_LABELS));
    }
  }

  private static byte[] wholeScrape() {
    var own = new OwnMetrics("1.2.3", "25.0.3", TestSamples.noXids());
    own.observe(TestSamples.twoGpus(), new OfFile(true));
    return new SnapshotText(SeriesStyle.CLASSIC)
        .render(TestSamples.twoGpus(), ClassicCounters.set(), TestSamples.ledger(), own.text())
        .toByteArray();
  }

  private String check(byte[] scrape) throws IOException, InterruptedException {
    Path input = Files.write(folder.resolve("scrape.prom"), scrape);
    var process =
        new ProcessBuilder(promtool.toString(), "check", "metrics")
            .redirectInput(input.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isIn(READ);
    return said;
  }

  private static Stream<Path> candidates() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(
        Arrays.stream(path.split(":", -1)).map(folder -> Path.of(folder, "promtool")),
        Stream.of(cache().resolve("debian/prometheus/usr/bin/promtool")));
  }

  /** As {@code verification/sh/toolchain} finds it. */
  private static Path cache() {
    return Optional.ofNullable(System.getenv("GPU_RECLAIMER_CACHE"))
        .map(Path::of)
        .orElseGet(
            () ->
                Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                    .map(Path::of)
                    .orElse(Path.of(System.getProperty("user.home"), ".cache"))
                    .resolve("gpu-reclaimer"));
  }
}
