package io.gpureclaimer.deviceplugin.labels;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.allocation.MigStrategy;
import io.gpureclaimer.deviceplugin.allocation.Sharing.SharingKind;
import io.gpureclaimer.deviceplugin.labels.MachineFacts.VgpuHost;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rewrite the files with {@code ./mvnw test -Dgolden.update=true}, then read the diff. */
class StandardLabelsGoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/labels");
  private static final MachineFacts SERVER =
      new MachineFacts("Supermicro SYS-821GE-TNHR", List.of("0x030200"), null);

  @Test
  void eightH100() throws IOException {
    hold(
        "h100x8",
        Nodes.eightH100(),
        Nodes.offered(Nodes.eightH100(), MigStrategy.NONE),
        SERVER,
        LabelOptions.STANDARD);
  }

  @Test
  void eightH100InSevenPartsEach_asIfTheyWereGpus() throws IOException {
    hold(
        "h100x8-mig-single",
        Nodes.eightH100Divided(),
        Nodes.offered(Nodes.eightH100Divided(), MigStrategy.SINGLE),
        SERVER);
  }

  @Test
  void a100InPartsOfManySizes_eachUnderItsName() throws IOException {
    hold(
        "a100-mig-mixed",
        Nodes.a100Divided(),
        Nodes.offered(Nodes.a100Divided(), MigStrategy.MIXED),
        SERVER);
  }

  @Test
  void a100InPartsOfManySizes_offeredAsIfTheyWereOne() throws IOException {
    hold(
        "a100-mig-single",
        Nodes.a100Divided(),
        Nodes.offered(Nodes.a100Divided(), MigStrategy.SINGLE),
        SERVER);
  }

  @Test
  void a100InParts_whereMigIsNotOffered() throws IOException {
    hold(
        "a100-mig-none",
        Nodes.a100Divided(),
        Nodes.offered(Nodes.a100Divided(), MigStrategy.NONE),
        SERVER);
  }

  @Test
  void severalModels() throws IOException {
    hold("mixed", Nodes.mixed(), Nodes.offered(Nodes.mixed(), MigStrategy.NONE), SERVER);
  }

  @Test
  void fourT4_virtualAndShared_withATimestamp() throws IOException {
    hold(
        "t4x4-shared",
        Nodes.fourT4(),
        Nodes.shared(Nodes.fourT4(), new ResourceSharing(SharingKind.TIME_SLICING, 4, false)),
        new MachineFacts(
            "Google Compute Engine",
            List.of("0x030200", "0x030000"),
            new VgpuHost("460.16", "r460_00")),
        new LabelOptions(true, Instant.ofEpochSecond(1_700_000_000)));
  }

  private static void hold(
      String name, NodeInventory inventory, SharingFacts sharing, MachineFacts machine)
      throws IOException {
    hold(name, inventory, sharing, machine, LabelOptions.STANDARD);
  }

  private static void hold(
      String name,
      NodeInventory inventory,
      SharingFacts sharing,
      MachineFacts machine,
      LabelOptions options)
      throws IOException {
    String lines = StandardLabels.of(inventory, sharing, machine, options).lines();
    Path golden = GOLDEN.resolve(name + ".labels");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden, lines);
    }
    assertThat(lines).isEqualTo(Files.readString(golden));
  }
}
