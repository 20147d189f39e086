package io.gpureclaimer.reclaimer.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import io.gpureclaimer.reclaimer.simulate.TraceProblems.InvalidTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceFilesTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final String NODES =
      """
      sn,cpu_milli,memory_mib,gpu,model
      node-b,64000,262144,8,V100M32
      node-a,64000,262144,2,P100
      node-c,64000,262144,0,
      """;
  private static final String PODS =
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
          + "deletion_time,scheduled_time\n";
  private static final String WORKLOADS =
      "namespace,name,kind,arrival,duration,gpus,used_gpus,models,priority,checkpoint_every,"
          + "activity,pods\n";

  @TempDir Path folder;

  private final TraceProblems problems = new TraceProblems();
  private Path nodes = Path.of("nodes.csv");

  @BeforeEach
  void writeNodes() throws IOException {
    nodes = write("nodes.csv", NODES);
  }

  @Test
  void readsNodesWithGpus_byName() throws IOException {
    WorkloadTrace trace = workloads("ml,a,training,0,1h,1,,,,,\n").trace(1);

    assertThat(trace.nodes())
        .containsExactly(
            new TracedNode(
                "node-a", "P100", 2, Optional.of(ComputeResources.ofMib(64_000, 262_144))),
            new TracedNode(
                "node-b", "V100M32", 8, Optional.of(ComputeResources.ofMib(64_000, 262_144))));
  }

  @Test
  void readsWorkloads() throws IOException {
    WorkloadTrace trace =
        workloads("ml,b,notebook,90,2h,4,1,P100|V100M32,7,20m,0-60@0.5 1h-1h30m\n").trace(1);

    assertThat(trace.workloads())
        .containsExactly(
            new TracedWorkload(
                "ml",
                "b",
                WorkloadKind.NOTEBOOK,
                90,
                7_200,
                4,
                1,
                Set.of("P100", "V100M32"),
                7,
                1_200,
                new ActivityPeriods.PeriodsBuilder().add(0, 60, 0.5).add(3_600, 5_400, 1).build()));
    assertThat(problems.count()).isZero();
  }

  @Test
  void readsPodsOfOpenb_alsoWithGzip() throws IOException {
    String rows =
        """
        p1,12000,16384,1,460,P100,LS,Running,0,7200,10
        p2,6000,12288,0,0,,LS,Running,20,30,20
        p3,6000,12288,8,1000,,BE,Pending,100,400,
        p4,6000,12288,1,1000,,Burstable,Running,90000,90100,90000
        """;
    Path pods = folder.resolve("pods.csv.gz");
    try (var out = new GZIPOutputStream(Files.newOutputStream(pods))) {
      out.write((PODS + rows).getBytes(StandardCharsets.UTF_8));
    }

    WorkloadTrace trace =
        TraceFiles.openb(nodes, pods, Optional.empty(), Optional.of(Duration.ZERO), DAY, problems)
            .trace(1);

    assertThat(trace.workloads().stream().map(TraceFilesTest::words))
        .containsExactly("ls/p1 SERVICE 0 7190 1 [P100]", "be/p3 TRAINING 100 300 8 []");
    assertThat(trace.workloads().stream().map(TracedWorkload::requests))
        .containsExactly(
            ComputeResources.ofMib(12_000, 16_384), ComputeResources.ofMib(6_000, 12_288));
    assertThat(trace.remarks())
        .containsExactly(
            "openb: 1 pods request a part of a GPU and get a whole one",
            "openb: 1 pods that never got a node take as long as they were pending",
            "openb: 1 pods without a GPU left out",
            "openb: 1 pods lie outside of 24 h from second 0 of the trace on");
    assertThat(problems.lines()).isEmpty();
  }

  @Test
  void beginsWhereTheLastPodWasCreated_minusTheLength() throws IOException {
    Path pods =
        write(
            "pods.csv",
            PODS
                + "p1,1,1,1,1000,,BE,Running,0,100,0\n"
                + "p2,1,1,1,1000,,BE,Running,50,200000,60\n"
                + "p3,1,1,1,1000,,BE,Running,100000,110000,100000\n");

    WorkloadTrace trace =
        TraceFiles.openb(nodes, pods, Optional.empty(), Optional.empty(), DAY, problems).trace(1);

    assertThat(trace.workloads().stream().map(TraceFilesTest::words))
        .containsExactly("be/p2 TRAINING 0 186400 1 []");
  }

  private static String words(TracedWorkload each) {
    return String.join(
        " ",
        each.namespace() + "/" + each.name(),
        each.kind().name(),
        Integer.toString(each.arrival()),
        Integer.toString(each.lifetime()),
        Integer.toString(each.gpus()),
        each.models().toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "p,1,1,x,1000,,BE,Running,0,10,0; num_gpu: expected a whole number from 0 to 999999999,"
            + " found x",
        "p,1,1,9,1000,,BE,Running,0,10,0; num_gpu: expected 1 to 8, which the largest node has,"
            + " found 9",
        "p,1,1,1,1000,H100,BE,Running,0,10,0; gpu_spec: expected models of nodes, found H100",
        "p,1,1,1,1000,,BE,Running,-5,10,0; creation_time: expected a whole number from 0 to"
            + " 999999999, found -5",
        "p,1,1,1,1000,,BE,Running,20,10,; deletion_time: expected a time from creation_time 20 on,"
            + " found 10",
        "p,1,1,1,1000,,BE,Running,20,30,10; scheduled_time: expected a time from creation_time 20"
            + " on, found 10",
        "p,1,1,1,1000,,BE,Running,20,30,40; deletion_time: expected a time from scheduled_time 40"
            + " on, found 30",
        "p,1,1,1; creation_time: expected a value, found none",
        "first,1,1,1,1000,,BE,Running,0,10,0; name: expected each name once, found again: first"
      })
  void namesTheColumnOfAPodThatCannotBeUsed(String row, String problem) throws IOException {
    Path pods = write("pods.csv", PODS + "first,1,1,1,1000,,BE,Running,0,10,0\n" + row + "\n");

    var files =
        TraceFiles.openb(nodes, pods, Optional.empty(), Optional.of(Duration.ZERO), DAY, problems);

    assertThat(problems.lines()).containsExactly("pods.csv, line 3, column " + problem);
    assertThat(files.trace(1).workloads()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ml,a,batch,0,1h,1,,,,,; kind: expected notebook, service or training, found batch",
        "ml,a,training,0,-1h,1,,,,,; duration: expected seconds or a duration like 90s, 10m, 2h,"
            + " 1h30m, 1d or 1w, at most 3650d and not negative, found -1h",
        "ml,a,training,0,0,1,,,,,; duration: expected at least 1 second, found 0",
        "ml,a,training,0,1h,1,2,,,,; used_gpus: expected at most 1, found 2",
        "ml,a,training,0,1h,1,3,,,,,2; used_gpus: expected at most 2, found 3",
        "ml,a,training,0,1h,1,,,,,,0; pods: expected 1 to 10000, found 0",
        "ml,a,service,0,1h,1,,,,,,2; pods: expected 1, because replicas of a service start one by"
            + " one, found 2",
        "ml,a,training,0,1h,1,,T4,,,; models: expected models of nodes, found T4",
        "ml,a,training,0,1h,1,,,,,10m; activity: expected a period like 10m-1h@0.8, found 10m",
        "ml,a,training,0,1h,1,,,,,0-10m@2; activity: expected a level above 0 to 1, found 2",
        "ml,a,training,0,1h,1,,,,,0-10m 5m-20m; activity: expected periods in "
            + "order, each within the"
            + " duration and after the one before, found 5m-20m",
        "ml,a,training,0,1h,1,,,,,0-2h; activity: expected periods in order, each within the"
            + " duration and after the one before, found 0-2h"
      })
  void namesTheColumnOfAWorkloadThatCannotBeUsed(String row, String problem) throws IOException {
    var files = workloads(row + "\n");

    assertThat(problems.lines()).containsExactly("workloads.csv, line 2, column " + problem);
    assertThat(files.trace(1).workloads()).isEmpty();
  }

  @Test
  void refusesAFileWithoutAColumn() throws IOException {
    Path pods = write("pods.csv", "name,num_gpu\np,1\n");

    assertThatThrownBy(
            () -> TraceFiles.openb(nodes, pods, Optional.empty(), Optional.empty(), DAY, problems))
        .isInstanceOf(InvalidTrace.class)
        .hasMessage("pods.csv, line 1, column gpu_milli: expected the column, found name,num_gpu");
  }

  @Test
  void namesAtMostTwentyRows() throws IOException {
    workloads("ml,a,batch,0,1h,1,,,,,\n".repeat(25));

    assertThat(problems.count()).isEqualTo(25);
    assertThat(problems.lines()).hasSize(21).last().isEqualTo("and 5 more");
  }

  @Test
  void takesMeasuredActivity_andLeavesGapsOut() throws IOException {
    Path duties =
        write(
            "duty.csv",
            """
            timestamp_seconds,pod,value
            1000,x,50.0
            1060,x,0.0
            1120,x,0.0
            9000,x,0.0
            9060,x,0.0
            """);
    Path list =
        write("workloads.csv", "namespace,name,kind,arrival,duration,gpus\nml,a,training,0,1h,1\n");

    WorkloadTrace trace =
        TraceFiles.workloads(nodes, list, Optional.of(duties), DAY, problems).trace(1);

    assertThat(trace.workloads().getFirst().activity().seconds(0, 3_600)).isEqualTo(1_200);
    assertThat(trace.remarks())
        .containsExactly(
            "duty cycles: 1 series, each repeated as often as needed; 1 gaps longer "
                + "than 5m left out"
                + " of them");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1000,x,1; timestamp_seconds: expected a time after 1060 of the same pod, found 1000",
        "2000,x,101; value: expected 0 to 100, found 101.0",
        "2000,x,; value: expected a value, found none",
        "-1,x,1; timestamp_seconds: expected a time that is not negative, found -1.0"
      })
  void namesTheColumnOfASampleThatCannotBeUsed(String row, String problem) throws IOException {
    Path duties =
        write("duty.csv", "timestamp_seconds,pod,value\n1000,x,50.0\n1060,x,0.0\n" + row + "\n");

    DutyCycles.read(duties, problems, new ArrayList<>());

    assertThat(problems.lines()).containsExactly("duty.csv, line 4, column " + problem);
  }

  @Test
  void drawsTheSameForTheSameSeed() throws IOException {
    Path list =
        write("workloads.csv", "namespace,name,kind,arrival,duration,gpus\nml,a,service,0,1d,1\n");
    var files = TraceFiles.workloads(nodes, list, Optional.empty(), DAY, problems);

    assertThat(files.trace(3)).isEqualTo(files.trace(3));
    assertThat(files.trace(3)).isNotEqualTo(files.trace(4));
  }

  private TraceFiles workloads(String rows) throws IOException {
    return TraceFiles.workloads(
        nodes, write("workloads.csv", WORKLOADS + rows), Optional.empty(), DAY, problems);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void aWeekOfTheScenarioIsTheSameForTheSameSeed() {
    assertThat(SeedScenario.generate(2, DAY, 5)).isEqualTo(SeedScenario.generate(2, DAY, 5));
    assertThat(List.of(SeedScenario.generate(2, DAY, 6)))
        .isNotEqualTo(List.of(SeedScenario.generate(2, DAY, 5)));
  }
}
