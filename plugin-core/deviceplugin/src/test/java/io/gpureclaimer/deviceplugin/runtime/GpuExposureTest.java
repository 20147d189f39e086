package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.doctor.NodeFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuExposureTest {
  @TempDir Path node;

  @Test
  void anExposedNodeIsServed_andReported() throws IOException {
    containerd("version = 2\ndefault_runtime_name = \"nvidia\"\n");

    assertThat(GpuExposure.of(new NodeFiles(node), false).isOpen()).contains(true);
  }

  @Test
  void anExposedNodeIsRefused_ifThatIsWanted() throws IOException {
    containerd("version = 2\ndefault_runtime_name = \"nvidia\"\n");

    assertThatThrownBy(() -> GpuExposure.of(new NodeFiles(node), true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("device-plugin.refuse-exposure is true, but NVIDIA's runtime");
  }

  @Test
  void aNodeThatExposesNothingIsServedInAnyCase() throws IOException {
    containerd("version = 3\n");

    assertThat(GpuExposure.of(new NodeFiles(node), true).isOpen()).contains(false);
  }

  @Test
  void aNodeThatIsNotSeenIsServed_unlessExposureIsToBeRefused() {
    NodeFiles unseen = NodeFiles.ofContainer(node);

    assertThat(GpuExposure.of(unseen, false).isOpen()).isEmpty();
    assertThatThrownBy(() -> GpuExposure.of(unseen, true))
        .hasMessageStartingWith(
            "device-plugin.refuse-exposure is true, but whether GPUs are exposed cannot be"
                + " decided");
  }

  private void containerd(String text) throws IOException {
    Files.createDirectories(node.resolve("etc/containerd"));
    Files.writeString(node.resolve("etc/containerd/config.toml"), text);
  }
}
