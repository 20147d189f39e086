package io.gpureclaimer.reclaimer.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Samples of the past, as the blocks in which a Prometheus stores them. Confined to one thread. */
public final class Backfill {
  private final StringBuilder lines = new StringBuilder();

  /** What makes the blocks, if this machine has it. */
  public static Optional<Path> tool() {
    return DebianTool.of("prometheus", "promtool");
  }

  /** One sample. */
  public void add(String name, Map<String, String> labels, double value, Instant at) {
    lines
        .append(name)
        .append('{')
        .append(
            labels.entrySet().stream()
                .map(label -> label.getKey() + "=\"" + label.getValue() + "\"")
                .collect(Collectors.joining(",")))
        .append("} ")
        .append(String.format(Locale.ROOT, "%.3f", value))
        .append(' ')
        .append(at.getEpochSecond())
        .append('\n');
  }

  /**
   * Writes all of them.
   *
   * @param directory of a Prometheus that is not running yet
   */
  public void into(Path directory) throws IOException, InterruptedException {
    Path text = Files.writeString(directory.resolve("past.txt"), lines + "# EOF\n");
    Process process =
        new ProcessBuilder(
                tool().orElseThrow().toString(),
                "tsdb",
                "create-blocks-from",
                "openmetrics",
                "--quiet",
                text.toString(),
                directory.resolve("data").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("expected blocks, found " + said);
    }
  }
}
