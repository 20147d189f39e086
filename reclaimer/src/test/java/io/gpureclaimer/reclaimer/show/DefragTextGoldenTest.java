package io.gpureclaimer.reclaimer.show;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idle;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Proposals to move workloads, in each format. */
class DefragTextGoldenTest {
  private static final List<PodView> HOLDING =
      List.of(
          pod("one").gpus(1).on("node-1").draw(),
          pod("two").gpus(1).on("node-1").draw(),
          pod("train").gpus(2).on("node-3").draw(),
          pod("serve").gpus(4).on("node-2").draw());
  private static final Map<String, String> IDLE_FOR =
      Map.of("one", "3h", "two", "20m", "train", "10s", "serve", "10s");

  @Test
  void text() {
    Golden.assertThatTextIs("defrag.txt", DefragText.of(report(seen())));
  }

  @Test
  void json() {
    Golden.assertThatTextIs("defrag.json", DefragJson.of(report(seen())));
  }

  @Test
  void csv() {
    Golden.assertThatTextIs("defrag.csv", DefragText.csv(report(seen())));
  }

  @Test
  void text_ofMovesOfMigDevices() {
    Golden.assertThatTextIs("defrag-mig.txt", DefragText.of(reportOfMigDevices()));
  }

  @Test
  void json_ofMovesOfMigDevices() {
    Golden.assertThatTextIs("defrag-mig.json", DefragJson.of(reportOfMigDevices()));
  }

  @Test
  void csv_ofMovesOfMigDevices() {
    Golden.assertThatTextIs("defrag-mig.csv", DefragText.csv(reportOfMigDevices()));
  }

  @Test
  void proposesNothing_whileTheSourceDoesNotAnswer() {
    assertThat(DefragText.of(report(new Observation.Blind("no answer within 30s"))))
        .startsWith("Nothing is known of any GPU, so no move is proposed: no answer within 30s\n\n")
        .contains("No move of a workload whose policy permits actions lowers that.");
  }

  private static Observation seen() {
    return new Observation.Seen(
        NOW,
        HOLDING.stream()
            .map(DefragTextGoldenTest::activity)
            .collect(Collectors.toMap(PodActivity::uid, Function.identity())),
        List.of());
  }

  private static PodActivity activity(PodView pod) {
    String idleFor = IDLE_FOR.getOrDefault(pod.ref().name(), "0s");
    return idle(pod, Collections.nCopies(pod.gpus(), idleFor).toArray(String[]::new));
  }

  /** On two nodes of either MIG strategy, beside whole GPUs; CPU is scarce on one of them. */
  private static CycleReport reportOfMigDevices() {
    List<PodView> holding =
        List.of(
            pod("profile").slices("1g.10gb", 2).on("mixed-1").requests(cpu(2)).draw(),
            pod("rest").slices("1g.10gb", 1).on("mixed-2").requests(cpu(1)).draw(),
            pod("named").gpus(1).onDividedGpus("1g.10gb").on("single-1").requests(cpu(1)).draw(),
            pod("other").gpus(5).onDividedGpus("1g.10gb").on("single-2").requests(cpu(1)).draw(),
            pod("gpu").gpus(1).on("mixed-2").requests(cpu(1)).draw());
    Observation observation =
        new Observation.Seen(
            NOW,
            holding.stream()
                .map(
                    pod ->
                        idle(
                            pod,
                            Collections.nCopies(pod.accelerators().devices(), "3h")
                                .toArray(String[]::new)))
                .collect(Collectors.toMap(PodActivity::uid, Function.identity())),
            List.of());
    List<PodView> pending =
        List.of(
            pod("four").slices("1g.10gb", 4).waiting(NOW).draw(),
            pod("seven").gpus(7).waiting(NOW).draw(),
            pod("two").gpus(2).requests(cpu(14)).waiting(NOW).draw());
    return report(
        observation,
        Stream.concat(holding.stream(), pending.stream()).toList(),
        List.of(mixed("mixed-1"), mixed("mixed-2"), single("single-1"), single("single-2")));
  }

  private static Map<String, Long> cpu(long cores) {
    return Map.of("cpu", cores);
  }

  private static NodeView mixed(String name) {
    Map<String, Integer> devices = Map.of("nvidia.com/gpu", 2, "nvidia.com/mig-1g.10gb", 4);
    return divided(name, devices, "A100");
  }

  private static NodeView single(String name) {
    return divided(name, Map.of("nvidia.com/gpu", 7), "A100-MIG-1g.10gb");
  }

  private static NodeView divided(String name, Map<String, Integer> devices, String product) {
    return new NodeView(
        name, devices, cpu(15), Map.of(NodeView.PRODUCT, product), List.of(), true, false);
  }

  private static CycleReport report(Observation observation) {
    return report(
        observation,
        Stream.concat(HOLDING.stream(), Stream.of(pod("large").gpus(8).waiting(NOW).draw()))
            .toList(),
        List.of(node("node-1", 8), node("node-2", 8), node("node-3", 8)));
  }

  private static CycleReport report(
      Observation observation, List<PodView> pods, List<NodeView> nodes) {
    var cluster =
        new ClusterView(
            pods,
            Map.of("ml", namespace("ml", "mode", "on-demand", "idle-after", "1h")),
            nodes,
            Map.of());
    return new CycleReport(
        NOW,
        cluster,
        observation,
        new Judge(JudgeScenario.DEFAULTS, JudgeScenario.LIMITS).judge(cluster, observation, NOW),
        List.of(),
        new Plan(List.of()),
        List.of());
  }
}
