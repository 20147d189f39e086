package io.gpureclaimer.reclaimer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UsualPodTest {

  @Test
  void requestsTheMedianOfEachResource() {
    var usual =
        UsualPod.of(
            List.of(
                Map.of("cpu", 1_000L, "memory", 900L),
                Map.of("cpu", 90_000L, "memory", 300L),
                Map.of("cpu", 8_000L, "memory", 500L)));

    assertThat(usual).isEqualTo(new UsualPod(Map.of("cpu", 8_000L, "memory", 500L)));
  }

  @Test
  void requestsTheLargerOfTwoMiddleOnes() {
    assertThat(UsualPod.of(List.of(Map.of("cpu", 9_000L), Map.of("cpu", 4_000L))))
        .isEqualTo(new UsualPod(Map.of("cpu", 9_000L)));
  }

  @Test
  void requestsNothingThatMostPodsDoNot() {
    assertThat(
            UsualPod.of(
                List.of(
                    Map.of("cpu", 1_000L),
                    Map.of("cpu", 1_000L),
                    Map.of("cpu", 1_000L, "rdma/hca", 1_000L))))
        .isEqualTo(new UsualPod(Map.of("cpu", 1_000L)));
  }

  @Test
  void requestsNothing_whileNoPodIsKnown() {
    assertThat(UsualPod.of(List.of())).isEqualTo(new UsualPod(Map.of()));
  }

  @Test
  void writesQuantitiesAsKubernetesDoes() {
    var usual =
        new UsualPod(
            Map.of(
                "cpu", 1_500L,
                "memory", 1_000L * (64L << 30),
                "ephemeral-storage", 1_000_000_000L,
                "pods", 1_000L));

    assertThat(usual.quantities())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("cpu", "1500m", "memory", "64Gi", "ephemeral-storage", "1000000", "pods", "1"));
    assertThat(usual.text(List.of("memory", "cpu"))).isEqualTo("cpu 1500m, memory 64Gi");
  }
}
