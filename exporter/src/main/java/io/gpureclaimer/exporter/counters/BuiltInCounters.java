package io.gpureclaimer.exporter.counters;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A file that is compiled in; it never changes. */
public final class BuiltInCounters implements CountersText {
  /** Where dcgm-exporter's image has its files; its chart names the first of them. */
  private static final Map<Path, Vocabulary> OF_THE_IMAGE =
      Map.of(
          Path.of("/etc/dcgm-exporter/default-counters.csv"), Vocabulary.CLASSIC,
          Path.of("/etc/dcgm-exporter/dcp-metrics-included.csv"), Vocabulary.CLASSIC,
          Path.of("/etc/dcgm-exporter/1.x-compatibility-metrics.csv"), Vocabulary.LEGACY);

  private final Vocabulary vocabulary;

  /**
   * @param vocabulary whose names it uses
   */
  public BuiltInCounters(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** Stands in for a file of dcgm-exporter's image that is not there. */
  public static Optional<BuiltInCounters> insteadOf(Path file) {
    return Files.exists(file)
        ? Optional.empty()
        : Optional.ofNullable(OF_THE_IMAGE.get(file)).map(BuiltInCounters::new);
  }

  @Override
  public String name() {
    return "built-in counters " + vocabulary.text();
  }

  @Override
  public boolean isCheap() {
    return false;
  }

  @Override
  public Look look() {
    return new Look.Found(vocabulary.builtIn());
  }
}
