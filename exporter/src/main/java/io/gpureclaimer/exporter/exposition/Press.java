package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.gpureclaimer.exporter.exposition.text.OpenMetrics;
import io.gpureclaimer.exporter.exposition.text.SnapshotText;
import io.gpureclaimer.exporter.exposition.text.Style;
import io.gpureclaimer.exporter.exposition.text.TextBuffer;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes editions down, each once, into one buffer that all of them use.
 *
 * <p>Synchronized because the text of an edition must stand until its form has been made of it.
 */
final class Press {
  private static final byte[] NOTHING = {};

  private final OwnMetrics own;
  private final SnapshotText text;
  private final MonotonicClock monotonic;
  private @Nullable Edition set;
  private TextBuffer page = new TextBuffer();

  /**
   * @param own what the agent says about itself when an edition is written
   * @param style how series are told
   * @param monotonic monotonic clock
   */
  Press(OwnMetrics own, Style style, MonotonicClock monotonic) {
    this.own = own;
    this.text = new SnapshotText(style);
    this.monotonic = monotonic;
  }

  /** What is made of an edition; it is not written again if it was the last one. */
  @SuppressWarnings("ReferenceEquality") // the same one, not one that says the same
  synchronized byte[] print(Edition edition, Function<TextBuffer, byte[]> form) {
    if (set != edition) {
      set = null;
      page = write(edition, own.text());
      set = edition;
    }
    return form.apply(page);
  }

  /** The same in OpenMetrics, for the few who ask for it. */
  synchronized byte[] printOpenMetrics(Edition edition, Function<TextBuffer, byte[]> form) {
    set = null;
    return form.apply(OpenMetrics.of(write(edition, NOTHING), own.openMetrics()));
  }

  private TextBuffer write(Edition edition, byte[] ownMetrics) {
    long began = monotonic.nanos();
    var written =
        text.render(
            edition.snapshot(),
            edition.selected(),
            edition.counters(),
            edition.ledger(),
            ownMetrics);
    own.rendered(Duration.ofNanos(monotonic.nanos() - began));
    return written;
  }
}
