package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Failed;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Unsupported;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesReader.ListCall;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import v1.Api.AllocatableResourcesRequest;
import v1.Api.AllocatableResourcesResponse;
import v1.Api.ListPodResourcesRequest;
import v1.PodResourcesListerGrpc;

/**
 * Client of the kubelet's pod-resources API. Confined to the thread that asks; only {@link #close}
 * may come from another.
 *
 * <p>A connection that failed is not used again: the next question opens a new one at once, so a
 * kubelet that comes back is found without waiting for gRPC's growing pauses.
 */
public final class PodResources implements AutoCloseable {
  private final Path socket;
  private final Duration deadline;
  private final MethodDescriptor<ListPodResourcesRequest, PodResourcesListing> call;
  private final KubeletChannel channel;

  /**
   * Opens nothing yet.
   *
   * @param socket the kubelet's, usually {@code /var/lib/kubelet/pod-resources/kubelet.sock}
   * @param deadline how long one question may take, the opening of the connection included
   * @param resources the names of the resources whose devices to list
   * @param drivers the names of the drivers of dynamic resource allocation whose devices to list
   */
  public PodResources(
      Path socket, Duration deadline, Predicate<String> resources, Predicate<String> drivers) {
    this.socket = socket;
    this.deadline = deadline;
    this.call = ListCall.of(resources, drivers);
    this.channel = new KubeletChannel(socket);
  }

  /**
   * Which container holds which device now.
   *
   * <p><b>Meaning:</b> devices that device plugins or dynamic resource allocation have given to the
   * containers of the pods on this node, restartable init containers included. Kubelets before 1.34
   * list ended pods too, until they are deleted. Devices of dynamic resource allocation are listed
   * by kubelets from 1.34 on, and by older ones with {@code KubeletPodResourcesDynamicResources}.
   *
   * <p><b>Source:</b> {@code v1.PodResourcesLister/List}; at most 16 MiB are taken.
   *
   * @return {@link Unsupported} if the kubelet does not know the question; {@link Failed} with
   *     {@code unavailable} if no process listens at the socket, {@code deadline_exceeded} if there
   *     was no answer in time, {@code resource_exhausted} if the kubelet has too many questions or
   *     the answer is too large, {@code malformed} if it cannot be understood
   */
  public PodResourcesListing list() {
    return channel.open().map(this::ask).orElseGet(() -> failed("cancelled", "we are closed"));
  }

  private PodResourcesListing ask(ManagedChannel open) {
    try {
      return named(
          ClientCalls.blockingUnaryCall(
              open,
              call,
              CallOptions.DEFAULT.withDeadlineAfter(deadline),
              ListPodResourcesRequest.getDefaultInstance()));
    } catch (StatusRuntimeException e) {
      channel.close();
      return e.getStatus().getCode() == Status.Code.UNIMPLEMENTED ? new Unsupported() : failed(e);
    }
  }

  /**
   * Which devices the kubelet would give to containers.
   *
   * <p><b>Meaning:</b> those that it holds for healthy, of every resource, in use or not. After the
   * stream of a device plugin has ended there are none of its.
   *
   * <p><b>Source:</b> {@code v1.PodResourcesLister/GetAllocatableResources}.
   */
  public Allocatable allocatable() {
    return channel
        .open()
        .map(this::fetchAllocatable)
        .orElseGet(() -> new Allocatable.Failed(socket + ": we are closed"));
  }

  private Allocatable fetchAllocatable(ManagedChannel open) {
    try {
      return known(
          ClientCalls.blockingUnaryCall(
              open,
              PodResourcesListerGrpc.getGetAllocatableResourcesMethod(),
              CallOptions.DEFAULT.withDeadlineAfter(deadline),
              AllocatableResourcesRequest.getDefaultInstance()));
    } catch (StatusRuntimeException e) {
      channel.close();
      return e.getStatus().getCode() == Status.Code.UNIMPLEMENTED
          ? new Allocatable.Unsupported()
          : new Allocatable.Failed(socket + ": " + GrpcStatusText.of(e.getStatus()));
    }
  }

  private static Allocatable known(AllocatableResourcesResponse answer) {
    var ids = new HashMap<String, Set<String>>();
    for (var devices : answer.getDevicesList()) {
      ids.computeIfAbsent(devices.getResourceName(), _ -> new HashSet<>())
          .addAll(devices.getDeviceIdsList());
    }
    return new Allocatable.Known(ids);
  }

  private PodResourcesListing named(PodResourcesListing listing) {
    return listing instanceof Failed(var code, var why) ? failed(code, why) : listing;
  }

  /** A question that is under way fails. */
  @Override
  public void close() {
    channel.closeForGood();
  }

  private Failed failed(StatusRuntimeException e) {
    var status = e.getStatus();
    return failed(status.getCode().name().toLowerCase(Locale.ROOT), GrpcStatusText.of(status));
  }

  private Failed failed(String code, String why) {
    return new Failed(code, socket + ": " + why);
  }
}
