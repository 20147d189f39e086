package io.gpureclaimer.reclaimer.cluster;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import io.gpureclaimer.reclaimer.cluster.Placement.NodeTerm;
import io.gpureclaimer.reclaimer.cluster.Placement.Toleration;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For which pods Karpenter may have created a NodeClaim. */
class NodeClaimTest {
  private static final NodeClaim CLAIM =
      claim(
          List.of(),
          requirement("zone", "In", "a b"),
          requirement("type", "NotIn", "p4d"),
          requirement("team", "Exists", ""),
          requirement("windows", "DoesNotExist", ""),
          requirement("generation", "Gt", "4"),
          requirement("cpu", "Gte", "5"),
          requirement("cpu", "Lte", "64"),
          requirement("kubernetes.io/arch", "In", "amd64"));

  @ParameterizedTest(name = "{0} {1} {2}: {3}")
  @CsvSource({
    "pool, In, gpu, true",
    "pool, In, cpu, false",
    "pool, DoesNotExist, '', false",
    "zone, In, b c, true",
    "zone, In, c, false",
    "zone, NotIn, a, true",
    "zone, NotIn, a b, false",
    "zone, Exists, '', true",
    "zone, DoesNotExist, '', false",
    "type, In, p4d p5, true",
    "type, In, p4d, false",
    "type, NotIn, p5, true",
    "type, DoesNotExist, '', true",
    "team, In, research, true",
    "team, DoesNotExist, '', false",
    "windows, In, 2022, false",
    "windows, NotIn, 2022, true",
    "windows, DoesNotExist, '', true",
    "generation, In, 5, true",
    "generation, In, 4, false",
    "generation, Lt, 9, true",
    "cpu, In, 5, true",
    "cpu, In, 4, false",
    "cpu, In, 64, true",
    "cpu, In, 65, false",
    "cpu, In, 4 8, true",
    "cpu, In, many, false",
    "cpu, Exists, '', true",
    "beta.kubernetes.io/arch, In, amd64, true",
    "beta.kubernetes.io/arch, In, arm64, false",
    "disk, In, ssd, false",
    "disk, Exists, '', false",
    "disk, NotIn, ssd, true",
    "kubernetes.io/hostname, In, node-1, false"
  })
  void requirementOnALabel(String key, String operator, String values, boolean met) {
    assertThat(suits(term(requirement(key, operator, values)))).isEqualTo(met);
  }

  @Test
  void oneTermSuffices_ofWhichAllRequirementsAreMet() {
    LabelRequirement met = requirement("zone", "In", "a");
    LabelRequirement not = requirement("zone", "In", "c");

    assertThat(suits(term(met, not))).isFalse();
    assertThat(suits(term(not), term(met))).isTrue();
    assertThat(suits(term())).isFalse();
  }

  @Test
  void isForNoPodThatNamesItsNode() {
    assertThat(suits(new NodeTerm(List.of(), List.of(requirement("metadata.name", "In", "n1")))))
        .isFalse();
    assertThat(suits(new NodeTerm(List.of(), List.of(requirement("metadata.name", "NotIn", "n1")))))
        .isTrue();
  }

  @Test
  void isForPodsWhoseNodeSelectorItMayMeet() {
    assertThat(suits(CLAIM, new Placement(Map.of("zone", "a", "pool", "gpu"), List.of(), false)))
        .isTrue();
    assertThat(suits(CLAIM, new Placement(Map.of("zone", "a", "disk", "ssd"), List.of(), false)))
        .isFalse();
  }

  @Test
  void isForPodsThatTolerateItsTaints() {
    NodeClaim tainted =
        claim(
            List.of(
                new Taint("nvidia.com/gpu", "true", "NoSchedule"),
                new Taint("soft", "", "PreferNoSchedule")));

    assertThat(suits(tainted, Placement.ANYWHERE)).isFalse();
    assertThat(
            suits(
                tainted,
                new Placement(
                    Map.of(),
                    List.of(new Toleration("nvidia.com/gpu", true, "", "NoSchedule")),
                    false)))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({"PT-1H, true", "PT0S, true", "PT1M, true", "PT61S, false"})
  void isForPodsThatWerePendingThen_orALittleLater(Duration later, boolean suits) {
    assertThat(CLAIM.suits(pod("w").waiting(NOW.plus(later)).draw())).isEqualTo(suits);
  }

  @Test
  void isForNoPodThatTheSchedulerHasNotTried() {
    assertThat(CLAIM.suits(pod("w").unscheduled().draw())).isFalse();
  }

  private static NodeClaim claim(List<Taint> taints, LabelRequirement... requirements) {
    return new NodeClaim(
        NOW, new NodeView("gpu-1", 8, Map.of("pool", "gpu"), taints, false), List.of(requirements));
  }

  private static NodeTerm term(LabelRequirement... labels) {
    return new NodeTerm(List.of(labels), List.of());
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
    return suits(CLAIM, new Placement(Map.of(), List.of(), Optional.of(List.of(terms)), false));
  }

  private static boolean suits(NodeClaim claim, Placement placement) {
    return claim.suits(pod("w").waiting(NOW).placement(placement).draw());
  }
}
