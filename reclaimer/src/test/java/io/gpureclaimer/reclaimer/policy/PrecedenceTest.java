package io.gpureclaimer.reclaimer.policy;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.DEFAULTS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.KeepRequest;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.NamespaceCaps;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.ClassLimits;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.workload.Workloads;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrecedenceTest {
  private static final NamespaceView ALWAYS = namespace("ml", "mode", "always");
  private static final Owner TOP = new Owner("kubeflow.org/v1", "Notebook", "n", "uid-of-n");
  private static final Owner SET = new Owner("apps/v1", "StatefulSet", "s", "uid-of-s");
  private static final PolicyDefaults BY_CLASS =
      new PolicyDefaults(
          Mode.REPORT,
          Optional.empty(),
          time("10m"),
          time("30d"),
          time("15m"),
          time("5m"),
          time("1d"),
          new ClassLimits(time("3h"), time("2h"), time("90m"), time("1h"), time("4h")),
          time("0s"),
          time("7d"),
          DEFAULTS.vetoSettings(),
          Optional.empty());
  private static final Origin POD = new Origin.Annotation("pod ml/a");
  private static final Origin NEAR = new Origin.Annotation("StatefulSet ml/s");
  private static final Origin FAR = new Origin.Annotation("Notebook ml/n");

  @ParameterizedTest(name = "pod {0}, owner {1}, its owner {2}, namespace {3}: {4}")
  @CsvSource({
    "2h, 3h, 4h, 5h, 2h",
    ", 3h, 4h, 5h, 3h",
    ", , 4h, 5h, 4h",
    ", , , 5h, 5h",
    ", , , , 1h"
  })
  void theNearestThatSaysAnythingWins(
      String pod, String near, String far, String above, String holds) {
    NamespaceView namespace = namespace("ml", written("idle-after", above));
    PodView draft = owned().with(written("idle-after", pod)).draw();

    EffectivePolicy policy =
        policy(namespace, draft, written("idle-after", near), written("idle-after", far));

    assertThat(policy.idleAfter().value()).isEqualTo(time(holds));
  }

  @Test
  void isOnlyReportedOn_whenItNamesAReceiverThatIsUnknown() {
    var policies = new Policies(DEFAULTS.notifying(Set.of("me")));
    PodView pod = pod("a").with("notify", "me, you").draw();

    EffectivePolicy policy =
        policies.of(namespace("ml", "mode", "always"), JudgeScenario.workload(pod), NOW);

    assertThat(policy.mode().value()).isEqualTo(Mode.REPORT);
    assertThat(policy.remarks())
        .containsExactly(
            new Remark(
                "pod ml/a",
                "gpu-reclaimer.io/notify",
                "you",
                "must be a configured receiver; only reported on until then"));
  }

  @Test
  void anOwnerMayNotGoFurtherThanItsNamespace() {
    EffectivePolicy policy =
        policy(namespace("ml"), owned().draw(), written("mode", "always"), new String[0]);

    assertThat(policy.mode().value()).isEqualTo(Mode.REPORT);
  }

  @Test
  void whatAnyOwnerExcludesIsExcluded() {
    EffectivePolicy policy =
        policy(
            ALWAYS,
            owned().with("exclude", "false").draw(),
            new String[0],
            written("exclude", "true"));

    assertThat(policy.excludedBy()).contains("Notebook ml/n");
  }

  @Test
  void onlyReports_whenAnAnnotationOfAnyOwnerCannotBeUnderstood() {
    EffectivePolicy policy =
        policy(ALWAYS, owned().draw(), new String[0], written("exclude", "yes"));

    assertThat(policy.mode().value()).isEqualTo(Mode.REPORT);
    assertThat(policy.distrusted().map(Remark::object)).contains("Notebook ml/n");
  }

  @Test
  void keepsItForTheLongestRequest_limitedBelowTheNamespace() {
    Instant week = NOW.plus(time("1w"));
    NamespaceView namespace =
        namespace("ml", "mode", "always", "max-keep", "1d", "keep-until", week.toString());
    PodView pod = owned().with("keep-until", "2026-03-05").draw();

    assertThat(policy(namespace, pod, new String[0], written("keep-until", "2026-03-04")).keeps())
        .containsExactly(
            new Setting<>(
                new KeepRequest(Instant.parse("2026-03-05T00:00:00Z"), Optional.of(time("1d"))),
                POD),
            new Setting<>(
                new KeepRequest(Instant.parse("2026-03-04T00:00:00Z"), Optional.of(time("1d"))),
                FAR),
            new Setting<>(
                new KeepRequest(week, Optional.empty()), new Origin.Annotation("namespace ml")));
  }

  @Test
  void aNamespaceCannotKeepLongerThanTheClusterAllows() {
    NamespaceView namespace = namespace("ml", "max-keep", "30d");
    PodView pod = pod("a").with("keep-until", "2026-03-05").draw();

    EffectivePolicy policy = policy(namespace, pod);

    assertThat(policy.keeps().getFirst().value().atMost()).contains(time("7d"));
    assertThat(policy.remarks())
        .containsExactly(
            new Remark(
                "namespace ml", "gpu-reclaimer.io/max-keep", "30d", "at most 7d is allowed"));
  }

  @ParameterizedTest(name = "{0}..{1}, asked for {2}: {3}")
  @CsvSource({
    "2h, 8h, 20m, 2h, at least 2h is allowed by namespace ml",
    "2h, 8h, 20h, 8h, at most 8h is allowed by namespace ml",
    "2h, 8h, 3h, 3h,",
    "1m, , 5m, 15m, 'must not be shorter than warn-before, which is 15m'",
    "9h, 2h, 1h, 9h, at least 9h is allowed by namespace ml",
    "9h, 2h, 20h, 9h, at most 9h is allowed by namespace ml"
  })
  void thePodChoosesWithinTheBoundsOfItsNamespace(
      String min, String max, String asked, String holds, String rule) {
    NamespaceView namespace =
        namespace(
            "ml",
            max == null
                ? new String[] {"min-idle-after", min}
                : new String[] {"min-idle-after", min, "max-idle-after", max});

    EffectivePolicy policy = policy(namespace, pod("a").with("idle-after", asked).draw());

    assertThat(policy.idleAfter())
        .isEqualTo(
            new Setting<>(
                time(holds),
                rule == null
                    ? POD
                    : new Origin.Clamped("pod ml/a", Durations.format(time(asked)), rule)));
  }

  @Test
  void theBoundsOfTheNamespaceHoldForTheDefaultToo() {
    assertThat(policy(namespace("ml", "min-idle-after", "8h"), pod("a").draw()).idleAfter())
        .isEqualTo(
            new Setting<>(
                time("8h"),
                new Origin.Clamped(
                    "the defaults", "1h", "at least 8h is allowed by namespace ml")));
  }

  @Test
  void theClassSetsTheIdleTime_whereNothingElseDoes() {
    EffectivePolicy policy = policy(BY_CLASS, ALWAYS, owned().draw(), new String[0], new String[0]);

    assertThat(policy.workloadClass())
        .isEqualTo(
            new Setting<>(WorkloadClass.INTERACTIVE, new Origin.Detected("it is of Notebook/n")));
    assertThat(policy.idleAfter())
        .isEqualTo(new Setting<>(time("3h"), new Origin.ByClass(WorkloadClass.INTERACTIVE)));
    assertThat(policy.sparedIfNeededSoon()).isTrue();
  }

  /** That of its class is three hours; a longer one asks for more care, not for less. */
  @ParameterizedTest(name = "pod {0}, owner {1}, namespace {2}: {3}")
  @CsvSource({
    "3h, , , false",
    ", 3h, , false",
    ", , 3h, false",
    ", , 20m, false",
    "3h1s, , , true",
    "4h, , 1h, true",
    "1h, , 4h, false"
  })
  void isSparedIfNeededSoon_unlessItsIdleTimeIsSet(
      String pod, String near, String above, boolean spared) {
    EffectivePolicy policy =
        policy(
            BY_CLASS,
            namespace("ml", written("idle-after", above)),
            owned().with(written("idle-after", pod)).draw(),
            written("idle-after", near),
            new String[0]);

    assertThat(policy.sparedIfNeededSoon()).isEqualTo(spared);
    assertThat(policy.afterRestoration("Notebook ml/n", NOW).sparedIfNeededSoon())
        .isEqualTo(spared);
  }

  @Test
  void isSparedIfNeededSoon_ifOneOfItsPodsIs() {
    PodView hasty = pod("a").owner("Job", "j").with("idle-after", "20m").draw();
    PodView other = pod("b").owner("Job", "j").draw();
    var policies = new Policies(BY_CLASS);

    assertThat(policies.of(ALWAYS, workload(hasty, other), NOW).sparedIfNeededSoon()).isTrue();
    assertThat(policies.of(ALWAYS, workload(hasty, hasty), NOW).sparedIfNeededSoon()).isFalse();
  }

  @Test
  void theClassDoesNotSetTheIdleTime_whereItIsSetForAll() {
    EffectivePolicy policy = policy(ALWAYS, owned().draw());

    assertThat(policy.idleAfter())
        .isEqualTo(new Setting<>(JudgeScenario.IDLE_AFTER, new Origin.Defaults()));
    assertThat(policy.sparedIfNeededSoon()).isFalse();
  }

  @Test
  void aClassThatIsWrittenWinsOverTheOneThatIsSeen() {
    EffectivePolicy policy =
        policy(ALWAYS, owned().draw(), written("class", "batch"), new String[0]);

    assertThat(policy.workloadClass()).isEqualTo(new Setting<>(WorkloadClass.BATCH, NEAR));
  }

  @Test
  void takesTheCapsOfTheNamespace() {
    NamespaceView namespace =
        namespace("ml", "max-per-run", "1", "max-per-hour", "4", "victim-priority-max", "100");
    Origin origin = new Origin.Annotation("namespace ml");

    assertThat(policy(namespace, pod("a").draw()).caps())
        .isEqualTo(
            new NamespaceCaps(
                Optional.of(new Setting<>(1, origin)),
                Optional.of(new Setting<>(4, origin)),
                Optional.of(new Setting<>(100, origin))));
  }

  @Test
  void aCapOnAPodLoosensNothing() {
    NamespaceView namespace = namespace("ml", "mode", "always", "max-per-run", "1");

    EffectivePolicy policy = policy(namespace, pod("a").with("max-per-run", "100").draw());

    assertThat(policy.caps().maxPerRun().map(Setting::value)).contains(1);
    assertThat(policy.mode().value()).isEqualTo(Mode.REPORT);
  }

  @Test
  void notifiesWhomTheNearestNames() {
    EffectivePolicy policy =
        policy(namespace("ml", "notify", "everybody"), pod("a").with("notify", "me, you").draw());

    assertThat(policy.receivers())
        .containsExactly(new Setting<>("me", POD), new Setting<>("you", POD));
  }

  @Test
  void takesTheLatestActivityThatAnyOfThemReports() {
    EffectivePolicy policy =
        policy(
            ALWAYS,
            owned().with("last-activity", "2026-03-02T10:00:00Z").draw(),
            new String[0],
            written("last-activity", "2026-03-02T11:00:00Z"));

    assertThat(policy.lastActivity())
        .contains(new Setting<>(Instant.parse("2026-03-02T11:00:00Z"), FAR));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"2026-03-02T12:00:30Z, always", "2026-03-02T12:00:31Z, report"})
  void onlyReports_whenTheActivityIsInTheFuture(String at, String mode) {
    EffectivePolicy policy = policy(ALWAYS, pod("a").with("last-activity", at).draw());

    assertThat(policy.mode().value().text()).isEqualTo(mode);
  }

  private static PodDraft owned() {
    return pod("a").owner("StatefulSet", "s");
  }

  private static String[] written(String key, String value) {
    return value == null ? new String[0] : new String[] {key, value};
  }

  private static EffectivePolicy policy(NamespaceView namespace, PodView pod) {
    return policy(namespace, pod, new String[0], new String[0]);
  }

  private static EffectivePolicy policy(
      NamespaceView namespace, PodView pod, String[] near, String[] far) {
    return policy(DEFAULTS, namespace, pod, near, far);
  }

  private static EffectivePolicy policy(
      PolicyDefaults defaults, NamespaceView namespace, PodView pod, String[] near, String[] far) {
    return new Policies(defaults)
        .of(
            namespace,
            Workloads.of(List.of(pod), owners(JudgeScenario.map(near), JudgeScenario.map(far))),
            NOW);
  }

  private static Map<String, OwnerView> owners(Map<String, String> near, Map<String, String> far) {
    return Map.of(
        SET.uid(), new OwnerView(SET, "ml", Optional.of(TOP), near),
        TOP.uid(), new OwnerView(TOP, "ml", Optional.empty(), far));
  }
}
