package io.gpureclaimer.deviceplugin.cdi.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CdiKindTest {
  private static final CdiKind KIND = new CdiKind("k8s.device-plugin.nvidia.com", "gpu");

  @Test
  void namesADevice() {
    assertThat(KIND.qualified("0:1")).isEqualTo("k8s.device-plugin.nvidia.com/gpu=0:1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1nvidia.com", "nvidia.com-", "nvidia/com", "nvidia com", "nvidia\n"})
  void refusesAVendor_whenCdiWould(String vendor) {
    assertThatThrownBy(() -> new CdiKind(vendor, "gpu"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the vendor of a CDI kind must be letters, digits, '-', '_' and '.', begin with a letter"
                + " and end with a letter or digit, was \""
                + vendor
                + '"');
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MIG-GPU-8f6e/3/0", ":0", "0:", "a b", "a=b"})
  void refusesADevice_whenCdiWould(String device) {
    assertThat(CdiKind.canName(device)).isFalse();
    assertThatThrownBy(() -> KIND.qualified(device))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("was \"" + device + '"');
  }
}
