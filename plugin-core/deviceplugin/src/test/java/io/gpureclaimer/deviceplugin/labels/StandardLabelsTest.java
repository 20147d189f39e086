package io.gpureclaimer.deviceplugin.labels;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.allocation.DeviceChoice;
import io.gpureclaimer.deviceplugin.allocation.MigStrategy;
import io.gpureclaimer.deviceplugin.allocation.NamePattern;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.allocation.ResourceSettings;
import io.gpureclaimer.deviceplugin.allocation.SharedResource;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import io.gpureclaimer.deviceplugin.allocation.Sharing.SharingKind;
import io.gpureclaimer.deviceplugin.labels.WholeGpuLabels.GpuFamily;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuFacts.FabricPlace;
import io.gpureclaimer.nvml.poll.GpuStatus;
import io.gpureclaimer.nvml.poll.NodeInventory;
import io.gpureclaimer.nvml.poll.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandardLabelsTest {
  private static final String LONG =
      "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition (engineering sample)";

  @Test
  void saysNothing_whenNothingIsReported() {
    var nothing = new NodeInventory(null, null, List.of(), Topology.UNKNOWN);

    assertThat(labels(nothing)).isEmpty();
  }

  @Test
  void saysOnlyWhatIsReported_whenADriverReportsLittle() {
    var little =
        new NodeInventory(
            null,
            null,
            List.of(new GpuStatus.Responding(Nodes.silent(0, "Tesla T4"))),
            Topology.UNKNOWN);

    assertThat(labels(little))
        .isEqualTo(
            Map.of(
                "nvidia.com/gpu.product", "Tesla-T4",
                "nvidia.com/gpu.count", "1",
                "nvidia.com/gpu.replicas", "1",
                "nvidia.com/gpu.sharing-strategy", "none",
                "nvidia.com/mig.capable", "false",
                "nvidia.com/mps.capable", "false"));
  }

  @Test
  void countsTheGpusThatAnswer() {
    var one =
        new NodeInventory(
            null,
            null,
            List.of(
                new GpuStatus.Responding(Nodes.t4(0)),
                new GpuStatus.Unavailable(
                    1, new GpuUuid("GPU-1"), null, GpuStatus.GpuFault.LOST, "lost")),
            Topology.UNKNOWN);

    assertThat(labels(one))
        .containsEntry("nvidia.com/gpu.count", "1")
        .doesNotContainKeys("nvidia.com/mig.capable", "nvidia.com/vgpu.present");
  }

  @Test
  void reportsWhetherThereAreVirtualGpus_asTheDriverDoes() {
    assertThat(labels(Nodes.of(Nodes.t4(0), Nodes.virtual(Nodes.t4(1), true))))
        .containsEntry("nvidia.com/vgpu.present", "true");
    assertThat(labels(Nodes.of(Nodes.t4(0), Nodes.t4(1))))
        .containsEntry("nvidia.com/vgpu.present", "false");
  }

  @Test
  void doesNotSayThatNoGpuIsVirtual_whileOneDoesNotReport() {
    assertThat(labels(Nodes.of(Nodes.t4(0), Nodes.virtual(Nodes.t4(1), null))))
        .doesNotContainKey("nvidia.com/vgpu.present");
  }

  @Test
  void saysTheSame_inWhateverOrderTheDriverReports() {
    List<GpuFacts> gpus = new ArrayList<>(Nodes.mixed().responding().toList());
    gpus.addAll(Nodes.a100Divided().responding().toList());
    Map<String, String> labels = mixedMig(gpus);

    for (int seed = 0; seed < 20; seed++) {
      Collections.shuffle(gpus, new Random(seed));
      assertThat(mixedMig(gpus)).isEqualTo(labels);
    }
  }

  @Test
  void reportsTheFirstModelInTheAlphabet_whenTwoAreAsCommon() {
    assertThat(labels(Nodes.of(Nodes.t4(0), Nodes.a100(1))))
        .containsEntry("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB")
        .containsEntry("nvidia.com/gpu.memory", "81920")
        .containsEntry("nvidia.com/gpu.product.Tesla-T4.count", "1")
        .containsEntry("nvidia.com/gpu.product.NVIDIA-A100-SXM4-80GB.count", "1");
  }

  @Test
  void endsALongNameInAHash_inKeysAndValues() {
    Map<String, String> labels = labels(Nodes.of(Nodes.silent(0, LONG), Nodes.t4(1), Nodes.t4(2)));
    Map<String, String> alone = labels(Nodes.of(Nodes.silent(0, LONG)));

    assertThat(labels)
        .containsEntry(
            "nvidia.com/gpu.product.NVIDIA-RTX-PRO-6000-Blackwell-Max-Q-ba50b9ac.count", "1");
    assertThat(alone)
        .containsEntry(
            "nvidia.com/gpu.product",
            "NVIDIA-RTX-PRO-6000-Blackwell-Max-Q-Workstation-Editio-ba50b9ac");
  }

  @Test
  void reportsNoClique_whenGpusAreOfSeveral() {
    var two =
        Nodes.of(
            Nodes.joined(Nodes.h100(0), new FabricPlace("a", 1)),
            Nodes.joined(Nodes.h100(1), new FabricPlace("a", 2)));

    assertThat(labels(two)).doesNotContainKey("nvidia.com/gpu.clique");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          550.54,     550, 54, -,  550.54
          535.183.06, 535, 183, 06, 535.183.06
          wsl 2.0,    -,   -,  -,  wsl-2.0
          """)
  void reportsADriversVersion(
      String reported, String major, String minor, String revision, String full) {
    var inventory =
        new NodeInventory(
            reported, null, List.of(new GpuStatus.Responding(Nodes.t4(0))), Topology.UNKNOWN);
    Map<String, String> wanted = new TreeMap<>();
    putIfReported(wanted, "nvidia.com/cuda.driver.major", major);
    putIfReported(wanted, "nvidia.com/cuda.driver.minor", minor);
    putIfReported(wanted, "nvidia.com/cuda.driver.rev", revision);
    putIfReported(wanted, "nvidia.com/cuda.driver-version.major", major);
    putIfReported(wanted, "nvidia.com/cuda.driver-version.minor", minor);
    putIfReported(wanted, "nvidia.com/cuda.driver-version.revision", revision);
    putIfReported(wanted, "nvidia.com/cuda.driver-version.full", full);
    Map<String, String> found = new TreeMap<>(labels(inventory));
    found.keySet().removeIf(key -> !key.startsWith("nvidia.com/cuda"));

    assertThat(found).isEqualTo(wanted);
  }

  @ParameterizedTest(name = "compute capability {0} is {1}")
  @CsvSource({
    "5.2, maxwell",
    "7.0, volta",
    "7.5, turing",
    "8.6, ampere",
    "8.9, ada-lovelace",
    "9.0, hopper",
    "10.0, blackwell",
    "12.0, blackwell",
    "13.0, rubin",
    "42.0, undefined"
  })
  void namesTheFamily(String capability, String family) {
    String[] numbers = capability.split("\\.", -1);

    assertThat(
            GpuFamily.of(
                new io.gpureclaimer.common.device.ComputeCapability(
                    Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]))))
        .isEqualTo(family);
  }

  @Test
  void marksASharedProduct_unlessItsResourceIsRenamed() {
    assertThat(shared(new ResourceSharing(SharingKind.MPS, 10, false)))
        .containsEntry("nvidia.com/gpu.product", "Tesla-T4-SHARED")
        .containsEntry("nvidia.com/gpu.replicas", "10")
        .containsEntry("nvidia.com/gpu.sharing-strategy", "mps")
        .containsEntry("nvidia.com/mps.capable", "true");
    assertThat(shared(new ResourceSharing(SharingKind.TIME_SLICING, 10, true)))
        .containsEntry("nvidia.com/gpu.product", "Tesla-T4")
        .containsEntry("nvidia.com/gpu.replicas", "10")
        .containsEntry("nvidia.com/gpu.sharing-strategy", "time-slicing")
        .containsEntry("nvidia.com/mps.capable", "false");
  }

  @Test
  void reportsNoReplicas_whenGpusDifferInThem() {
    assertThat(shared(new ResourceSharing(SharingKind.TIME_SLICING, null, false)))
        .doesNotContainKey("nvidia.com/gpu.replicas")
        .containsEntry("nvidia.com/gpu.sharing-strategy", "time-slicing");
  }

  @Test
  void namesAMigProfileAsItsResource() {
    assertThat(
            mixedMig(
                List.of(Nodes.divided(Nodes.a100(0), "1g.10gb+me", "1c.2g.20gb", "1c.2g.20gb"))))
        .containsEntry("nvidia.com/mig-1g.10gb.me.count", "1")
        .containsEntry("nvidia.com/mig-1g.10gb.me.product", "NVIDIA-A100-SXM4-80GB-MIG-1g.10gb.me")
        .doesNotContainKey("nvidia.com/mig-1c.2g.20gb.count");
  }

  @Test
  void reportsTheGpusThatAreOfferedWhole_whenTheStrategyIsSingleAndMostAreNotDivided() {
    assertThat(
            offered(
                Nodes.of(Nodes.divided(Nodes.a100(0), "1g.10gb"), Nodes.h100(1), Nodes.h100(2)),
                settings(MigStrategy.SINGLE, List.of(), Sharing.NONE)))
        .containsEntry("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3")
        .containsEntry("nvidia.com/gpu.count", "2")
        .containsEntry("nvidia.com/gpu.replicas", "1")
        .containsEntry("nvidia.com/gpu.memory", "81559");
  }

  @Test
  void reportsTheMigDevicesThatAreOffered_whenGpusAreDividedDifferently() {
    assertThat(
            offered(
                Nodes.of(
                    Nodes.divided(Nodes.a100(0), "3g.40gb", "3g.40gb"),
                    Nodes.divided(Nodes.a100(1), "3g.40gb"),
                    Nodes.divided(Nodes.a100(2), "2g.20gb")),
                settings(MigStrategy.SINGLE, List.of(), Sharing.NONE)))
        .containsEntry("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB-MIG-3g.40gb")
        .containsEntry("nvidia.com/gpu.count", "3")
        .containsEntry("nvidia.com/gpu.replicas", "1");
  }

  @Test
  void reportsHowGpusAreShared_underANameOfTheirOwn() {
    var t4 = new ResourceName("example.com/t4");

    assertThat(
            offered(
                Nodes.fourT4(),
                settings(
                    MigStrategy.NONE,
                    List.of(new NamePattern("Tesla T4", t4)),
                    sliced(t4, new DeviceChoice.All(), 10))))
        .containsEntry("nvidia.com/gpu.product", "Tesla-T4-SHARED")
        .containsEntry("nvidia.com/gpu.replicas", "10")
        .containsEntry("nvidia.com/gpu.sharing-strategy", "time-slicing");
  }

  @Test
  void reportsNoReplicas_whenOnlySomeGpusAreShared() {
    assertThat(
            offered(
                Nodes.fourT4(),
                settings(MigStrategy.NONE, List.of(), sliced(GPU, new DeviceChoice.First(2), 10))))
        .containsEntry("nvidia.com/gpu.product", "Tesla-T4-SHARED")
        .containsEntry("nvidia.com/gpu.count", "4")
        .containsEntry("nvidia.com/gpu.sharing-strategy", "time-slicing")
        .doesNotContainKey("nvidia.com/gpu.replicas");
  }

  @Test
  void reportsAsManyReplicasAsMpsServes() {
    var wanted =
        new Sharing(
            SharingKind.MPS,
            true,
            List.of(new SharedResource(GPU, GPU, new DeviceChoice.All(), 60)));

    assertThat(offered(Nodes.fourT4(), settings(MigStrategy.NONE, List.of(), wanted)))
        .containsEntry("nvidia.com/gpu.replicas", "48")
        .containsEntry("nvidia.com/mps.capable", "true");
  }

  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");

  private static ResourceSettings settings(
      MigStrategy mig, List<NamePattern> gpuNames, Sharing sharing) {
    return new ResourceSettings(mig, gpuNames, List.of(), sharing);
  }

  private static Sharing sliced(ResourceName name, DeviceChoice devices, int replicas) {
    return new Sharing(
        SharingKind.TIME_SLICING,
        false,
        List.of(new SharedResource(name, name, devices, replicas)));
  }

  private static Map<String, String> offered(NodeInventory inventory, ResourceSettings settings) {
    return StandardLabels.of(
            inventory,
            Nodes.offered(inventory, settings),
            MachineFacts.UNKNOWN,
            LabelOptions.STANDARD)
        .byKey();
  }

  private static Map<String, String> shared(ResourceSharing sharing) {
    return StandardLabels.of(
            Nodes.fourT4(),
            Nodes.shared(Nodes.fourT4(), sharing),
            MachineFacts.UNKNOWN,
            LabelOptions.STANDARD)
        .byKey();
  }

  private static Map<String, String> mixedMig(List<GpuFacts> gpus) {
    return StandardLabels.of(
            Nodes.inventory(gpus),
            Nodes.offered(Nodes.inventory(gpus), MigStrategy.MIXED),
            MachineFacts.UNKNOWN,
            LabelOptions.STANDARD)
        .byKey();
  }

  private static Map<String, String> labels(NodeInventory inventory) {
    return StandardLabels.of(
            inventory,
            Nodes.offered(inventory, MigStrategy.NONE),
            MachineFacts.UNKNOWN,
            LabelOptions.STANDARD)
        .byKey();
  }

  private static void putIfReported(
      Map<String, String> labels, String key, @org.jspecify.annotations.Nullable String value) {
    if (value != null) {
      labels.put(key, value);
    }
  }
}
