package io.gpureclaimer.deviceplugin.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.vocabulary.CdiNames;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Granted;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Refused;
import io.gpureclaimer.deviceplugin.allocation.preference.SharePolicy;
import io.gpureclaimer.nvml.poll.NodeInventory;
import io.gpureclaimer.nvml.poll.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ResourceAllocatorTest {
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");
  private static final String ZERO = NodeBuilder.gpu(0).value();
  private static final String ONE = NodeBuilder.gpu(1).value();
  private static final NodeInventory TWO = new NodeBuilder().whole().whole().inventory();
  private static final Sharing SHARED = shared(false);

  @Test
  void refuses_whenNothingIsAskedFor() {
    assertThat(allocator(Sharing.NONE).allocate(List.of()))
        .isEqualTo(
            new Refused(
                "nvidia.com/gpu: no device was requested; request at least one, or "
                    + "remove the resource"));
  }

  @Test
  void refuses_whenTheDeviceIsNotOffered() {
    assertThat(allocator(Sharing.NONE).allocate(List.of(ZERO, ZERO + "::0")))
        .isEqualTo(
            new Refused(
                "nvidia.com/gpu: the device "
                    + ZERO
                    + "::0 is not offered on this node, because the kubelet's list is "
                    + "outdated; create the pod again"));
  }

  @Test
  void refuses_whenADeviceIsAskedForTwice() {
    assertThat(allocator(Sharing.NONE).allocate(List.of(ZERO, ZERO)))
        .isEqualTo(
            new Refused(
                "nvidia.com/gpu: the device "
                    + ZERO
                    + " was requested twice; name each device once"));
  }

  @Test
  void refuses_whenTheDeviceBecameUnhealthy() {
    Allocator allocator =
        allocator(
            Sharing.NONE,
            SharePolicy.DISTRIBUTED,
            entity -> !entity.equals(Entity.whole(NodeBuilder.gpu(1))));

    assertThat(allocator.allocate(List.of(ZERO))).isInstanceOf(Granted.class);
    assertThat(allocator.allocate(List.of(ONE)))
        .isEqualTo(
            new Refused(
                "nvidia.com/gpu: the device "
                    + ONE
                    + " is unhealthy by now; create the pod again, which then gets another one"));
  }

  @Test
  void refusesSeveralShares_whenOnlyOneIsAllowed() {
    Allocator allocator = allocator(shared(true));

    assertThat(allocator.allocate(List.of(ZERO + "::1"))).isInstanceOf(Granted.class);
    assertThat(allocator.allocate(List.of(ZERO + "::0", ONE + "::0")))
        .isEqualTo(
            new Refused(
                "nvidia.com/gpu: a container may ask for 1 share of a GPU, was 2, because more"
                    + " shares do not bring a larger part of a GPU: request 1, or set"
                    + " sharing.timeSlicing.failRequestsGreaterThanOne to false"));
  }

  @Test
  void refusesTwoSharesOfOneGpu_whenTheyAreToBeSpread() {
    Allocator allocator = allocator(SHARED, SharePolicy.SPREAD, _ -> true);

    assertThat(allocator.allocate(List.of(ZERO + "::0", ONE + "::1"))).isInstanceOf(Granted.class);
    assertThat(allocator.allocate(List.of(ZERO + "::0", ZERO + "::1")))
        .isEqualTo(
            new Refused(
                "nvidia.com/gpu: the policy spread allocates each share from "
                    + "another GPU, and only 1"
                    + " have shares left for the 2 that were asked for: ask for fewer, wait, or set"
                    + " the shared devices' allocation policy to distributed"));
  }

  @Test
  void aGpuIsVisibleOnce_whenSeveralOfItsSharesAreGiven() {
    assertThat(allocator(SHARED).allocate(List.of(ONE + "::1", ZERO + "::1", ONE + "::0")))
        .isInstanceOfSatisfying(
            Granted.class,
            granted ->
                assertThat(granted.env())
                    .containsEntry("NVIDIA_VISIBLE_DEVICES", ZERO + "," + ONE));
  }

  @Test
  void theAnswerIsTheSame_whateverTheOrderOfTheRequest() {
    Allocator allocator = allocator(Sharing.NONE);

    assertThat(allocator.allocate(List.of(ONE, ZERO)))
        .isEqualTo(allocator.allocate(List.of(ZERO, ONE)));
  }

  @Test
  void refuses_whenTheRequiredImexChannelIsNotThere() {
    ResponseSettings settings = Responses.of("envvar").imex(true).settings();

    assertThat(allocator(settings, _ -> false).allocate(List.of(ZERO)))
        .isEqualTo(
            new Refused(
                "nvidia.com/gpu, "
                    + ZERO
                    + ": the IMEX channel /dev/nvidia-caps-imex-channels/channel0 is"
                    + " required and not there: load the driver with its IMEX channels, or set"
                    + " imex.required to false"));
  }

  @Test
  void refuses_whenDeviceFilesAreToBePassedAndNotKnown() {
    AdvertisedResources offer =
        AdvertisedResources.of(
            new NodeBuilder().unreadable().inventory(),
            ResourceSettings.PLAIN,
            _ -> true,
            AdvertisedResources.NOTHING);
    AdvertisedDevice unread = offer.resource(GPU).portions().getFirst();
    var healthyAgain =
        new AdvertisedDevice(
            unread.origin(), unread.device(), unread.sharing(), unread.replicas(), true);
    var allocator =
        new ResourceAllocator(
            new AdvertisedResource(GPU, List.of(healthyAgain)),
            Topology.UNKNOWN,
            new AllocationRules(
                Responses.of("envvar").deviceSpecs().settings(), SharePolicy.DISTRIBUTED, false),
            new NodeEnvironment(_ -> true, Set.of(), _ -> Optional.empty(), Set.of(), Set.of()));

    assertThat(allocator.allocate(List.of(ZERO)))
        .isEqualTo(
            new Refused(
                "nvidia.com/gpu, "
                    + ZERO
                    + ": its device files are not known: let "
                    + "/proc/driver/nvidia-caps/mig-minors be readable, or do"
                    + " not pass device specs"));
  }

  @Test
  void refusesAndIsUnhealthy_whenARuntimeCannotResolveItsName() {
    AdvertisedResources offer =
        AdvertisedResources.of(TWO, ResourceSettings.PLAIN, _ -> true, AdvertisedResources.NOTHING);
    var allocator =
        new ResourceAllocator(
            offer.resource(GPU),
            Topology.UNKNOWN,
            new AllocationRules(
                Responses.of("envvar", "cdi-cri").settings(), SharePolicy.DISTRIBUTED, false),
            new NodeEnvironment(
                _ -> true,
                Set.of(CdiNames.NVIDIA.device(ONE)),
                _ -> Optional.empty(),
                Set.of(),
                Set.of()));

    assertThat(allocator.devices())
        .extracting(ListedDevice::id, ListedDevice::healthy)
        .containsExactly(tuple(ZERO, false), tuple(ONE, true));
    assertThat(allocator.allocate(List.of(ONE))).isInstanceOf(Granted.class);
    assertThat(allocator.allocate(List.of(ZERO, ONE)))
        .isEqualTo(
            new Refused(
                "nvidia.com/gpu, "
                    + ZERO
                    + ": its CDI device is missing, so containers with it would not "
                    + "start: fix the cause, which is in the agent's log, or remove "
                    + "CDI from the device list strategy"));
  }

  @Test
  void refusesSharesOfMps_whileTheDaemonIsDown() {
    var sharing =
        new Sharing(
            Sharing.SharingKind.MPS,
            false,
            List.of(new SharedResource(GPU, GPU, new DeviceChoice.First(1), 2)));
    AdvertisedResources offer =
        AdvertisedResources.of(
            TWO,
            new ResourceSettings(MigStrategy.NONE, List.of(), List.of(), sharing),
            _ -> true,
            AdvertisedResources.NOTHING);
    var allocator =
        new ResourceAllocator(
            offer.resource(GPU),
            Topology.UNKNOWN,
            new AllocationRules(
                Responses.of("envvar").mps().settings(), SharePolicy.DISTRIBUTED, false),
            new NodeEnvironment(
                _ -> true,
                Set.of(),
                name -> Optional.of("the daemon of " + name + " hangs"),
                Set.of(),
                Set.of()));

    assertThat(allocator.blockers())
        .isEqualTo(
            Map.of(
                ZERO,
                new AllocationBlocker(
                    AllocationBlocker.BlockerKind.MPS, "the daemon of nvidia.com/gpu hangs")));
    assertThat(allocator.allocate(List.of(ZERO + "::1")))
        .isEqualTo(new Refused("nvidia.com/gpu, " + ZERO + ": the daemon of nvidia.com/gpu hangs"));
    assertThat(allocator.allocate(List.of(ONE))).isInstanceOf(Granted.class);
  }

  @Test
  void refusesAndIsUnhealthy_whileAContainerHoldsItByWhatWasOfferedBefore() {
    AdvertisedResources offer =
        AdvertisedResources.of(TWO, ResourceSettings.PLAIN, _ -> true, AdvertisedResources.NOTHING);
    var allocator =
        new ResourceAllocator(
            offer.resource(GPU),
            Topology.UNKNOWN,
            new AllocationRules(Responses.of("envvar").settings(), SharePolicy.DISTRIBUTED, false),
            new NodeEnvironment(
                _ -> true, Set.of(), _ -> Optional.empty(), Set.of(ZERO), Set.of()));

    assertThat(allocator.devices())
        .extracting(ListedDevice::id, ListedDevice::healthy)
        .containsExactly(tuple(ZERO, false), tuple(ONE, true));
    assertThat(allocator.allocate(List.of(ZERO)))
        .isEqualTo(
            new Refused(
                "nvidia.com/gpu, "
                    + ZERO
                    + ": it is allocated to a container under an earlier "
                    + "configuration: end that pod, or wait until it has ended"));
  }

  @Test
  void prefersAmongItsOwn() {
    assertThat(allocator(Sharing.NONE).prefer(Set.of(ZERO, ONE, "GPU-other"), Set.of(ONE), 1))
        .containsExactly(ONE);
  }

  private static Sharing shared(boolean one) {
    return new Sharing(
        Sharing.SharingKind.TIME_SLICING,
        one,
        List.of(new SharedResource(GPU, GPU, new DeviceChoice.All(), 2)));
  }

  private static Allocator allocator(Sharing sharing) {
    return allocator(sharing, SharePolicy.DISTRIBUTED, _ -> true);
  }

  private static Allocator allocator(
      Sharing sharing, SharePolicy policy, Predicate<Entity> healthy) {
    var settings = new ResourceSettings(MigStrategy.NONE, List.of(), List.of(), sharing);
    AdvertisedResources offer =
        AdvertisedResources.of(TWO, settings, healthy, AdvertisedResources.NOTHING);
    return new ResourceAllocator(
        offer.resource(GPU),
        Topology.UNKNOWN,
        new AllocationRules(Responses.of("envvar").settings(), policy, sharing.oneShareAtMost()),
        new NodeEnvironment(_ -> true, Set.of(), _ -> Optional.empty(), Set.of(), Set.of()));
  }

  private static Allocator allocator(ResponseSettings settings, Predicate<Path> exists) {
    AdvertisedResources offer =
        AdvertisedResources.of(TWO, ResourceSettings.PLAIN, _ -> true, AdvertisedResources.NOTHING);
    return new ResourceAllocator(
        offer.resource(GPU),
        Topology.UNKNOWN,
        new AllocationRules(settings, SharePolicy.DISTRIBUTED, false),
        new NodeEnvironment(exists, Set.of(), _ -> Optional.empty(), Set.of(), Set.of()));
  }
}
