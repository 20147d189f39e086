package io.gpureclaimer.deviceplugin.plugin;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.plugin.AllocateAnswer.Denied;
import io.gpureclaimer.deviceplugin.plugin.AllocateAnswer.Given;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import v1beta1.Api.AllocateRequest;
import v1beta1.Api.AllocateResponse;
import v1beta1.Api.ContainerPreferredAllocationRequest;
import v1beta1.Api.ContainerPreferredAllocationResponse;
import v1beta1.Api.DevicePluginOptions;
import v1beta1.Api.Empty;
import v1beta1.Api.ListAndWatchResponse;
import v1beta1.Api.PreStartContainerRequest;
import v1beta1.Api.PreStartContainerResponse;
import v1beta1.Api.PreferredAllocationRequest;
import v1beta1.Api.PreferredAllocationResponse;
import v1beta1.DevicePluginGrpc.DevicePluginImplBase;

/** Device plugin service of one resource, always with its newest devices. For any thread. */
public final class DevicePluginService extends DevicePluginImplBase {
  private static final Logger log = LoggerFactory.getLogger(DevicePluginService.class);

  private final ResourceName resource;
  private final PluginEvents events;
  private final MonotonicClock monotonic;
  private final AtomicReference<CurrentDevices> current;
  private final Set<ListStream> streams = ConcurrentHashMap.newKeySet();
  private volatile boolean ending;

  /**
   * @param monotonic monotonic clock
   */
  public DevicePluginService(
      ResourceName resource,
      ResourceDevices offered,
      PluginEvents events,
      MonotonicClock monotonic) {
    this.resource = resource;
    this.events = events;
    this.monotonic = monotonic;
    this.current = new AtomicReference<>(CurrentDevices.of(offered));
  }

  /** This is offered from now on. Watchers get it, unless it is the list they know. */
  public void offer(ResourceDevices offered) {
    current.set(CurrentDevices.of(offered));
    streams.forEach(ListStream::send);
  }

  /** How many watch the list now. */
  public int streams() {
    return streams.size();
  }

  /** The list is not watched, nor ever will be. */
  public void endStreams() {
    ending = true;
    streams.forEach(
        stream -> {
          stream.end();
          forget(stream);
        });
  }

  @Override
  public void getDevicePluginOptions(Empty request, StreamObserver<DevicePluginOptions> into) {
    into.onNext(DevicePluginOptions.newBuilder().setGetPreferredAllocationAvailable(true).build());
    into.onCompleted();
  }

  @Override
  public void listAndWatch(Empty request, StreamObserver<ListAndWatchResponse> into) {
    var watcher = (ServerCallStreamObserver<ListAndWatchResponse>) into;
    var stream = new ListStream(watcher, () -> current.get().list(), events::sent);
    watcher.setOnCancelHandler(
        () -> {
          stream.lost();
          forget(stream);
        });
    watcher.setOnReadyHandler(stream::send);
    streams.add(stream);
    stream.send();
    events.streamsChanged();
    if (ending) {
      stream.end();
      forget(stream);
    }
  }

  private void forget(ListStream stream) {
    if (streams.remove(stream)) {
      events.streamsChanged();
    }
  }

  /** Whatever happens, an answer: an error would cost the pod its admission. */
  @Override
  public void getPreferredAllocation(
      PreferredAllocationRequest request, StreamObserver<PreferredAllocationResponse> into) {
    long began = monotonic.nanos();
    var response = PreferredAllocationResponse.newBuilder();
    for (var container : request.getContainerRequestsList()) {
      response.addContainerResponses(
          ContainerPreferredAllocationResponse.newBuilder().addAllDeviceIDs(prefer(container)));
    }
    events.preferred(Duration.ofNanos(monotonic.nanos() - began));
    into.onNext(response.build());
    into.onCompleted();
  }

  private List<String> prefer(ContainerPreferredAllocationRequest container) {
    var available = new LinkedHashSet<>(container.getAvailableDeviceIDsList());
    var required = new LinkedHashSet<>(container.getMustIncludeDeviceIDsList());
    available.addAll(required);
    try {
      return current.get().offered().allocator().prefer(available, required, size(container));
    } catch (RuntimeException e) {
      log.error("{}: no preferred allocation computed, the kubelet chooses", resource, e);
      return List.of();
    }
  }

  private static int size(ContainerPreferredAllocationRequest container) {
    return Math.max(0, container.getAllocationSize());
  }

  /** A refusal is an error with its reason: the kubelet shows it in the pod's status. */
  @Override
  public void allocate(AllocateRequest request, StreamObserver<AllocateResponse> into) {
    long began = monotonic.nanos();
    var answer = AllocateAnswer.to(request, resource, current.get().offered().allocator());
    var took = Duration.ofNanos(monotonic.nanos() - began);
    switch (answer) {
      case Given(var response) -> {
        events.allocated(AllocationOutcome.GRANTED, took);
        into.onNext(response);
        into.onCompleted();
      }
      case Denied(var outcome, var status) -> {
        events.allocated(outcome, took);
        into.onError(status.asException());
      }
    }
  }

  /** We do not ask for it, and have nothing to do if it comes. */
  @Override
  public void preStartContainer(
      PreStartContainerRequest request, StreamObserver<PreStartContainerResponse> into) {
    into.onNext(PreStartContainerResponse.getDefaultInstance());
    into.onCompleted();
  }

  private record CurrentDevices(ResourceDevices offered, DeviceList list) {
    static CurrentDevices of(ResourceDevices offered) {
      return new CurrentDevices(offered, new DeviceList(offered.devices()));
    }
  }

  /**
   * A watcher of the list: gets all of it at once, and then the newest whenever it differs from the
   * last one sent and there is room to send; what came and went in between is never sent.
   *
   * <p>Locked because gRPC's threads and the one that offers meet here, and gRPC's end of a stream
   * takes one message at a time.
   */
  static final class ListStream {
    private final ServerCallStreamObserver<ListAndWatchResponse> watcher;
    private final Supplier<DeviceList> newest;
    private final Consumer<DeviceList> onSent;
    private @Nullable DeviceList last;
    private boolean ended;

    ListStream(
        ServerCallStreamObserver<ListAndWatchResponse> watcher,
        Supplier<DeviceList> newest,
        Consumer<DeviceList> onSent) {
      this.watcher = watcher;
      this.newest = newest;
      this.onSent = onSent;
    }

    /** Sends the newest list, if it differs and there is room. */
    synchronized void send() {
      DeviceList list = newest.get();
      if (!ended && !list.equals(last) && (last == null || watcher.isReady())) {
        last = list;
        watcher.onNext(ProtoMessages.list(list));
        onSent.accept(list);
      }
    }

    /** Ends it from our side. */
    synchronized void end() {
      if (!ended) {
        ended = true;
        watcher.onCompleted();
      }
    }

    /** The other side has ended it. */
    synchronized void lost() {
      ended = true;
    }
  }
}
