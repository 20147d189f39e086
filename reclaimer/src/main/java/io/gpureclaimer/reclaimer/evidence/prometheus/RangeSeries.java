package io.gpureclaimer.reclaimer.evidence.prometheus;

import io.gpureclaimer.reclaimer.evidence.MetricSample;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;

/** One series of a range: its labels once, its samples in the order of their times. */
public final class RangeSeries {
  private final Map<String, String> labels;
  private final long[] atMillis;
  private final double[] values;

  private RangeSeries(Map<String, String> labels, long[] atMillis, double[] values) {
    this.labels = Map.copyOf(labels);
    this.atMillis = atMillis;
    this.values = values;
  }

  /** Those of its labels that were asked for. */
  Map<String, String> labels() {
    return labels;
  }

  public int size() {
    return values.length;
  }

  public long atMillis(int index) {
    return atMillis[index];
  }

  public MetricSample sample(int index) {
    return new MetricSample(labels, values[index], Instant.ofEpochMilli(atMillis[index]));
  }

  /** Hands on its samples. */
  public void forEach(Consumer<MetricSample> into) {
    for (int i = 0; i < size(); i++) {
      into.accept(sample(i));
    }
  }

  /** The samples of one series while they come. Confined to one thread. */
  static final class Draft {
    private long[] atMillis = new long[16];
    private double[] values = new double[16];
    private int size;

    void add(Instant at, double value) {
      if (size == values.length) {
        atMillis = Arrays.copyOf(atMillis, 2 * size);
        values = Arrays.copyOf(values, 2 * size);
      }
      atMillis[size] = at.toEpochMilli();
      values[size] = value;
      size++;
    }

    RangeSeries of(Map<String, String> labels) {
      return new RangeSeries(labels, Arrays.copyOf(atMillis, size), Arrays.copyOf(values, size));
    }
  }
}
