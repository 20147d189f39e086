package io.gpureclaimer.verification.bench;

import io.gpureclaimer.verification.bench.RecordedValues.RecordedRun;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs benchmarks one after the other, and prints their values beside those recorded before. A
 * benchmark that fails is named, and does not stop the others.
 */
final class BenchmarkSuite {
  private static final String RECORD = "--record";
  private static final String LIST = "--list";
  private static final Pattern LINE =
      Pattern.compile("([a-zA-Z0-9.-]+) (" + MeasuredValue.TEXT.pattern() + ")");
  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private final Path repository;
  private final RecordedValues recorded;
  private final PrintStream out;

  BenchmarkSuite(Path repository, RecordedValues recorded, PrintStream out) {
    this.repository = repository;
    this.recorded = recorded;
    this.out = out;
  }

  /** A benchmark did not print what it should have. */
  private static final class BenchmarkFailed extends Exception {
    private static final long serialVersionUID = 1;

    BenchmarkFailed(String why) {
      super(why);
    }
  }

  /**
   * @param arguments names of benchmarks, and {@code --record}; or {@code --list}
   */
  public static void main(String... arguments) throws IOException, InterruptedException {
    Path repository = Path.of("").toAbsolutePath();
    var recorded = new RecordedValues(repository.resolve("verification/bench-values.json"));
    var suite = new BenchmarkSuite(repository, recorded, System.out);
    System.exit(suite.run(Benchmark.all(), List.of(arguments)));
  }

  /** Returns the exit code. */
  int run(List<Benchmark> from, List<String> arguments) throws IOException, InterruptedException {
    if (arguments.equals(List.of(LIST))) {
      from.forEach(this::list);
      return DONE;
    }
    List<Benchmark> chosen;
    try {
      chosen = Benchmark.chosen(from, arguments.stream().filter(it -> !it.equals(RECORD)).toList());
    } catch (IllegalArgumentException e) {
      out.println("bench: " + e.getMessage());
      return USAGE;
    }
    var failures = new ArrayList<String>();
    for (Benchmark benchmark : chosen) {
      Optional<String> failure = run(benchmark, arguments.contains(RECORD));
      failure.ifPresent(why -> failures.add(benchmark.name() + ": " + why));
    }
    failures.forEach(failure -> out.println("bench: failed: " + failure));
    return failures.isEmpty() ? DONE : FAILED;
  }

  private void list(Benchmark benchmark) {
    out.printf(
        Locale.ROOT,
        "%-15s %s%s%n",
        benchmark.name(),
        benchmark.subject(),
        benchmark.usual() ? "" : " (only by name)");
  }

  /** Returns why it failed. */
  private Optional<String> run(Benchmark benchmark, boolean record)
      throws IOException, InterruptedException {
    MeasuredMachine machine = MeasuredMachine.read(revision());
    out.println(benchmark.name() + ": " + benchmark.subject() + "; " + machine.show());
    Map<String, MeasuredValue> values;
    try {
      values = measure(benchmark);
    } catch (BenchmarkFailed e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
    Optional<RecordedRun> before = Optional.ofNullable(recorded.read().get(benchmark.name()));
    out.println(
        before.map(it -> "before: " + it.machine().show()).orElse("nothing was recorded before"));
    ValueComparison.table(before.map(RecordedRun::values).orElse(Map.of()), values)
        .forEach(out::println);
    out.println();
    if (record) {
      recorded.record(benchmark.name(), new RecordedRun(machine, values));
    }
    return Optional.empty();
  }

  private Map<String, MeasuredValue> measure(Benchmark benchmark)
      throws IOException, InterruptedException, BenchmarkFailed {
    Process process = start(benchmark.command());
    String printed = output(process);
    int code = process.waitFor();
    if (code != 0) {
      out.print(printed);
      throw new BenchmarkFailed("exit code " + code);
    }
    var values = new LinkedHashMap<String, MeasuredValue>();
    for (String line : printed.lines().toList()) {
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        throw new BenchmarkFailed("expected NAME VALUE UNIT, was '" + line + "'");
      }
      if (values.put(parts.group(1), MeasuredValue.parse(parts.group(2))) != null) {
        throw new BenchmarkFailed("it printed " + parts.group(1) + " twice");
      }
    }
    if (values.isEmpty()) {
      throw new BenchmarkFailed("it printed no value");
    }
    return values;
  }

  /** The commit, and whether sources differ from it; what is recorded here is no source. */
  private String revision() throws IOException, InterruptedException {
    String commit = git("rev-parse", "--short=10", "HEAD");
    String edited =
        git("status", "--porcelain", "--", ".", ":!verification/bench-values.json", ":!docs");
    return (commit.isEmpty() ? "unknown" : commit) + (edited.isEmpty() ? "" : "+changes");
  }

  private String git(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process process = start(command);
    String printed = output(process).strip();
    return process.waitFor() == 0 ? printed : "";
  }

  private Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .directory(repository.toFile())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
