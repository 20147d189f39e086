package io.gpureclaimer.deviceplugin.plugin;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import io.gpureclaimer.deviceplugin.allocation.Allocation;
import io.gpureclaimer.deviceplugin.allocation.Allocation.DeviceFile;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Granted;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Mount;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Refused;
import io.gpureclaimer.deviceplugin.allocation.Allocator;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import v1beta1.Api;
import v1beta1.Api.AllocateRequest;
import v1beta1.Api.AllocateResponse;
import v1beta1.Api.CDIDevice;
import v1beta1.Api.ContainerAllocateRequest;
import v1beta1.Api.ContainerAllocateResponse;
import v1beta1.Api.ContainerPreferredAllocationRequest;
import v1beta1.Api.ContainerPreferredAllocationResponse;
import v1beta1.Api.DevicePluginOptions;
import v1beta1.Api.DeviceSpec;
import v1beta1.Api.Empty;
import v1beta1.Api.PreStartContainerRequest;
import v1beta1.Api.PreStartContainerResponse;
import v1beta1.Api.PreferredAllocationRequest;
import v1beta1.Api.PreferredAllocationResponse;

class DevicePluginServiceTest {
  private final List<String> heard = new ArrayList<>();
  private final FakeWatcher watcher = new FakeWatcher();
  private Allocation allocation = new Granted(Map.of(), List.of(), List.of(), Map.of(), List.of());
  private @Nullable RuntimeException breakdown;
  private final DevicePluginService service =
      new DevicePluginService(
          new ResourceName("nvidia.com/gpu"), offered("a"), new RecordingEvents(), () -> 0);

  @Test
  void reportsAllAtOnce_thenEachChange() {
    watch();
    service.offer(offered("a", "b"));
    service.offer(offered());

    assertThat(watcher.lists).containsExactly(List.of("a"), List.of("a", "b"), List.of());
    assertThat(heard).containsExactly("sent 1", "streams", "sent 2", "sent 0");
  }

  @Test
  void reportsNothing_whenTheListIsTheSame() {
    watch();
    service.offer(offered("a"));

    assertThat(watcher.lists).containsExactly(List.of("a"));
  }

  @Test
  void reportsOnlyTheNewest_onceThereIsRoomAgain() {
    watch();
    watcher.haveNoRoom();
    service.offer(offered("a", "b"));
    service.offer(offered("a", "b", "c"));
    service.offer(offered("d"));
    assertThat(watcher.lists).hasSize(1);
    watcher.makeRoom();
    watcher.makeRoom();

    assertThat(watcher.lists).containsExactly(List.of("a"), List.of("d"));
  }

  @Test
  void reportsNothing_whenAllIsAsItWas_onceThereIsRoomAgain() {
    watch();
    watcher.haveNoRoom();
    service.offer(offered("b"));
    service.offer(offered("a"));
    watcher.makeRoom();

    assertThat(watcher.lists).containsExactly(List.of("a"));
  }

  @Test
  void reportsTheFirstListAtOnce_evenIfThereSeemsToBeNoRoom() {
    watcher.haveNoRoom();
    watch();

    assertThat(watcher.lists).containsExactly(List.of("a"));
  }

  @Test
  void sendsToNoWatcher_whoHasLeft() {
    watch();
    watcher.leave();
    service.offer(offered("b"));

    assertThat(service.streams()).isZero();
    assertThat(watcher.lists).containsExactly(List.of("a"));
    assertThat(heard).containsExactly("sent 1", "streams", "streams");
  }

  @Test
  void endsTheStreams_andThoseThatComeLater() {
    watch();
    service.endStreams();
    service.offer(offered("b"));
    var later = new FakeWatcher();
    service.listAndWatch(Empty.getDefaultInstance(), later);

    assertThat(watcher.completed).isTrue();
    assertThat(later.completed).isTrue();
    assertThat(watcher.lists).containsExactly(List.of("a"));
    assertThat(service.streams()).isZero();
  }

  @Test
  void reportsToAll() {
    watch();
    var second = new FakeWatcher();
    service.listAndWatch(Empty.getDefaultInstance(), second);
    service.offer(offered("b"));

    assertThat(service.streams()).isEqualTo(2);
    assertThat(second.lists).isEqualTo(watcher.lists);
  }

  @Test
  void wantsToBeAskedWhatFits_andNotBeforeAStart() {
    var answer = new RecordedAnswer<DevicePluginOptions>();
    service.getDevicePluginOptions(Empty.getDefaultInstance(), answer);

    assertThat(answer.value)
        .isEqualTo(
            DevicePluginOptions.newBuilder().setGetPreferredAllocationAvailable(true).build());
  }

  @Test
  void grantsEverythingThatTheAllocatorSays() {
    allocation =
        new Granted(
            Map.of("NVIDIA_VISIBLE_DEVICES", "a"),
            List.of(new Mount("/host", "/container", true)),
            List.of(new DeviceFile("/dev/nvidia0", "/dev/nvidia0", "rw")),
            Map.of("cdi.k8s.io/x", "v/c=a"),
            List.of("v/c=a"));

    assertThat(allocate("a").value)
        .isEqualTo(
            AllocateResponse.newBuilder()
                .addContainerResponses(
                    ContainerAllocateResponse.newBuilder()
                        .putEnvs("NVIDIA_VISIBLE_DEVICES", "a")
                        .addMounts(
                            Api.Mount.newBuilder()
                                .setHostPath("/host")
                                .setContainerPath("/container")
                                .setReadOnly(true))
                        .addDevices(
                            DeviceSpec.newBuilder()
                                .setHostPath("/dev/nvidia0")
                                .setContainerPath("/dev/nvidia0")
                                .setPermissions("rw"))
                        .putAnnotations("cdi.k8s.io/x", "v/c=a")
                        .addCdiDevices(CDIDevice.newBuilder().setName("v/c=a")))
                .build());
    assertThat(heard).containsExactly("allocate [a]", "GRANTED");
  }

  @Test
  void asksForEachIdOnce() {
    assertThat(allocate("a", "b", "a").value).isNotNull();
    assertThat(heard).containsExactly("allocate [a, b]", "GRANTED");
  }

  @Test
  void answersEachContainer() {
    var answer = new RecordedAnswer<AllocateResponse>();
    service.allocate(
        AllocateRequest.newBuilder()
            .addContainerRequests(ContainerAllocateRequest.newBuilder().addDevicesIds("a"))
            .addContainerRequests(ContainerAllocateRequest.newBuilder().addDevicesIds("b"))
            .build(),
        answer);

    assertThat(requireNonNull(answer.value).getContainerResponsesCount()).isEqualTo(2);
  }

  @Test
  void refusesWithTheReason() {
    allocation = new Refused("there is no a; ask for b");

    assertThat(allocate("a").status()).isEqualTo("FAILED_PRECONDITION: there is no a; ask for b");
    assertThat(heard).containsExactly("allocate [a]", "REFUSED");
  }

  @Test
  void fails_whenTheAllocatorBreaksDown() {
    breakdown = new IllegalStateException("we are wrong");

    assertThat(allocate("a").status())
        .isEqualTo(
            "INTERNAL: the device plugin of nvidia.com/gpu failed unexpectedly, see its log:"
                + " java.lang.IllegalStateException: we are wrong");
    assertThat(heard).containsExactly("allocate [a]", "FAILED");
  }

  @Test
  void fails_whenNoContainerIsNamed() {
    var answer = new RecordedAnswer<AllocateResponse>();
    service.allocate(AllocateRequest.getDefaultInstance(), answer);

    assertThat(answer.status())
        .isEqualTo(
            "INVALID_ARGUMENT: a request for nvidia.com/gpu must name a container, and names"
                + " none");
  }

  @Test
  void prefersWhatTheAllocatorDoes() {
    assertThat(prefer(2, List.of("a", "b", "c"), List.of("b")))
        .isEqualTo(preferred("[a, b, c]", "[b]", "2"));
  }

  @Test
  void whatIsRequiredIsAvailable_andNoSizeIsBelowZero() {
    assertThat(prefer(-1, List.of("a"), List.of("b"))).isEqualTo(preferred("[a, b]", "[b]", "0"));
  }

  @Test
  void prefersNothing_whenTheAllocatorBreaksDown() {
    breakdown = new IllegalStateException("we are wrong");

    assertThat(prefer(1, List.of("a"), List.of())).isEqualTo(preferred());
    assertThat(heard).containsExactly("preferred");
  }

  @Test
  void hasNothingToDoBeforeAStart() {
    var answer = new RecordedAnswer<PreStartContainerResponse>();
    service.preStartContainer(PreStartContainerRequest.getDefaultInstance(), answer);

    assertThat(answer.value).isEqualTo(PreStartContainerResponse.getDefaultInstance());
  }

  private void watch() {
    service.listAndWatch(Empty.getDefaultInstance(), watcher);
  }

  private RecordedAnswer<AllocateResponse> allocate(String... ids) {
    var answer = new RecordedAnswer<AllocateResponse>();
    service.allocate(
        AllocateRequest.newBuilder()
            .addContainerRequests(
                ContainerAllocateRequest.newBuilder().addAllDevicesIds(Arrays.asList(ids)))
            .build(),
        answer);
    return answer;
  }

  private PreferredAllocationResponse prefer(
      int size, List<String> available, List<String> required) {
    var answer = new RecordedAnswer<PreferredAllocationResponse>();
    service.getPreferredAllocation(
        PreferredAllocationRequest.newBuilder()
            .addContainerRequests(
                ContainerPreferredAllocationRequest.newBuilder()
                    .addAllAvailableDeviceIDs(available)
                    .addAllMustIncludeDeviceIDs(required)
                    .setAllocationSize(size))
            .build(),
        answer);
    return requireNonNull(answer.value);
  }

  private static PreferredAllocationResponse preferred(String... ids) {
    return PreferredAllocationResponse.newBuilder()
        .addContainerResponses(
            ContainerPreferredAllocationResponse.newBuilder().addAllDeviceIDs(Arrays.asList(ids)))
        .build();
  }

  private ResourceDevices offered(String... ids) {
    return new ResourceDevices(
        Arrays.stream(ids).map(id -> new ListedDevice(id, true, List.of())).toList(),
        new ScriptedAllocator());
  }

  /** Says what the test wants, and shows what it was asked. */
  private final class ScriptedAllocator implements Allocator {
    @Override
    public List<String> prefer(Set<String> available, Set<String> required, int size) {
      if (breakdown != null) {
        throw breakdown;
      }
      return List.of(available.toString(), required.toString(), String.valueOf(size));
    }

    @Override
    public Allocation allocate(List<String> ids) {
      heard.add("allocate " + ids);
      if (breakdown != null) {
        throw breakdown;
      }
      return allocation;
    }
  }

  private final class RecordingEvents implements PluginEvents {
    @Override
    public void streamsChanged() {
      heard.add("streams");
    }

    @Override
    public void sent(DeviceList list) {
      heard.add("sent " + list.devices().size());
    }

    @Override
    public void allocated(AllocationOutcome outcome, Duration took) {
      heard.add(outcome.name());
    }

    @Override
    public void preferred(Duration took) {
      heard.add("preferred");
    }
  }

  private static final class RecordedAnswer<T> implements StreamObserver<T> {
    private @Nullable T value;
    private @Nullable Throwable thrown;

    @Override
    public void onNext(T next) {
      value = next;
    }

    @Override
    public void onError(Throwable error) {
      thrown = error;
    }

    @Override
    public void onCompleted() {}

    String status() {
      var status = Status.fromThrowable(requireNonNull(thrown));
      return status.getCode() + ": " + status.getDescription();
    }
  }
}
