package io.gpureclaimer.exporter.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.exposition.text.SeriesStyle;
import io.gpureclaimer.exporter.exposition.text.SnapshotText;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** The nodes of the benchmarks have as many series as they say, and so has the peer. */
class RenderedNodeTest {
  private static final byte[] NOTHING = {};

  @Test
  void has496Series_whenThatIsWhatIsMeasured() {
    assertSeries(RenderedNode.OF_500_SERIES, 496);
  }

  @Test
  void has7000Series_whenThatIsWhatIsMeasured() {
    assertSeries(RenderedNode.OF_7000_SERIES, 7_000);
  }

  private static void assertSeries(RenderedNode node, int expected) {
    byte[] rendered =
        new SnapshotText(SeriesStyle.CLASSIC)
            .render(node.snapshots(1).getFirst(), node.counters(), node.ledger(0), NOTHING)
            .toByteArray();
    String text = new String(rendered, StandardCharsets.UTF_8);
    assertThat(text.lines().filter(line -> !line.startsWith("#"))).hasSize(expected);
    assertThat(Collections.list(SimpleclientBaseline.of(text).metricFamilySamples()))
        .flatMap(family -> family.samples)
        .hasSize(expected);
  }
}
