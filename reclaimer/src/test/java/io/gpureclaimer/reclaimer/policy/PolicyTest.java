package io.gpureclaimer.reclaimer.policy;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.DEFAULTS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.plain;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTest {
  private static final Origin DEFAULT = new Origin.Defaults();
  private static final Origin NAMESPACE = new Origin.Annotation("namespace ml");
  private static final Origin POD = new Origin.Annotation("pod ml/a");

  @Test
  void onlyReports_withoutAnnotations() {
    assertThat(policy(namespace("ml"), pod("a").draw()))
        .isEqualTo(
            plain(
                new Setting<>(Mode.REPORT, DEFAULT),
                new Setting<>(time("1h"), DEFAULT),
                new Setting<>(time("15m"), DEFAULT),
                Optional.empty(),
                List.of(),
                Optional.empty()));
  }

  @Test
  void takesEachValueFromTheNearestObjectThatHasIt() {
    NamespaceView namespace = namespace("ml", "mode", "always", "idle-after", "2h");

    assertThat(policy(namespace, pod("a").with("idle-after", "4h").draw()))
        .isEqualTo(
            plain(
                new Setting<>(Mode.ALWAYS, NAMESPACE),
                new Setting<>(time("4h"), POD),
                new Setting<>(time("15m"), DEFAULT),
                Optional.empty(),
                List.of(),
                Optional.empty()));
  }

  @ParameterizedTest(name = "namespace {0}, pod {1}: {2}")
  @CsvSource({
    "always, on-demand, on-demand",
    "always, notify, notify",
    "always, off, off",
    "off, always, off",
    "report, always, report",
    "notify, on-demand, notify",
    "on-demand, always, on-demand"
  })
  void aPodMayAskForLess_neverForMoreThanItsNamespace(String above, String own, String holds) {
    EffectivePolicy policy =
        policy(namespace("ml", "mode", above), pod("a").with("mode", own).draw());

    assertThat(policy.mode().value()).isEqualTo(Mode.of(holds).orElseThrow());
  }

  @Test
  void saysWhy_whenAPodAsksForMoreThanItsNamespace() {
    EffectivePolicy policy = policy(namespace("ml"), pod("a").with("mode", "always").draw());

    String rule = "may not go further than namespace ml, which has report";
    assertThat(policy.mode())
        .isEqualTo(new Setting<>(Mode.REPORT, new Origin.Clamped("pod ml/a", "always", rule)));
    assertThat(policy.remarks())
        .containsExactly(new Remark("pod ml/a", "gpu-reclaimer.io/mode", "always", rule));
  }

  @ParameterizedTest(name = "{0} {1} becomes {2}")
  @CsvSource({
    "idle-after, 1m, 15m, 'must not be shorter than warn-before, which is 15m'",
    "idle-after, 31d, 30d, at most 30d is allowed",
    "warn-before, 0s, 5m, at least 5m is allowed",
    "warn-before, 2d, 24h, at most 1d is allowed",
  })
  void movesDurationsToTheBound(String key, String asked, String holds, String rule) {
    EffectivePolicy policy = policy(namespace("ml"), pod("a").with(key, asked).draw());

    Setting<Duration> setting = key.equals("idle-after") ? policy.idleAfter() : policy.warnBefore();
    assertThat(setting)
        .isEqualTo(
            new Setting<>(
                time(holds), new Origin.Clamped("pod ml/a", Durations.format(time(asked)), rule)));
  }

  @Test
  void neverLetsTheWarningTakeLongerThanTheIdleTime() {
    EffectivePolicy policy = policy(namespace("ml", "warn-before", "3h"), pod("a").draw());

    assertThat(policy)
        .isEqualTo(
            plain(
                new Setting<>(Mode.REPORT, DEFAULT),
                new Setting<>(
                    time("3h"),
                    new Origin.Clamped(
                        "the defaults", "1h", "must not be shorter than warn-before, which is 3h")),
                new Setting<>(time("3h"), NAMESPACE),
                Optional.empty(),
                List.of(
                    new Remark(
                        "the defaults",
                        "gpu-reclaimer.io/idle-after",
                        "1h",
                        "must not be shorter than warn-before, which is 3h")),
                Optional.empty()));
  }

  @ParameterizedTest(name = "{0}: \"{1}\"")
  @CsvSource({
    "mode, Always, 'must be off, report, notify, on-demand or always'",
    "mode, '', 'must be off, report, notify, on-demand or always'",
    "idle-after, 2 hours, 'must be a duration like 90s, 10m, 2h, 1h30m, 1d or 1w'",
    "warn-before, -5m, 'must be a duration like 90s, 10m, 2h, 1h30m, 1d or 1w'",
    "exclude, yes, must be true or false",
    "exlude, true, 'no such annotation, did you mean gpu-reclaimer.io/exclude?'",
    "idle_after, 4h, 'no such annotation, did you mean gpu-reclaimer.io/idle-after?'",
    "Mode, off, 'no such annotation, did you mean gpu-reclaimer.io/mode?'"
  })
  void onlyReports_whenAnAnnotationCannotBeUnderstood(String key, String value, String rule) {
    NamespaceView always = namespace("ml", "mode", "always");
    String until = rule + (rule.endsWith("?") ? "" : ";") + " only reported on until then";
    var remark = new Remark("pod ml/a", "gpu-reclaimer.io/" + key, value, until);

    EffectivePolicy policy = policy(always, pod("a").with(key, value).draw());

    assertThat(policy)
        .isEqualTo(
            plain(
                new Setting<>(
                    Mode.REPORT,
                    new Origin.Clamped(
                        "pod ml/a", "always", "gpu-reclaimer.io/" + key + " cannot be understood")),
                new Setting<>(time("1h"), DEFAULT),
                new Setting<>(time("15m"), DEFAULT),
                Optional.empty(),
                List.of(remark),
                Optional.of(remark)));
  }

  @Test
  void onlyReportsOnAllPods_whenAnAnnotationOfTheNamespaceCannotBeUnderstood() {
    NamespaceView namespace = namespace("ml", "mode", "always", "idle-after", "soon");

    assertThat(policy(namespace, pod("a").with("mode", "always").draw()).mode().value())
        .isEqualTo(Mode.REPORT);
  }

  @Test
  void staysOff_whenAnotherAnnotationCannotBeUnderstood() {
    NamespaceView namespace = namespace("ml", "mode", "off", "idle-after", "soon");

    assertThat(policy(namespace, pod("a").draw()).mode())
        .isEqualTo(new Setting<>(Mode.OFF, NAMESPACE));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"warned-at", "idle-since", "act-not-before"})
  void whatWeWriteOurselvesIsNotPolicy(String key) {
    NamespaceView always = namespace("ml", "mode", "always");

    assertThat(policy(always, pod("a").with(key, "nonsense").draw()))
        .isEqualTo(policy(always, pod("a").draw()));
  }

  @Test
  void whatOthersWriteIsNotPolicy() {
    PodView pod = pod("a").with(Map.of("example.com/mode", "always")).draw();

    assertThat(policy(namespace("ml"), pod)).isEqualTo(policy(namespace("ml"), pod("a").draw()));
  }

  @ParameterizedTest(name = "namespace {0}, pod {1}: {2}")
  @CsvSource({
    "true, false, namespace ml",
    "false, true, pod ml/a",
    "true, true, pod ml/a",
    "false, false,"
  })
  void excludesTheWorkload_whenEitherSaysSo(String above, String own, String by) {
    EffectivePolicy policy =
        policy(namespace("ml", "exclude", above), pod("a").with("exclude", own).draw());

    assertThat(policy.excludedBy()).isEqualTo(Optional.ofNullable(by));
  }

  @Test
  void takesTheSafestOfEachValue_whenThePodsOfAWorkloadDiffer() {
    NamespaceView namespace = namespace("ml", "mode", "always");
    PodView hasty = pod("a").owner("Job", "j").with("idle-after", "20m").draw();
    PodView careful =
        pod("b").owner("Job", "j").with("mode", "notify", "warn-before", "20m").draw();

    assertThat(new Policies(DEFAULTS).of(namespace, workload(hasty, careful), NOW))
        .isEqualTo(
            ofClass(
                plain(
                    new Setting<>(Mode.NOTIFY, new Origin.Annotation("pod ml/b")),
                    new Setting<>(time("1h"), new Origin.Defaults()),
                    new Setting<>(time("20m"), new Origin.Annotation("pod ml/b")),
                    Optional.empty(),
                    List.of(),
                    Optional.empty()),
                WorkloadClass.BATCH,
                "it is of Job/j"));
  }

  @Test
  void canBeAskedAboutANamespaceAlone() {
    assertThat(new Policies(DEFAULTS).of(namespace("ml", "mode", "notify"), NOW).mode())
        .isEqualTo(new Setting<>(Mode.NOTIFY, NAMESPACE));
  }

  @Test
  void remarksStayOneShortLine_whateverIsWritten() {
    String value = "x\n".repeat(500);

    assertThat(new Remark("pod ml/a", "gpu-reclaimer.io/mode", value, "must be off").text())
        .isEqualTo("pod ml/a: gpu-reclaimer.io/mode \"" + "x?".repeat(30) + "…\": must be off");
  }

  @Test
  void refusesDefaultsThatActOnUnannotatedNamespaces() {
    assertThatThrownBy(
            () ->
                new PolicyDefaults(
                    Mode.NOTIFY,
                    Optional.empty(),
                    time("10m"),
                    time("30d"),
                    time("15m"),
                    time("5m"),
                    time("1d"),
                    DEFAULTS.classes(),
                    time("0s"),
                    time("7d"),
                    new VetoSettings(Set.of(), Set.of()),
                    Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the default mode must be off or report, was notify");
  }

  @Test
  void refusesDefaultsOutsideTheirOwnBounds() {
    assertThatThrownBy(
            () ->
                new PolicyDefaults(
                    Mode.REPORT,
                    Optional.of(time("5m")),
                    time("10m"),
                    time("30d"),
                    time("5m"),
                    time("5m"),
                    time("1d"),
                    DEFAULTS.classes(),
                    time("0s"),
                    time("7d"),
                    new VetoSettings(Set.of(), Set.of()),
                    Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "idle-after must be positive and within 10m (min-idle-after) and 30d (max-idle-after),"
                + " was 5m");
  }

  private static EffectivePolicy policy(NamespaceView namespace, PodView pod) {
    return new Policies(DEFAULTS).of(namespace, workload(pod), NOW);
  }

  private static EffectivePolicy ofClass(
      EffectivePolicy plain, WorkloadClass workloadClass, String because) {
    return new EffectivePolicy(
        plain.mode(),
        plain.idleAfter(),
        plain.sparedIfNeededSoon(),
        plain.warnBefore(),
        plain.startupGrace(),
        new Setting<>(workloadClass, new Origin.Detected(because)),
        plain.action(),
        plain.restore(),
        plain.partial(),
        plain.maxKeep(),
        plain.keeps(),
        plain.protectedHours(),
        plain.lastActivity(),
        plain.caps(),
        plain.receivers(),
        plain.excludedBy(),
        plain.remarks(),
        plain.distrusted());
  }
}
