package io.gpureclaimer.reclaimer.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.Placement.NodeTerm;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of kube-scheduler's plugin NodeAffinity. */
class NodeAffinityTest {
  private static final NodeView NODE =
      new NodeView("node-1", 8, Map.of("zone", "a", "cores", "64"), List.of(), true);

  @ParameterizedTest(name = "{0} {1} {2}: {3}")
  @CsvSource({
    "zone, In, a b, true",
    "zone, In, b, false",
    "disk, In, ssd, false",
    "zone, NotIn, b, true",
    "zone, NotIn, a, false",
    "disk, NotIn, ssd, true",
    "zone, Exists, '', true",
    "disk, Exists, '', false",
    "disk, DoesNotExist, '', true",
    "zone, DoesNotExist, '', false",
    "cores, Gt, 63, true",
    "cores, Gt, 64, false",
    "cores, Lt, 65, true",
    "cores, Lt, 64, false",
    "zone, Gt, 1, false",
    "cores, Lt, many, false",
    "disk, Gt, 0, false"
  })
  void requirementOnALabel(String key, String operator, String values, boolean met) {
    assertThat(suits(new NodeTerm(List.of(requirement(key, operator, values)), List.of())))
        .isEqualTo(met);
  }

  @Test
  void oneTermSuffices_ofWhichAllRequirementsAreMet() {
    LabelRequirement met = requirement("zone", "In", "a");
    LabelRequirement not = requirement("zone", "In", "b");

    assertThat(suits(new NodeTerm(List.of(met, not), List.of()))).isFalse();
    assertThat(
            suits(
                new NodeTerm(List.of(not), List.of()), new NodeTerm(List.of(met, met), List.of())))
        .isTrue();
  }

  @Test
  void noNodeMeetsATermWithoutRequirements_orNoTerm() {
    assertThat(suits(new NodeTerm(List.of(), List.of()))).isFalse();
    assertThat(suits()).isFalse();
  }

  @Test
  void requirementOnTheName() {
    assertThat(
            suits(new NodeTerm(List.of(), List.of(requirement("metadata.name", "In", "node-1")))))
        .isTrue();
    assertThat(
            suits(new NodeTerm(List.of(), List.of(requirement("metadata.name", "In", "node-2")))))
        .isFalse();
  }

  private static LabelRequirement requirement(String key, String operator, String values) {
    return new LabelRequirement(
        key,
        operator,
        Arrays.stream(values.split(" "))
            .filter(value -> !value.isEmpty())
            .collect(Collectors.toSet()));
  }

  private static boolean suits(NodeTerm... terms) {
    return NODE.suits(new Placement(Map.of(), List.of(), Optional.of(List.of(terms)), false));
  }
}
