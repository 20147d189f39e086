package io.gpureclaimer.reclaimer.reclamation;

import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.reclamation.FieldWriter.FieldContent;
import io.gpureclaimer.reclaimer.reclamation.ReclamationRule.NextStep;
import io.gpureclaimer.reclaimer.reclamation.ReclamationRule.OwnerSituation;
import io.gpureclaimer.reclaimer.reclamation.ReclamationRule.PodsLeft;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReclamationRuleTest {

  @ParameterizedTest(name = "{0} after {1} with pods {2}: ignored is {3}")
  @CsvSource({
    "InferenceService, PT9M59S, RUNNING, false",
    "InferenceService, PT10M, RUNNING, true",
    "InferenceService, PT10M, TERMINATING, false",
    "Revision, PT1H59M59S, RUNNING, false",
    "Revision, PT2H, RUNNING, true"
  })
  void writesTheFormerValuesBack_whenTheControllerStopsNoPod(
      String kind, Duration after, PodsLeft left, boolean ignored) {
    ReclamationProgress progress = acting(kind);
    var now =
        new OwnerSituation(List.of(FieldContent.WRITTEN), List.of(), left, false, Optional.empty());

    NextStep next = ReclamationRule.decide(progress, now, NOW.plus(after));

    assertThat(next.equals(new NextStep.NoChange())).isNotEqualTo(ignored);
    assertThat(next instanceof NextStep.WriteBack(var end, _) && end == ReclamationState.CONTESTED)
        .isEqualTo(ignored);
  }

  private static ReclamationProgress acting(String kind) {
    return new ReclamationProgress(
        ReclamationState.ACTING,
        "stop",
        "id",
        "",
        new ObjectRef("group/v1", kind, "ml", "x", "u"),
        "7",
        List.of(),
        1,
        Optional.empty(),
        "",
        List.of(),
        Timeline.recorded(NOW, NOW, NOW).acted(NOW));
  }
}
