package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.prometheus.RangeSeries;
import io.gpureclaimer.reclaimer.evidence.prometheus.VectorSample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The answer to a question about a slice: taken series by series, and handed on look by look. What
 * would be too much for our memory is not kept. Confined to one thread at a time.
 */
final class SliceSamples implements Consumer<RangeSeries> {
  private final long most;
  private final List<Cursor> series = new ArrayList<>();
  private long samples;

  /**
   * @param most samples to keep
   */
  SliceSamples(long most) {
    this.most = most;
  }

  /** One series, and which of its samples is the next. */
  private static final class Cursor {
    private final RangeSeries of;
    private int next;

    private Cursor(RangeSeries of) {
      this.of = of;
    }
  }

  @Override
  public void accept(RangeSeries one) {
    samples += one.size();
    if (isTooMuch()) {
      series.clear();
    } else {
      series.add(new Cursor(one));
    }
  }

  /** Whether there were more samples than are kept, so that none is. */
  boolean isTooMuch() {
    return samples > most;
  }

  /** How many samples there were. */
  long samples() {
    return samples;
  }

  /** Hands on the samples of one look; looks are asked for in the order of their times. */
  void at(long epochMillis, Consumer<VectorSample> into) {
    for (Cursor cursor : series) {
      RangeSeries one = cursor.of;
      while (cursor.next < one.size() && one.atMillis(cursor.next) < epochMillis) {
        cursor.next++;
      }
      if (cursor.next < one.size() && one.atMillis(cursor.next) == epochMillis) {
        into.accept(one.sample(cursor.next));
      }
    }
  }
}
