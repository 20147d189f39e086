package io.gpureclaimer.exporter.exposition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpureclaimer.exporter.StrictOpenMetrics;
import io.gpureclaimer.exporter.StrictScrape;
import io.gpureclaimer.exporter.StrictScrape.Family;
import io.gpureclaimer.exporter.StrictScrape.ScrapedSample;
import io.gpureclaimer.exporter.exposition.text.LabelBlock;
import io.gpureclaimer.exporter.exposition.text.OpenMetrics;
import io.gpureclaimer.exporter.exposition.text.TextBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import org.junit.jupiter.api.Test;

/** Any snapshot is rendered in the text format, without duplicates. */
class RandomSnapshotsTest {

  @Property
  @Tag("fuzz")
  void everyScrapeIsValid(@ForAll long seed) {
    List<Family> families = StrictScrape.parse(RandomSnapshots.of(seed).scrape());

    assertThat(families).extracting(Family::name).contains("gpu_exporter_build_info");
  }

  /** Of itself the agent does not say the same twice: it works meanwhile. */
  @Property
  @Tag("fuzz")
  void openMetricsSaysTheSame(@ForAll long seed) {
    var scene = RandomSnapshots.of(seed);

    var families = StrictOpenMetrics.parse(scene.openMetrics());
    var inText = StrictScrape.parse(scene.scrape());

    assertThat(families)
        .extracting(Family::name)
        .containsExactlyInAnyOrderElementsOf(inText.stream().map(Family::name).toList());
    assertThat(families.stream().filter(RandomSnapshotsTest::isOfDevices).map(Family::samples))
        .containsExactlyElementsOf(
            inText.stream().filter(RandomSnapshotsTest::isOfDevices).map(Family::samples).toList());
  }

  private static boolean isOfDevices(Family family) {
    return family.name().matches("(?:DCGM_|dcgm_|gpu_pod_).*");
  }

  @Test
  void onlyWhatIsCalledACounterIsOne_inOpenMetrics() {
    String text =
        """
        # HELP a_total with "quotes"
        # TYPE a_total counter
        a_total{b="# c"} 1
        # HELP A_TOTAL \\\\ and \\n
        # TYPE A_TOTAL counter
        A_TOTAL 2
        # HELP d gauge
        # TYPE d gauge
        d 3
        # HELP e\s
        # TYPE e histogram
        e 4
        """;

    assertThat(
            OpenMetrics.of(
                    new TextBuffer().append(text.getBytes(StandardCharsets.UTF_8)), new byte[0])
                .toByteArray())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(
            """
            # HELP a with \\"quotes\\"
            # TYPE a counter
            a_total{b="# c"} 1
            # HELP A_TOTAL \\\\ and \\n
            # TYPE A_TOTAL unknown
            A_TOTAL 2
            # HELP d gauge
            # TYPE d gauge
            d 3
            # HELP e\s
            # TYPE e unknown
            e 4
            # EOF
            """);
  }

  @Test
  void theReaderOfOpenMetricsRefusesWhatIsWrong() {
    assertThat(
            List.of(
                "# HELP m h\n# TYPE m gauge\nm 1\n",
                "# HELP m_total h\n# TYPE m_total counter\nm_total 1\n# EOF\n",
                "# HELP m h\n# TYPE m counter\nm 1\n# EOF\n",
                "# HELP m h\n# TYPE m counter\nm_created 1\n# EOF\n",
                "# HELP m \"h\n# TYPE m gauge\nm 1\n# EOF\n",
                "# HELP m h\n# TYPE m untyped\nm 1\n# EOF\n",
                "# HELP m h\nm 1\n# EOF\n",
                "# EOF\nm 1\n# EOF\n"))
        .allSatisfy(
            text ->
                assertThatExceptionOfType(AssertionError.class)
                    .as(text)
                    .isThrownBy(
                        () -> StrictOpenMetrics.parse(text.getBytes(StandardCharsets.UTF_8))));
  }

  @Property
  @Tag("fuzz")
  void everyTextArrivesAsItWas(@ForAll String text) {
    String line = "# HELP m h\n# TYPE m gauge\nm";
    byte[] block = new LabelBlock().with("a", text).encoded();

    var families =
        StrictScrape.parse(
            (line + new String(block, StandardCharsets.UTF_8) + "1\n")
                .getBytes(StandardCharsets.UTF_8));

    String sayable = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    assertThat(families.getFirst().samples())
        .extracting(ScrapedSample::series)
        .extracting(series -> series.labels().getOrDefault("a", ""))
        .containsExactly(sayable);
  }

  /** The strict reader is worth something only if it refuses what is wrong. */
  @Test
  void theReaderRefusesWhatIsWrong() {
    String head = "# HELP m h\n# TYPE m gauge\n";
    assertThat(
            StrictScrape.parse(
                (head + "m{a=\"\\\\\\\"\\n\"} 1\nm 2\n").getBytes(StandardCharsets.UTF_8)))
        .hasSize(1);
    assertThat(
            List.of(
                head + "m 1",
                head + "m 1\nm 2\n",
                head + "m{a=\"\"} 1\nm 2\n",
                head + "m{a=\"b\",a=\"c\"} 1\n",
                head + "m{a=\"b\"c=\"d\"} 1\n",
                head + "m{a=\"\\t\"} 1\n",
                head + "m{a=\"b} 1\n",
                head + "m{__a=\"b\"} 1\n",
                head + "m{1=\"b\"} 1\n",
                head + "m{a=\"b\"}  1\n",
                head + "m one\n",
                head + "n 1\n",
                head + "\n",
                head + "m 1\n" + head,
                "m 1\n",
                "# TYPE m gauge\nm 1\n",
                "# HELP m h\nm 1\n",
                "# HELP m \\t\n# TYPE m gauge\nm 1\n",
                "# HELP m h\n# TYPE m meter\nm 1\n"))
        .allSatisfy(RandomSnapshotsTest::assertRefused);
  }

  private static void assertRefused(String text) {
    assertThatExceptionOfType(AssertionError.class)
        .as(text)
        .isThrownBy(() -> StrictScrape.parse(text.getBytes(StandardCharsets.UTF_8)));
  }
}
