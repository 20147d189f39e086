package io.gpureclaimer.deviceplugin.cdi.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.deviceplugin.cdi.spec.CdiSpec.CdiDevice;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.DeviceNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CdiVersionTest {
  @Test
  void isTheOldest_whenNothingNewerIsUsed() {
    assertThat(version("gpu", "GPU-1", null)).isEqualTo("0.3.0");
  }

  @Test
  void knowsOtherPathsOnTheHost_whenANodeHasOne() {
    assertThat(version("gpu", "GPU-1", "/run/nvidia/driver/dev/nvidia0")).isEqualTo("0.5.0");
  }

  @Test
  void knowsNumbersAsNames_whenADeviceIsNamedSo() {
    assertThat(version("gpu", "0", null)).isEqualTo("0.5.0");
  }

  @Test
  void knowsDotsInClasses_whenThereIsOne() {
    assertThat(version("gpu.shared", "0", null)).isEqualTo("0.6.0");
  }

  @Test
  void aSpecificationIsRefused_whenItOffersNothingOrTheSameTwice() {
    var kind = new CdiKind("a.com", "gpu");
    var device = new CdiDevice("0", edits(null));

    assertThatThrownBy(() -> new CdiSpec(kind, List.of(), ContainerEdits.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CdiSpec(kind, List.of(device, device), ContainerEdits.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CdiDevice("0", ContainerEdits.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String version(String deviceClass, String name, @Nullable String hostPath) {
    return new CdiSpec(
            new CdiKind("a.com", deviceClass),
            List.of(new CdiDevice(name, edits(hostPath))),
            ContainerEdits.NONE)
        .version()
        .toString();
  }

  private static ContainerEdits edits(@Nullable String hostPath) {
    return new ContainerEdits(
        List.of(), List.of(new DeviceNode("/dev/nvidia0", hostPath, null)), List.of(), List.of());
  }
}
