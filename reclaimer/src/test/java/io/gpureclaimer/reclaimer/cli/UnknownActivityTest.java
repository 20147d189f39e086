package io.gpureclaimer.reclaimer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import io.gpureclaimer.reclaimer.show.SimulationText;
import io.gpureclaimer.reclaimer.simulate.ActivityPeriods;
import io.gpureclaimer.reclaimer.simulate.ComparedPolicy;
import io.gpureclaimer.reclaimer.simulate.PolicyComparison;
import io.gpureclaimer.reclaimer.simulate.PolicyComparison.PolicyOutcome;
import io.gpureclaimer.reclaimer.simulate.SimulationResult;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.ReclaimedWorkload;
import io.gpureclaimer.reclaimer.simulate.WorkloadKind;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every policy over a day of two notebooks. The first works for half an hour and is known to be
 * idle then. The second is the same, but from its first minute to hour 10 nothing is known of it.
 */
class UnknownActivityTest {
  private static final int HOUR = 3_600;
  private static final int KNOWN_FROM = 10 * HOUR;
  private static final WorkloadTrace TRACE =
      new WorkloadTrace(
          "two notebooks",
          Duration.ofDays(1),
          List.of(new TracedNode("node-1", "H100", 2)),
          List.of(
              notebook("known", ActivityPeriods.NONE),
              notebook(
                  "unknown", new ActivityPeriods.PeriodsBuilder().add(60, KNOWN_FROM, 1).build())),
          List.of());
  private static final Map<String, Object> PROPERTIES =
      Map.of(
          "direct.agents", List.of("http://127.0.0.1:9/"),
          "reclaimer.cluster", "embedded",
          "reclaimer.schedule", "false",
          "evidence.signals.kinds", List.of("none"),
          "breaker.min-coverage", "0.1");

  private static List<PolicyOutcome> outcomes = List.of();
  private static String report = "";

  @BeforeAll
  static void playAll() {
    PolicyComparison comparison =
        PolicyComparison.run(
            _ -> TRACE,
            List.of(1L),
            ComparedPolicy.usual(),
            Duration.ofMinutes(1),
            (cluster, source, clock, _, _) ->
                SimulatedProgram.start(PROPERTIES, cluster, source, clock, Optional.empty()));
    outcomes = comparison.outcomes();
    report = SimulationText.of(comparison);
  }

  @Test
  void noPolicyActsOnAWorkload_whileNothingIsKnownOfIt() {
    for (PolicyOutcome outcome : outcomes) {
      for (ReclaimedWorkload action : actions(outcome)) {
        assertThat(action.name().equals("known") || action.at() >= KNOWN_FROM)
            .as(outcome.policy() + " " + action)
            .isTrue();
      }
    }
  }

  /** The idle time begins where the gap ends. */
  @Test
  void idlenessCountsFromTheEndOfTheGap() {
    List<ReclaimedWorkload> actions = actions(outcome(ComparedPolicy.ALWAYS));

    assertThat(actions.stream().map(ReclaimedWorkload::name)).containsExactly("known", "unknown");
    assertThat(actions.getFirst().at()).isBetween(HOUR + 1_800L, HOUR + 1_860L);
    assertThat(actions.getLast().at()).isBetween(KNOWN_FROM + HOUR + 0L, KNOWN_FROM + HOUR + 120L);
  }

  @Test
  void theReportSaysHowMuchIsUnknown() {
    SimulationResult none = outcome(ComparedPolicy.NONE).runs().getFirst();

    assertThat(none.usage().unknown()).isEqualTo((KNOWN_FROM - 60) / 3_600.0);
    assertThat(none.usage().activePercent().orElseThrow())
        .isEqualTo(100 * (0.5 + 60 / 3_600.0) / (48 - none.usage().unknown()));
    assertThat(report).contains("allocated GPUs unknown, %").contains("unknown whether needed");
  }

  private static PolicyOutcome outcome(ComparedPolicy policy) {
    return outcomes.stream().filter(each -> each.policy() == policy).findFirst().orElseThrow();
  }

  private static List<ReclaimedWorkload> actions(PolicyOutcome outcome) {
    return outcome.runs().getFirst().actions();
  }

  private static TracedWorkload notebook(String name, ActivityPeriods unknown) {
    return new TracedWorkload(
        "research",
        name,
        WorkloadKind.NOTEBOOK,
        0,
        24 * HOUR,
        List.of(1),
        1,
        Set.of(),
        0,
        1_800,
        new ActivityPeriods.PeriodsBuilder()
            .add(0, unknown.equals(ActivityPeriods.NONE) ? 1_800 : 60, 1)
            .build(),
        unknown,
        ComputeResources.NONE);
  }
}
