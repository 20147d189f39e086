package io.gpureclaimer.reclaimer.workload;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WorkloadsTest {
  private static final OwnerView DEPLOYMENT = view("Deployment", "serve", Optional.empty());
  private static final OwnerView OLD = view("ReplicaSet", "serve-1", DEPLOYMENT);
  private static final OwnerView NEW = view("ReplicaSet", "serve-2", DEPLOYMENT);

  @Test
  void putsAllReplicaSetsOfADeploymentTogether() {
    PodView one = pod("serve-1-a").owner("ReplicaSet", "serve-1").draw();
    PodView two = pod("serve-2-b").owner("ReplicaSet", "serve-2").draw();

    Workload workload = only(cluster(List.of(two, one), DEPLOYMENT, OLD, NEW));

    assertThat(workload)
        .isEqualTo(
            new Workload(
                "ml",
                Optional.of(DEPLOYMENT.owner()),
                Optional.empty(),
                byUid(DEPLOYMENT, OLD, NEW),
                Optional.empty(),
                List.of(one, two)))
        .hasToString("Deployment ml/serve");
    assertThat(workload.ownersOf(two)).containsExactly(NEW, DEPLOYMENT);
  }

  @Test
  void isNamedAfterTheOwnerThatCannotBeRead() {
    PodView pod = pod("serve-1-a").owner("ReplicaSet", "serve-1").draw();

    Workload workload = only(cluster(List.of(pod), OLD));

    assertThat(workload)
        .isEqualTo(
            new Workload(
                "ml",
                Optional.of(DEPLOYMENT.owner()),
                Optional.empty(),
                byUid(OLD),
                Optional.of(DEPLOYMENT.owner()),
                List.of(pod)))
        .hasToString("Deployment ml/serve");
  }

  @Test
  void keepsPodsApart_whoseOwnersHaveNothingInCommon() {
    PodView one = pod("a").owner("ReplicaSet", "serve-1").draw();
    PodView two = pod("b").owner("Job", "train").draw();

    assertThat(Workloads.of(cluster(List.of(one, two, pod("c").draw()))))
        .extracting(Workload::toString)
        .containsExactly("Pod ml/c", "ReplicaSet ml/serve-1", "Job ml/train");
  }

  @Test
  void putsThePodsOfAGroupTogether() {
    PodView one = pod("rank-0").in("ranks").draw();
    PodView two = pod("rank-1").in("ranks").draw();
    PodView other = pod("rank-2").in("others").draw();

    assertThat(Workloads.of(cluster(List.of(two, other, one))))
        .containsExactly(
            new Workload(
                "ml",
                Optional.empty(),
                Optional.of(new Group("group", "others")),
                Map.of(),
                Optional.empty(),
                List.of(other)),
            new Workload(
                "ml",
                Optional.empty(),
                Optional.of(new Group("group", "ranks")),
                Map.of(),
                Optional.empty(),
                List.of(one, two)))
        .noneMatch(Workload::isSinglePod)
        .extracting(Workload::toString)
        .containsExactly("Group ml/others", "Group ml/ranks");
  }

  @Test
  void isAGroup_whenItsPodsHaveDifferentOwners() {
    PodView one = pod("a").owner("Job", "head").in("c").draw();
    PodView two = pod("b").owner("Job", "tail").in("c").draw();
    PodView bare = pod("d").in("c").draw();

    Workload workload =
        only(
            cluster(
                List.of(one, two, bare),
                view("Job", "head", Optional.empty()),
                view("Job", "tail", Optional.empty())));

    assertThat(workload).hasToString("Group ml/c");
    assertThat(workload.pods()).containsExactly(one, two, bare);
  }

  @Test
  void keepsTheNameOfTheOwner_whenAllOfAGroupHaveIt() {
    PodView one = pod("a").owner("ReplicaSet", "serve-1").in("c").draw();
    PodView two = pod("b").owner("ReplicaSet", "serve-2").in("c").draw();

    assertThat(only(cluster(List.of(one, two), DEPLOYMENT, OLD, NEW)))
        .hasToString("Deployment ml/serve");
  }

  /** As LeaderWorkerSet has it: the leader's pod owns the StatefulSet of its workers. */
  @Test
  void goesOnClimbing_whenAPodOwnsOthers() {
    PodView leader = pod("lws-0").owner("StatefulSet", "lws").draw();
    PodView worker = pod("lws-0-1").owner("StatefulSet", "lws-0").draw();
    OwnerView set = view("LeaderWorkerSet", "lws-set", Optional.empty());
    OwnerView leaders = view("StatefulSet", "lws", set);
    var leaderAsOwner =
        new OwnerView(owner("Pod", "lws-0-pod", "lws-0"), "ml", leader.owner(), Map.of());
    OwnerView workers = view("StatefulSet", "lws-0", leaderAsOwner);

    Workload workload =
        only(cluster(List.of(leader, worker), set, leaders, leaderAsOwner, workers));

    assertThat(workload).hasToString("LeaderWorkerSet ml/lws-set");
    assertThat(workload.ownersOf(worker)).containsExactly(workers, leaderAsOwner, leaders, set);
  }

  @Test
  void belongsToThePodThatOwnsOthers() {
    PodView driver = pod("driver").draw();
    PodView executor = pod("executor").owner(owner("Pod", "driver", "driver")).draw();

    Workload workload = only(cluster(List.of(driver, executor)));

    assertThat(workload).hasToString("Pod ml/driver").matches(it -> !it.isSinglePod());
    assertThat(workload.pods()).containsExactly(driver, executor);
  }

  @Test
  void endsSomewhere_whenOwnersOwnEachOther() {
    PodView pod = pod("a").owner("Robot", "hen").draw();
    OwnerView hen = view("Robot", "hen", Optional.of(owner("Robot", "egg", "uid-of-egg")));
    OwnerView egg = view("Robot", "egg", Optional.of(hen.owner()));

    assertThat(only(cluster(List.of(pod), hen, egg)).unread()).isPresent();
  }

  @Test
  void countsSlicesAsDevicesAndNotAsGpus() {
    Workload slices = only(cluster(List.of(pod("a").slices("1g.10gb", 2).draw())));
    Workload gpus = only(cluster(List.of(pod("a").gpus(2).draw())));

    assertThat(slices.gpusHeld()).isZero();
    assertThat(slices.holdings()).isEqualTo("2 MIG slices");
    assertThat(slices.devicesText()).isEqualTo("2 MIG");
    assertThat(gpus.devicesText()).isEqualTo("2");
    assertThat(gpus.holdings()).isEqualTo("2 GPUs");
  }

  @Test
  void saysInBriefWhatAWorkloadWaitsFor_onlyWhileItHoldsNothing() {
    PodView waits = pod("a").gpus(2).unscheduled().owner("Robot", "it").draw();
    PodView holds = pod("b").gpus(4).owner("Robot", "it").draw();

    assertThat(only(cluster(List.of(waits))).devicesText()).isEqualTo("0 of 2");
    assertThat(only(cluster(List.of(waits, holds))).devicesText()).isEqualTo("4");
  }

  @Test
  void findsTheWorkloadOfAPod_byWhatThePodIsNow() {
    PodView before = pod("a").draw();
    PodView now = pod("a").in("ranks").draw();
    PodView other = pod("b").in("ranks").draw();

    assertThat(Workloads.around(List.of(now), cluster(List.of(before, other))).pods())
        .containsExactly(now, other);
  }

  @Test
  void findsPodsOfOtherNamespaces_belowAnOwnerOfTheWholeCluster() {
    PodView here = pod("a").owner("Robot", "it").draw();
    PodView there = pod("b").namespace("web").owner("Robot", "it").draw();
    PodView alone = pod("c").namespace("web").draw();
    var robot = new OwnerView(here.owner().orElseThrow(), "", Optional.empty(), Map.of());

    ClusterView known = cluster(List.of(here, there, alone), robot);
    ClusterView unread = cluster(List.of(here, there, alone));

    assertThat(Workloads.around(List.of(here), known).pods()).containsExactly(here, there);
    assertThat(Workloads.around(List.of(here), unread).pods()).containsExactly(here, there);
    assertThat(Workloads.around(List.of(alone), known).pods()).containsExactly(alone);
  }

  private static Workload only(ClusterView cluster) {
    List<Workload> all = Workloads.of(cluster);
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private static ClusterView cluster(List<PodView> pods, OwnerView... owners) {
    return new ClusterView(pods, Map.of("ml", namespace("ml")), List.of(), byUid(owners));
  }

  private static Map<String, OwnerView> byUid(OwnerView... owners) {
    return Arrays.stream(owners)
        .collect(Collectors.toMap(view -> view.owner().uid(), view -> view));
  }

  private static OwnerView view(String kind, String name, OwnerView controller) {
    return view(kind, name, Optional.of(controller.owner()));
  }

  private static OwnerView view(String kind, String name, Optional<Owner> controller) {
    return new OwnerView(owner(kind, name, "uid-of-" + name), "ml", controller, Map.of());
  }

  private static Owner owner(String kind, String name, String uid) {
    return new Owner("apps/v1", kind, name, uid);
  }
}
