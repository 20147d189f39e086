package io.gpureclaimer.verification.gpupack;

import io.gpureclaimer.verification.gpupack.CheckRow.Result;
import io.gpureclaimer.verification.gpupack.GpuComparison.Round;
import io.gpureclaimer.verification.gpupack.Load.Kind;
import io.gpureclaimer.verification.gpupack.Load.Stretch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Check of the agent against nvidia-smi and against load of its own, on a machine with GPUs. */
public final class GpuPackCheck {
  private static final List<Optional<Kind>> PHASES =
      List.of(
          Optional.empty(),
          Optional.of(Kind.STEADY),
          Optional.empty(),
          Optional.of(Kind.STEADY),
          Optional.empty(),
          Optional.of(Kind.SHORT),
          Optional.empty());
  private static final Duration SETTLING = Duration.ofSeconds(4);
  private static final Duration DRIVER_LIMIT = Duration.ofSeconds(20);
  private static final Duration XID_LIMIT = Duration.ofSeconds(10);
  private static final String LAST_XID = "DCGM_FI_DEV_XID_ERRORS";
  private static final int PAGE_FAULT = 31;
  private static final String COLLECTOR_SECONDS = "gpu_exporter_collector_seconds_total";
  private static final String MACHINE = "Machine";
  private static final String VALUES = "Values beside nvidia-smi";
  private static final String AGENT = "Agent";

  private final Settings settings;
  private final Load load;
  private final Clock clock;
  private final CheckReport report = new CheckReport();

  GpuPackCheck(Settings settings, Load load, Clock clock) {
    this.settings = settings;
    this.load = load;
    this.clock = clock;
  }

  /**
   * What to run.
   *
   * @param folder of the report; the raw data are below it
   * @param time of rest and load together
   * @param scrapes whose latency is measured
   * @param provokesXid whether each GPU is made to report an XID
   * @param smi command of nvidia-smi
   * @param agent command that starts the agent, without its address
   */
  record Settings(
      Path folder,
      Duration time,
      int scrapes,
      boolean provokesXid,
      String smi,
      List<String> agent) {
    Settings {
      agent = List.copyOf(agent);
    }

    Path raw() {
      return folder.resolve("raw");
    }
  }

  /**
   * Runs the check; the exit code is 0 if everything that could be checked holds, 1 for a
   * difference, 2 if nothing could be checked.
   *
   * @param args folder, seconds, whether to provoke an XID, command of nvidia-smi, command of the
   *     agent
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> arguments = List.of(args);
    var settings =
        new Settings(
            Path.of(arguments.get(0)),
            Duration.ofSeconds(Long.parseLong(arguments.get(1))),
            10_000,
            Boolean.parseBoolean(arguments.get(2)),
            arguments.get(3),
            arguments.subList(4, arguments.size()));
    var check = new GpuPackCheck(settings, new CudaLoad(settings.raw()), Clock.systemUTC());
    CheckReport report = check.run();
    System.out.println(report.summary());
    System.exit(report.exitCode());
  }

  /** Runs everything and writes {@code report.md}. */
  CheckReport run() throws IOException, InterruptedException {
    Files.createDirectories(settings.raw());
    Optional<SmiQuery> smi = SmiQuery.open(settings.smi(), GpuComparison.smiFields());
    try (var agent = CheckedAgent.start(settings.agent(), settings.raw(), clock)) {
      Scrape first = agent.scrapeWithDriver(DRIVER_LIMIT);
      describe(agent, smi, first);
      if (first.gpus().isEmpty()) {
        noDriver(smi);
      } else {
        check(agent, smi, first);
      }
    }
    Files.writeString(settings.folder().resolve("report.md"), report.markdown());
    return report;
  }

  private void describe(CheckedAgent agent, Optional<SmiQuery> smi, Scrape first)
      throws IOException, InterruptedException {
    report.fact(MACHINE, "began: " + clock.instant());
    report.fact(
        MACHINE,
        "system: Linux "
            + System.getProperty("os.version")
            + ", "
            + System.getProperty("os.arch")
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " cores");
    report.fact(MACHINE, "NVML library of the agent: " + libraries(agent.pid()));
    report.fact(MACHINE, "GPUs of the agent: " + first.gpus().size());
    for (String gpu : first.gpus()) {
      Map<String, String> labels = first.labels(gpu);
      report.fact(
          MACHINE,
          gpu
              + ": "
              + labels.get("modelName")
              + ", bus "
              + labels.get("pci_bus_id")
              + ", driver "
              + labels.get("DCGM_FI_DRIVER_VERSION"));
    }
    report.fact(MACHINE, "nvidia-smi: " + (smi.isPresent() ? "runs" : "does not run"));
    if (smi.isPresent()) {
      Optional<String> everything = smi.get().everything();
      if (everything.isPresent()) {
        Files.writeString(settings.raw().resolve("nvidia-smi-q.txt"), everything.get());
      }
    }
    Files.writeString(settings.raw().resolve("first.prom"), first.text());
  }

  /** Paths of the driver's libraries that the process has mapped. */
  private static String libraries(long pid) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "maps"))) {
      List<String> paths =
          lines
              .filter(line -> line.contains("libnvidia-ml"))
              .map(line -> line.substring(line.indexOf('/')))
              .distinct()
              .toList();
      return paths.isEmpty() ? "none found" : String.join(", ", paths);
    }
  }

  private void noDriver(Optional<SmiQuery> smi) {
    report.add(
        VALUES,
        List.of(
            smi.isPresent()
                ? new CheckRow(
                    "driver", "the GPUs of nvidia-smi", "the agent has none", Result.FAIL)
                : CheckRow.notChecked("driver", "a driver with a GPU", "no driver")));
  }

  private void check(CheckedAgent agent, Optional<SmiQuery> smi, Scrape first)
      throws IOException, InterruptedException {
    Set<String> gpus = first.gpus();
    agent.allocate(gpus);
    var comparison = new GpuComparison(gpus);
    Scrape begin = agent.scrapeOfPassAfter(clock.instant().plus(SETTLING));
    List<Stretch> stretches = restAndLoad(agent, smi, comparison, gpus);
    Scrape end = agent.scrape();
    Map<String, Map<String, String>> identity = smi.isPresent() ? smi.get().read() : Map.of();
    report.add("Identity", comparison.identityRows(end, identity));
    report.add(VALUES, comparison.valueRows());
    notCompared(end);
    report.add("Ledger", comparison.ledgerRows(stretches));
    footprint(begin, end);
    var latency = ScrapeLatency.measure(settings.scrapes(), agent::answers);
    report.add(
        AGENT,
        List.of(
            new CheckRow(
                settings.scrapes() + " scrapes",
                "none fails",
                latency.text(),
                Result.of(latency.failures() == 0))));
    if (settings.provokesXid() && load.unavailable().isEmpty()) {
      provokeXid(agent, gpus);
    }
    Files.writeString(settings.raw().resolve("last.prom"), agent.scrape().text());
  }

  private List<Stretch> restAndLoad(
      CheckedAgent agent, Optional<SmiQuery> smi, GpuComparison comparison, Set<String> gpus)
      throws IOException, InterruptedException {
    Duration each = settings.time().dividedBy(PHASES.size());
    var stretches = new ArrayList<Stretch>();
    Optional<String> unavailable = load.unavailable();
    var lines = new ArrayList<>(List.of("time,gpu,phase,metric,before,nvidia-smi,after,distance"));
    for (Optional<Kind> phase : PHASES) {
      Optional<Kind> kind = phase.filter(_ -> unavailable.isEmpty());
      Optional<Load.Running> running =
          kind.isPresent() ? Optional.of(load.start(gpus, kind.get(), each)) : Optional.empty();
      lines.addAll(rounds(agent, smi, comparison, kind, each));
      if (running.isPresent()) {
        List<Stretch> ended = running.get().finish();
        stretches.addAll(ended);
        report.add("Load", loadRows(gpus, kind.get(), ended));
      }
    }
    if (unavailable.isPresent()) {
      report.add(
          "Load", List.of(CheckRow.notChecked("load", "a kernel on each GPU", unavailable.get())));
    } else if (stretches.isEmpty()) {
      report.add(
          "Load",
          List.of(
              new CheckRow(
                  "load",
                  "a kernel on at least one GPU",
                  "ran on none, so nothing was checked under load: see raw/load-*.log",
                  Result.FAIL)));
    }
    Files.write(settings.raw().resolve("rounds.csv"), lines);
    return stretches;
  }

  private static List<CheckRow> loadRows(Set<String> gpus, Kind kind, List<Stretch> ended) {
    String expected = kind == Kind.SHORT ? "kernels of 1 ms every 10 s" : "a kernel on the GPU";
    return gpus.stream()
        .map(
            gpu -> {
              List<Stretch> own = ended.stream().filter(of -> of.gpu().equals(gpu)).toList();
              return own.isEmpty()
                  ? CheckRow.notChecked(gpu, expected, "did not run: see raw/load-*.log")
                  : new CheckRow(
                      gpu,
                      expected,
                      "ran from "
                          + own.getFirst().begin()
                          + " to "
                          + own.getLast().end()
                          + (own.size() == 1 ? "" : ", " + own.size() + " times"),
                      Result.PASS);
            })
        .toList();
  }

  private void provokeXid(CheckedAgent agent, Set<String> gpus)
      throws IOException, InterruptedException {
    load.start(gpus, Kind.FAULT, Duration.ZERO).finish();
    Instant limit = clock.instant().plus(XID_LIMIT);
    Scrape scrape = agent.scrape();
    while (!gpus.stream().allMatch(faulted(scrape)) && clock.instant().isBefore(limit)) {
      scrape = agent.scrapeOfPassAfter(clock.instant());
    }
    for (String gpu : gpus) {
      OptionalDouble code = scrape.value(LAST_XID, gpu);
      report.add(
          "Events",
          List.of(
              new CheckRow(
                  gpu + ": XID after a kernel wrote to an invalid address",
                  String.format(Locale.ROOT, "31 within %d s", XID_LIMIT.toSeconds()),
                  code.isPresent() ? Integer.toString((int) code.getAsDouble()) : "none",
                  Result.of(faulted(scrape).test(gpu)))));
    }
  }

  private static Predicate<String> faulted(Scrape scrape) {
    return gpu -> scrape.value(LAST_XID, gpu).orElse(0) == PAGE_FAULT;
  }

  private List<String> rounds(
      CheckedAgent agent,
      Optional<SmiQuery> smi,
      GpuComparison comparison,
      Optional<Kind> kind,
      Duration time)
      throws IOException, InterruptedException {
    Instant begin = clock.instant();
    var lines = new ArrayList<String>();
    Scrape before = agent.scrape();
    while (clock.instant().isBefore(begin.plus(time))) {
      boolean settled =
          before.at().isAfter(begin.plus(SETTLING))
              && kind.filter(of -> of == Kind.SHORT).isEmpty();
      Map<String, Map<String, String>> values = smi.isPresent() ? smi.get().read() : Map.of();
      boolean stillSettled = settled && clock.instant().isBefore(begin.plus(time));
      Scrape after = agent.scrapeOfPassAfter(clock.instant());
      lines.addAll(
          comparison.add(new Round(before, values, after, stillSettled, kind.isPresent())));
      before = after;
    }
    return lines;
  }

  private void notCompared(Scrape scrape) {
    Set<String> compared = new HashSet<>();
    ComparedField.NUMBERS.forEach(field -> compared.add(field.metric()));
    compared.add(EnergyComparison.METRIC);
    List<String> others =
        scrape.metrics("DCGM_").stream().filter(metric -> !compared.contains(metric)).toList();
    report.fact(
        "Served without a field of nvidia-smi",
        others.isEmpty() ? "none" : String.join(", ", others));
  }

  private void footprint(Scrape begin, Scrape end) {
    double seconds = Duration.between(begin.at(), end.at()).toMillis() / 1_000.0;
    grown("process_cpu_seconds_total", begin, end)
        .ifPresent(cpu -> fact("CPU: %.2f %% of one core", 100 * cpu / seconds));
    for (Map.Entry<String, Scrape> moment : Map.of("first", begin, "last", end).entrySet()) {
      moment
          .getValue()
          .sum("process_resident_memory_bytes")
          .ifPresent(
              bytes -> fact("resident memory, " + moment.getKey() + ": %.1f MiB", bytes / 1048576));
    }
    OptionalDouble count = grown("gpu_exporter_pass_duration_seconds_count", begin, end);
    grown("gpu_exporter_pass_duration_seconds_sum", begin, end)
        .ifPresent(sum -> fact("sampling pass: %.3f ms", 1_000 * sum / count.orElse(1)));
    var passes = count.orElse(1);
    var ofCollectors = new TreeMap<String, Double>();
    end.named(COLLECTOR_SECONDS)
        .forEach(sample -> ofCollectors.put(sample.labels().get("collector"), sample.value()));
    begin
        .named(COLLECTOR_SECONDS)
        .forEach(
            sample ->
                ofCollectors.merge(sample.labels().get("collector"), -sample.value(), Double::sum));
    ofCollectors.forEach(
        (collector, spent) -> fact("of it " + collector + ": %.3f ms", 1_000 * spent / passes));
    var errors = new LinkedHashMap<String, Double>();
    end.named("gpu_exporter_nvml_errors_total")
        .filter(sample -> sample.value() > 0)
        .forEach(
            sample ->
                errors.merge(
                    sample.labels().get("call") + " " + sample.labels().get("code"),
                    sample.value(),
                    Double::sum));
    report.add(
        AGENT,
        List.of(
            new CheckRow(
                "NVML errors",
                "none but no_permission",
                errors.isEmpty() ? "none" : errors.toString(),
                Result.of(
                    errors.keySet().stream().allMatch(key -> key.endsWith("no_permission"))))));
  }

  private void fact(String format, double value) {
    report.fact("Footprint of the agent", String.format(Locale.ROOT, format, value));
  }

  private static OptionalDouble grown(String metric, Scrape begin, Scrape end) {
    OptionalDouble before = begin.sum(metric);
    OptionalDouble after = end.sum(metric);
    return before.isEmpty() || after.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(after.getAsDouble() - before.getAsDouble());
  }
}
