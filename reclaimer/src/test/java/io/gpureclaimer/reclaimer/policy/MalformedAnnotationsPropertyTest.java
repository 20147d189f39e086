package io.gpureclaimer.reclaimer.policy;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.DEFAULTS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.LIMITS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.cluster;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idle;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.seen;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Rule 5: nothing malformed makes a policy more aggressive. */
class MalformedAnnotationsPropertyTest {
  private static final Judge JUDGE = new Judge(DEFAULTS, LIMITS);
  private static final String PREFIX = "gpu-reclaimer.io/";

  private static final Map<String, String> WARNING =
      Map.of(
          PREFIX + "warned-at", ago("20m").toString(),
          PREFIX + "idle-since", ago("2h").toString(),
          PREFIX + "warned-mode", "always");

  @Property(tries = 2000)
  void onAPod_neverLeadsAnywhere(
      @ForAll("policyKeys") String key,
      @ForAll("nonsense") String value,
      @ForAll("modes") String mode,
      @ForAll boolean warned) {
    Assume.that(!means(key, value));
    NamespaceView namespace = namespace("ml", "mode", mode);
    Map<String, String> written = warned ? WARNING : Map.of();
    PodView plain = pod("a").with(written).draw();
    PodView malformed = pod("a").with(written).with(Map.of(key, value)).draw();

    assertThat(reach(namespace, malformed))
        .isLessThanOrEqualTo(Math.min(1, reach(namespace, plain)));
  }

  @Property(tries = 2000)
  void onANamespace_neverLeadsAnywhere(
      @ForAll("policyKeys") String key,
      @ForAll("nonsense") String value,
      @ForAll("modes") String podMode) {
    Assume.that(!means(key, value));
    Map<String, String> annotations = new HashMap<>(JudgeScenario.map("mode", "always"));
    annotations.put(key, value);
    NamespaceView malformed = new NamespaceView("ml", annotations);
    PodView pod = pod("a").with(WARNING).with("mode", podMode).draw();

    assertThat(reach(malformed, pod)).isLessThanOrEqualTo(1);
  }

  @Property(tries = 2000)
  void inAWarning_isNoWarning(@ForAll("stateKeys") String key, @ForAll("nonsense") String value) {
    PodView pod = pod("a").with(WARNING).with(Map.of(key, value)).draw();

    assertThat(verdict(namespace("ml", "mode", "always"), pod))
        .isEqualTo(
            new Verdict.ToWithdraw(
                new Workload("ml", Optional.empty(), List.of(pod)), Withdrawal.UNREADABLE));
  }

  /** Nothing, a report, a warning, an eviction. */
  private static int reach(NamespaceView namespace, PodView pod) {
    return switch (verdict(namespace, pod)) {
      case Verdict.Protected _,
          Verdict.NotRunning _,
          Verdict.Starting _,
          Verdict.Vetoed _,
          Verdict.Active _,
          Verdict.Unknown _,
          Verdict.Watching _,
          Verdict.ToWithdraw _ ->
          0;
      case Verdict.Reported _ -> 1;
      case Verdict.ToWarn _, Verdict.Warned _, Verdict.Notified _ -> 2;
      case Verdict.Due _ -> 3;
    };
  }

  private static Verdict verdict(NamespaceView namespace, PodView pod) {
    return JUDGE.judge(cluster(namespace, pod), seen(idle(pod, "2h")), NOW).getFirst().verdict();
  }

  @Provide
  static Arbitrary<String> modes() {
    return Arbitraries.of("off", "report", "notify", "on-demand", "always");
  }

  @Provide
  static Arbitrary<String> policyKeys() {
    Arbitrary<String> known =
        Arbitraries.of(
            "mode",
            "idle-after",
            "warn-before",
            "grace",
            "startup-grace",
            "class",
            "action",
            "exclude",
            "keep-until",
            "protected-hours",
            "scratch",
            "notify",
            "checkpoint-url",
            "last-activity",
            "min-idle-after",
            "max-idle-after",
            "max-keep",
            "max-per-run",
            "max-per-hour",
            "victim-priority-max");
    Arbitrary<String> misspelt = Arbitraries.strings().withCharRange('a', 'z').ofMinLength(1);
    return Arbitraries.oneOf(known, misspelt).map(name -> PREFIX + name);
  }

  @Provide
  static Arbitrary<String> stateKeys() {
    return Arbitraries.of("warned-at", "idle-since", "act-not-before", "warned-mode")
        .map(name -> PREFIX + name);
  }

  /** The few of these words that mean something on these keys, where people may write them. */
  private static boolean means(String key, String value) {
    return switch (key.substring(PREFIX.length())) {
      case "notify" -> value.matches("[a-z0-9][a-z0-9-]*");
      case "max-per-run", "max-per-hour", "victim-priority-max" -> Set.of("1", "0").contains(value);
      case "keep-until" -> value.equals("2026-03-02");
      default -> false;
    };
  }

  /** None of these words means anything on the keys, but for those above. */
  @Provide
  static Arbitrary<String> nonsense() {
    Arbitrary<String> nearMisses =
        Arbitraries.of(
            "",
            " ",
            "Always",
            "ALWAYS",
            "always ",
            "on demand",
            "True",
            "yes",
            "1",
            "0",
            "-1h",
            "10 m",
            "1h 30m",
            "30m1h",
            "1H",
            "PT1H",
            "∞",
            "null",
            "2026-03-02",
            "1e3s");
    Arbitrary<String> anything = Arbitraries.strings().ofMaxLength(300).map(text -> "#" + text);
    return Arbitraries.oneOf(nearMisses, anything);
  }
}
