package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.files.ReloadingFile;
import io.gpureclaimer.common.files.ReloadingFile.Refresh;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Counters file of a user. The default files of dcgm-exporter's image are in ours as well; while
 * such a file has the content that is shipped, the built-in file of the vocabulary replaces it,
 * because charts and operators always name it.
 */
public final class CountersFile implements CountersSource {
  static final int LARGEST_BYTES = 1024 * 1024;
  private static final Path FOLDER = Path.of("/etc/dcgm-exporter");

  private static final Set<String> DEFAULTS =
      Set.of("default-counters.csv", "dcp-metrics-included.csv");

  private static final String LEGACY = "1.x-compatibility-metrics.csv";

  private final ReloadingFile<String> file;

  private CountersFile(Path file, ReloadingFile.Parser<String> parser) {
    this.file = new ReloadingFile<>(file, LARGEST_BYTES, CodingErrorAction.REPORT, parser);
  }

  /**
   * The text of a file that a user named. Where the image's files do not exist, they are compiled
   * in.
   *
   * @param vocabulary whose file the default one stands for
   */
  public static CountersSource of(Path file, MetricNaming vocabulary) {
    return of(file, vocabulary, FOLDER);
  }

  static CountersSource of(Path file, MetricNaming vocabulary, Path folder) {
    String name = folder.equals(file.getParent()) ? String.valueOf(file.getFileName()) : "";
    boolean exists = Files.exists(file);
    if (DEFAULTS.contains(name)) {
      String shipped = MetricNaming.CLASSIC.builtIn();
      return exists
          ? new CountersFile(file, text -> text.equals(shipped) ? vocabulary.builtIn() : text)
          : new BuiltInCounters(vocabulary);
    }
    return name.equals(LEGACY) && !exists
        ? new BuiltInCounters(MetricNaming.LEGACY)
        : new CountersFile(file, text -> text);
  }

  @Override
  public String name() {
    return "counters file " + file.path();
  }

  @Override
  public Refresh<String> refresh() {
    return file.refreshSettled();
  }

  @Override
  public Refresh<String> reload() {
    return file.reload();
  }
}
