package io.gpureclaimer.reclaimer.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.PodRules.PodTerm;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which namespaces a term means, as kube-scheduler has it. */
class NamespaceSelectionTest {
  private static final NamespaceSelection SELECTION =
      new NamespaceSelection(
          Map.of(
              "ml", Map.of("kubernetes.io/metadata.name", "ml", "team", "a"),
              "web", Map.of("kubernetes.io/metadata.name", "web", "team", "b"),
              "bare", Map.of("kubernetes.io/metadata.name", "bare")));

  @ParameterizedTest(name = "{0} {1} {2} selects {3}")
  @CsvSource({
    "team, In, a, ml",
    "team, NotIn, a, bare web",
    "team, Exists, , ml web",
    "team, DoesNotExist, , bare",
    "team, In, c, ''",
    "kubernetes.io/metadata.name, In, web, web",
    "team, Near, a, bare ml web"
  })
  void selectsNamespacesByTheirLabels(
      String key, String operator, @Nullable String value, String namespaces) {
    Set<String> values = value == null ? Set.of() : Set.of(value);

    PodTerm resolved =
        resolve(term(Set.of(), List.of(new LabelRequirement(key, operator, values))));

    assertThat(meant(resolved)).isEqualTo(namespaces);
    assertThat(resolved.namespaceSelector()).isEmpty();
  }

  @Test
  void allRequirementsMustBeMet() {
    assertThat(
            meant(
                resolve(
                    term(
                        Set.of(),
                        List.of(
                            new LabelRequirement("team", "Exists", Set.of()),
                            new LabelRequirement("team", "NotIn", Set.of("a")))))))
        .isEqualTo("web");
  }

  @Test
  void namedNamespacesCountInAddition() {
    assertThat(
            meant(
                resolve(
                    term(
                        Set.of("bare"), List.of(new LabelRequirement("team", "In", Set.of("a")))))))
        .isEqualTo("bare ml");
  }

  @Test
  void anEmptySelectorMeansAllNamespaces_andNoneOnlyTheNamedOnes() {
    PodTerm all = term(Set.of("ml"), List.of());
    var named = new PodTerm(Optional.of(List.of()), Set.of("ml"), Optional.empty(), "zone");

    assertThat(resolve(all)).isEqualTo(all);
    assertThat(meant(all)).isEqualTo("bare ml web");
    assertThat(resolve(named)).isEqualTo(named);
    assertThat(meant(named)).isEqualTo("ml");
  }

  @Test
  void resolvesTermsOfBothKinds_andLeavesTheRest() {
    PodTerm selecting = term(Set.of(), List.of(new LabelRequirement("team", "In", Set.of("a"))));
    var near =
        neighbor(
            new PodRules(List.of(selecting), List.of(), List.of(), List.of(), Optional.empty()));
    var apart =
        neighbor(
            new PodRules(List.of(), List.of(selecting), List.of(), List.of(), Optional.empty()));
    Neighbor without = neighbor(PodRules.NONE);

    assertThat(SELECTION.resolve(near).rules().affinity()).containsExactly(resolve(selecting));
    assertThat(SELECTION.resolve(apart).rules().antiAffinity()).containsExactly(resolve(selecting));
    assertThat(SELECTION.resolve(without)).isSameAs(without);
  }

  @ParameterizedTest(name = "{0} {1} in the anti-affinity of a pending pod: {2}")
  @CsvSource({
    "DoesNotExist, , bare ml web",
    "NotIn, a, bare ml web",
    "In, a, ml",
    "Exists, , ml web"
  })
  void negativeRequirementsOfAPendingPod_meanAllNamespaces(
      String operator, @Nullable String value, String namespaces) {
    Set<String> values = value == null ? Set.of() : Set.of(value);

    assertThat(pendingMeans(Set.of("ml"), new LabelRequirement("team", operator, values)))
        .isEqualTo(namespaces);
  }

  @Test
  void requirementsOfAPendingPod_ofWhichOneNeedsALabel_meanWhatTheySay() {
    assertThat(
            pendingMeans(
                Set.of("bare"),
                new LabelRequirement("team", "Exists", Set.of()),
                new LabelRequirement("team", "NotIn", Set.of("a"))))
        .isEqualTo("bare web");
  }

  private static String pendingMeans(Set<String> namespaces, LabelRequirement... requirements) {
    PodTerm term = term(namespaces, List.of(requirements));
    var rules = new PodRules(List.of(), List.of(term), List.of(), List.of(), Optional.empty());
    return meant(
        SELECTION
            .resolve(new Neighbor("x", "ml", Map.of(), Optional.empty(), rules))
            .rules()
            .antiAffinity()
            .getFirst());
  }

  private static PodTerm resolve(PodTerm term) {
    return SELECTION
        .resolve(
            neighbor(
                new PodRules(List.of(), List.of(term), List.of(), List.of(), Optional.empty())))
        .rules()
        .antiAffinity()
        .getFirst();
  }

  private static Neighbor neighbor(PodRules rules) {
    return new Neighbor("x", "ml", Map.of(), Optional.of("node"), rules);
  }

  private static PodTerm term(Set<String> namespaces, List<LabelRequirement> selector) {
    return new PodTerm(Optional.of(List.of()), namespaces, Optional.of(selector), "zone");
  }

  private static String meant(PodTerm term) {
    return String.join(
        " ", Stream.of("bare", "ml", "web").filter(name -> term.mayMean(name, Map.of())).toList());
  }
}
