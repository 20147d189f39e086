package io.gpureclaimer.verification.bench;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A benchmark: a script of this repository that prints one line for each value, {@code NAME VALUE
 * UNIT}.
 *
 * @param name on the command line, in the recorded values and in the template of the page
 * @param usual whether it runs when no benchmark is named; others take long or need a browser
 * @param subject what it measures
 * @param command the script, as a path from the root of the repository, and its arguments
 */
record Benchmark(String name, boolean usual, String subject, List<String> command) {
  private static final List<Benchmark> ALL =
      List.of(
          usual(
              "agent",
              "memory, CPU and start of the agent with device plugin",
              "verification/sh/footprint --flags archive --device-plugin --warm 180 60"),
          usual(
              "agent-api",
              "the same with an API client",
              "verification/sh/footprint --flags archive --device-plugin --uids --warm 60 60"),
          usual(
              "peer",
              "the agent and NVIDIA's device plugin with the same driver and kubelet",
              "verification/peer/footprint"),
          usual("rendering", "text of a scrape", "verification/sh/benchmarks rendering"),
          usual("pass", "poll of 8 GPUs", "verification/sh/benchmarks pass"),
          usual("preference", "preferred allocation", "verification/sh/preference-benchmark"),
          usual(
              "cycle",
              "cycle of the reclaimer and victim selection, 80 000 GPUs",
              "verification/sh/cycle-at-scale 10000 10 7"),
          usual(
              "owners",
              "heap of 10 000 owners and what forbids actions on them",
              "verification/sh/owners-heap"),
          usual(
              "questions",
              "Prometheus queries of a cycle, 80 000 GPUs",
              "verification/sh/questions-at-scale 80000 12"),
          usual(
              "simulate",
              "table of simulate, a week of 64 nodes",
              "verification/sh/simulate-table --length 7d"),
          named(
              "simulate-large",
              "the same with 1 000 nodes",
              "verification/sh/simulate-table --length 7d --nodes 1000 --interval 5m"),
          named(
              "pages",
              "pages with 5 000 workloads, over HTTP and in Chromium",
              "verification/sh/pages-at-scale"));

  Benchmark {
    command = List.copyOf(command);
  }

  private static Benchmark usual(String name, String subject, String command) {
    return new Benchmark(name, true, subject, List.of(command.split(" ")));
  }

  private static Benchmark named(String name, String subject, String command) {
    return new Benchmark(name, false, subject, List.of(command.split(" ")));
  }

  static List<Benchmark> all() {
    return ALL;
  }

  /**
   * The benchmarks with these names; without names, the usual ones.
   *
   * @throws IllegalArgumentException if there is no benchmark of a name
   */
  static List<Benchmark> chosen(List<Benchmark> from, List<String> names) {
    List<String> known = from.stream().map(Benchmark::name).toList();
    String unknown =
        names.stream().filter(name -> !known.contains(name)).collect(Collectors.joining(", "));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown benchmark: " + unknown + "; expected " + String.join(", ", known));
    }
    return from.stream()
        .filter(each -> names.isEmpty() ? each.usual() : names.contains(each.name()))
        .toList();
  }
}
