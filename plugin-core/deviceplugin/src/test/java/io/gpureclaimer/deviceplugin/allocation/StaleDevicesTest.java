package io.gpureclaimer.deviceplugin.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.nvml.poll.NodeInventory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StaleDevicesTest {
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");
  private static final String ZERO = NodeBuilder.gpu(0).value();
  private static final String ONE = NodeBuilder.gpu(1).value();
  private static final NodeInventory TWO = new NodeBuilder().whole().whole().inventory();

  @Test
  void isNoneOfThoseThatAreHeldAsTheyAreOffered() {
    assertThat(StaleDevices.in(whole(), Map.of("nvidia.com/gpu", Set.of(ZERO, ONE)))).isEmpty();
    assertThat(StaleDevices.in(shared(2), Map.of("nvidia.com/gpu", Set.of(ZERO + "::1"))))
        .isEmpty();
  }

  @Test
  void isAGpuThatIsHeldAsAWhole_whileSharesAreOffered() {
    assertThat(StaleDevices.in(shared(2), Map.of("nvidia.com/gpu", Set.of(ZERO))))
        .containsExactly(ZERO);
  }

  @Test
  void isAGpuOfWhichAShareIsHeld_whileWholeOnesAreOffered_orFewerShares() {
    var held = Map.of("nvidia.com/gpu", Set.of(ZERO + "::0", ONE + "::2"));

    assertThat(StaleDevices.in(whole(), held)).containsExactlyInAnyOrder(ZERO, ONE);
    assertThat(StaleDevices.in(shared(2), held)).containsExactly(ONE);
  }

  @Test
  void isAGpuThatIsHeldUnderAnotherName() {
    assertThat(StaleDevices.in(whole(), Map.of("nvidia.com/h100", Set.of(ZERO))))
        .containsExactly(ZERO);
  }

  @Test
  void isEachPartOfAGpu_thatIsHeldAsAWhole() {
    AdvertisedResources divided =
        AdvertisedResources.of(
            new NodeBuilder().divided("1g.5gb", "1g.5gb").whole().inventory(),
            new ResourceSettings(MigStrategy.MIXED, List.of(), List.of(), Sharing.NONE),
            _ -> true,
            AdvertisedResources.NOTHING);

    assertThat(StaleDevices.in(divided, Map.of("nvidia.com/gpu", Set.of(ZERO))))
        .containsExactlyInAnyOrder(NodeBuilder.mig(0, 1), NodeBuilder.mig(0, 2));
  }

  @Test
  void isNothingThatIsNotOffered() {
    assertThat(StaleDevices.in(whole(), Map.of("example.com/nic", Set.of("nic-0")))).isEmpty();
  }

  private static AdvertisedResources whole() {
    return AdvertisedResources.of(
        TWO, ResourceSettings.PLAIN, _ -> true, AdvertisedResources.NOTHING);
  }

  private static AdvertisedResources shared(int replicas) {
    var sharing =
        new Sharing(
            Sharing.SharingKind.TIME_SLICING,
            false,
            List.of(new SharedResource(GPU, GPU, new DeviceChoice.All(), replicas)));
    return AdvertisedResources.of(
        TWO,
        new ResourceSettings(MigStrategy.NONE, List.of(), List.of(), sharing),
        _ -> true,
        AdvertisedResources.NOTHING);
  }
}
