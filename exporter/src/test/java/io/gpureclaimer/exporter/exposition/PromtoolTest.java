package io.gpureclaimer.exporter.exposition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpureclaimer.exporter.attribution.SourceState.OfFile;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Prometheus' own checker thinks of a whole scrape. It may complain only of the names that
 * dcgm-exporter chose. Rewrite the file with {@code -Dgolden.update=true}.
 */
class PromtoolTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/promtool.txt");

  @TempDir Path folder;

  @Test
  void complainsOnlyOfNamesThatAreNotOurs() throws Exception {
    var promtool = promtool();
    assumeTrue(promtool.isPresent(), "promtool is not on the PATH");

    String said = check(promtool.orElseThrow(), wholeScrape());

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GOLDEN, said);
    }
    assertThat(said).isEqualTo(Files.readString(GOLDEN));
    assertThat(said.lines()).allMatch(line -> line.startsWith("DCGM_FI_"));
  }

  private static byte[] wholeScrape() {
    var own = new OwnMetrics("1.2.3", "25.0.3", Samples.noXids());
    own.observe(Samples.twoGpus(), new OfFile(true));
    return new SnapshotText(Style.CLASSIC)
        .render(Samples.twoGpus(), ClassicCounters.set(), Samples.ledger(), own.text());
  }

  private String check(Path promtool, byte[] scrape) throws IOException, InterruptedException {
    Path input = Files.write(folder.resolve("scrape.prom"), scrape);
    var process =
        new ProcessBuilder(promtool.toString(), "check", "metrics")
            .redirectInput(input.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  private static Optional<Path> promtool() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(":", -1))
        .map(folder -> Path.of(folder, "promtool"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
