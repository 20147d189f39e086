package io.gpureclaimer.reclaimer.policy;

import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.DEFAULTS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.heeding;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotatedKind;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.Lint.AnnotatedObject;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings.ActivityAnnotation;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the administrator does not let count is no mistake, whether its namespace is known or not.
 */
class LintTest {
  private static final AnnotatedObject POD =
      new AnnotatedObject(
          AnnotatedKind.POD,
          "ml",
          "pod ml/a",
          Map.of("gpu-reclaimer.io/last-activity", "never"),
          Map.of());
  private static final AnnotatedObject NAMESPACE =
      new AnnotatedObject(AnnotatedKind.NAMESPACE, "ml", "namespace ml", Map.of(), Map.of());

  private static final AnnotatedObject HOOKED =
      new AnnotatedObject(
          AnnotatedKind.POD,
          "ml",
          "pod ml/b",
          Map.of("gpu-reclaimer.io/checkpoint-url", "http://saver.ml.svc/x"),
          Map.of());

  @ParameterizedTest(name = "namespace known: {0}")
  @ValueSource(booleans = {false, true})
  void saysWhatTheJudgeWouldSay(boolean isKnown) {
    List<AnnotatedObject> all = isKnown ? List.of(NAMESPACE, POD) : List.of(POD);

    assertThat(remarks(EnumSet.allOf(ActivityAnnotation.class), all))
        .extracting(Remark::key)
        .containsExactly("gpu-reclaimer.io/last-activity");
    assertThat(remarks(Set.of(ActivityAnnotation.NOTEBOOK), all)).isEmpty();
  }

  @ParameterizedTest(name = "namespace known: {0}")
  @ValueSource(booleans = {false, true})
  void notesAHookThatIsNotAllowed(boolean isKnown) {
    List<AnnotatedObject> namespaces = isKnown ? List.of(NAMESPACE) : List.of();
    PolicyDefaults inside = DEFAULTS.calling(CheckpointTargets.of(List.of(".svc")));

    assertThat(new Lint(DEFAULTS, NOW, namespaces).of(HOOKED))
        .singleElement()
        .matches(remark -> remark.key().equals("gpu-reclaimer.io/checkpoint-url"))
        .matches(remark -> !remark.isMistake());
    assertThat(new Lint(inside, NOW, namespaces).of(HOOKED)).isEmpty();
  }

  private static List<Remark> remarks(
      Set<ActivityAnnotation> vetoSettings, List<AnnotatedObject> all) {
    return new Lint(heeding(new VetoSettings(Set.of(), vetoSettings)), NOW, all).of(POD);
  }
}
