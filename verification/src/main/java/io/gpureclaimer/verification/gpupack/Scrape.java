package io.gpureclaimer.verification.gpupack;

import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.direct.ExpositionParser;
import io.gpureclaimer.reclaimer.evidence.direct.ExpositionParser.Parsed;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One scrape of the agent.
 *
 * @param text as the agent wrote it
 * @param at when the scrape was complete
 */
record Scrape(String text, List<MetricSample> samples, Instant at) {
  private static final String UUID = "UUID";
  private static final String INSTANCE = "GPU_I_ID";

  Scrape {
    samples = List.copyOf(samples);
  }

  /**
   * Parses a scrape.
   *
   * @throws IllegalStateException if the text is malformed
   */
  static Scrape parse(String text, Instant at) {
    return switch (ExpositionParser.parse(text, names(text), at)) {
      case Parsed.Samples(var samples) -> new Scrape(text, samples, at);
      case Parsed.Malformed(int line, String why) ->
          throw new IllegalStateException("line " + line + " of the scrape: expected " + why);
    };
  }

  private static Set<String> names(String text) {
    return text.lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("[{ ]", 2)[0])
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Names of the metrics with a prefix, in order. */
  Set<String> metrics(String prefix) {
    var names = new TreeSet<String>();
    for (MetricSample sample : samples) {
      String name = sample.name();
      if (name != null && name.startsWith(prefix)) {
        names.add(name);
      }
    }
    return names;
  }

  /** UUIDs of the GPUs that responded in the last pass. */
  Set<String> gpus() {
    return named("gpu_exporter_gpu_up")
        .filter(sample -> sample.value() == 1)
        .map(sample -> sample.labels().getOrDefault(UUID, ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Value of a whole GPU; the largest if the GPU has several series. */
  OptionalDouble value(String metric, String gpu) {
    return ofGpu(metric, gpu).mapToDouble(MetricSample::value).max();
  }

  /** Labels of the GPU's memory series, which every GPU has. */
  Map<String, String> labels(String gpu) {
    return ofGpu("DCGM_FI_DEV_FB_TOTAL", gpu)
        .findFirst()
        .map(MetricSample::labels)
        .orElse(Map.of());
  }

  /** Sum of all series of a metric; empty without any. */
  OptionalDouble sum(String metric) {
    double[] values = named(metric).mapToDouble(MetricSample::value).toArray();
    return values.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Arrays.stream(values).sum());
  }

  Stream<MetricSample> named(String metric) {
    return samples.stream().filter(sample -> metric.equals(sample.name()));
  }

  private Stream<MetricSample> ofGpu(String metric, String gpu) {
    return named(metric)
        .filter(sample -> gpu.equals(sample.labels().get(UUID)))
        .filter(sample -> !sample.labels().containsKey(INSTANCE));
  }
}
