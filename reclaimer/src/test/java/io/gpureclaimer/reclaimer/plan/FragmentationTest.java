package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.ClaimableNode;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Neighbors;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.plan.Fragmentation.Pool;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Free GPUs by pool, and how many of them pods of each shape cannot use. */
class FragmentationTest {
  private static final String PRODUCT = "nvidia.com/gpu.product";
  private static final String GPU = "nvidia.com/gpu";
  private static final String SMALL = "nvidia.com/mig-1g.10gb";
  private static final String LARGE = "nvidia.com/mig-3g.40gb";

  private static final String ALL_GPUS = "gpu.nvidia.com";

  private final Map<String, Map<String, Long>> requestedByOthers = new HashMap<>();
  private List<ClaimableNode> claimable = List.of();

  @Test
  void countsFreeGpusOnNodesWithTooFewOfThem() {
    Fragmentation found =
        of(
            List.of(node("a", "H100", true), node("b", "H100", true), node("c", "H100", true)),
            pod("one").gpus(1).on("a").draw(),
            pod("six").gpus(6).on("b").draw(),
            pod("whole").gpus(8).on("c").draw());

    // Free are 7, 2 and 0.
    assertThat(found.pools())
        .containsExactly(
            new Pool("H100", GPU, 9, stranded(1, 0, 6, 2, 8, 9), map(1, 1, 6, 1, 8, 1)));
    assertThat(found.pools().getFirst().fragmented()).isCloseTo((0 + 2 + 9) / 3.0, within(1e-9));
  }

  /** Pending pods are a part of the mix, in the pool that they select or in all. */
  @Test
  void countsPendingPods() {
    Fragmentation found =
        of(
            List.of(node("a", "A100", true), node("h", "H100", true)),
            pod("any").gpus(2).unscheduled().waiting(NOW).draw(),
            pod("h100")
                .gpus(4)
                .unscheduled()
                .waiting(NOW)
                .placement(new Placement(Map.of(PRODUCT, "H100"), List.of(), false))
                .draw());

    assertThat(found.pools())
        .containsExactly(
            new Pool("A100", GPU, 8, stranded(2, 0), map(2, 1)),
            new Pool("H100", GPU, 8, stranded(2, 0, 4, 0), map(2, 1, 4, 1)));
  }

  @Test
  void leavesOutNodesThatAcceptNoPods_andPodsWithoutWholeGpus() {
    Fragmentation found =
        of(
            List.of(node("a", "H100", true), node("cordoned", "H100", false)),
            pod("slice").gpus(0).slices("1g.10gb", 1).on("a").draw(),
            pod("four").gpus(4).on("cordoned").draw());

    assertThat(found.pools()).containsExactly(new Pool("H100", GPU, 8, stranded(4, 0), map(4, 1)));
  }

  @Test
  void leavesOutReplicas_byWhicheverName() {
    Map<String, Integer> replicas = Map.of(SMALL + ".shared", 7, "nvidia.com/gpu.shared", 4);
    NodeView renamed = new NodeView("r", replicas, Map.of(PRODUCT, "A100"), List.of(), true);
    NodeView shared = new NodeView("s", 4, Map.of(PRODUCT, "A100-SHARED"), List.of(), true);
    NodeView parts = single("p", Map.of(PRODUCT, "A100-MIG-1g.10gb-SHARED"));
    NodeView partsByLabel =
        single("l", Map.of(PRODUCT, "A100-MIG-1g.10gb", "nvidia.com/gpu.replicas", "2"));

    assertThat(of(List.of(node("a", "H100", true), renamed, shared, parts, partsByLabel)).pools())
        .containsExactly(new Pool("H100", GPU, 8, stranded(), map()));
  }

  /** The pool is the model, and what a pod on such a node holds is counted by its profile. */
  @Test
  void countsMigDevicesThatAreNamedGpus_inThePoolOfTheirModelAndProfile() {
    Fragmentation found =
        of(
            List.of(single("s"), single("t"), node("a", "A100", true), mig("m", 0, 1)),
            pod("held").gpus(6).onDividedGpus("1g.10gb").on("s").draw(),
            pod("gone").gpus(2).onDividedGpus("1g.10gb").terminating().on("t").draw(),
            pod("gpu").gpus(3).on("a").draw(),
            pod("large").slices("3g.40gb", 1).on("m").draw());

    // Free are 1 and 5 of the small ones.
    assertThat(found.pools())
        .containsExactly(
            new Pool("A100", GPU, 5, stranded(3, 0), map(3, 1)),
            new Pool("A100", SMALL, 6, stranded(2, 1, 6, 6), map(2, 1, 6, 1)),
            new Pool("A100", LARGE, 0, stranded(1, 0), map(1, 1)));
  }

  /** Without a selector of the model, a pending pod may get a GPU or a MIG device. */
  @Test
  void countsPendingPodsThatRequestGpus_whereTheirSelectorPermits() {
    Fragmentation found =
        of(
            List.of(single("s"), node("a", "A100", true), mig("m", 2, 0)),
            selecting("any", 1, Map.of()),
            selecting("whole", 2, Map.of(PRODUCT, "A100")),
            selecting("part", 3, Map.of(PRODUCT, "A100-MIG-1g.10gb")),
            selecting("other", 4, Map.of(PRODUCT, "L4")));

    assertThat(found.pools())
        .extracting(Pool::resource, Pool::pods)
        .containsExactly(tuple(GPU, map(1, 1, 2, 1)), tuple(SMALL, map(1, 1, 3, 1)));
  }

  /** The scheduler gives a pod only devices of the name that it requests. */
  @Test
  void strandsMigDevices_thatHaveAnotherNameThanAPodRequests() {
    Fragmentation found =
        of(
            List.of(single("s"), mig("m", 3, 0)),
            pod("profile").slices("1g.10gb", 1).waiting(NOW).draw(),
            pod("gpu").gpus(1).waiting(NOW).draw(),
            pod("two").gpus(2).waiting(NOW).draw());

    // 7 are named GPUs, and 3 by their profile.
    assertThat(found.pools())
        .containsExactly(
            new Pool("A100", SMALL, 10, stranded(1, (7 + 3) / 2.0, 2, 3), map(1, 2, 2, 1)));
  }

  /** Pods of one profile say nothing about devices of another one. */
  @Test
  void countsMigDevicesOfEachProfile() {
    Fragmentation found =
        of(
            List.of(mig("a", 7, 1), mig("b", 2, 1), node("c", "H100", true)),
            pod("held").slices("1g.10gb", 6).on("a").draw(),
            pod("two").slices("1g.10gb", 2).waiting(NOW).draw(),
            pod("large").slices("3g.40gb", 1).on("a").draw(),
            pod("gpu").gpus(8).waiting(NOW).draw());

    assertThat(found.pools())
        .containsExactly(
            new Pool("A100", SMALL, 3, stranded(2, 1, 6, 3), map(2, 1, 6, 1)),
            new Pool("A100", LARGE, 1, stranded(1, 0), map(1, 1)),
            new Pool("H100", GPU, 8, stranded(8, 0), map(8, 1)));
  }

  @Test
  void strandsMigDevices_whereTooLittleOfAnotherResourceIsLeft() {
    NodeView node =
        new NodeView("a", Map.of(SMALL, 7), Map.of("cpu", 10L), Map.of(), List.of(), true, false);

    assertThat(
            stranded(
                of(
                    List.of(node),
                    pod("holds").slices("1g.10gb", 1).requests(Map.of("cpu", 8L)).on("a").draw(),
                    pod("fits")
                        .slices("1g.10gb", 1)
                        .requests(Map.of("cpu", 2L))
                        .waiting(NOW)
                        .draw(),
                    pod("not")
                        .slices("1g.10gb", 2)
                        .requests(Map.of("cpu", 3L))
                        .waiting(NOW)
                        .draw())))
        .isEqualTo(stranded(1, 3, 2, 6));
  }

  /** A GPU is not free because it was allocated otherwise. */
  @Test
  void countsDevicesOfClaimsAsHeld() {
    Fragmentation found =
        of(
            List.of(node("a", "H100", true), mig("m", 7, 2)),
            pod("gpus").claims("gpu.nvidia.com", 3).on("a").draw(),
            pod("any").claims("mig.nvidia.com", 1).on("m").draw());

    assertThat(found.pools())
        .containsExactly(
            new Pool("A100", SMALL, 6, stranded(), map()),
            new Pool("A100", LARGE, 1, stranded(), map()),
            new Pool("H100", GPU, 5, stranded(), map()));
  }

  @Test
  void countsNoFreeGpus_whereItIsUnknownWhatAClaimHolds() {
    Fragmentation found =
        of(
            List.of(node("a", "H100", true), node("b", "H100", true)),
            pod("one").gpus(1).on("a").draw(),
            pod("unread").gpus(0).claimed(new Claimed.Unread("forbidden")).on("a").draw());

    assertThat(found.pools()).containsExactly(new Pool("H100", GPU, 8, stranded(1, 0), map(1, 1)));
  }

  @Test
  void countsNodesThatOfferGpusByClaimsAlone() {
    claimable =
        List.of(
            claimable("a", Map.of(GPU, 5), Map.of("three", Map.of(GPU, 3))),
            claimable("b", Map.of(GPU, 2), Map.of("six", Map.of(GPU, 6))));

    assertThat(
            of(
                    List.of(),
                    pod("three").claims("mine", 3).on("a").draw(),
                    pod("six").claims(ALL_GPUS, 6).on("b").draw())
                .pools())
        .containsExactly(new Pool("H100", GPU, 7, stranded(3, 2, 6, 7), map(3, 1, 6, 1)));
  }

  @Test
  void strandsClaimableGpus_whereTooLittleOfAnotherResourceIsLeft() {
    claimable =
        List.of(
            new ClaimableNode(
                node("a", Map.of("cpu", 10L)),
                "H100",
                Map.of(GPU, 6),
                Map.of("two", Map.of(GPU, 2))));
    requestedByOthers.put("a", Map.of("cpu", 3L));

    assertThat(
            stranded(
                of(
                    List.of(),
                    pod("two").claims(ALL_GPUS, 2).requests(Map.of("cpu", 4L)).on("a").draw())))
        .isEqualTo(stranded(2, 6));
    assertThat(
            stranded(
                of(
                    List.of(),
                    pod("two").claims(ALL_GPUS, 2).requests(Map.of("cpu", 3L)).on("a").draw())))
        .isEqualTo(stranded(2, 0));
  }

  @Test
  void countsClaimableMigDevicesOfEachProfile() {
    claimable =
        List.of(
            claimable("a", Map.of(SMALL, 3, LARGE, 0), Map.of("p", Map.of(SMALL, 4, LARGE, 1))));

    assertThat(of(List.of(), pod("p").claims("mig.nvidia.com", 5).on("a").draw()).pools())
        .containsExactly(
            new Pool("H100", SMALL, 3, stranded(4, 3), map(4, 1)),
            new Pool("H100", LARGE, 0, stranded(1, 0), map(1, 1)));
  }

  /** By the class and selectors of a running pod, or by the class of all GPUs. */
  @Test
  void countsPendingPodsThatClaimsOfThePoolCanServe() {
    claimable =
        List.of(
            claimable(
                "a",
                Map.of(GPU, 4, SMALL, 5),
                Map.of(
                    "gpus", Map.of(GPU, 2),
                    "both", Map.of(GPU, 1, SMALL, 1),
                    "part", Map.of(GPU, 1),
                    "small", Map.of(SMALL, 1),
                    "named", Map.of(GPU, 1))));

    assertThat(
            of(
                    List.of(),
                    pod("gpus").claims("large [memory]", 2).on("a").draw(),
                    pod("both").claims("any", 2).on("a").draw(),
                    pod("part").claims("with a part", 2).on("a").draw(),
                    pod("small").claims("mig.nvidia.com [1g]", 1).on("a").draw(),
                    pod("named").gpus(1).on("a").draw(),
                    pod("p3").unscheduled().claims("large [memory]", 3).waiting(NOW).draw(),
                    pod("p5").unscheduled().claims(ALL_GPUS, 5).waiting(NOW).draw(),
                    pod("p6").gpus(6).waiting(NOW).draw(),
                    pod("p7").unscheduled().claims("mig.nvidia.com [1g]", 7).waiting(NOW).draw(),
                    pod("other").unscheduled().claims("large [other]", 8).waiting(NOW).draw(),
                    pod("any").unscheduled().claims("any", 8).waiting(NOW).draw(),
                    pod("p").unscheduled().claims("with a part", 8).waiting(NOW).draw(),
                    pod("t4")
                        .unscheduled()
                        .claims(ALL_GPUS, 8)
                        .waiting(NOW)
                        .placement(new Placement(Map.of(PRODUCT, "T4"), List.of(), false))
                        .draw())
                .pools())
        .containsExactly(
            new Pool(
                "H100",
                GPU,
                4,
                stranded(1, 0, 2, 0, 3, 0, 5, 4, 6, 4),
                map(1, 3, 2, 1, 3, 1, 5, 1, 6, 1)),
            new Pool("H100", SMALL, 5, stranded(1, 0, 7, 5), map(1, 2, 7, 1)));
  }

  @Test
  void leavesOutClaimableNodesThatAcceptNoPods_andThoseWithAnUnreadClaim() {
    claimable =
        List.of(
            new ClaimableNode(node("cordoned", "H100", false), "H100", Map.of(GPU, 8), Map.of()),
            claimable("unread", Map.of(GPU, 8), Map.of()),
            claimable("known", Map.of(GPU, 1), Map.of()));

    assertThat(
            of(
                    List.of(),
                    pod("p").gpus(0).claimed(new Claimed.Unread("no claim")).on("unread").draw())
                .pools())
        .containsExactly(new Pool("H100", GPU, 1, stranded(), map()));
  }

  /** A node of the device plugin beside one of claims. */
  @Test
  void countsBothKindsOfNodesInOnePool() {
    claimable = List.of(claimable("c", Map.of(GPU, 3), Map.of("claims", Map.of(GPU, 5))));

    assertThat(
            of(
                    List.of(node("p", "H100", true)),
                    pod("plugin").gpus(2).on("p").draw(),
                    pod("claims").claims(ALL_GPUS, 5).on("c").draw(),
                    pod("pending").gpus(4).waiting(NOW).draw())
                .pools())
        .containsExactly(
            new Pool("H100", GPU, 9, stranded(2, 3, 4, 3, 5, 9), map(2, 1, 4, 1, 5, 1)));
  }

  /** The scheduler gives a pod that requests GPUs by name those of either kind of node. */
  @Test
  void letsPodsFitOnBothKindsOfNodes_ifTheyRequestGpusByName() {
    claimable = List.of(claimable("c", Map.of(GPU, 3), Map.of("named", Map.of(GPU, 5))));

    assertThat(
            of(
                    List.of(node("p", "H100", true)),
                    pod("plugin").gpus(2).on("p").draw(),
                    pod("named").gpus(5).byClaim().on("c").draw(),
                    pod("pending").gpus(4).waiting(NOW).draw())
                .pools())
        .containsExactly(
            new Pool("H100", GPU, 9, stranded(2, 0, 4, 3, 5, 3), map(2, 1, 4, 1, 5, 1)));
  }

  /** Not known is not zero. */
  @Test
  void hasNoPool_whereItIsUnknownWhatNodesOfferByClaims() {
    NodeView node = new NodeView("a", Map.of(), Map.of(PRODUCT, "H100"), List.of(), true);

    assertThat(of(List.of(node), pod("p").claims(ALL_GPUS, 3).on("a").draw()).pools()).isEmpty();
  }

  /** The scheduler gives them to no other pod before. */
  @Test
  void countsDevicesOfTerminatingPodsAsHeld_untilTheyHaveEnded() {
    PodView ending = pod("ending").gpus(6).terminating().on("a").draw();

    assertThat(of(List.of(node("a", "H100", true)), ending).pools())
        .containsExactly(new Pool("H100", GPU, 2, stranded(6, 2), map(6, 1)));
  }

  @Test
  void putsNodesWithoutTheLabelIntoAPoolWithoutAName() {
    assertThat(of(List.of(new NodeView("x", 2, Map.of(), List.of(), true))).pools())
        .containsExactly(new Pool("", GPU, 2, stranded(), map()));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"cpu", "memory", "pods", "rdma/hca"})
  void strandsFreeGpus_whereTooLittleOfAnotherResourceIsLeft(String resource) {
    List<NodeView> nodes = List.of(node("a", Map.of(resource, 10L)), node("b", Map.of("cpu", 10L)));
    requestedByOthers.put("a", Map.of(resource, 5L));
    PodView running = pod("p").gpus(1).requests(Map.of(resource, 3L)).on("a").draw();

    PodView fits = pod("w").gpus(2).requests(Map.of(resource, 2L)).waiting(NOW).draw();
    PodView misfits = pod("w").gpus(2).requests(Map.of(resource, 3L)).waiting(NOW).draw();

    int onOther = resource.equals("cpu") ? 0 : 8;
    assertThat(stranded(of(nodes, running, fits))).isEqualTo(stranded(1, 7 + onOther, 2, onOther));
    assertThat(stranded(of(nodes, running, misfits)))
        .isEqualTo(stranded(1, 7 + onOther, 2, 7 + onOther));
  }

  @Test
  void countsRequestsOfPodsWithoutWholeGpus() {
    List<NodeView> nodes = List.of(node("a", Map.of("cpu", 10L)));
    PodView slice = pod("s").slices("1g.10gb", 1).requests(Map.of("cpu", 8L)).on("a").draw();
    PodView waiting = pod("w").gpus(1).requests(Map.of("cpu", 3L)).waiting(NOW).draw();

    assertThat(stranded(of(nodes, slice, waiting))).isEqualTo(stranded(1, 8));
  }

  @Test
  void takesTheMeanOverThePods_ofSeveralClassesWithTheSameNumberOfGpus() {
    Fragmentation found =
        of(
            List.of(node("a", Map.of("cpu", 10L))),
            pod("one").gpus(1).requests(Map.of("cpu", 1L)).waiting(NOW).draw(),
            pod("two").gpus(1).requests(Map.of("cpu", 1L)).waiting(NOW).draw(),
            pod("three").gpus(1).requests(Map.of("cpu", 1L)).waiting(NOW).draw(),
            pod("large").gpus(1).requests(Map.of("cpu", 11L)).waiting(NOW).draw(),
            pod("whole").gpus(8).requests(Map.of("cpu", 10L)).waiting(NOW).draw());

    assertThat(found.pools())
        .containsExactly(new Pool("", GPU, 8, stranded(1, 8 / 4.0, 8, 0), map(1, 4, 8, 1)));
    assertThat(found.pools().getFirst().fragmented()).isCloseTo(8 / 5.0, within(1e-9));
  }

  /** As kube-scheduler and {@code plan}: what is not allocatable is not there. */
  @Test
  void strandsFreeGpus_ofANodeWithoutTheResourceThatAPodRequests() {
    PodView plain = pod("p").gpus(1).waiting(NOW).draw();
    PodView waiting = pod("w").gpus(2).requests(Map.of("cpu", 1L)).waiting(NOW).draw();

    assertThat(stranded(of(List.of(node("a", Map.of())), plain, waiting)))
        .isEqualTo(stranded(1, 0, 2, 8));
  }

  /** Each pod is compared with each node. */
  @Test
  void countsWhatTheDefinitionSays_inRandomClusters() {
    for (long seed = 0; seed < 300; seed++) {
      var random = new Random(seed);
      List<NodeView> nodes = new ArrayList<>();
      List<PodView> pods = new ArrayList<>();
      requestedByOthers.clear();
      for (int i = 0; i < 8; i++) {
        nodes.add(node("n" + i, i == 0 ? Map.of() : amounts(random, 60)));
        requestedByOthers.put("n" + i, amounts(random, 20));
      }
      for (int i = 0; i < 40; i++) {
        PodDraft draft = pod("p" + i).gpus(1 << random.nextInt(4)).requests(amounts(random, 15));
        pods.add(i < 10 ? draft.on("n" + i % 8).draw() : draft.waiting(NOW).draw());
      }

      Pool found = of(nodes, pods.toArray(PodView[]::new)).pools().getFirst();

      assertThat(found.fragmented())
          .as("seed %d", seed)
          .isCloseTo(
              pods.stream().mapToInt(pod -> unusable(pod, nodes, pods)).average().orElseThrow(),
              within(1e-9));
    }
  }

  private int unusable(PodView pod, List<NodeView> nodes, List<PodView> pods) {
    int unusable = 0;
    for (NodeView node : nodes) {
      List<PodView> here =
          pods.stream().filter(each -> each.node().equals(Optional.of(node.name()))).toList();
      int free = node.gpus() - here.stream().mapToInt(PodView::gpus).sum();
      boolean isLacking =
          pod.requests().entrySet().stream()
              .anyMatch(each -> left(node, here, each.getKey()) < each.getValue());
      unusable += free > 0 && (free < pod.gpus() || isLacking) ? free : 0;
    }
    return unusable;
  }

  private long left(NodeView node, List<PodView> here, String name) {
    return node.allocatable().getOrDefault(name, 0L)
        - requestedByOthers.getOrDefault(node.name(), Map.of()).getOrDefault(name, 0L)
        - here.stream().mapToLong(each -> each.requests().getOrDefault(name, 0L)).sum();
  }

  /** Of some resources. */
  private static Map<String, Long> amounts(Random random, int most) {
    Map<String, Long> amounts = new HashMap<>();
    for (String name : List.of("cpu", "memory", "pods", "rdma/hca")) {
      if (random.nextInt(5) > 0) {
        amounts.put(name, 1L + random.nextInt(most));
      }
    }
    return amounts;
  }

  private Fragmentation of(List<NodeView> nodes, PodView... pods) {
    var neighbors = Neighbors.of(List.of(), List.of(), requestedByOthers);
    return Fragmentation.of(
        new ClusterView(
            List.of(pods),
            Map.of(),
            nodes,
            Map.of(),
            Optional.empty(),
            SchedulingFacts.NONE.with(neighbors).withClaimable(claimable)));
  }

  private static SortedMap<Integer, Double> stranded(Fragmentation found) {
    return found.pools().getFirst().stranded();
  }

  private static NodeView node(String name, Map<String, Long> allocatable) {
    return JudgeScenario.node(name, 8, allocatable);
  }

  private static ClaimableNode claimable(
      String name, Map<String, Integer> free, Map<String, Map<String, Integer>> held) {
    NodeView view = new NodeView(name, Map.of(), Map.of(), List.of(), true);
    return new ClaimableNode(view, "H100", free, held);
  }

  /** With MIG devices of two profiles. */
  private static NodeView mig(String name, int small, int large) {
    return new NodeView(
        name, Map.of(SMALL, small, LARGE, large), Map.of(PRODUCT, "A100"), List.of(), true);
  }

  /** With MIG devices that are named GPUs. */
  private static NodeView single(String name) {
    return single(name, Map.of(PRODUCT, "A100-MIG-1g.10gb"));
  }

  private static NodeView single(String name, Map<String, String> labels) {
    return new NodeView(name, 7, labels, List.of(), true);
  }

  private static PodView selecting(String name, int gpus, Map<String, String> selector) {
    return pod(name)
        .gpus(gpus)
        .waiting(NOW)
        .placement(new Placement(selector, List.of(), false))
        .draw();
  }

  private static NodeView node(String name, String product, boolean accepting) {
    return new NodeView(name, 8, Map.of(PRODUCT, product), List.of(), accepting);
  }

  private static SortedMap<Integer, Double> stranded(double... pairs) {
    SortedMap<Integer, Double> stranded = new TreeMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      stranded.put((int) pairs[i], pairs[i + 1]);
    }
    return stranded;
  }

  private static SortedMap<Integer, Integer> map(Integer... pairs) {
    SortedMap<Integer, Integer> map = new TreeMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
