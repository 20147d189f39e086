package io.gpureclaimer.reclaimer.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * What one real pod's GPU did, as it was recorded: its duty cycle in percent, one sample for each
 * interval that ends there. An interval without a sample is unknown.
 *
 * @param pod its name
 * @param samples by the end of their interval
 */
record DutyCycleTrace(String pod, NavigableMap<Instant, Double> samples) {

  /** Interval of the samples, where none is lost. */
  static final Duration INTERVAL = Duration.ofSeconds(57);

  /** All traces of {@code gpu_duty_cycle.csv.gz} in the directory, moved in time to begin then. */
  static List<DutyCycleTrace> all(Path directory, Instant beginning) throws IOException {
    Map<String, NavigableMap<Long, Double>> rows = new TreeMap<>();
    Path file = directory.resolve("gpu_duty_cycle.csv.gz");
    try (var reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      reader.readLine();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] cells = line.strip().split(",", -1);
        rows.computeIfAbsent(cells[1], _ -> new TreeMap<>())
            .put(Long.parseLong(cells[0]), Double.parseDouble(cells[2]));
      }
    }
    long first = rows.values().stream().mapToLong(row -> row.firstKey()).min().orElseThrow();
    var traces = new ArrayList<DutyCycleTrace>();
    rows.forEach(
        (pod, row) -> {
          NavigableMap<Instant, Double> samples = new TreeMap<>();
          row.forEach((at, percent) -> samples.put(beginning.plusSeconds(at - first), percent));
          traces.add(new DutyCycleTrace(pod, samples));
        });
    return traces;
  }

  Instant from() {
    return samples.firstKey().minus(INTERVAL);
  }

  Instant to() {
    return samples.lastKey();
  }

  /** Whether its work at that moment is known. */
  boolean isKnownAt(Instant moment) {
    Map.Entry<Instant, Double> sample = samples.ceilingEntry(moment);
    return sample != null && !moment.isBefore(sample.getKey().minus(INTERVAL));
  }

  /** Whether some sample after the one moment and not after the other shows work. */
  boolean worked(Instant after, Instant until) {
    return after.isBefore(until)
        && samples.subMap(after, false, until, true).values().stream()
            .anyMatch(percent -> percent > 0);
  }

  /** The end of the first interval with work after this moment; the end of all times if none. */
  Instant nextWork(Instant after) {
    return samples.tailMap(after, false).entrySet().stream()
        .filter(sample -> sample.getValue() > 0)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(Instant.MAX);
  }

  /** Its work as far as is known, put to the end of its interval, where others see it too. */
  ActualWork life() {
    var stretches = new ArrayList<ActualWork.WorkPeriod>();
    samples.forEach(
        (at, percent) -> {
          if (percent > 0) {
            stretches.add(new ActualWork.WorkPeriod(at.minusSeconds(1), at));
          }
        });
    return new ActualWork(List.of(stretches));
  }
}
