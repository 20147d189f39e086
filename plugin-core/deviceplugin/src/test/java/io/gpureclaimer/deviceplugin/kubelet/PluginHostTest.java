package io.gpureclaimer.deviceplugin.kubelet;

import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.GPU;
import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.MIG;
import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.healthy;
import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.unhealthy;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import io.gpureclaimer.deviceplugin.plugin.AllocationOutcome;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import v1beta1.Api.AllocateRequest;
import v1beta1.Api.Device;
import v1beta1.Api.DevicePluginOptions;
import v1beta1.Api.RegisterRequest;

/** On real sockets, against a kubelet that does what the real one does. */
@Timeout(60)
class PluginHostTest {
  private static final String NAME = GPU.value();

  /** The usual pace, in a hurry; a registration may take as long as a slow machine needs. */
  static final KubeletTimeouts HURRIED =
      new KubeletTimeouts(
          Duration.ofMillis(100),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(1),
          Duration.ofMillis(250),
          Duration.ofMillis(50),
          Duration.ofMillis(200),
          Duration.ofMillis(500),
          Duration.ofSeconds(5),
          Duration.ofMillis(100));

  @TempDir Path folder;
  private FakeDeviceManager kubelet;
  private PluginHost host;

  @BeforeEach
  void prepare() {
    kubelet = new FakeDeviceManager(folder);
    host = host(kubelet.socket(), HURRIED, Allocatable.Unsupported::new);
  }

  @AfterEach
  void stop() {
    host.close();
    kubelet.close();
  }

  @Test
  void theKubeletKnowsEveryDevice_onceTheyAreOffered() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a", "b"), MIG, TestDevices.of("m")));

    awaitHealthy("a", "b");
    await().until(() -> kubelet.healthy(MIG.value()).equals(Set.of("m")));
    assertThat(kubelet.options(NAME))
        .isEqualTo(
            DevicePluginOptions.newBuilder().setGetPreferredAllocationAvailable(true).build());
  }

  @Test
  void registersWithTheVersionAndAFreshSocket() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");

    RegisterRequest request = kubelet.requests().getFirst();
    assertThat(request.getVersion()).isEqualTo("v1beta1");
    assertThat(request.getResourceName()).isEqualTo(NAME);
    assertThat(request.getEndpoint()).matches("gpu-reclaimer-gpu-[0-9a-f]{8}\\.sock");
    assertThat(ownSockets()).containsExactly(request.getEndpoint());
  }

  @Test
  void reportsTheNewestListOnly_whenOffersComeInQuickSuccession() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");
    for (int round = 0; round < 1_000; round++) {
      host.offer(Map.of(GPU, TestDevices.of("a", "b" + round)));
    }

    awaitHealthy("a", "b999");
    assertThat(kubelet.lists(NAME)).hasSizeLessThan(500);
  }

  @Test
  void reportsNothing_whenNothingHasChanged() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a", "b")));
    awaitHealthy("a", "b");
    host.offer(Map.of(GPU, TestDevices.of("b", "a")));
    host.offer(Map.of(GPU, TestDevices.of("a", "b", "c")));

    awaitHealthy("a", "b", "c");
    assertThat(kubelet.lists(NAME)).hasSize(2);
  }

  @Test
  void reportsHealthAndNumaNodes() {
    kubelet.start();
    begin();
    host.offer(
        Map.of(
            GPU,
            TestDevices.of(List.of(new ListedDevice("a", true, List.of(0, 1)), unhealthy("b")))));
    awaitHealthy("a");

    Device first = kubelet.lists(NAME).getFirst().getDevices(0);
    Device second = kubelet.lists(NAME).getFirst().getDevices(1);
    assertThat(first.getHealth()).isEqualTo("Healthy");
    assertThat(first.getTopology().getNodesList())
        .extracting(node -> node.getID())
        .containsExactly(0L, 1L);
    assertThat(second.getHealth()).isEqualTo("Unhealthy");
    assertThat(second.hasTopology()).isFalse();
  }

  @Test
  void anEmptyOfferIsReported() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of()));

    await().until(() -> kubelet.lists(NAME).size() == 1 && kubelet.serves(NAME));
    assertThat(kubelet.capacity(NAME)).isZero();
  }

  @Test
  void aResourceThatVanishes_isReportedEmpty_andStaysRegistered() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a"), MIG, TestDevices.of("m")));
    awaitHealthy("a");
    await().until(() -> kubelet.capacity(MIG.value()) == 1);
    host.offer(Map.of(GPU, TestDevices.of("a")));

    await().until(() -> kubelet.capacity(MIG.value()) == 0);
    assertThat(kubelet.serves(MIG.value())).isTrue();
    assertThat(kubelet.healthy(NAME)).containsExactly("a");
    kubelet.restart();
    await().until(() -> kubelet.serves(MIG.value()) && kubelet.capacity(MIG.value()) == 0);
  }

  @Test
  void waits_whenThereIsNoKubelet_norItsFolder() {
    Path later = folder.resolve("device-plugins");
    begin(host(later.resolve("kubelet.sock"), HURRIED, Allocatable.Unsupported::new));
    host.offer(Map.of(GPU, TestDevices.of("a")));
    await().until(() -> host.state().kubeletMissing() != null);
    assertThat(host.state().kubeletMissing())
        .isEqualTo(later.resolve("kubelet.sock") + " is not there, nor is its folder");
    createFolder(later);
    try (var late = new FakeDeviceManager(later)) {
      late.start();

      await().until(() -> late.healthy(NAME).equals(Set.of("a")));
      await().until(() -> host.state().watched());
    }
  }

  @Test
  void says_whenAFileIsWhereTheKubeletsSocketShouldBe() throws IOException {
    Files.writeString(folder.resolve("kubelet.sock"), "");
    begin();

    await()
        .until(
            () ->
                (folder.resolve("kubelet.sock") + " is a regular file, not a socket")
                    .equals(host.state().kubeletMissing()));
  }

  @Test
  void registersAgain_afterARestartOfTheKubelet() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");
    kubelet.restart();

    awaitHealthy("a");
    assertThat(ownSockets()).hasSize(1);
  }

  @Test
  void registersAgain_whenTheKubeletWasAwayForAWhile() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");
    kubelet.stop();
    await().until(() -> host.state().kubeletMissing() != null);
    host.offer(Map.of(GPU, TestDevices.of("a", "b")));
    kubelet.start();

    awaitHealthy("a", "b");
  }

  @Test
  void registersAgain_whenTheKubeletCrashed_andLeftItsSocket() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");
    kubelet.crash();
    await().until(() -> registrations(RegistrationOutcome.UNREACHABLE) > 0);
    kubelet.start();

    awaitHealthy("a");
  }

  @Test
  void registersAgain_byLookingAlone_whenTheFolderCannotBeWatched() {
    kubelet.start();
    begin(
        host(
            kubelet.socket(),
            HURRIED,
            Allocatable.Unsupported::new,
            () -> {
              throw new IOException("User limit of inotify instances reached");
            }));
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");
    for (int round = 0; round < 3; round++) {
      kubelet.restart();
      awaitHealthy("a");
    }
  }

  @Test
  void registersAgainAtOnce_withoutLooking_whenTheFolderIsWatched() {
    begin(host(kubelet.socket(), slowToProbe(), Allocatable.Unsupported::new));
    host.offer(Map.of(GPU, TestDevices.of("a")));
    await().until(() -> host.state().kubeletMissing() != null);
    kubelet.start();

    awaitHealthy("a");
  }

  @Test
  void registersAgain_whenItsOwnSocketIsDeleted() throws IOException {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");
    String before = ownSockets().getFirst();
    Files.delete(folder.resolve(before));

    await().until(() -> kubelet.requests().size() == 2);
    awaitHealthy("a");
    assertThat(ownSockets()).hasSize(1).doesNotContain(before);
  }

  @Test
  void registersAgain_whenTheStreamEnds_andTheKubeletIsStillThere() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");
    kubelet.hangUp(NAME);

    await().until(() -> kubelet.requests().size() == 2);
    awaitHealthy("a");
    assertThat(kubelet.serves(NAME)).isTrue();
  }

  @Test
  void theOldConnectionIsGone_beforeANewRegistration() throws IOException {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");
    for (int round = 0; round < 5; round++) {
      int before = kubelet.requests().size();
      Files.delete(folder.resolve(ownSockets().getFirst()));
      await().until(() -> kubelet.requests().size() > before);
      awaitHealthy("a");

      assertThat(kubelet.connections()).isEqualTo(1);
      assertThat(kubelet.allocate(NAME, List.of("a")).getContainerResponsesCount()).isEqualTo(1);
    }
  }

  /** A rollout that starts the new agent first: the old one's end disconnects the new one. */
  @Test
  void registersAgain_whenTheEndOfAnOlderProcessDisconnectsIt() {
    kubelet.start();
    try (var older = host(kubelet.socket(), HURRIED, Allocatable.Unsupported::new, 8)) {
      older.start();
      older.offer(Map.of(GPU, TestDevices.of("a")));
      awaitHealthy("a");
      begin();
      host.offer(Map.of(GPU, TestDevices.of("a", "b")));
      awaitHealthy("a", "b");
    }

    await().until(() -> kubelet.requests().size() == 3);
    awaitHealthy("a", "b");
    assertThat(kubelet.allocate(NAME, List.of("b")).getContainerResponsesCount()).isEqualTo(1);
    assertThat(ownSockets()).hasSize(1);
  }

  /**
   * Both register when the kubelet has restarted, the older one last: its end is not reported to
   * us.
   */
  @Test
  void registersAgain_whenAnOlderProcessThatRegisteredLaterEnds() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");
    try (var older = host(kubelet.socket(), HURRIED, Allocatable.Unsupported::new, 8)) {
      older.start();
      older.offer(Map.of(GPU, TestDevices.of("a", "b")));
      awaitHealthy("a", "b");
    }

    awaitHealthy("a");
    assertThat(kubelet.allocate(NAME, List.of("a")).getContainerResponsesCount()).isEqualTo(1);
  }

  @Test
  void triesAgain_whenTheKubeletAnswersWithErrors() {
    kubelet.refuse(Status.UNKNOWN.withDescription("not today\nnor tomorrow"));
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a")));

    await().until(() -> registrations(RegistrationOutcome.REFUSED) >= 2);
    assertThat(gpu().lastError())
        .isEqualTo(kubelet.socket() + ": UNKNOWN: not today; nor tomorrow");
    kubelet.behave();
    awaitHealthy("a");
  }

  @Test
  void triesAgain_whenTheKubeletHangs() {
    kubelet.hang();
    kubelet.start();
    begin(
        host(kubelet.socket(), registering(Duration.ofMillis(300)), Allocatable.Unsupported::new));
    host.offer(Map.of(GPU, TestDevices.of("a")));

    await().until(() -> registrations(RegistrationOutcome.TIMED_OUT) >= 1);
    kubelet.behave();
    awaitHealthy("a");
  }

  @Test
  void triesAgain_whenTheKubeletAccepts_andDoesNotWatch() {
    kubelet.doNotWatch();
    kubelet.start();
    begin(host(kubelet.socket(), watching(Duration.ofMillis(200)), Allocatable.Unsupported::new));
    host.offer(Map.of(GPU, TestDevices.of("a")));

    await().until(() -> registrations(RegistrationOutcome.NOT_WATCHED) >= 1);
    kubelet.behave();
    await().pollInterval(Duration.ofMillis(5)).until(() -> kubelet.healthy(NAME).size() == 1);
  }

  @Test
  void registersAgain_whenTheKubeletDoesNotBelieveWhatItWasSent() {
    kubelet.keepSilent();
    kubelet.start();
    try (var podResources = new FakeKubelet(folder.resolve("pod-resources.sock"));
        var asked =
            new PodResources(
                folder.resolve("pod-resources.sock"),
                Duration.ofSeconds(10),
                _ -> true,
                _ -> true)) {
      podResources.allocatable(kubelet::healthy);
      podResources.start();
      begin(host(kubelet.socket(), HURRIED, asked::allocatable));
      host.offer(Map.of(GPU, TestDevices.of("a")));

      await().until(() -> gpu().mismatches() >= 1);
      kubelet.behave();
      awaitHealthy("a");
      await().until(() -> host.state().selfCheck().equals("the kubelet believes what it was sent"));
    }
  }

  @Test
  void allocates() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a", "b")));
    awaitHealthy("a", "b");

    assertThat(kubelet.prefer(NAME, List.of("b", "a"), List.of(), 1)).containsExactly("a");
    assertThat(kubelet.allocate(NAME, List.of("a")).getContainerResponses(0).getEnvsMap())
        .isEqualTo(Map.of("NVIDIA_VISIBLE_DEVICES", "a"));
    kubelet.preStart(NAME, List.of("a"));
    await().until(() -> allocations(AllocationOutcome.GRANTED) == 1);
    assertThat(gpu().preferred().count()).isEqualTo(1);
  }

  @Test
  void saysWhy_whenItRefusesToAllocate() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");

    assertThatThrownBy(() -> kubelet.allocate(NAME, List.of("x")))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessage("FAILED_PRECONDITION: there is no [x] among [a]");
    assertThatThrownBy(() -> kubelet.allocate(NAME, AllocateRequest.getDefaultInstance()))
        .hasMessage(
            "INVALID_ARGUMENT: a request for nvidia.com/gpu must name a container, and names none");
    await().until(() -> allocations(AllocationOutcome.REFUSED) == 1);
    await().until(() -> allocations(AllocationOutcome.FAILED) == 1);
  }

  @Test
  void tenThousandDevicesAreReported() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.many(10_000)));

    await().until(() -> kubelet.healthy(NAME).size() == 10_000);
    assertThat(kubelet.prefer(NAME, kubelet.healthy(NAME), List.of(), 2)).hasSize(2);
  }

  @Test
  void keepsTheListBefore_whenOneIsTooLongForTheKubelet() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");
    host.offer(
        Map.of(
            GPU,
            TestDevices.of(
                IntStream.range(0, 70_000)
                    .mapToObj(number -> healthy("x".repeat(60) + number))
                    .toList())));

    await().until(() -> gpu().lastError() != null);
    assertThat(gpu().lastError())
        .startsWith("a list of 70000 devices takes ")
        .endsWith(
            " bytes, and the kubelet accepts at most 4194304; offer fewer replicas, or under"
                + " more than one resource name");
    assertThat(kubelet.healthy(NAME)).containsExactly("a");
    assertThat(kubelet.lists(NAME)).hasSize(1);
  }

  @Test
  void leavesNothingBehind() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of("a"), MIG, TestDevices.of("m")));
    awaitHealthy("a");
    host.close();

    assertThat(ownSockets()).isEmpty();
    await().until(() -> kubelet.healthy(NAME).isEmpty() && kubelet.connections() == 0);
    assertThat(kubelet.capacity(NAME)).isEqualTo(1);
    kubelet.expireGrace();
    assertThat(kubelet.resources()).isEmpty();
    assertThat(host.running()).isFalse();
  }

  @Test
  void theStateReportsHowItStands() {
    kubelet.start();
    begin();
    host.offer(Map.of(GPU, TestDevices.of(List.of(healthy("a"), unhealthy("b")))));
    awaitHealthy("a");
    await().until(() -> host.state().watched() && host.state().resources().size() == 1);
    await().until(() -> gpu().messages() == 1);

    ResourceState state = gpu();
    assertThat(state)
        .isEqualTo(
            new ResourceState(
                2,
                1,
                ownSockets().getFirst(),
                true,
                state.watchedSince(),
                1,
                Map.of(RegistrationOutcome.WATCHED, 1L),
                Map.of(),
                LatencyHistogram.NONE,
                0,
                null));
  }

  private void begin() {
    host.start();
  }

  private void begin(PluginHost other) {
    host.close();
    host = other;
    host.start();
  }

  private ResourceState gpu() {
    await().until(() -> host.state().resources().containsKey(GPU));
    return requireNonNull(host.state().resources().get(GPU));
  }

  private static PluginHost host(
      Path socket, KubeletTimeouts timeouts, Supplier<Allocatable> believed) {
    return host(socket, timeouts, believed, 7);
  }

  private static PluginHost host(
      Path socket, KubeletTimeouts timeouts, Supplier<Allocatable> believed, int seed) {
    return new PluginHost(
        socket, timeouts, believed, InstantSource.system(), System::nanoTime, new Random(seed));
  }

  private static PluginHost host(
      Path socket,
      KubeletTimeouts timeouts,
      Supplier<Allocatable> believed,
      FolderWatch.WatchOpener watches) {
    return new PluginHost(
        socket,
        timeouts,
        believed,
        InstantSource.system(),
        System::nanoTime,
        new Random(7),
        watches);
  }

  private void awaitHealthy(String... ids) {
    await().atMost(Duration.ofSeconds(20)).until(() -> kubelet.healthy(NAME).equals(Set.of(ids)));
  }

  private long registrations(RegistrationOutcome outcome) {
    var state = host.state().resources().get(GPU);
    return state == null ? 0 : state.registrations().getOrDefault(outcome, 0L);
  }

  private long allocations(AllocationOutcome outcome) {
    return gpu().allocations().getOrDefault(outcome, LatencyHistogram.NONE).count();
  }

  private List<String> ownSockets() {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> !name.equals("kubelet.sock") && !name.equals("pod-resources.sock"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void createFolder(Path path) {
    try {
      Files.createDirectory(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KubeletTimeouts slowToProbe() {
    return timeouts(Duration.ofMinutes(10), HURRIED.register(), HURRIED.stream());
  }

  private static KubeletTimeouts registering(Duration deadline) {
    return timeouts(HURRIED.probe(), deadline, HURRIED.stream());
  }

  private static KubeletTimeouts watching(Duration deadline) {
    return timeouts(HURRIED.probe(), HURRIED.register(), deadline);
  }

  private static KubeletTimeouts timeouts(Duration probe, Duration register, Duration stream) {
    return new KubeletTimeouts(
        probe,
        register,
        stream,
        HURRIED.drain(),
        HURRIED.settle(),
        HURRIED.firstRetry(),
        HURRIED.longestRetry(),
        HURRIED.stable(),
        HURRIED.handshake(),
        HURRIED.selfCheck());
  }
}
