package io.gpureclaimer.deviceplugin.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class AdvertisedResourcesTest {
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");
  private static final ComputeCapability VOLTA = new ComputeCapability(7, 0);

  @Test
  void aGpuIsOfferedByItsUuid_withItsNumaNode() {
    AdvertisedResources offer =
        offer(new NodeBuilder().whole().inventory(), ResourceSettings.PLAIN);

    assertThat(offer.resource(GPU).devices())
        .containsExactly(new ListedDevice(uuid(0), true, List.of(0)));
    assertThat(offer.problems()).isEmpty();
  }

  @Test
  void anUnhealthyGpuIsOfferedAsSuch() {
    AdvertisedResources offer =
        AdvertisedResources.of(
            new NodeBuilder().whole().whole().inventory(),
            ResourceSettings.PLAIN,
            entity -> !entity.equals(Entity.whole(NodeBuilder.gpu(1))),
            AdvertisedResources.NOTHING);

    assertThat(reported(offer))
        .isEqualTo(Map.of("nvidia.com/gpu", List.of(uuid(0), uuid(1) + "!")));
  }

  @Test
  void aGpuWithMigOnIsNotOffered_whenTheStrategyIsNone() {
    AdvertisedResources offer =
        offer(new NodeBuilder().whole().divided("1g.5gb").inventory(), ResourceSettings.PLAIN);

    assertThat(reported(offer)).isEqualTo(Map.of("nvidia.com/gpu", List.of(uuid(0))));
    assertThat(offer.problems())
        .containsExactly(
            "GPU 1 ("
                + uuid(1)
                + ") has MIG on and is not offered: set the MIG strategy to single or mixed, was"
                + " none, or turn MIG off");
  }

  @Test
  void eachProfileIsAResource_whenTheStrategyIsMixed() {
    NodeInventory node =
        new NodeBuilder().whole().divided("1g.5gb", "2g.10gb", "1g.5gb+me").divided().inventory();

    AdvertisedResources offer = offer(node, mig(MigStrategy.MIXED));

    assertThat(reported(offer))
        .isEqualTo(
            Map.of(
                "nvidia.com/gpu", List.of(uuid(0)),
                "nvidia.com/mig-1g.5gb", List.of(NodeBuilder.mig(1, 1)),
                "nvidia.com/mig-2g.10gb", List.of(NodeBuilder.mig(1, 2)),
                "nvidia.com/mig-1g.5gb.me", List.of(NodeBuilder.mig(1, 3))));
    assertThat(offer.problems())
        .containsExactly(
            "GPU 2 ("
                + uuid(2)
                + ") has MIG on and no MIG device, so that nothing of it is offered: create some,"
                + " or turn MIG off");
  }

  @Test
  void aPartOfAnInstanceIsLeftOut_unlessAPatternNamesIt() {
    NodeInventory node = new NodeBuilder().divided("1c.2g.10gb", "1g.5gb").inventory();

    AdvertisedResources plain = offer(node, mig(MigStrategy.MIXED));
    AdvertisedResources named =
        offer(
            node,
            new ResourceSettings(
                MigStrategy.MIXED,
                List.of(),
                List.of(new NamePattern("1c.*", new ResourceName("nvidia.com/slice"))),
                Sharing.NONE));

    assertThat(reported(plain))
        .isEqualTo(Map.of("nvidia.com/mig-1g.5gb", List.of(NodeBuilder.mig(0, 2))));
    assertThat(plain.problems()).hasSize(1).first().asString().contains("1c.2g.10gb");
    assertThat(reported(named))
        .isEqualTo(
            Map.of(
                "nvidia.com/mig-1g.5gb", List.of(NodeBuilder.mig(0, 2)),
                "nvidia.com/slice", List.of(NodeBuilder.mig(0, 1))));
  }

  @Test
  void migDevicesCountAsGpus_whenTheStrategyIsSingle() {
    NodeInventory node =
        new NodeBuilder().divided("3g.20gb", "3g.20gb").divided("3g.20gb").inventory();

    AdvertisedResources offer = offer(node, mig(MigStrategy.SINGLE));

    assertThat(reported(offer))
        .isEqualTo(
            Map.of(
                "nvidia.com/gpu",
                List.of(NodeBuilder.mig(0, 1), NodeBuilder.mig(0, 2), NodeBuilder.mig(1, 1))));
    assertThat(offer.problems()).isEmpty();
  }

  @Test
  void mostGpusStay_whenTheyAreDividedDifferentlyUnderTheStrategySingle() {
    NodeInventory node =
        new NodeBuilder()
            .divided("1g.5gb", "2g.10gb")
            .divided("3g.20gb")
            .whole()
            .divided("3g.20gb")
            .inventory();

    AdvertisedResources offer = offer(node, mig(MigStrategy.SINGLE));

    assertThat(reported(offer))
        .isEqualTo(Map.of("nvidia.com/gpu", List.of(NodeBuilder.mig(1, 1), NodeBuilder.mig(3, 1))));
    assertThat(offer.problems())
        .containsExactly(
            "the MIG strategy single needs GPUs that are divided alike: "
                + uuid(0)
                + " is 1g.5gb and 2g.10gb, most are 3g.20gb; nothing of it is offered until it is"
                + " divided like the others, or the strategy is mixed",
            "the MIG strategy single needs GPUs that are divided alike: "
                + uuid(2)
                + " is not divided, most are 3g.20gb; nothing of it is offered until it is divided"
                + " like the others, or the strategy is mixed");
  }

  @Test
  void dividedGpusStay_whenThereAreAsManyWholeOnesUnderTheStrategySingle() {
    AdvertisedResources offer =
        offer(new NodeBuilder().whole().divided("7g.40gb").inventory(), mig(MigStrategy.SINGLE));

    assertThat(reported(offer)).isEqualTo(Map.of("nvidia.com/gpu", List.of(NodeBuilder.mig(1, 1))));
  }

  @Test
  void aGpuThatCannotBeRead_staysUnhealthy_andTheOthersWhatTheyAre() {
    ResourceSettings settings = mig(MigStrategy.MIXED);
    AdvertisedResources before =
        offer(new NodeBuilder().whole().divided("1g.5gb").whole().inventory(), settings);

    AdvertisedResources after =
        AdvertisedResources.of(
            new NodeBuilder().whole().unreadable().unreadable().nameless().inventory(),
            settings,
            _ -> true,
            before);

    assertThat(reported(after))
        .isEqualTo(
            Map.of(
                "nvidia.com/gpu", List.of(uuid(0), uuid(2) + "!"),
                "nvidia.com/mig-1g.5gb", List.of(NodeBuilder.mig(1, 1) + "!")));
    assertThat(after.problems())
        .containsExactly(
            "GPU 1 ("
                + uuid(1)
                + ") could not be read: getName: GPU_IS_LOST; it is offered as unhealthy",
            "GPU 2 ("
                + uuid(2)
                + ") could not be read: getName: GPU_IS_LOST; it is offered as unhealthy",
            "GPU 3 could not be read: getHandleByIndex: UNKNOWN; it is not offered");
  }

  @Test
  void aGpuThatWasNeverRead_isOfferedAsUnhealthy_unlessItsModelDecidesAboutItsName() {
    NodeInventory node = new NodeBuilder().unreadable().inventory();

    assertThat(reported(offer(node, ResourceSettings.PLAIN)))
        .isEqualTo(Map.of("nvidia.com/gpu", List.of(uuid(0) + "!")));
    assertThat(reported(offer(node, named("*", "nvidia.com/any")))).isEmpty();
  }

  @Test
  void othersAreNotSharedInItsPlace_whenAGpuCannotBeRead() {
    ResourceSettings settings =
        sharing(
            Sharing.SharingKind.TIME_SLICING,
            new SharedResource(GPU, GPU, new DeviceChoice.First(1), 2));
    AdvertisedResources before = offer(new NodeBuilder().whole().whole().inventory(), settings);

    AdvertisedResources after =
        AdvertisedResources.of(
            new NodeBuilder().unreadable().whole().inventory(), settings, _ -> true, before);

    assertThat(reported(after))
        .isEqualTo(Map.of("nvidia.com/gpu", List.of(uuid(0) + "::0!", uuid(0) + "::1!", uuid(1))));
  }

  @Test
  void aResourceThatIsGone_isAnEmptyList_andStaysOne() {
    AdvertisedResources before =
        offer(new NodeBuilder().divided("1g.5gb").inventory(), mig(MigStrategy.MIXED));
    NodeInventory node = new NodeBuilder().whole().inventory();

    AdvertisedResources after =
        AdvertisedResources.of(node, ResourceSettings.PLAIN, _ -> true, before);
    AdvertisedResources later =
        AdvertisedResources.of(node, ResourceSettings.PLAIN, _ -> true, after);

    assertThat(reported(after))
        .isEqualTo(Map.of("nvidia.com/gpu", List.of(uuid(0)), "nvidia.com/mig-1g.5gb", List.of()));
    assertThat(later).isEqualTo(after);
  }

  @Test
  void theModelDecidesAboutTheName_whenAPatternMatchesAllOfIt() {
    NodeInventory node =
        new NodeBuilder()
            .whole("Tesla V100", VOLTA)
            .whole("NVIDIA A100-SXM4-40GB", VOLTA)
            .whole("NVIDIA A100-SXM4-80GB", VOLTA)
            .inventory();

    assertThat(reported(offer(node, named("*A100*-40GB", "nvidia.com/a100"))))
        .isEqualTo(
            Map.of(
                "nvidia.com/gpu", List.of(uuid(0), uuid(2)), "nvidia.com/a100", List.of(uuid(1))));
    assertThat(reported(offer(node, named("A100", "nvidia.com/a100"))).keySet())
        .containsExactly("nvidia.com/gpu");
  }

  @Test
  void eachGpuHasItsOwnNumberOfShares_whenTheConfigSaysSo() {
    var renamed = new ResourceName("nvidia.com/gpu.shared");
    ResourceSettings settings =
        sharing(
            Sharing.SharingKind.TIME_SLICING,
            new SharedResource(GPU, renamed, new DeviceChoice.Named(List.of("2", uuid(0))), 2),
            new SharedResource(GPU, renamed, new DeviceChoice.First(1), 3));

    AdvertisedResources offer =
        offer(new NodeBuilder().whole().whole().whole().whole().inventory(), settings);

    assertThat(reported(offer))
        .isEqualTo(
            Map.of(
                "nvidia.com/gpu",
                List.of(uuid(3)),
                "nvidia.com/gpu.shared",
                List.of(
                    uuid(0) + "::0",
                    uuid(0) + "::1",
                    uuid(1) + "::0",
                    uuid(1) + "::1",
                    uuid(1) + "::2",
                    uuid(2) + "::0",
                    uuid(2) + "::1")));
  }

  @Test
  void allSharesOfADeviceAreUnhealthy_whenItIs() {
    ResourceSettings settings =
        sharing(
            Sharing.SharingKind.TIME_SLICING,
            new SharedResource(GPU, GPU, new DeviceChoice.All(), 2));

    AdvertisedResources offer =
        AdvertisedResources.of(
            new NodeBuilder().whole().inventory(),
            settings,
            _ -> false,
            AdvertisedResources.NOTHING);

    assertThat(reported(offer))
        .isEqualTo(Map.of("nvidia.com/gpu", List.of(uuid(0) + "::0!", uuid(0) + "::1!")));
  }

  @Test
  void onlySoManySharesAreOfferedAsMpsServes() {
    ResourceSettings settings =
        sharing(Sharing.SharingKind.MPS, new SharedResource(GPU, GPU, new DeviceChoice.All(), 60));
    NodeInventory node =
        new NodeBuilder()
            .whole("Tesla P4", new ComputeCapability(6, 1))
            .whole("Tesla V100", VOLTA)
            .inventory();

    AdvertisedResources offer = offer(node, settings);

    assertThat(offer.resource(GPU).portions())
        .extracting(AdvertisedDevice::replicas)
        .containsExactly(16, 48);
    assertThat(offer.problems())
        .containsExactly(
            "GPU 0 ("
                + uuid(0)
                + ") is offered in 16 shares: that is the limit of MPS on it, sharing.mps asks"
                + " for 60",
            "GPU 1 ("
                + uuid(1)
                + ") is offered in 48 shares: that is the limit of MPS on it, sharing.mps asks"
                + " for 60");
  }

  /** It is lost, and was offered in as many before this program started. */
  @Test
  void aGpuThatCannotBeReadKeepsItsShares_asFarAsMpsServesThemOnAny() {
    ResourceSettings settings =
        sharing(Sharing.SharingKind.MPS, new SharedResource(GPU, GPU, new DeviceChoice.All(), 40));

    AdvertisedResources offer = offer(new NodeBuilder().unreadable().inventory(), settings);

    assertThat(offer.resource(GPU).portions())
        .extracting(AdvertisedDevice::replicas)
        .containsExactly(40);
    assertThat(offer.problems())
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("could not be read", "it is offered as unhealthy");
  }

  @Test
  void aMigDeviceIsLeftOut_whenMpsWouldShareIt() {
    var settings =
        new ResourceSettings(
            MigStrategy.SINGLE,
            List.of(),
            List.of(),
            new Sharing(
                Sharing.SharingKind.MPS,
                true,
                List.of(new SharedResource(GPU, GPU, new DeviceChoice.All(), 2))));

    AdvertisedResources offer = offer(new NodeBuilder().divided("1g.5gb").inventory(), settings);

    assertThat(reported(offer)).isEmpty();
    assertThat(offer.problems())
        .containsExactly(
            "the MIG device "
                + NodeBuilder.mig(0, 1)
                + " is not offered: MPS cannot share it; take nvidia.com/gpu out of sharing.mps, or"
                + " share it by sharing.timeSlicing");
  }

  @Test
  void tenThousandSharesAreOffered() {
    ResourceSettings settings =
        sharing(
            Sharing.SharingKind.TIME_SLICING,
            new SharedResource(GPU, GPU, new DeviceChoice.All(), 1250));
    var node = new NodeBuilder();
    Stream.generate(node::whole).limit(8).forEach(_ -> {});

    assertThat(offer(node.inventory(), settings).resource(GPU).devices())
        .hasSize(10_000)
        .doesNotHaveDuplicates();
  }

  @Test
  void whatWasOfferedStays_whenMoreSharesAreAskedForThanANodeOffers() {
    var half =
        new SharedResource(
            GPU, new ResourceName("nvidia.com/half"), new DeviceChoice.Named(List.of("1")), 2);
    NodeInventory node = new NodeBuilder().whole().whole().inventory();
    AdvertisedResources before = offer(node, sharing(Sharing.SharingKind.TIME_SLICING, half));

    AdvertisedResources after =
        AdvertisedResources.of(
            new NodeBuilder().whole().whole().whole().inventory(),
            sharing(
                Sharing.SharingKind.TIME_SLICING,
                new SharedResource(GPU, GPU, new DeviceChoice.First(2), 10_000)),
            entity -> !entity.equals(Entity.whole(NodeBuilder.gpu(0))),
            before);

    assertThat(reported(after))
        .isEqualTo(
            Map.of(
                "nvidia.com/gpu", List.of(uuid(0) + "!"),
                "nvidia.com/half", List.of(uuid(1) + "::0", uuid(1) + "::1")));
    assertThat(after.problems())
        .containsExactly(
            "sharing.timeSlicing asks for 20001 shares of the devices of this node, which offers"
                + " at most 20000 in all: lower replicas; until then what was offered before"
                + " stays");
  }

  @Test
  void nothingIsOffered_whenMoreSharesAreAskedForThanANodeOffers_fromTheStart() {
    AdvertisedResources offer =
        offer(
            new NodeBuilder().whole().whole().inventory(),
            sharing(
                Sharing.SharingKind.TIME_SLICING,
                new SharedResource(GPU, GPU, new DeviceChoice.First(1), 999_999_999)));

    assertThat(reported(offer)).isEmpty();
    assertThat(offer.problems())
        .containsExactly(
            "sharing.timeSlicing asks for 1000000000 shares of the devices of this node, which"
                + " offers at most 20000 in all: lower replicas; until then nothing is"
                + " offered");
  }

  private static AdvertisedResources offer(NodeInventory node, ResourceSettings settings) {
    return AdvertisedResources.of(node, settings, _ -> true, AdvertisedResources.NOTHING);
  }

  private static String uuid(int index) {
    return NodeBuilder.gpu(index).value();
  }

  private static ResourceSettings mig(MigStrategy strategy) {
    return new ResourceSettings(strategy, List.of(), List.of(), Sharing.NONE);
  }

  private static ResourceSettings named(String pattern, String name) {
    return new ResourceSettings(
        MigStrategy.NONE,
        List.of(new NamePattern(pattern, new ResourceName(name))),
        List.of(),
        Sharing.NONE);
  }

  private static ResourceSettings sharing(Sharing.SharingKind kind, SharedResource... resources) {
    return new ResourceSettings(
        MigStrategy.NONE, List.of(), List.of(), new Sharing(kind, false, List.of(resources)));
  }

  /** Ids by resource; an exclamation mark is unhealthy. */
  private static Map<String, List<String>> reported(AdvertisedResources offer) {
    var reported = new TreeMap<String, List<String>>();
    offer
        .resources()
        .forEach(
            (name, resource) ->
                reported.put(
                    name.value(),
                    resource.devices().stream()
                        .map(device -> device.id() + (device.healthy() ? "" : "!"))
                        .toList()));
    return reported;
  }
}
