package io.gpureclaimer.exporter.counters;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A file that is compiled in; it never changes. */
public final class BuiltInCounters implements CountersText {
  /** Where dcgm-exporter's image has its files; its chart names the first of them. */
  private static final Set<Path> DEFAULTS_OF_THE_IMAGE =
      Set.of(
          Path.of("/etc/dcgm-exporter/default-counters.csv"),
          Path.of("/etc/dcgm-exporter/dcp-metrics-included.csv"));

  private static final Path LEGACY_OF_THE_IMAGE =
      Path.of("/etc/dcgm-exporter/1.x-compatibility-metrics.csv");

  private final Vocabulary vocabulary;

  /**
   * @param vocabulary whose names it uses
   */
  public BuiltInCounters(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  /**
   * Stands in for a file of dcgm-exporter's image that is not there.
   *
   * @param file which file
   * @param vocabulary whose file stands in for the default one
   */
  public static Optional<BuiltInCounters> insteadOf(Path file, Vocabulary vocabulary) {
    if (Files.exists(file)) {
      return Optional.empty();
    }
    if (DEFAULTS_OF_THE_IMAGE.contains(file)) {
      return Optional.of(new BuiltInCounters(vocabulary));
    }
    return file.equals(LEGACY_OF_THE_IMAGE)
        ? Optional.of(new BuiltInCounters(Vocabulary.LEGACY))
        : Optional.empty();
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
