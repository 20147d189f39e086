package io.gpureclaimer.deviceplugin.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SocketNameTest {
  private static final Path USUAL = Path.of("/var/lib/kubelet/device-plugins");

  @Test
  void hasTheResourceAndTheNumber() {
    assertThat(SocketName.of(USUAL, new ResourceName("nvidia.com/gpu"), 0xBEEF))
        .contains("gpu-reclaimer-gpu-0000beef.sock");
  }

  @Test
  void isCut_whereTheKubeletsPathWouldBeTooLong() {
    var resource = new ResourceName("nvidia.com/" + "x".repeat(63));

    assertThat(SocketName.of(USUAL, resource, -1))
        .contains("gpu-reclaimer-" + "x".repeat(46) + "-ffffffff.sock");
    assertThat(SocketName.of(Path.of("/k"), resource, -1))
        .isEqualTo(SocketName.of(USUAL, resource, -1));
  }

  @Test
  void isNone_whereTheFolderLeavesNoRoom() {
    assertThat(SocketName.of(Path.of("/" + "k".repeat(75)), new ResourceName("a.b/gpu"), 1))
        .contains("gpu-reclaimer-g-00000001.sock");
    assertThat(SocketName.of(Path.of("/" + "k".repeat(76)), new ResourceName("a.b/gpu"), 1))
        .isEmpty();
    assertThat(SocketName.of(Path.of("/" + "é".repeat(40)), new ResourceName("a.b/gpu"), 1))
        .isEmpty();
  }
}
