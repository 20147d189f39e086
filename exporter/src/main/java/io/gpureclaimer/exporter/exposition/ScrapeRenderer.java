package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.attribution.SourceState;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.gpureclaimer.exporter.exposition.own.UnmatchedConfig;
import io.gpureclaimer.exporter.exposition.text.OpenMetrics;
import io.gpureclaimer.exporter.exposition.text.SeriesStyle;
import io.gpureclaimer.exporter.exposition.text.SnapshotText;
import io.gpureclaimer.exporter.exposition.text.TextBuffer;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Renders each snapshot once, into one reused buffer.
 *
 * <p>Synchronized because the text of a snapshot must stay in the buffer until it is copied or
 * compressed.
 */
final class ScrapeRenderer {
  /**
   * Input of rendering one sampling pass.
   *
   * @param snapshot all that was seen, which is what the ledger is about
   * @param selected the same, with those devices only whose series are served
   * @param counters what is served of them
   * @param unmatched what is selected and does not exist
   * @param ledger observed allocations
   * @param source state of the source of the holders
   */
  record RenderInput(
      Snapshot snapshot,
      Snapshot selected,
      CounterSet counters,
      UnmatchedConfig unmatched,
      List<DeviceObservation> ledger,
      SourceState source) {
    RenderInput {
      ledger = List.copyOf(ledger);
    }
  }

  private static final byte[] NOTHING = {};

  private final OwnMetrics own;
  private final SnapshotText text;
  private final MonotonicClock monotonic;
  private @Nullable RenderInput rendered;
  private TextBuffer page = new TextBuffer();

  /**
   * @param own what the agent says about itself when an input is written
   * @param style how series are written
   * @param monotonic monotonic clock
   */
  ScrapeRenderer(OwnMetrics own, SeriesStyle style, MonotonicClock monotonic) {
    this.own = own;
    this.text = new SnapshotText(style);
    this.monotonic = monotonic;
  }

  /** Renders the input, unless it was rendered last, and applies the function to the text. */
  @SuppressWarnings("ReferenceEquality") // the same one, not one that says the same
  synchronized byte[] render(RenderInput input, Function<TextBuffer, byte[]> form) {
    if (rendered != input) {
      rendered = null;
      page = write(input, own.text());
      rendered = input;
    }
    return form.apply(page);
  }

  /** The same in OpenMetrics, for the few who ask for it. */
  synchronized byte[] renderOpenMetrics(RenderInput input, Function<TextBuffer, byte[]> form) {
    rendered = null;
    return form.apply(OpenMetrics.of(write(input, NOTHING), own.openMetrics()));
  }

  private TextBuffer write(RenderInput input, byte[] ownMetrics) {
    long began = monotonic.nanos();
    var written =
        text.render(
            input.snapshot(), input.selected(), input.counters(), input.ledger(), ownMetrics);
    own.rendered(Duration.ofNanos(monotonic.nanos() - began));
    return written;
  }
}
