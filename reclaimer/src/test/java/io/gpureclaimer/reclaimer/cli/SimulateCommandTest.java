package io.gpureclaimer.reclaimer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.show.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The whole program over a tiny trace. The notebook is idle from 15 minutes after its start on,
 * warned 45 minutes later and due after an hour, when a training has been pending for 15 minutes.
 * The person comes back after three hours, when the training is done.
 */
@Isolated("replaces System.out")
class SimulateCommandTest {
  private static final String NODES = "sn,gpu,model\nnode-1,2,H100\n";
  private static final String WORKLOADS =
      """
      namespace,name,kind,arrival,duration,gpus,activity
      research,lab,notebook,0,4h,1,0-10m 3h-3h30m
      serving,chat,service,0,4h,1,0-4h@0.3
      research,train,training,1h,1h,1,10m-1h
      """;

  /**
   * Also reclaims on demand what is likely to be needed again, such as a notebook after an hour.
   */
  private static final String ANY = "--max-need-probability=1";

  @TempDir Path folder;

  @Test
  void comparesPoliciesAsText() throws IOException {
    Golden.assertThatTextIs("simulate.txt", simulate(ANY).out());
  }

  @Test
  void comparesPoliciesAsJson() throws IOException {
    Golden.assertThatTextIs("simulate.json", simulate(ANY, "--output=json").out());
  }

  @Test
  void writesAReportThatNeedsNoOtherFile() throws IOException {
    Path report = folder.resolve("report.html");

    Console console = simulate(ANY, "--html=" + report);

    assertThat(console.exitCode()).isZero();
    String html = Files.readString(report);
    assertThat(html).doesNotContain("http", "src=", "url(");
    Golden.assertThatTextIs("simulate.html", html);
  }

  /** A notebook that is idle for 2h 45m is needed again within an hour with 21 %. */
  @ParameterizedTest
  @CsvSource({"--past=7d, 0", "--idle-after=1h, 1", "--max-need-probability=0.5, 1"})
  void sparesOnDemandWhatIsLikelyToBeNeededAgain(String flag, int reclaimed) throws IOException {
    assertThat(simulate("--policies=on-demand", flag).out())
        .containsPattern("\nreclaimed +" + reclaimed + "\n");
  }

  @Test
  void endsWithOne_whenTheReportCannotBeWritten() throws IOException {
    Console console = simulate("--policies=none", "--html=" + folder);

    assertThat(console.exitCode()).isEqualTo(1);
    assertThat(console.err()).startsWith("gpu-reclaimer: cannot write " + folder);
  }

  @Test
  void honorsTheFlagsOfThePolicy() throws IOException {
    assertThat(simulate("--idle-after=3h", "--policies=on-demand").out())
        .containsPattern("(?m)^reclaimed +0$");
  }

  @Test
  void refusesRowsThatCannotBeUsed() throws IOException {
    Console console = simulateOf(WORKLOADS + "x,y,z,0,1h,1,\nx,w,service,0,1h,3,\n");

    assertThat(console)
        .isEqualTo(
            new Console(
                2,
                "",
                """
                workloads.csv, line 5, column kind: expected notebook, service or training, found z
                workloads.csv, line 6, column gpus: expected 1 to 2, which the largest node has, found 3
                gpu-reclaimer: 2 rows cannot be used; --skip-invalid leaves them out
                """));
  }

  @Test
  void leavesThemOut_whenTheFlagSaysSo() throws IOException {
    Console console = simulateOf(WORKLOADS + "x,y,z,0,1h,1,\n", "--skip-invalid");

    assertThat(console.exitCode()).isZero();
    assertThat(console.out()).isEqualTo(simulate().out());
    assertThat(console.err())
        .isEqualTo(
            """
            workloads.csv, line 5, column kind: expected notebook, service or training, found z
            gpu-reclaimer: 1 rows left out
            """);
  }

  /** Both of its pods are idle from the first hour on; the group that waits for them gets them. */
  @Test
  void reclaimsAGroupAsOne_andForOne() throws IOException {
    Console console =
        simulateOf(
            """
            namespace,name,kind,arrival,duration,pods,gpus,activity
            research,stalled,training,0,4h,2,1,0-10m
            research,waiting,training,1h,1h,2,1,0-1h
            """,
            "--policies=on-demand");

    assertThat(console.exitCode()).isZero();
    assertThat(console.out())
        .containsPattern("(?m)^reclaimed +1$")
        .containsPattern("(?m)^  by suspend +1$")
        .containsPattern("(?m)^reclaimed while active +0$")
        .containsPattern("(?m)^pods never served +0$")
        .containsPattern("(?m)^pending p95, groups of 2 GPUs +");
  }

  /** The training waits for a node instead of the GPU of an idle notebook, until there are two. */
  @Test
  void anAutoscalerComesFirst_andIdleNodesAreRemoved() throws IOException {
    String[] fixed = {"--policies=none,on-demand"};
    String[] scaled = {"--policies=none,on-demand,always", "--autoscale=H100=0-2"};

    assertThat(simulate(fixed).out()).doesNotContain("GPUs of nodes");
    assertThat(simulate(scaled).out())
        .contains("; autoscaler: H100 0–2 nodes; seed 1")
        .containsPattern("(?m)^GPUs of nodes, GPU-hours +\\d")
        .containsPattern("(?m)^reclaimed +0 +0 +\\d");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--autoscale=H100=3-2; must be a model with the least and most nodes like H100=8-64, was"
            + " H100=3-2",
        "--autoscale=H100; must be a model with the least and most nodes like H100=8-64, was H100",
        "--autoscale=H100=0-2,H100=0-3; --autoscale must name each model once, was H100, H100",
        "--autoscale=B200=0-2; --autoscale needs nodes of the model B200 that all have as many"
            + " GPUs, as much CPU and memory; there are none"
      })
  void refusesPoolsThatItCannotUse(String flag, String message) throws IOException {
    Console console = simulate(flag);

    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains(message);
  }

  @Test
  void theSameSeedGivesTheSameAnswer() {
    String[] arguments = {
      "simulate",
      "--nodes=2",
      "--length=1d",
      "--seeds=2",
      "--policies=none,on-demand,always",
      "-ojson"
    };

    assertThat(Console.of(arguments)).isEqualTo(Console.of(arguments));
  }

  private Console simulate(String... flags) throws IOException {
    return simulateOf(WORKLOADS, flags);
  }

  private Console simulateOf(String workloads, String... flags) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "simulate",
                "--node-list=" + Files.writeString(folder.resolve("nodes.csv"), NODES),
                "--workloads=" + Files.writeString(folder.resolve("workloads.csv"), workloads),
                "--length=4h",
                "--seeds=1"));
    arguments.addAll(List.of(flags));
    return Console.of(arguments.toArray(String[]::new));
  }
}
