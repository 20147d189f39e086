package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.PodRules;
import io.gpureclaimer.reclaimer.cluster.PodRules.HostPort;
import io.gpureclaimer.reclaimer.cluster.PodRules.PodTerm;
import io.gpureclaimer.reclaimer.cluster.PodRules.Spread;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodRulesParserTest {
  private static final LabelRequirement WEB = new LabelRequirement("app", "In", Set.of("web"));

  @Test
  void readsRequiredTerms_withTheNamespaceOfThePodWhereNoneIsNamed() {
    PodRules rules =
        read(
            """
            affinity:
              podAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                - {topologyKey: zone, labelSelector: {matchLabels: {app: web}}}
              podAntiAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                - {topologyKey: host, namespaces: [a, b], matchLabelKeys: [rev, gone], mismatchLabelKeys: [app],
                   labelSelector: {matchExpressions: [{key: app, operator: In, values: [web]}]}}
                preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}]
            """);

    assertThat(rules)
        .isEqualTo(
            new PodRules(
                List.of(
                    new PodTerm(Optional.of(List.of(WEB)), Set.of("ml"), Optional.empty(), "zone")),
                List.of(
                    new PodTerm(
                        Optional.of(
                            List.of(
                                WEB,
                                new LabelRequirement("rev", "In", Set.of("7")),
                                new LabelRequirement("app", "NotIn", Set.of("new")))),
                        Set.of("a", "b"),
                        Optional.empty(),
                        "host")),
                List.of(),
                List.of(),
                Optional.empty()));
  }

  @Test
  void readsSpreadThatMustNotBeViolated() {
    PodRules rules =
        read(
            """
            topologySpreadConstraints:
            - {maxSkew: 2, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, minDomains: 3,
               nodeAffinityPolicy: Ignore, nodeTaintsPolicy: Honor, matchLabelKeys: [rev],
               labelSelector: {matchLabels: {app: web}}}
            - {maxSkew: 1, topologyKey: host, whenUnsatisfiable: DoNotSchedule}
            - {maxSkew: 1, topologyKey: rack, whenUnsatisfiable: ScheduleAnyway}
            """);

    assertThat(rules.spread())
        .containsExactly(
            new Spread(
                2,
                "zone",
                Optional.of(List.of(WEB, new LabelRequirement("rev", "In", Set.of("7")))),
                Optional.of(3),
                false,
                true),
            new Spread(1, "host", Optional.empty(), Optional.empty(), true, false));
  }

  @Test
  void readsHostPorts_alsoOfSidecars() {
    PodRules rules =
        read(
            """
            containers:
            - {name: a, ports: [{containerPort: 80}, {containerPort: 81, hostPort: 8081, hostIP: 0.0.0.0}]}
            initContainers:
            - {name: b, ports: [{containerPort: 1, hostPort: 1}]}
            - {name: c, restartPolicy: Always, ports: [{containerPort: 2, hostPort: 2, protocol: UDP, hostIP: 10.0.0.1}]}
            """);

    assertThat(rules.ports())
        .containsExactly(new HostPort("", "TCP", 8081), new HostPort("10.0.0.1", "UDP", 2));
  }

  @Test
  void readsSelectorsOfNamespaces() {
    PodRules rules =
        read(
            antiAffinity(
                "namespaces: [b], namespaceSelector: {matchLabels: {team: a}, matchExpressions:"
                    + " [{key: old, operator: DoesNotExist}]}"));

    assertThat(rules)
        .isEqualTo(
            new PodRules(
                List.of(),
                List.of(
                    new PodTerm(
                        Optional.empty(),
                        Set.of("b"),
                        Optional.of(
                            List.of(
                                new LabelRequirement("team", "In", Set.of("a")),
                                new LabelRequirement("old", "DoesNotExist", Set.of()))),
                        "zone")),
                List.of(),
                List.of(),
                Optional.empty()));
  }

  /** Without names, an empty selector means all namespaces rather than that of the pod. */
  @Test
  void readsTheEmptySelectorOfNamespaces() {
    assertThat(read(antiAffinity("namespaceSelector: {}")).antiAffinity())
        .containsExactly(new PodTerm(Optional.empty(), Set.of(), Optional.of(List.of()), "zone"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"labelSelector", "namespaceSelector"})
  void saysThatItDoesNotKnowAnOperator(String field) {
    assertThat(
            read(antiAffinity(field + ": {matchExpressions: [{key: a, operator: Near}]}")).unread())
        .contains("its affinity or topology spread has an operator that is not known");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "podAffinity, DoesNotExist, its pod affinity excludes namespaces by their labels",
    "podAffinity, Exists, ",
    "podAntiAffinity, DoesNotExist, "
  })
  void saysThatAffinityExcludesNamespaces(String kind, String operator, @Nullable String why) {
    String spec =
        antiAffinity(
                "namespaceSelector: {matchExpressions: [{key: a, operator: " + operator + "}]}")
            .replace("podAntiAffinity", kind);

    assertThat(read(spec).unread()).isEqualTo(Optional.ofNullable(why));
  }

  @Test
  void aPodWithoutRulesHasNone() {
    assertThat(read("containers: [{name: a, ports: [{containerPort: 80}]}]"))
        .isSameAs(PodRules.NONE);
  }

  private static String antiAffinity(String term) {
    return "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
        + " [{topologyKey: zone, "
        + term
        + "}]}}";
  }

  private static PodRules read(String spec) {
    String pod =
        "metadata: {namespace: ml, name: p, uid: u, resourceVersion: '1', labels: {app: new, rev:"
            + " '7'}}\nspec:\n"
            + spec.indent(2);
    return PodRulesParser.of(Yaml.read(pod, Pod.class));
  }
}
