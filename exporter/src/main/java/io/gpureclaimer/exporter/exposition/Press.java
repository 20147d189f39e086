package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.gpureclaimer.exporter.exposition.text.SnapshotText;
import io.gpureclaimer.exporter.exposition.text.Style;
import io.gpureclaimer.exporter.exposition.text.TextBuffer;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes editions down, each once, into one buffer that all of them use.
 *
 * <p>Synchronized because the text of an edition must stand until its form has been made of it.
 */
final class Press {
  private final OwnMetrics own;
  private final SnapshotText text;
  private final LongSupplier nanoTime;
  private @Nullable Edition set;
  private TextBuffer page = new TextBuffer();

  /**
   * @param own what the agent says about itself when an edition is written
   * @param style how series are told
   * @param nanoTime a clock that nobody sets, in nanoseconds
   */
  Press(OwnMetrics own, Style style, LongSupplier nanoTime) {
    this.own = own;
    this.text = new SnapshotText(style);
    this.nanoTime = nanoTime;
  }

  /** What is made of an edition; it is not written again if it was the last one. */
  @SuppressWarnings("ReferenceEquality") // the same one, not one that says the same
  synchronized byte[] print(Edition edition, Function<TextBuffer, byte[]> form) {
    if (set != edition) {
      set = null;
      write(edition);
      set = edition;
    }
    return form.apply(page);
  }

  private void write(Edition edition) {
    long began = nanoTime.getAsLong();
    page =
        text.render(
            edition.snapshot(),
            edition.selected(),
            edition.counters(),
            edition.ledger(),
            own.text());
    own.rendered(Duration.ofNanos(nanoTime.getAsLong() - began));
  }
}
