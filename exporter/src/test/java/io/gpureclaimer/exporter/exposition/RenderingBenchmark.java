package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.exposition.LatestSnapshot.RenderedScrape;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.gpureclaimer.exporter.exposition.text.SeriesStyle;
import io.gpureclaimer.exporter.exposition.text.SnapshotText;
import io.gpureclaimer.exporter.exposition.text.TextBuffer;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What a pass costs after it has asked: the text, and the text compressed. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RenderingBenchmark {
  private static final int PASSES = 2;
  private static final byte[] NOTHING = {};

  @Param({"500", "7000"})
  public String series = "500";

  private final SnapshotText text = new SnapshotText(SeriesStyle.CLASSIC);
  private final OwnMetrics own = new OwnMetrics("1.2.3", "25", TestSamples.noXids());
  private final Snapshot[] snapshots = new Snapshot[PASSES];
  private CounterSet counters = RenderedNode.OF_500_SERIES.counters();
  private List<DeviceObservation> ledger = List.of();
  private TextBuffer rendered = new TextBuffer();
  private CollectorRegistry peer = new CollectorRegistry();
  private int pass;

  /** The peer has the very same series. */
  @Setup
  public void prepare() {
    var node = series.equals("500") ? RenderedNode.OF_500_SERIES : RenderedNode.OF_7000_SERIES;
    counters = node.counters();
    ledger = node.ledger(0);
    node.snapshots(PASSES).toArray(snapshots);
    own.observe(snapshots[0], new NotConfigured());
    byte[] once = text.render(snapshots[0], counters, ledger, NOTHING).toByteArray();
    rendered = new TextBuffer().append(once);
    peer = SimpleclientBaseline.of(new String(once, StandardCharsets.UTF_8));
  }

  /** Devices and ledger, without what the agent says of itself. */
  @Benchmark
  public int ours() {
    return render().length();
  }

  /** The same, and the copy that a scraper gets who does not ask for compression. */
  @Benchmark
  public byte[] plain() {
    return render().toByteArray();
  }

  /** The same series by simpleclient's own writer. */
  @Benchmark
  public byte[] simpleclient() throws IOException {
    var out = new ByteArrayOutputStream(1 << 20);
    try (Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8)) {
      TextFormat.write004(writer, peer.metricFamilySamples());
    }
    return out.toByteArray();
  }

  /** Once per snapshot, at the first scrape that asks for it. */
  @Benchmark
  public byte[] gzip() {
    return new RenderedScrape(form -> form.apply(rendered)).gzipped();
  }

  /** What the agent says of itself; a constant few dozen series. */
  @Benchmark
  public byte[] ownMetrics() {
    return own.text();
  }

  private TextBuffer render() {
    pass = (pass + 1) % PASSES;
    return text.render(snapshots[pass], counters, ledger, NOTHING);
  }
}
