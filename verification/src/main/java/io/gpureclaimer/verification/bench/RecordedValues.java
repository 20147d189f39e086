package io.gpureclaimer.verification.bench;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** File of the recorded values: for each benchmark its last run that was recorded. */
final class RecordedValues {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path file;

  RecordedValues(Path file) {
    this.file = file;
  }

  /**
   * A recorded run.
   *
   * @param machine its circumstances
   * @param values by name, in the order in which they were printed
   */
  record RecordedRun(MeasuredMachine machine, Map<String, MeasuredValue> values) {}

  /** The run as the file has it: one line for each value. */
  private record StoredRun(MeasuredMachine machine, Map<String, String> values) {}

  /** The runs by benchmark; empty if nothing was recorded. */
  Map<String, RecordedRun> read() throws IOException {
    var runs = new TreeMap<String, RecordedRun>();
    if (Files.exists(file)) {
      JSON.readValue(file.toFile(), new TypeReference<Map<String, StoredRun>>() {})
          .forEach((name, entry) -> runs.put(name, run(entry)));
    }
    return runs;
  }

  private static RecordedRun run(StoredRun entry) {
    var values = new LinkedHashMap<String, MeasuredValue>();
    entry.values().forEach((name, text) -> values.put(name, MeasuredValue.parse(text)));
    return new RecordedRun(entry.machine(), values);
  }

  /** Replaces the run of one benchmark. */
  void record(String benchmark, RecordedRun run) throws IOException {
    Map<String, RecordedRun> runs = read();
    runs.put(benchmark, run);
    var entries = new LinkedHashMap<String, StoredRun>();
    runs.forEach((name, each) -> entries.put(name, entry(each)));
    Files.writeString(file, JSON.writeValueAsString(entries) + "\n");
  }

  private static StoredRun entry(RecordedRun run) {
    var texts = new LinkedHashMap<String, String>();
    run.values().forEach((name, value) -> texts.put(name, value.text()));
    return new StoredRun(run.machine(), texts);
  }
}
