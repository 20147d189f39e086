package io.gpureclaimer.verification.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Circumstances of a benchmark.
 *
 * @param revision commit of the sources, with {@code +changes} if they were edited
 * @param cores that the JVM may use
 * @param cpu model
 * @param memoryGib memory of the machine
 * @param load average of the last minute before the run
 * @param jdk version
 */
record MeasuredMachine(
    String revision, int cores, String cpu, long memoryGib, double load, String jdk) {
  private static final long KIB_OF_A_GIB = 1024 * 1024;

  /** This machine, now. */
  static MeasuredMachine read(String revision) throws IOException {
    return new MeasuredMachine(
        revision,
        Runtime.getRuntime().availableProcessors(),
        field("/proc/cpuinfo", "model name").orElse("unknown CPU"),
        field("/proc/meminfo", "MemTotal")
            .map(text -> Math.round(Double.parseDouble(text.split(" ", -1)[0]) / KIB_OF_A_GIB))
            .orElseThrow(),
        Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ", -1)[0]),
        Runtime.version().toString());
  }

  private static Optional<String> field(String file, String name) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst();
    }
  }

  /** One sentence without its period. */
  String show() {
    return String.join(
        ", ",
        List.of(
            "revision `" + revision + "`",
            cores + (cores == 1 ? " core" : " cores") + " of " + cpu,
            memoryGib + " GiB",
            "load " + String.format(Locale.ROOT, "%.1f", load) + " before the run",
            "JDK " + jdk));
  }
}
