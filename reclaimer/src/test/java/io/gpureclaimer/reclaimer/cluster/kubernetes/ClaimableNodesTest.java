package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClaimableNode;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim.PooledDevice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownSlice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownSlice.SliceDevice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.NodeParser.GpuOffer;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.NodeParser.KnownNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is free on nodes that offer devices by claims alone. */
class ClaimableNodesTest {
  private static final String GPU = "nvidia.com/gpu";
  private static final String SMALL = "nvidia.com/mig-1g.10gb";
  private static final String H100 = "NVIDIA H100 80GB HBM3";

  private final List<KnownSlice> slices = new ArrayList<>();
  private final List<KnownClaim> claims = new ArrayList<>();
  private final List<PodView> pods = new ArrayList<>();
  private Map<String, String> labels = Map.of();
  private boolean hasDevicePlugin;

  @Test
  void countsDevicesThatNoClaimHas() {
    publish(gpu("gpu-0"), gpu("gpu-1"), gpu("gpu-2"), mig("mig-0"), mig("mig-1"));
    claim(Set.of("pod-a"), "gpu-0", "gpu-1", "mig-0");

    assertThat(known())
        .containsExactly(
            new ClaimableNode(
                view(),
                "NVIDIA-H100-80GB-HBM3",
                Map.of(GPU, 1, SMALL, 1),
                Map.of("pod-a", Map.of(GPU, 2, SMALL, 1))));
  }

  /** Also one that no known pod uses, and one that several pods use. */
  @Test
  void countsEveryClaim() {
    publish(gpu("gpu-0"), gpu("gpu-1"), gpu("gpu-2"));
    claim(Set.of(), "gpu-0");
    claim(Set.of("pod-a", "pod-b"), "gpu-1");

    assertThat(known().getFirst().free()).isEqualTo(Map.of(GPU, 1));
    assertThat(known().getFirst().held())
        .isEqualTo(Map.of("pod-a", Map.of(GPU, 1), "pod-b", Map.of(GPU, 1)));
  }

  @Test
  void hasNoneFree_whereClaimsHaveAll() {
    publish(gpu("gpu-0"));
    claim(Set.of("pod-a"), "gpu-0");

    assertThat(known().getFirst().free()).isEqualTo(Map.of(GPU, 0));
  }

  @Test
  void doesNotCountTaintedDevicesAsFree() {
    publish(
        gpu("gpu-0"),
        new SliceDevice("gpu-1", Optional.of(GPU), Optional.of(H100), true, Set.of()));

    assertThat(known().getFirst().free()).isEqualTo(Map.of(GPU, 1));
  }

  @Test
  void doesNotCountAGpuAsFree_whileAPartitionOfItIsAllocated() {
    publish(
        divisible("gpu-0", GPU, "set-0"),
        divisible("gpu-0-mig-0", "", "set-0"),
        divisible("gpu-0-mig-1", "", "set-0"),
        divisible("gpu-1", GPU, "set-1"),
        divisible("gpu-1-mig-0", "", "set-1"));

    assertThat(known().getFirst().free()).isEqualTo(Map.of(GPU, 2));

    claim(Set.of("pod-a"), "gpu-0-mig-1");
    assertThat(known().getFirst().free()).isEqualTo(Map.of(GPU, 1));
    assertThat(known().getFirst().held("nvidia.com/gpu", pod("pod-a").draw().ref())).isZero();
  }

  @Test
  void countsTheNewestGenerationAlone() {
    slices.add(new KnownSlice("node-a", "pool-a", 1, 1, List.of(gpu("gpu-0"), gpu("gpu-1"))));
    slices.add(new KnownSlice("node-a", "pool-a", 2, 1, List.of(gpu("gpu-0"))));

    assertThat(known().getFirst().free()).isEqualTo(Map.of(GPU, 1));
  }

  @Test
  void countsAllSlicesOfAPool() {
    slices.add(new KnownSlice("node-a", "pool-a", 1, 3, List.of(gpu("gpu-0"))));
    slices.add(new KnownSlice("node-a", "pool-a", 1, 3, List.of(gpu("gpu-1"))));
    slices.add(new KnownSlice("node-a", "pool-a", 1, 3, List.of()));

    assertThat(known().getFirst().free()).isEqualTo(Map.of(GPU, 2));
  }

  @Test
  void knowsNothing_whereAPoolIsIncomplete() {
    publish(gpu("gpu-0"));
    slices.add(new KnownSlice("node-a", "pool-b", 7, 2, List.of(gpu("gpu-1"))));

    assertThat(known()).isEmpty();
  }

  /** It may be a partition of a GPU that is listed. */
  @Test
  void knowsNothing_whereAClaimHasADeviceThatIsNotListed() {
    publish(gpu("gpu-0"));
    claim(Set.of("pod-a"), "gpu-1");

    assertThat(known()).isEmpty();
  }

  @Test
  void knowsNothing_whereADevicePluginOffersDevices() {
    publish(gpu("gpu-0"));
    hasDevicePlugin = true;

    assertThat(known()).isEmpty();
  }

  @Test
  void knowsNothing_withoutSlices() {
    claim(Set.of("pod-a"), "gpu-0");

    assertThat(known()).isEmpty();
  }

  /** Its device plugin gave them, before it was stopped. */
  @Test
  void knowsNothing_whereAPodHasGpusOfNoClaim() {
    publish(gpu("gpu-0"), gpu("gpu-1"));
    claim(Set.of("pod-a"), "gpu-0");
    pods.add(pod("pod-a").gpus(1).on("node-a").draw());
    assertThat(known()).hasSize(1);

    pods.add(pod("pod-b").gpus(1).on("node-a").draw());
    assertThat(known()).isEmpty();
  }

  @Test
  void takesTheProductOfTheLabel() {
    publish(gpu("gpu-0"));
    labels = Map.of("nvidia.com/gpu.product", "H100");

    assertThat(known().getFirst().product()).isEqualTo("H100");
  }

  @Test
  void leavesTheProfileOutOfTheProduct() {
    publish(gpu("gpu-0"));
    labels = Map.of("nvidia.com/gpu.product", "H100-MIG-1g.10gb");
    assertThat(known().getFirst().product()).isEqualTo("H100");

    labels = Map.of("nvidia.com/gpu.product", "H100-MIG-INVALID");
    assertThat(known().getFirst().product()).isEqualTo("NVIDIA-H100-80GB-HBM3");
  }

  @Test
  void hasNoProduct_whereDevicesHaveNone_orDiffer() {
    publish(new SliceDevice("gpu-0", Optional.of(GPU), Optional.empty(), false, Set.of()));
    assertThat(known().getFirst().product()).isEmpty();

    slices.clear();
    publish(
        gpu("gpu-0"),
        new SliceDevice("gpu-1", Optional.of(GPU), Optional.of("Tesla T4"), false, Set.of()));
    assertThat(known().getFirst().product()).isEmpty();
  }

  private void publish(SliceDevice... devices) {
    slices.add(new KnownSlice("node-a", "pool-a", 1, 1, List.of(devices)));
  }

  private void claim(Set<String> holders, String... devices) {
    claims.add(
        new KnownClaim(
            true,
            Stream.of(devices)
                .map(name -> new PooledDevice("pool-a", name))
                .collect(Collectors.toSet()),
            false,
            holders,
            Map.of()));
  }

  @Test
  void letsOtherPodsGetDevices_thatTheDriverListsWithoutATaint() {
    publish(
        gpu("gpu-0"),
        gpu("gpu-1"),
        new SliceDevice("gpu-2", Optional.of(GPU), Optional.of(H100), true, Set.of()));
    claim(Set.of("pod-a"), "gpu-0");
    claim(Set.of("pod-b"), "gpu-1", "gpu-2");

    assertThat(couldBeAllocatedAgain("pod-a", 1)).isTrue();
    assertThat(couldBeAllocatedAgain("pod-b", 2)).isFalse();
  }

  /** Its claim has not been read yet, or has another device in addition. */
  @Test
  void letsNoPodGetDevices_thatAreNotThoseOfTheClaims() {
    publish(gpu("gpu-0"), gpu("gpu-1"));
    claim(Set.of("pod-a"), "gpu-0");

    assertThat(couldBeAllocatedAgain("pod-a", 2)).isFalse();
    assertThat(couldBeAllocatedAgain("pod-b", 1)).isFalse();
  }

  /** The driver has stopped, or it lost a GPU. */
  @Test
  void letsNoPodGetDevices_thatAreNotListedAnyLonger() {
    claim(Set.of("pod-a"), "gpu-0");
    assertThat(couldBeAllocatedAgain("pod-a", 1)).isFalse();

    publish(gpu("gpu-1"));
    assertThat(couldBeAllocatedAgain("pod-a", 1)).isFalse();
  }

  private boolean couldBeAllocatedAgain(String pod, int devices) {
    return new ClaimableNodes(slices, claims)
        .couldBeAllocatedAgain(pod(pod).on("node-a").gpus(devices).byClaim().draw());
  }

  private List<ClaimableNode> known() {
    var node =
        new KnownNode(
            Optional.empty(), GpuOffer.DEVICES, Optional.empty(), hasDevicePlugin, view());
    return new ClaimableNodes(slices, claims).of(List.of(node), pods);
  }

  private NodeView view() {
    return new NodeView("node-a", Map.of(), labels, List.of(), true);
  }

  private static SliceDevice gpu(String name) {
    return new SliceDevice(name, Optional.of(GPU), Optional.of(H100), false, Set.of());
  }

  private static SliceDevice mig(String name) {
    return new SliceDevice(name, Optional.of(SMALL), Optional.of(H100), false, Set.of());
  }

  private static SliceDevice divisible(String name, String resource, String counterSet) {
    return new SliceDevice(
        name,
        Optional.of(resource).filter(each -> !each.isEmpty()),
        Optional.empty(),
        false,
        Set.of(counterSet));
  }
}
