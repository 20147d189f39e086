package io.gpureclaimer.reclaimer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpureclaimer.reclaimer.evidence.source.Backfill;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer;
import io.gpureclaimer.reclaimer.evidence.source.RecordedPodSeries;
import io.gpureclaimer.reclaimer.show.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A day of four GPUs, as kube-state-metrics and agents recorded it in a real server. No agent
 * reported on ben's notebook from hour 3 to 9, and a training of four GPUs was pending from hour 6
 * on.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer#forLongTests")
@Isolated("replaces System.out")
class SimulatePastIT {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final Instant END = START.plus(Duration.ofDays(1));

  @TempDir static Path folder;

  private static PrometheusCompatibleServer.RunningServer server;

  SimulatePastIT(PrometheusCompatibleServer kind) {
    assertThat(kind.isHere()).isTrue();
  }

  @BeforeParameterizedClassInvocation
  static void setTheScene(PrometheusCompatibleServer kind) throws IOException {
    assumeTrue(kind.isHere(), kind + " is not on the PATH, nor where ./test puts it");
    var past = new Backfill();
    for (Instant at = START; !at.isAfter(END); at = at.plus(Duration.ofMinutes(1))) {
      past.add(
          "kube_node_status_allocatable",
          Map.of("node", "node-1", "resource", "nvidia_com_gpu"),
          4,
          at);
    }
    pod(past, "notebook-ada", "StatefulSet", 1, 0, 24, between(0, 2), between(0, 24));
    pod(past, "notebook-ben", "StatefulSet", 1, 0, 24, between(0, 3), not(between(3, 9)));
    pod(past, "train", "Job", 2, 4, 8, between(4, 8), between(0, 24));
    state(past, "big", "Job", 4, 6, 24, "Pending");
    server =
        kind.start(
            Files.createTempDirectory(folder, "past"),
            PrometheusCompatibleServer.ServerSetup.of(past));
  }

  @AfterParameterizedClassInvocation
  static void tearDown() {
    server.close();
  }

  private static void pod(
      Backfill past,
      String name,
      String owner,
      int gpus,
      int from,
      int to,
      Predicate<Instant> works,
      Predicate<Instant> watched) {
    new RecordedPodSeries(
            "research", name, "uid-" + name, gpus, hour(from), hour(to), works, watched)
        .into(past);
    state(past, name, owner, gpus, from, to, "Running");
  }

  private static void state(
      Backfill past, String name, String owner, int gpus, int from, int to, String phase) {
    Map<String, String> labels = Map.of("namespace", "research", "pod", name, "uid", "uid-" + name);
    for (Instant at = hour(from); !at.isAfter(hour(to)); at = at.plus(Duration.ofMinutes(1))) {
      past.add(
          "kube_pod_container_resource_requests",
          with(labels, Map.of("resource", "nvidia_com_gpu", "container", "main")),
          gpus,
          at);
      for (String each : new String[] {"Pending", "Running", "Succeeded"}) {
        past.add(
            "kube_pod_status_phase",
            with(labels, Map.of("phase", each)),
            each.equals(phase) ? 1 : 0,
            at);
      }
      past.add("kube_pod_created", labels, (double) hour(from).getEpochSecond(), at);
      if (phase.equals("Running")) {
        past.add(
            "kube_pod_status_scheduled_time", labels, (double) hour(from).getEpochSecond(), at);
      }
      past.add(
          "kube_pod_info",
          with(labels, Map.of("created_by_kind", owner, "priority_class", "batch")),
          1,
          at);
    }
  }

  private static Map<String, String> with(Map<String, String> labels, Map<String, String> more) {
    var all = new TreeMap<>(labels);
    all.putAll(more);
    return all;
  }

  @Test
  void comparesPoliciesOverThePastOfTheCluster() throws IOException {
    Console console = simulate("--min-coverage=0.3");

    assertThat(console.err())
        .isEqualTo(
            "gpu-reclaimer: queries "
                + server.base()
                + "/api/v1/query_range from 2026-03-02T00:00:00Z to 2026-03-03T00:00:00Z every 1m, in"
                + " at least 24 requests for kube_node_status_allocatable,"
                + " kube_pod_container_resource_requests, kube_pod_status_phase, kube_pod_created,"
                + " kube_pod_status_scheduled_time, kube_pod_info of kube-state-metrics, and at least"
                + " 13 for the activity of GPUs, as backtest does\n");
    assertThat(console.exitCode()).isZero();
    Golden.assertThatTextIs("simulate-past.txt", console.out());
  }

  /** Ben's notebook was idle from hour 3 on, when the gap began, which ends with hour 9. */
  @Test
  void doesNothingToAWorkload_whileNothingIsKnownOfIt() {
    String json = simulate("--min-coverage=0.3", "--output=json").out().replaceAll("\\s+", "");

    String ben = ",\"namespace\":\"research\",\"workload\":\"notebook-ben\"";
    assertThat(json).contains("\"at\":36000" + ben);
    assertThat(json).doesNotContainPattern("\"at\":([12]?\\d{4}|3[01]\\d{3}|32[0-3]\\d\\d)" + ben);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rules", "series"})
  void findsTheSameWorkloads_byWhatOthersRecorded(String form) {
    Console console = simulate("--min-coverage=0.3", "--prometheus-form=" + form);

    assertThat(console.exitCode()).isZero();
    assertThat(console.out()).startsWith("1d, nodes: 1, GPUs: 4, workloads: 4;");
  }

  @Test
  void saysThatNothingIsThere_beforeTheFirstRecord() {
    Console console =
        Console.of(
            "simulate",
            "--prometheus=" + server.base(),
            "--from=2026-01-01",
            "--to=2026-01-02T00:00:00Z");

    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err())
        .contains("expected kube_node_status_allocatable of nodes with GPUs from 2026-01-01T00:00");
  }

  @Test
  void endsWithOne_whenThePrometheusIsNotThere() {
    Console console = Console.of("simulate", "--prometheus=http://127.0.0.1:9", "--length=1d");

    assertThat(console.exitCode()).isEqualTo(1);
    assertThat(console.err()).contains("POST http://127.0.0.1:9/api/v1/query_range: expected");
  }

  private static Console simulate(String... flags) {
    return Console.of(
        Stream.concat(
                Stream.of(
                    "simulate",
                    "--prometheus=" + server.base(),
                    "--from=2026-03-02",
                    "--to=2026-03-03T00:00:00Z",
                    "--policies=none,on-demand,always,any-gpu-30m,oracle"),
                Arrays.stream(flags))
            .toArray(String[]::new));
  }

  private static Predicate<Instant> between(int from, int to) {
    return at -> !at.isBefore(hour(from)) && at.isBefore(hour(to));
  }

  private static Predicate<Instant> not(Predicate<Instant> when) {
    return when.negate();
  }

  private static Instant hour(int hour) {
    return START.plus(Duration.ofHours(hour));
  }
}
