package io.gpureclaimer.exporter.counters;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * A default file of dcgm-exporter's image, which ours has too. While it is as we ship it, it stands
 * for that of the vocabulary: charts and operators name this file whether they care or not. What
 * somebody has put in its place is served as it is.
 */
public final class ImageCounters implements CountersSource {
  private static final Path FOLDER = Path.of("/etc/dcgm-exporter");

  private static final Set<String> DEFAULTS =
      Set.of("default-counters.csv", "dcp-metrics-included.csv");

  private static final String LEGACY = "1.x-compatibility-metrics.csv";

  private final CountersFile file;
  private final String shipped = Vocabulary.CLASSIC.builtIn();
  private final String meant;

  private ImageCounters(Path file, Vocabulary vocabulary) {
    this.file = new CountersFile(file);
    this.meant = vocabulary.builtIn();
  }

  /**
   * The text of a file that a user named. Where the image's files are not there, they are compiled
   * in.
   *
   * @param file which file
   * @param vocabulary whose file the default one stands for
   */
  public static CountersSource of(Path file, Vocabulary vocabulary) {
    return of(file, vocabulary, FOLDER);
  }

  static CountersSource of(Path file, Vocabulary vocabulary, Path folder) {
    String name = String.valueOf(file.getFileName());
    boolean isThere = Files.exists(file);
    if (!folder.equals(file.getParent())) {
      return new CountersFile(file);
    }
    if (DEFAULTS.contains(name)) {
      return isThere ? new ImageCounters(file, vocabulary) : new BuiltInCounters(vocabulary);
    }
    return name.equals(LEGACY) && !isThere
        ? new BuiltInCounters(Vocabulary.LEGACY)
        : new CountersFile(file);
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public boolean isPolled() {
    return file.isPolled();
  }

  @Override
  public Content read() {
    var found = file.read();
    return found.equals(new Content.Found(shipped)) ? new Content.Found(meant) : found;
  }
}
