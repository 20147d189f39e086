package io.gpureclaimer.reclaimer.show;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idle;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
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

  private static CycleReport report(Observation observation) {
    List<PodView> pods =
        Stream.concat(HOLDING.stream(), Stream.of(pod("large").gpus(8).waiting(NOW).draw()))
            .toList();
    var cluster =
        new ClusterView(
            pods,
            Map.of("ml", namespace("ml", "mode", "on-demand", "idle-after", "1h")),
            List.of(node("node-1", 8), node("node-2", 8), node("node-3", 8)),
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
