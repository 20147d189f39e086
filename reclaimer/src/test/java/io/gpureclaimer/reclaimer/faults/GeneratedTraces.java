package io.gpureclaimer.reclaimer.faults;

import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Work and rest in turn, each for up to an hour, with some unknown periods. */
final class GeneratedTraces {
  static final long SEED = 20_261_122;
  private static final int SAMPLES = 150;

  private GeneratedTraces() {}

  /** Pods with one GPU. */
  static List<TracedPod> pods(int count) {
    return IntStream.range(0, count).mapToObj(i -> TracedPod.of(List.of(trace(i)))).toList();
  }

  private static DutyCycleTrace trace(int number) {
    var random = new Random(SEED + number);
    NavigableMap<Instant, Double> samples = new TreeMap<>();
    boolean works = true;
    int left = 0;
    for (int i = 0; i < SAMPLES; i++) {
      if (left-- == 0) {
        works = !works;
        left = 1 + random.nextInt(works ? 20 : 63);
      }
      if (random.nextInt(200) > 0) {
        samples.put(
            SkewedClocks.START.plus(DutyCycleTrace.INTERVAL.multipliedBy(i)), works ? 40.0 : 0.0);
      }
    }
    return new DutyCycleTrace("pod-" + number, samples);
  }
}
