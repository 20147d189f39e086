package io.gpureclaimer.deviceplugin.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kubelet takes for the name of a resource. */
class ResourceNameTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"nvidia.com/gpu", "nvidia.com/mig-1g.10gb.me", "a/b", "x-1.example.com/A_b.c"})
  void isValid_whenADomainIsBeforeTheSlash(String name) {
    assertThat(ResourceName.isValid(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpu",
        "nvidia..com/gpu",
        "nvidia.-com/gpu",
        "nvidia-.com/gpu",
        ".com/gpu",
        "Nvidia.com/gpu",
        "nvidia.com/",
        "nvidia.com/gpu/x",
        "nvidia.com/gpu.",
        "kubernetes.io/gpu",
        "requests.nvidia.com/gpu"
      })
  void isNotValid_whenTheKubeletWouldRefuseIt(String name) {
    assertThat(ResourceName.isValid(name)).isFalse();
  }
}
