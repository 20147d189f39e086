package io.gpureclaimer.exporter.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.kubelet.ClaimDevice;
import io.gpureclaimer.deviceplugin.kubelet.ContainerDevice;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Failed;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Listed;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Unsupported;
import io.gpureclaimer.exporter.attribution.NodePods.KnownPods;
import io.gpureclaimer.exporter.attribution.NodePods.RunningPod;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimAllocation;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimName;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimUse;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.DeviceDescription;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.PublishedDevice;
import io.gpureclaimer.exporter.attribution.SourceState.KubeletContact;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.sample.Claim;
import io.gpureclaimer.exporter.sample.Claim.ClaimedMigDevice;
import io.gpureclaimer.exporter.sample.DeviceAssignment;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.ServedPodLabels;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PodResourcesCacheTest {
  private static final String A = "GPU-aaaaaaaa-0000-0000-0000-000000000000";
  private static final String B = "GPU-bbbbbbbb-0000-0000-0000-000000000000";
  private static final String MIG = "MIG-cccccccc-0000-0000-0000-000000000000";
  private static final DeviceLookup DEVICES =
      new DeviceLookup(
          Map.of(1, new GpuUuid(A)),
          Map.of(0, new GpuUuid(A)),
          Map.of(MIG, Entity.instance(new GpuUuid(A), 7)));
  private static final Failed GONE = new Failed("unavailable", "s: no such file");
  private static final Holder TRAIN = new Holder("ml", "train-0", "main", null);
  private static final Map<Entity, List<DeviceAssignment>> HELD =
      Map.of(Entity.whole(new GpuUuid(A)), List.of(DeviceAssignment.of(TRAIN)));

  private PodResourcesListing listing = GONE;
  private KnownPods pods = NodePods.none().now();
  private ResourceSliceDevices.KnownDevices published = ResourceSliceDevices.NOTHING;
  private final FakeClaims claims = new FakeClaims();
  private long nanos;
  private final PodResourcesCache holders =
      new PodResourcesCache(
          () -> listing, () -> pods, () -> published, claims, Duration.ofSeconds(30), () -> nanos);

  @Test
  void knowsNoHolder_beforeTheKubeletWasAsked() {
    assertThat(holders.now(DeviceLookup.EMPTY))
        .isEqualTo(noHolders(new KubeletContact.NeverAnswered("it was not asked yet"), Map.of()));
  }

  @Test
  void knowsNoHolder_untilTheKubeletAnswers() {
    refresh(GONE);
    refresh(new Failed("deadline_exceeded", "s: too slow"));

    assertThat(holders.now(DeviceLookup.EMPTY))
        .isEqualTo(
            noHolders(
                new KubeletContact.NeverAnswered("s: too slow"),
                Map.of("unavailable", 1L, "deadline_exceeded", 1L)));
  }

  @Test
  void knowsWhatTheKubeletSays() {
    refresh(listed(gpu("train-0", A)));

    assertThat(holders.now(DeviceLookup.EMPTY))
        .isEqualTo(
            new Attribution(
                HELD,
                new OfKubelet(
                    new KubeletContact.Answering(),
                    Map.of(),
                    OptionalInt.of(0),
                    new WatchState.NotEnabled())));
  }

  @Test
  void forgetsAPod_asSoonAsTheKubeletDoes() {
    refresh(listed(gpu("train-0", A)));
    refresh(listed());

    assertThat(holders.now(DeviceLookup.EMPTY))
        .isEqualTo(
            new Attribution(
                Map.of(),
                new OfKubelet(
                    new KubeletContact.Answering(),
                    Map.of(),
                    OptionalInt.of(0),
                    new WatchState.NotEnabled())));
  }

  @Test
  void letsTheLastAnswerStand_whileItIsNotTooOld() {
    refresh(listed(gpu("train-0", A)));
    nanos = Duration.ofSeconds(30).toNanos();
    refresh(GONE);

    assertThat(holders.now(DeviceLookup.EMPTY))
        .isEqualTo(
            new Attribution(
                HELD,
                new OfKubelet(
                    new KubeletContact.Silent("s: no such file"),
                    Map.of("unavailable", 1L),
                    OptionalInt.of(0),
                    new WatchState.NotEnabled())));
  }

  @Test
  void knowsNoHolder_onceTheLastAnswerIsTooOld() {
    refresh(listed(gpu("train-0", A), gpu("train-1", "MIG-x")));
    refresh(GONE);
    nanos = Duration.ofSeconds(30).toNanos() + 1;

    assertThat(holders.now(DeviceLookup.EMPTY))
        .isEqualTo(
            noHolders(new KubeletContact.Silent("s: no such file"), Map.of("unavailable", 1L)));
  }

  @Test
  void knowsNoHolder_whenTheJobThatAsksIsStuck() {
    refresh(listed(gpu("train-0", A)));
    nanos = Duration.ofSeconds(31).toNanos();

    assertThat(holders.now(DeviceLookup.EMPTY))
        .isEqualTo(noHolders(new KubeletContact.Silent("it was asked too long ago"), Map.of()));
  }

  @Test
  void countsTheAgeOfAnAnswer_fromWhenItWasAskedFor() {
    listing = listed(gpu("train-0", A));
    var slow =
        new PodResourcesCache(
            () -> {
              nanos += Duration.ofSeconds(20).toNanos();
              return listing;
            },
            NodePods.none(),
            ResourceSliceDevices.none(),
            ResourceClaims.none(),
            Duration.ofSeconds(30),
            () -> nanos);
    slow.refresh();
    nanos += Duration.ofSeconds(11).toNanos();

    assertThat(slow.now(DeviceLookup.EMPTY).holdings()).isEmpty();
  }

  @Test
  void saysThatTheKubeletIsTooOld_whenItDoesNotKnowTheQuestion() {
    refresh(new Unsupported());

    assertThat(holders.now(DeviceLookup.EMPTY))
        .isEqualTo(
            noHolders(
                new KubeletContact.NeverAnswered(
                    "it is older than 1.20 and does not offer pod-resources v1"),
                Map.of("unimplemented", 1L)));
  }

  @Test
  void answersAgain_afterItWasSilent() {
    refresh(GONE);
    refresh(listed(gpu("train-0", A)));

    assertThat(holders.now(DeviceLookup.EMPTY))
        .isEqualTo(
            new Attribution(
                HELD,
                new OfKubelet(
                    new KubeletContact.Answering(),
                    Map.of("unavailable", 1L),
                    OptionalInt.of(0),
                    new WatchState.NotEnabled())));
  }

  @Test
  void putsTheHoldersOfASharedGpuTogether() {
    refresh(listed(gpu("a", A + "::0"), gpu("b", A + "::1"), gpu("b", A + "::2"), gpu("c", B)));

    assertThat(holders.now(DeviceLookup.EMPTY).holdings())
        .isEqualTo(
            Map.of(
                Entity.whole(new GpuUuid(A)),
                List.of(share("a", "0"), share("b", "1"), share("b", "2")),
                Entity.whole(new GpuUuid(B)),
                List.of(holder("c", null))));
  }

  @Test
  void guessesNothingAboutAMigInstance_butKnowsThatItIsHeld() {
    refresh(
        listed(
            gpu("train-0", A),
            new ContainerDevice("ml", "mig", "main", "nvidia.com/mig-1g.10gb", "MIG-b0"),
            gpu("gke", "nvidia0")));

    assertThat(holders.now(DeviceLookup.EMPTY))
        .isEqualTo(
            new Attribution(
                HELD,
                List.of(holder("mig", null).holder(), holder("gke", null).holder()),
                NodePods.NOTHING,
                new OfKubelet(
                    new KubeletContact.Answering(),
                    Map.of(),
                    OptionalInt.of(2),
                    new WatchState.NotEnabled())));
  }

  @Test
  void addsTheUid_ofAPodThatIsKnown() {
    pods = known(Map.of(name("train-0"), "uid-1"), Set.of());
    refresh(listed(gpu("train-0", A), gpu("train-1", B)));

    assertThat(holders.now(DeviceLookup.EMPTY).holdings())
        .isEqualTo(
            Map.of(
                Entity.whole(new GpuUuid(A)),
                List.of(holder("train-0", "uid-1")),
                Entity.whole(new GpuUuid(B)),
                List.of(holder("train-1", null))));
  }

  @Test
  void doesNotMixUpPodsOfTwoNamespaces() {
    pods = known(Map.of(new NamespacedPodName("web", "train-0"), "uid-9"), Set.of());
    refresh(listed(gpu("train-0", A)));

    assertThat(holders.now(DeviceLookup.EMPTY).holdings()).isEqualTo(HELD);
  }

  @Test
  void leavesOutAPodThatHasEnded_evenIfTheKubeletStillListsIt() {
    pods = known(Map.of(), Set.of(name("train-0")));
    refresh(listed(gpu("train-0", A)));

    assertThat(holders.now(DeviceLookup.EMPTY).holdings()).isEmpty();
  }

  @Test
  void neverPutsTheNewUidOnTheOldHolder_whenAPodIsReplacedWhileTheKubeletIsAsked() {
    pods = known(Map.of(name("train-0"), "old"), Set.of());
    var replaced =
        new PodResourcesCache(
            () -> {
              pods = known(Map.of(name("train-0"), "new"), Set.of());
              return listed(gpu("train-0", A));
            },
            () -> pods,
            ResourceSliceDevices.none(),
            ResourceClaims.none(),
            Duration.ofSeconds(30),
            () -> nanos);
    replaced.refresh();

    assertThat(replaced.now(DeviceLookup.EMPTY).holdings())
        .isEqualTo(Map.of(Entity.whole(new GpuUuid(A)), List.of(holder("train-0", "old"))));
    replaced.refresh();
    assertThat(replaced.now(DeviceLookup.EMPTY).holdings())
        .isEqualTo(Map.of(Entity.whole(new GpuUuid(A)), List.of(holder("train-0", "new"))));
  }

  @Test
  void doesNotPutANewUidOnAnAnswerThatStandsFromBefore() {
    pods = known(Map.of(name("train-0"), "old"), Set.of());
    refresh(listed(gpu("train-0", A)));
    pods = known(Map.of(name("train-0"), "new"), Set.of());
    refresh(GONE);

    assertThat(holders.now(DeviceLookup.EMPTY).holdings())
        .isEqualTo(Map.of(Entity.whole(new GpuUuid(A)), List.of(holder("train-0", "old"))));
  }

  @Test
  void knowsAMigInstance_onceTheDevicesAreKnown() {
    refresh(
        listed(
            new ContainerDevice("ml", "train-0", "main", "nvidia.com/mig-1g.10gb", MIG),
            new ContainerDevice("ml", "train-0", "main", "nvidia.com/gpu", "nvidia0/gi3")));

    assertThat(holders.now(DeviceLookup.EMPTY).holdings()).isEmpty();
    assertThat(holders.now(DEVICES).holdings())
        .isEqualTo(
            Map.of(
                Entity.instance(new GpuUuid(A), 7), List.of(DeviceAssignment.of(TRAIN)),
                Entity.instance(new GpuUuid(A), 3), List.of(DeviceAssignment.of(TRAIN))));
  }

  @Test
  void forgetsAMigInstance_asSoonAsTheGpuIsRepartitioned() {
    refresh(listed(new ContainerDevice("ml", "train-0", "main", "nvidia.com/mig-1g.10gb", MIG)));
    var before = holders.now(DEVICES);

    assertThat(holders.now(new DeviceLookup(DEVICES.gpus(), DEVICES.files(), Map.of())))
        .isEqualTo(
            new Attribution(
                Map.of(),
                List.of(TRAIN),
                NodePods.NOTHING,
                new OfKubelet(
                    new KubeletContact.Answering(),
                    Map.of(),
                    OptionalInt.of(1),
                    new WatchState.NotEnabled())));
    assertThat(holders.now(DEVICES)).isEqualTo(before);
  }

  @Test
  void putsTogetherOnlyOnce_whatHasNotChanged() {
    refresh(listed(gpu("train-0", A)));

    assertThat(holders.now(DEVICES).holdings()).isSameAs(holders.now(DEVICES).holdings());
  }

  @Test
  void knowsTheDeviceOfAClaim_withUidAndLabels() {
    var labels = new ServedPodLabels(List.of(new Label("team", "nlp")), 1);
    pods =
        new KnownPods(
            new WatchState.Synced(),
            Map.of(name("train-0"), new RunningPod("u", labels, Map.of())),
            Set.of());
    published =
        new ResourceSliceDevices.KnownDevices(
            new WatchState.Synced(),
            Map.of(
                new PublishedDevice("node-a", "gpu-1"), new DeviceDescription(B, null),
                new PublishedDevice("node-a", "mig-2"), new DeviceDescription(MIG, "1g.10gb")));
    claims.know("gpus", allocation(List.of("gpu-1", "mig-2", "unheard-of"), List.of()));
    refresh(new Listed(List.of(), List.of(claim("gpu-1"), claim("mig-2"), claim("unheard-of"))));
    var holder = new Holder("ml", "train-0", "main", "u");

    assertThat(holders.now(DEVICES).holdings())
        .isEqualTo(
            Map.of(
                Entity.whole(new GpuUuid(B)),
                List.of(
                    new DeviceAssignment(
                        holder,
                        null,
                        new Claim("gpus", "ml", "gpu.nvidia.com", "node-a", "gpu-1", null),
                        labels)),
                Entity.instance(new GpuUuid(A), 7),
                List.of(
                    new DeviceAssignment(
                        holder,
                        null,
                        new Claim(
                            "gpus",
                            "ml",
                            "gpu.nvidia.com",
                            "node-a",
                            "mig-2",
                            new ClaimedMigDevice(MIG, "1g.10gb")),
                        labels))));
    assertThat(holders.now(DEVICES).source())
        .isEqualTo(
            new OfKubelet(
                new KubeletContact.Answering(),
                Map.of(),
                OptionalInt.of(1),
                new WatchState.Synced(),
                new WatchState.Synced(),
                new WatchState.Synced()));
  }

  @Test
  void isNotAllocatedToItsObserver() {
    publish("gpu-1", "gpu-2");
    claims.know("gpus", allocation(List.of("gpu-1"), List.of()));
    claims.know("all", allocation(List.of(), List.of("gpu-1", "gpu-2")));
    refresh(claimed(claim("gpu-1"), watching("gpu-1"), watching("gpu-2")));

    assertThat(holders.now(DEVICES))
        .isEqualTo(
            new Attribution(Map.of(Entity.whole(new GpuUuid(B)), List.of(byClaim())), claimed(0)));
  }

  @Test
  void isAllocatedToItsObserver_whenAnotherRequestOfTheClaimAllocatesIt() {
    publish("gpu-1");
    claims.know("gpus", allocation(List.of("gpu-1"), List.of("gpu-1")));
    refresh(claimed(claim("gpu-1")));

    assertThat(holders.now(DEVICES).holdings())
        .isEqualTo(Map.of(Entity.whole(new GpuUuid(B)), List.of(byClaim())));
  }

  @Test
  void doesNotKnowTheHolder_untilTheClaimIsKnown_andThenAtOnce() {
    publish("gpu-1");
    refresh(claimed(claim("gpu-1"), watching("gpu-1")));

    assertThat(holders.now(DEVICES))
        .isEqualTo(
            new Attribution(
                Map.of(),
                List.of(TRAIN, new Holder("ml", "monitor", "main", null)),
                NodePods.NOTHING,
                claimed(2)));

    claims.know("all", allocation(List.of(), List.of("gpu-1")));
    assertThat(holders.now(DEVICES))
        .isEqualTo(new Attribution(Map.of(), List.of(TRAIN), NodePods.NOTHING, claimed(1)));

    claims.know("gpus", allocation(List.of("gpu-1"), List.of()));
    assertThat(holders.now(DEVICES))
        .isEqualTo(
            new Attribution(Map.of(Entity.whole(new GpuUuid(B)), List.of(byClaim())), claimed(0)));
  }

  @Test
  void knowsAHolder_whenOnlyOfAnotherItIsNotKnownWhetherItLooksOn() {
    publish("gpu-1");
    claims.know("gpus", allocation(List.of("gpu-1"), List.of()));
    refresh(claimed(claim("gpu-1"), watching("gpu-1")));

    assertThat(holders.now(DEVICES))
        .isEqualTo(
            new Attribution(
                Map.of(Entity.whole(new GpuUuid(B)), List.of(byClaim())),
                List.of(new Holder("ml", "monitor", "main", null)),
                NodePods.NOTHING,
                claimed(1)));
  }

  @Test
  void countsADeviceOncePerPod_whenTwoOfItsContainersUseTheClaimThatIsNotKnown() {
    publish();
    var both = List.of(claim("gpu-1"), by("side", claim("gpu-1")), claim("gpu-2"));
    refresh(new Listed(List.of(), both));

    assertThat(holders.now(DEVICES))
        .isEqualTo(new Attribution(Map.of(), List.of(TRAIN, TRAIN), NodePods.NOTHING, claimed(2)));

    claims.know("gpus", allocation(List.of("gpu-1", "gpu-2"), List.of()));
    assertThat(holders.now(DEVICES))
        .isEqualTo(new Attribution(Map.of(), List.of(TRAIN, TRAIN), NodePods.NOTHING, claimed(2)));
  }

  @Test
  void followsTheClaims_ofPodsThatHaveNotEnded() {
    pods = known(Map.of(name("train-0"), "uid-1"), Set.of(name("monitor")));
    refresh(claimed(claim("gpu-1"), claim("gpu-2"), watching("gpu-1")));

    assertThat(claims.followed())
        .isEqualTo(
            Map.of(
                new ClaimName("ml", "gpus"),
                new ClaimUse(Set.of(device("gpu-1"), device("gpu-2")), Set.of("uid-1"))));
    refresh(listed());
    assertThat(claims.followed()).isEmpty();
  }

  @Test
  void goesOnFollowing_whileTheKubeletIsSilent() {
    refresh(claimed(claim("gpu-1")));
    refresh(GONE);

    assertThat(claims.followed()).hasSize(1);
  }

  @Test
  void leavesOutTheClaimOfAPodThatHasEnded() {
    pods = known(Map.of(), Set.of(name("train-0")));
    published =
        new ResourceSliceDevices.KnownDevices(
            new WatchState.Synced(),
            Map.of(new PublishedDevice("node-a", "gpu-1"), new DeviceDescription(B, null)));
    refresh(new Listed(List.of(), List.of(claim("gpu-1"))));

    assertThat(holders.now(DEVICES).holdings()).isEmpty();
  }

  private void refresh(PodResourcesListing next) {
    listing = next;
    holders.refresh();
  }

  private static Attribution noHolders(KubeletContact contact, Map<String, Long> failures) {
    return new Attribution(
        Map.of(),
        new OfKubelet(contact, failures, OptionalInt.empty(), new WatchState.NotEnabled()));
  }

  private static KnownPods known(
      Map<NamespacedPodName, String> running, Set<NamespacedPodName> ended) {
    var entries = new HashMap<NamespacedPodName, RunningPod>();
    running.forEach((pod, uid) -> entries.put(pod, new RunningPod(uid)));
    return new KnownPods(new WatchState.Synced(), entries, ended);
  }

  private static NamespacedPodName name(String pod) {
    return new NamespacedPodName("ml", pod);
  }

  private static DeviceAssignment holder(String pod, @Nullable String uid) {
    return DeviceAssignment.of(new Holder("ml", pod, "main", uid));
  }

  private static DeviceAssignment share(String pod, String number) {
    return new DeviceAssignment(
        new Holder("ml", pod, "main", null), number, null, ServedPodLabels.NONE);
  }

  private static Listed listed(ContainerDevice... devices) {
    return new Listed(List.of(devices));
  }

  private void publish(String... names) {
    var devices = new HashMap<PublishedDevice, DeviceDescription>();
    for (String name : names) {
      devices.put(device(name), new DeviceDescription(name.equals("gpu-1") ? B : A, null));
    }
    published = new ResourceSliceDevices.KnownDevices(new WatchState.Synced(), devices);
  }

  private static OfKubelet claimed(int unmapped) {
    return new OfKubelet(
        new KubeletContact.Answering(),
        Map.of(),
        OptionalInt.of(unmapped),
        new WatchState.NotEnabled(),
        new WatchState.Synced(),
        new WatchState.Synced());
  }

  private static DeviceAssignment byClaim() {
    return new DeviceAssignment(
        TRAIN,
        null,
        new Claim("gpus", "ml", "gpu.nvidia.com", "node-a", "gpu-1", null),
        ServedPodLabels.NONE);
  }

  private static Listed claimed(ClaimDevice... held) {
    return new Listed(List.of(), List.of(held));
  }

  private static ClaimAllocation allocation(List<String> held, List<String> observed) {
    return new ClaimAllocation(devices(held), devices(observed));
  }

  private static Set<PublishedDevice> devices(List<String> names) {
    return names.stream().map(PodResourcesCacheTest::device).collect(Collectors.toSet());
  }

  private static PublishedDevice device(String name) {
    return new PublishedDevice("node-a", name);
  }

  private static ClaimDevice watching(String device) {
    return new ClaimDevice(
        "ml", "monitor", "main", "all", "ml", "gpu.nvidia.com", "node-a", device);
  }

  private static ClaimDevice by(String container, ClaimDevice held) {
    return new ClaimDevice(
        held.namespace(),
        held.pod(),
        container,
        held.claim(),
        held.claimNamespace(),
        held.driver(),
        held.pool(),
        held.device());
  }

  private static ClaimDevice claim(String device) {
    return new ClaimDevice(
        "ml", "train-0", "main", "gpus", "ml", "gpu.nvidia.com", "node-a", device);
  }

  private static ContainerDevice gpu(String pod, String id) {
    return new ContainerDevice("ml", pod, "main", "nvidia.com/gpu", id);
  }
}
