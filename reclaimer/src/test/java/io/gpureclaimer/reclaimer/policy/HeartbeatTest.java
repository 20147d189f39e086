package io.gpureclaimer.reclaimer.policy;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.LIMITS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.heeding;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idle;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.seen;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings.ActivityAnnotation;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Verdict.ReportOnly.ActionRefused;
import io.gpureclaimer.reclaimer.verdict.Verdict.Reported;
import io.gpureclaimer.reclaimer.verdict.Verdict.Watching;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Notebook that says when it did something; its GPUs have been idle for two hours. */
class HeartbeatTest {
  private static final NamespaceView ALWAYS = namespace("ml", "mode", "always");
  private static final Owner NOTEBOOK = new Owner("kubeflow.org/v1", "Notebook", "nb", "uid-of-nb");
  private static final Set<ActivityAnnotation> EVERY = EnumSet.allOf(ActivityAnnotation.class);

  @ParameterizedTest(name = "{0}")
  @EnumSource(ActivityAnnotation.class)
  void spares_andTheReasonSaysSo(ActivityAnnotation heartbeat) {
    Verdict verdict = verdict(EVERY, heartbeat, "2026-03-02T11:30:00Z");

    assertThat(VerdictSentence.of(verdict))
        .isEqualTo("idle for 30m of 1h, after Notebook ml/nb said that it worked; reported in 30m");
  }

  @Test
  void theLaterOfTwoCounts() {
    Map<String, String> both =
        Map.of(
            ActivityAnnotation.LAST_ACTIVITY.key().name(), "2026-03-02T11:10:00Z",
            ActivityAnnotation.NOTEBOOK.key().name(), "2026-03-02T11:40:00Z");

    assertThat(verdict(EVERY, both))
        .isInstanceOfSatisfying(
            Watching.class,
            watching -> assertThat(watching.idleSince()).isEqualTo(NOW.minusSeconds(1200)));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "LAST_ACTIVITY, 2026-03-02T11:30:00Z",
    "LAST_ACTIVITY, 2999-01-01T00:00:00Z",
    "LAST_ACTIVITY, never",
    "NOTEBOOK, 2026-03-02T11:30:00Z",
    "NOTEBOOK, 2999-01-01T00:00:00Z",
    "NOTEBOOK, never"
  })
  void isNotRead_whenItIsSwitchedOff(ActivityAnnotation heartbeat, String annotation) {
    Set<ActivityAnnotation> others = EnumSet.complementOf(EnumSet.of(heartbeat));

    assertThat(verdict(others, heartbeat, annotation))
        .isInstanceOfSatisfying(
            Reported.class,
            reported -> assertThat(reported.why()).isInstanceOf(ActionRefused.class));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"2999-01-01T00:00:00Z", "never"})
  void isDistrusted_whenItCannotBe(String annotation) {
    Judgment judgment =
        judgment(EVERY, Map.of(ActivityAnnotation.NOTEBOOK.key().name(), annotation));

    assertThat(judgment.policy().orElseThrow().distrusted())
        .map(Remark::key)
        .contains("notebooks.kubeflow.org/last-activity");
  }

  private static Verdict verdict(
      Set<ActivityAnnotation> vetoSettings, ActivityAnnotation heartbeat, String annotation) {
    return verdict(vetoSettings, Map.of(heartbeat.key().name(), annotation));
  }

  private static Verdict verdict(
      Set<ActivityAnnotation> vetoSettings, Map<String, String> annotations) {
    return judgment(vetoSettings, annotations).verdict();
  }

  private static Judgment judgment(
      Set<ActivityAnnotation> vetoSettings, Map<String, String> annotations) {
    PodView pod = pod("a").owner(NOTEBOOK).draw();
    var cluster =
        new ClusterView(
            List.of(pod),
            Map.of("ml", ALWAYS),
            List.of(),
            Map.of(NOTEBOOK.uid(), new OwnerView(NOTEBOOK, "ml", Optional.empty(), annotations)));
    return new Judge(heeding(new VetoSettings(Set.of(), vetoSettings)), LIMITS)
        .judge(cluster, seen(idle(pod, "2h")), NOW)
        .getFirst();
  }
}
