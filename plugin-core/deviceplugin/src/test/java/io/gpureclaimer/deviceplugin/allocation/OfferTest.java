package io.gpureclaimer.deviceplugin.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.deviceplugin.allocation.OfferedResource.OfferedDevice;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class OfferTest {
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");
  private static final ComputeCapability VOLTA = new ComputeCapability(7, 0);

  @Test
  void aGpuIsOfferedByItsUuid_withItsNumaNode() {
    Offer offer = offer(new Node().whole().inventory(), OfferSettings.PLAIN);

    assertThat(offer.resource(GPU).devices())
        .containsExactly(new OfferedDevice(uuid(0), true, List.of(0)));
    assertThat(offer.problems()).isEmpty();
  }

  @Test
  void anUnhealthyGpuIsOfferedAsSuch() {
    Offer offer =
        Offer.of(
            new Node().whole().whole().inventory(),
            OfferSettings.PLAIN,
            entity -> !entity.equals(Entity.whole(Node.gpu(1))),
            Offer.NOTHING);

    assertThat(told(offer)).isEqualTo(Map.of("nvidia.com/gpu", List.of(uuid(0), uuid(1) + "!")));
  }

  @Test
  void aGpuWithMigOnIsNotOffered_whenTheStrategyIsNone() {
    Offer offer = offer(new Node().whole().divided("1g.5gb").inventory(), OfferSettings.PLAIN);

    assertThat(told(offer)).isEqualTo(Map.of("nvidia.com/gpu", List.of(uuid(0))));
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
        new Node().whole().divided("1g.5gb", "2g.10gb", "1g.5gb+me").divided().inventory();

    Offer offer = offer(node, mig(MigStrategy.MIXED));

    assertThat(told(offer))
        .isEqualTo(
            Map.of(
                "nvidia.com/gpu", List.of(uuid(0)),
                "nvidia.com/mig-1g.5gb", List.of(Node.mig(1, 1)),
                "nvidia.com/mig-2g.10gb", List.of(Node.mig(1, 2)),
                "nvidia.com/mig-1g.5gb.me", List.of(Node.mig(1, 3))));
    assertThat(offer.problems())
        .containsExactly(
            "GPU 2 ("
                + uuid(2)
                + ") has MIG on and no MIG device, so that nothing of it is offered: create some,"
                + " or turn MIG off");
  }

  @Test
  void aPartOfAnInstanceIsLeftOut_unlessAPatternNamesIt() {
    NodeInventory node = new Node().divided("1c.2g.10gb", "1g.5gb").inventory();

    Offer plain = offer(node, mig(MigStrategy.MIXED));
    Offer named =
        offer(
            node,
            new OfferSettings(
                MigStrategy.MIXED,
                List.of(),
                List.of(new NamePattern("1c.*", new ResourceName("nvidia.com/slice"))),
                Sharing.NONE));

    assertThat(told(plain)).isEqualTo(Map.of("nvidia.com/mig-1g.5gb", List.of(Node.mig(0, 2))));
    assertThat(plain.problems()).hasSize(1).first().asString().contains("1c.2g.10gb");
    assertThat(told(named))
        .isEqualTo(
            Map.of(
                "nvidia.com/mig-1g.5gb", List.of(Node.mig(0, 2)),
                "nvidia.com/slice", List.of(Node.mig(0, 1))));
  }

  @Test
  void migDevicesCountAsGpus_whenTheStrategyIsSingle() {
    NodeInventory node = new Node().divided("3g.20gb", "3g.20gb").divided("3g.20gb").inventory();

    Offer offer = offer(node, mig(MigStrategy.SINGLE));

    assertThat(told(offer))
        .isEqualTo(
            Map.of("nvidia.com/gpu", List.of(Node.mig(0, 1), Node.mig(0, 2), Node.mig(1, 1))));
    assertThat(offer.problems()).isEmpty();
  }

  @Test
  void mostGpusStay_whenTheyAreDividedDifferentlyUnderTheStrategySingle() {
    NodeInventory node =
        new Node()
            .divided("1g.5gb", "2g.10gb")
            .divided("3g.20gb")
            .whole()
            .divided("3g.20gb")
            .inventory();

    Offer offer = offer(node, mig(MigStrategy.SINGLE));

    assertThat(told(offer))
        .isEqualTo(Map.of("nvidia.com/gpu", List.of(Node.mig(1, 1), Node.mig(3, 1))));
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
    Offer offer = offer(new Node().whole().divided("7g.40gb").inventory(), mig(MigStrategy.SINGLE));

    assertThat(told(offer)).isEqualTo(Map.of("nvidia.com/gpu", List.of(Node.mig(1, 1))));
  }

  @Test
  void aGpuThatCannotBeRead_staysUnhealthy_andTheOthersWhatTheyAre() {
    OfferSettings settings = mig(MigStrategy.MIXED);
    Offer before = offer(new Node().whole().divided("1g.5gb").whole().inventory(), settings);

    Offer after =
        Offer.of(
            new Node().whole().unreadable().unreadable().nameless().inventory(),
            settings,
            _ -> true,
            before);

    assertThat(told(after))
        .isEqualTo(
            Map.of(
                "nvidia.com/gpu", List.of(uuid(0), uuid(2) + "!"),
                "nvidia.com/mig-1g.5gb", List.of(Node.mig(1, 1) + "!")));
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
    NodeInventory node = new Node().unreadable().inventory();

    assertThat(told(offer(node, OfferSettings.PLAIN)))
        .isEqualTo(Map.of("nvidia.com/gpu", List.of(uuid(0) + "!")));
    assertThat(told(offer(node, named("*", "nvidia.com/any")))).isEmpty();
  }

  @Test
  void othersAreNotSharedInItsPlace_whenAGpuCannotBeRead() {
    OfferSettings settings =
        sharing(
            Sharing.SharingKind.TIME_SLICING,
            new SharedResource(GPU, GPU, new DeviceChoice.First(1), 2));
    Offer before = offer(new Node().whole().whole().inventory(), settings);

    Offer after =
        Offer.of(new Node().unreadable().whole().inventory(), settings, _ -> true, before);

    assertThat(told(after))
        .isEqualTo(Map.of("nvidia.com/gpu", List.of(uuid(0) + "::0!", uuid(0) + "::1!", uuid(1))));
  }

  @Test
  void aResourceThatIsGone_isAnEmptyList_andStaysOne() {
    Offer before = offer(new Node().divided("1g.5gb").inventory(), mig(MigStrategy.MIXED));
    NodeInventory node = new Node().whole().inventory();

    Offer after = Offer.of(node, OfferSettings.PLAIN, _ -> true, before);
    Offer later = Offer.of(node, OfferSettings.PLAIN, _ -> true, after);

    assertThat(told(after))
        .isEqualTo(Map.of("nvidia.com/gpu", List.of(uuid(0)), "nvidia.com/mig-1g.5gb", List.of()));
    assertThat(later).isEqualTo(after);
  }

  @Test
  void theModelDecidesAboutTheName_whenAPatternMatchesAllOfIt() {
    NodeInventory node =
        new Node()
            .whole("Tesla V100", VOLTA)
            .whole("NVIDIA A100-SXM4-40GB", VOLTA)
            .whole("NVIDIA A100-SXM4-80GB", VOLTA)
            .inventory();

    assertThat(told(offer(node, named("*A100*-40GB", "nvidia.com/a100"))))
        .isEqualTo(
            Map.of(
                "nvidia.com/gpu", List.of(uuid(0), uuid(2)), "nvidia.com/a100", List.of(uuid(1))));
    assertThat(told(offer(node, named("A100", "nvidia.com/a100"))).keySet())
        .containsExactly("nvidia.com/gpu");
  }

  @Test
  void eachGpuHasItsOwnNumberOfShares_whenTheConfigSaysSo() {
    var renamed = new ResourceName("nvidia.com/gpu.shared");
    OfferSettings settings =
        sharing(
            Sharing.SharingKind.TIME_SLICING,
            new SharedResource(GPU, renamed, new DeviceChoice.These(List.of("2", uuid(0))), 2),
            new SharedResource(GPU, renamed, new DeviceChoice.First(1), 3));

    Offer offer = offer(new Node().whole().whole().whole().whole().inventory(), settings);

    assertThat(told(offer))
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
    OfferSettings settings =
        sharing(
            Sharing.SharingKind.TIME_SLICING,
            new SharedResource(GPU, GPU, new DeviceChoice.All(), 2));

    Offer offer = Offer.of(new Node().whole().inventory(), settings, _ -> false, Offer.NOTHING);

    assertThat(told(offer))
        .isEqualTo(Map.of("nvidia.com/gpu", List.of(uuid(0) + "::0!", uuid(0) + "::1!")));
  }

  @Test
  void onlySoManySharesAreOfferedAsMpsServes() {
    OfferSettings settings =
        sharing(Sharing.SharingKind.MPS, new SharedResource(GPU, GPU, new DeviceChoice.All(), 60));
    NodeInventory node =
        new Node()
            .whole("Tesla P4", new ComputeCapability(6, 1))
            .whole("Tesla V100", VOLTA)
            .inventory();

    Offer offer = offer(node, settings);

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
    OfferSettings settings =
        sharing(Sharing.SharingKind.MPS, new SharedResource(GPU, GPU, new DeviceChoice.All(), 40));

    Offer offer = offer(new Node().unreadable().inventory(), settings);

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
        new OfferSettings(
            MigStrategy.SINGLE,
            List.of(),
            List.of(),
            new Sharing(
                Sharing.SharingKind.MPS,
                true,
                List.of(new SharedResource(GPU, GPU, new DeviceChoice.All(), 2))));

    Offer offer = offer(new Node().divided("1g.5gb").inventory(), settings);

    assertThat(told(offer)).isEmpty();
    assertThat(offer.problems())
        .containsExactly(
            "the MIG device "
                + Node.mig(0, 1)
                + " is not offered: MPS cannot share it; take nvidia.com/gpu out of sharing.mps, or"
                + " share it by sharing.timeSlicing");
  }

  @Test
  void tenThousandSharesAreOffered() {
    OfferSettings settings =
        sharing(
            Sharing.SharingKind.TIME_SLICING,
            new SharedResource(GPU, GPU, new DeviceChoice.All(), 1250));
    var node = new Node();
    Stream.generate(node::whole).limit(8).forEach(_ -> {});

    assertThat(offer(node.inventory(), settings).resource(GPU).devices())
        .hasSize(10_000)
        .doesNotHaveDuplicates();
  }

  @Test
  void whatWasOfferedStays_whenMoreSharesAreAskedForThanANodeOffers() {
    var half =
        new SharedResource(
            GPU, new ResourceName("nvidia.com/half"), new DeviceChoice.These(List.of("1")), 2);
    NodeInventory node = new Node().whole().whole().inventory();
    Offer before = offer(node, sharing(Sharing.SharingKind.TIME_SLICING, half));

    Offer after =
        Offer.of(
            new Node().whole().whole().whole().inventory(),
            sharing(
                Sharing.SharingKind.TIME_SLICING,
                new SharedResource(GPU, GPU, new DeviceChoice.First(2), 10_000)),
            entity -> !entity.equals(Entity.whole(Node.gpu(0))),
            before);

    assertThat(told(after))
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
    Offer offer =
        offer(
            new Node().whole().whole().inventory(),
            sharing(
                Sharing.SharingKind.TIME_SLICING,
                new SharedResource(GPU, GPU, new DeviceChoice.First(1), 999_999_999)));

    assertThat(told(offer)).isEmpty();
    assertThat(offer.problems())
        .containsExactly(
            "sharing.timeSlicing asks for 1000000000 shares of the devices of this node, which"
                + " offers at most 20000 in all: lower replicas; until then nothing is"
                + " offered");
  }

  private static Offer offer(NodeInventory node, OfferSettings settings) {
    return Offer.of(node, settings, _ -> true, Offer.NOTHING);
  }

  private static String uuid(int index) {
    return Node.gpu(index).value();
  }

  private static OfferSettings mig(MigStrategy strategy) {
    return new OfferSettings(strategy, List.of(), List.of(), Sharing.NONE);
  }

  private static OfferSettings named(String pattern, String name) {
    return new OfferSettings(
        MigStrategy.NONE,
        List.of(new NamePattern(pattern, new ResourceName(name))),
        List.of(),
        Sharing.NONE);
  }

  private static OfferSettings sharing(Sharing.SharingKind kind, SharedResource... resources) {
    return new OfferSettings(
        MigStrategy.NONE, List.of(), List.of(), new Sharing(kind, false, List.of(resources)));
  }

  /** Ids by resource; an exclamation mark is unhealthy. */
  private static Map<String, List<String>> told(Offer offer) {
    var told = new TreeMap<String, List<String>>();
    offer
        .resources()
        .forEach(
            (name, resource) ->
                told.put(
                    name.value(),
                    resource.devices().stream()
                        .map(device -> device.id() + (device.healthy() ? "" : "!"))
                        .toList()));
    return told;
  }
}
