package io.gpureclaimer.core.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class DcgmFieldTest {

  @Test
  void isFoundByEachOfItsNames() {
    assertThat(DcgmField.named("DCGM_FI_DEV_GPU_UTIL")).contains(DcgmField.DEV_GPU_UTIL);
    assertThat(DcgmField.named("DCGM_FI_DEV_GPU_UTIL_RATIO")).contains(DcgmField.DEV_GPU_UTIL);
    assertThat(DcgmField.named("dcgm_gpu_utilization")).contains(DcgmField.DEV_GPU_UTIL);
    assertThat(DcgmField.named("DCGM_FI_DEV_GPU_UTILS")).isEmpty();
  }

  @Test
  void isRefused_whenNoFieldHasTheNumber() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DcgmField.of(99_999))
        .withMessage("no field has the number 99999");
  }

  @Test
  void areInTheOrderOfTheirNumbers() {
    assertThat(DcgmField.all().stream().map(DcgmField::id)).isSorted().doesNotHaveDuplicates();
  }
}
