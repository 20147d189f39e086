package io.gpureclaimer.reclaimer.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Samples of the past, as servers take them. Confined to one thread. */
public final class Backfill {

  /** A sample, written as text but for its time. */
  private record Sample(String text, Instant at) {}

  private final List<Sample> samples = new ArrayList<>();

  /** What makes a Prometheus's blocks, if this machine has it. */
  public static Optional<Path> tool() {
    return DebianTool.of("prometheus", "promtool");
  }

  /** One sample. */
  public void add(String name, Map<String, String> labels, double value, Instant at) {
    samples.add(
        new Sample(
            name
                + "{"
                + labels.entrySet().stream()
                    .map(label -> label.getKey() + "=\"" + label.getValue() + "\"")
                    .collect(Collectors.joining(","))
                + "} "
                + String.format(Locale.ROOT, "%.3f", value),
            at));
  }

  boolean isEmpty() {
    return samples.isEmpty();
  }

  /** All of them in the text format of Prometheus. */
  String inMilliseconds() {
    return text(Instant::toEpochMilli);
  }

  /**
   * Writes all of them as blocks.
   *
   * @param directory of a Prometheus that is not running yet
   */
  public void into(Path directory) throws IOException {
    if (samples.isEmpty()) {
      return;
    }
    String openMetrics = text(Instant::getEpochSecond) + "# EOF\n";
    Path text = Files.writeString(directory.resolve("past.txt"), openMetrics);
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
    if (process.onExit().join().exitValue() != 0) {
      throw new IllegalStateException("expected blocks, found " + said);
    }
  }

  private String text(Function<Instant, Long> time) {
    return samples.stream()
        .map(sample -> sample.text() + " " + time.apply(sample.at()) + "\n")
        .collect(Collectors.joining());
  }
}
