package io.gpureclaimer.common.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActivityFieldTest {

  /** Whatever else DCGM learns to measure of an engine must be added to the list. */
  @Test
  void areAllSharesOfTimeThatDcgmKnowsOfAGpu() {
    List<DcgmField> shares =
        DcgmField.all().stream()
            .filter(field -> field.source().isSupplied())
            .filter(
                field ->
                    field
                        .metricName()
                        .matches(
                            "DCGM_FI_DEV_\\w+_UTIL|DCGM_FI_PROF_\\w+_(ACTIVE|OCCUPANCY)"
                                + "|gpu_\\w+_utilization_ratio"))
            .toList();

    assertThat(Arrays.stream(ActivityField.values()).flatMap(ActivityField::fields))
        .containsExactlyInAnyOrderElementsOf(shares);
  }

  @ParameterizedTest(name = "{0} of {1}: {2} %")
  @CsvSource({
    "DCGM_FI_DEV_MEM_COPY_UTIL, 40, 40, false",
    "dcgm_mem_copy_utilization, 40, 40, false",
    "DCGM_FI_DEV_GPU_UTIL_RATIO, 0.4, 40, false",
    "gpu_jpeg_utilization_ratio, 0.4, 40, false",
    "DCGM_FI_PROF_PIPE_FP64_ACTIVE, 0.5, 50, true",
    "DCGM_FI_PROF_FP64_UTIL_RATIO, 0.5, 50, true",
    "dcgm_fi_prof_sm_active, 0.5, 50, true"
  })
  void hasASignOfEachName(String metric, double value, double percent, boolean ofInstances) {
    assertThat(ActivitySign.ALL.stream().filter(sign -> sign.metric().equals(metric)))
        .singleElement()
        .satisfies(
            sign -> {
              assertThat(value * sign.factor()).isEqualTo(percent);
              assertThat(sign.ofInstances()).isEqualTo(ofInstances);
            });
  }

  /** A query multiplies them by 100 at once. */
  @Test
  void theUnusualSignsAreRatios() {
    assertThat(ActivitySign.OTHERS).isNotEmpty().allMatch(sign -> sign.factor() == 100);
  }
}
