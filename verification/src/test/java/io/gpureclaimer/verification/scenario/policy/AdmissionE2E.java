package io.gpureclaimer.verification.scenario.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotatedKind;
import io.gpureclaimer.reclaimer.policy.Lint;
import io.gpureclaimer.reclaimer.policy.Lint.AnnotatedObject;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.ClassLimits;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings.ActivityAnnotation;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The API server refuses exactly the annotations that {@code lint} takes for mistakes. */
@OnCluster
class AdmissionE2E {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MONTH = Duration.ofDays(30);
  private static final PolicyDefaults DEFAULTS =
      new PolicyDefaults(
          Mode.REPORT,
          Optional.of(HOUR),
          Duration.ofMinutes(1),
          MONTH,
          Duration.ofMinutes(15),
          Duration.ofMinutes(1),
          MONTH,
          new ClassLimits(HOUR, HOUR, HOUR, HOUR, HOUR),
          Duration.ZERO,
          MONTH,
          new VetoSettings(Set.of(), Set.of(ActivityAnnotation.values())),
          Optional.empty());

  private final TestCluster cluster;

  AdmissionE2E(TestCluster cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void refuse() {
    cluster.apply(Manifest.shipped("reclaimer-admission.yaml"));
    await("the policy")
        .atMost(Duration.ofSeconds(30))
        .until(() -> refusal("mode", "nonsense").isPresent());
  }

  @ParameterizedTest(name = "{0}: \"{1}\"")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "mode | on-demand",
        "mode | On-demand",
        "modus | always",
        "idle-after | 1h30m",
        "idle-after | 1w2d3h4m5s",
        "idle-after | 30m1h",
        "idle-after | 1000000s",
        "idle-after | ``",
        "grace | 90",
        "startup-grace | 0s",
        "class | batch",
        "class | Batch",
        "action | suspend",
        "action | delete",
        "restore | on-demand-clear",
        "restore | on-schedule",
        "restore | always",
        "exclude | true",
        "exclude | yes",
        "scratch | disposable",
        "scratch | no",
        "keep-until | 2026-03-01",
        "keep-until | 2026-02-30",
        "keep-until | 2028-02-29",
        "keep-until | 2026-03-01T08:00:00Z",
        "keep-until | 2026-03-01T08:00:00.123+05:30",
        "keep-until | 2026-03-01T08:00:00",
        "keep-until | 2026-03-01T24:00:00Z",
        "protected-hours | Mon-Fri 09:00-18:00 Europe/Berlin",
        "protected-hours | Mon-Fri 09:00-18:00 Europe/Berlin, Sat 22:00-06:00 UTC",
        "protected-hours | Mon-Fri 9:00-18:00 UTC",
        "protected-hours | Mon-Fri 09:00-24:00 UTC,",
        "notify | ml-team, oncall",
        "notify | ML",
        "max-per-run | 0",
        "max-per-run | -1",
        "max-per-hour | 1000000",
        "victim-priority-max | -2147483648",
        "victim-priority-max | 2147483648",
        "max-keep | 7d",
        "last-activity | 2026-03-01T08:00:00Z",
        "checkpoint-url | http://saver.research.svc.cluster.local:8080/checkpoint",
        "warned-at | 2026-03-01T08:00:00Z"
      })
  void refusesWhatLintTakesForAMistake(String key, String value) {
    String name = "gpu-reclaimer.io/" + key;
    var subject =
        new AnnotatedObject(
            AnnotatedKind.NAMESPACE, "tried", "namespace tried", Map.of(name, value), Map.of());
    var lint = new Lint(DEFAULTS, Instant.parse("2026-03-02T12:00:00Z"), List.of(subject));
    boolean mistake = lint.of(subject).stream().anyMatch(remark -> remark.isMistake());

    Optional<String> refusal = refusal(key, value);

    assertThat(refusal.isPresent()).isEqualTo(mistake);
    refusal.ifPresent(why -> assertThat(why).contains("gpu-reclaimer"));
  }

  private Optional<String> refusal(String key, String value) {
    Namespace tried =
        new NamespaceBuilder()
            .withNewMetadata()
            .withName("tried")
            .addToAnnotations("gpu-reclaimer.io/" + key, value)
            .endMetadata()
            .build();
    try {
      cluster.client().resource(tried).dryRun().create();
      return Optional.empty();
    } catch (KubernetesClientException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
