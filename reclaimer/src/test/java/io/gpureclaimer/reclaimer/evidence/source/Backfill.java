package io.gpureclaimer.reclaimer.evidence.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Samples of the past, as servers take them. Confined to one thread. */
public final class Backfill {

  private record BackfilledSample(
      String name, Map<String, String> labels, double value, Instant at) {
    private String text(long time) {
      return name
          + "{"
          + labels.entrySet().stream()
              .map(label -> label.getKey() + "=\"" + label.getValue() + "\"")
              .collect(Collectors.joining(","))
          + "} "
          + String.format(Locale.ROOT, "%.3f", value)
          + " "
          + time
          + "\n";
    }

    private RemoteWrite.WrittenSample written() {
      SortedMap<String, String> all = new TreeMap<>(labels);
      all.put("__name__", name);
      return new RemoteWrite.WrittenSample(all, at.toEpochMilli(), value);
    }
  }

  private final List<BackfilledSample> samples = new ArrayList<>();

  /** What makes a Prometheus's blocks, if this machine has it. */
  public static Optional<Path> tool() {
    return DebianTool.of("prometheus", "promtool");
  }

  /**
   * What agents reported about them in the last ten minutes; each pod has one GPU and its name for
   * UID.
   */
  static Backfill ofIdlePods(Instant now, String... pods) {
    var past = new Backfill();
    for (String pod : pods) {
      Map<String, String> labels = Map.of("pod_uid", pod, "UUID", "GPU-" + pod);
      for (int ago = 600; ago >= 0; ago -= 15) {
        Instant at = now.minusSeconds(ago);
        past.add(LedgerMetrics.OBSERVED_SINCE, labels, now.getEpochSecond() - 3_600.0, at);
        past.add(LedgerMetrics.OBSERVED_UNTIL, labels, (double) at.getEpochSecond(), at);
        past.add(LedgerMetrics.BUSY, labels, 0, at);
      }
    }
    return past;
  }

  /** One sample. */
  public void add(String name, Map<String, String> labels, double value, Instant at) {
    samples.add(new BackfilledSample(name, Map.copyOf(labels), value, at));
  }

  boolean isEmpty() {
    return samples.isEmpty();
  }

  /** All of them in the text format of Prometheus. */
  String inMilliseconds() {
    return text(Instant::toEpochMilli);
  }

  /** All of them as they are written remotely, oldest first. */
  List<RemoteWrite.WrittenSample> written() {
    return samples.stream()
        .sorted(Comparator.comparing(BackfilledSample::at))
        .map(BackfilledSample::written)
        .toList();
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
        .map(sample -> sample.text(time.apply(sample.at())))
        .collect(Collectors.joining());
  }
}
