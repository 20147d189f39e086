package io.gpureclaimer.deviceplugin.labels;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.labels.MachineFacts.VgpuHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineSurveyTest {
  @TempDir Path root;

  @Test
  void reportsNothing_whenNothingCanBeRead() {
    assertThat(read()).isEqualTo(MachineFacts.UNKNOWN);
  }

  @Test
  void reportsProductAndClassesOfNvidiaGpus() throws IOException {
    write("sys/class/dmi/id/product_name", "PowerEdge XE9680\n");
    device("0000:01:00.0", "0x10de", "0x030200", new byte[64]);
    device("0000:02:00.0", "0x1a03", "0x030000", new byte[64]);
    device("0000:03:00.0", "0x10de", "0x068000", new byte[64]);

    assertThat(read()).isEqualTo(new MachineFacts("PowerEdge XE9680", List.of("0x030200"), null));
  }

  @Test
  void reportsTheHostsDriver_whenAGpuIsVirtual() throws IOException {
    device("0000:02:00.0", "0x10de", "0x030000", virtualGpu());

    assertThat(read())
        .isEqualTo(new MachineFacts(null, List.of("0x030000"), new VgpuHost("460.16", "r460_00")));
  }

  @Test
  void reportsAVirtualGpuWithoutItsHost_whenTheRecordIsCutOff() throws IOException {
    byte[] config = virtualGpu();
    config[0xd2] = 5;
    device("0000:02:00.0", "0x10de", "0x030000", config);

    assertThat(read().vgpu()).isEqualTo(new VgpuHost(null, null));
  }

  @Test
  void survivesCapabilitiesThatLeadInACircle() throws IOException {
    byte[] config = virtualGpu();
    config[0x34] = 0x40;
    config[0x40] = 0x05;
    config[0x41] = 0x40;
    device("0000:02:00.0", "0x10de", "0x030000", config);

    assertThat(read().vgpu()).isNull();
  }

  private MachineFacts read() {
    return new MachineSurvey(root).read(Path.of("/sys/class/dmi/id/product_name"));
  }

  /** A vendor's capability at 0xd0: one record of another kind, then the host's driver. */
  private static byte[] virtualGpu() {
    byte[] config = new byte[256];
    config[0x06] = 0x10;
    config[0x34] = (byte) 0xd0;
    byte[] capability = new byte[36];
    System.arraycopy(new byte[] {9, 0, 36, 'V', 'F', 1, 4, 0, 0, 0, 22}, 0, capability, 0, 11);
    byte[] version = "460.16".getBytes(StandardCharsets.US_ASCII);
    byte[] branch = "r460_00".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(version, 0, capability, 11, version.length);
    System.arraycopy(branch, 0, capability, 21, branch.length);
    System.arraycopy(capability, 0, config, 0xd0, Math.min(capability.length, 256 - 0xd0));
    return Arrays.copyOf(config, 256);
  }

  private void device(String address, String vendor, String deviceClass, byte[] config)
      throws IOException {
    String folder = "sys/bus/pci/devices/" + address;
    write(folder + "/vendor", vendor + "\n");
    write(folder + "/class", deviceClass + "\n");
    Files.write(root.resolve(folder + "/config"), config);
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
