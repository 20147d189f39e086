package io.gpureclaimer.reclaimer.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainTextGoldenTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "active",
        "watching",
        "due",
        "on-demand",
        "excluded",
        "typo",
        "server-x2kl9",
        "back-to-work",
        "to-warn",
        "warned",
        "unseen",
        "starting"
      })
  void aPod(String pod) {
    Golden.assertThatTextIs("explain-" + pod + ".txt", explain(Reports.full(), pod));
  }

  @ParameterizedTest
  @ValueSource(strings = {"due", "due-longest", "blocked"})
  void aPodAfterTheDeeds(String pod) {
    Golden.assertThatTextIs("explain-acted-" + pod + ".txt", explain(Reports.acted(), pod));
  }

  @ParameterizedTest
  @ValueSource(strings = {"active", "due", "unseen", "typo"})
  void aPodAsJson(String pod) {
    Golden.assertThatTextIs(
        "explain-" + pod + ".json",
        ExplainJson.of(Reports.acted(), ExplainedObject.pod("ml", pod)).orElseThrow());
  }

  @Test
  void aPodThatIsNotObservedAsJson() {
    Golden.assertThatTextIs(
        "explain-blind.json",
        ExplainJson.of(Reports.blind(), ExplainedObject.pod("ml", "due")).orElseThrow());
  }

  @Test
  void aPodThatIsNotObserved() {
    Golden.assertThatTextIs("explain-blind.txt", explain(Reports.blind(), "due"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ml/missing", "lm/due", "ml/du", "ml/due-"})
  void nothing_whenThereIsNoSuchPod(String pod) {
    String[] parts = pod.split("/", -1);

    assertThat(ExplainText.of(Reports.full(), ExplainedObject.pod(parts[0], parts[1]))).isEmpty();
    assertThat(ExplainJson.of(Reports.full(), ExplainedObject.pod(parts[0], parts[1]))).isEmpty();
  }

  private static String explain(CycleReport report, String pod) {
    return ExplainText.of(report, ExplainedObject.pod("ml", pod)).orElseThrow();
  }
}
