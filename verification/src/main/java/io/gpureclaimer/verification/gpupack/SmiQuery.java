package io.gpureclaimer.verification.gpupack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Query of nvidia-smi for the fields that this version of it knows. */
final class SmiQuery {
  static final String UUID = "uuid";
  private static final long LIMIT_SECONDS = 60;

  private final String command;
  private final List<String> fields;

  private SmiQuery(String command, List<String> fields) {
    this.command = command;
    this.fields = List.copyOf(fields);
  }

  /** Finds out which fields nvidia-smi knows; empty if it does not run or has no GPU. */
  static Optional<SmiQuery> open(String command, List<String> wanted) throws InterruptedException {
    if (output(List.of(command, "--query-gpu=" + UUID, "--format=csv,noheader")).isEmpty()) {
      return Optional.empty();
    }
    var known = new ArrayList<String>(List.of(UUID));
    for (String field : wanted) {
      if (output(List.of(command, "--query-gpu=" + field, "--format=csv,noheader")).isPresent()) {
        known.add(field);
      }
    }
    return Optional.of(new SmiQuery(command, known));
  }

  /** Values by field, by the UUID of the GPU; nothing if nvidia-smi fails. */
  Map<String, Map<String, String>> read() throws InterruptedException {
    return output(
            List.of(
                command,
                "--query-gpu=" + String.join(",", fields),
                "--format=csv,noheader,nounits"))
        .map(text -> parse(text, fields))
        .orElse(Map.of());
  }

  /** Everything that nvidia-smi reports about the machine. */
  Optional<String> everything() throws InterruptedException {
    return output(List.of(command, "-q"));
  }

  /** Parses lines of comma-separated values; a line with another number of values is left out. */
  static Map<String, Map<String, String>> parse(String text, List<String> fields) {
    var gpus = new LinkedHashMap<String, Map<String, String>>();
    text.lines()
        .map(line -> line.split(",", -1))
        .filter(values -> values.length == fields.size())
        .forEach(
            values -> {
              var gpu = new HashMap<String, String>();
              for (int i = 0; i < values.length; i++) {
                gpu.put(fields.get(i), values[i].strip());
              }
              gpus.put(gpu.getOrDefault(UUID, ""), Map.copyOf(gpu));
            });
    return gpus;
  }

  private static Optional<String> output(List<String> command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      return ended && process.exitValue() == 0 ? Optional.of(text) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty(); // no such program: the report says that nothing was compared with it
    }
  }
}
