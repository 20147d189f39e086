package io.gpureclaimer.deviceplugin.plugin;

import io.gpureclaimer.deviceplugin.allocation.Allocation.Granted;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Refused;
import io.gpureclaimer.deviceplugin.allocation.Allocator;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.grpc.Status;
import java.util.LinkedHashSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import v1beta1.Api.AllocateRequest;
import v1beta1.Api.AllocateResponse;
import v1beta1.Api.ContainerAllocateRequest;

/** Response to one {@code Allocate} request: for all its containers, or none. */
sealed interface AllocateAnswer {
  Logger log = LoggerFactory.getLogger(AllocateAnswer.class);

  /** Each container gets something. */
  record Given(AllocateResponse response) implements AllocateAnswer {}

  /** No container gets anything; the pod fails with the status's text. */
  record Denied(AllocationOutcome outcome, Status status) implements AllocateAnswer {}

  /** Asks the allocator once for each container, until it refuses. */
  static AllocateAnswer to(AllocateRequest request, ResourceName resource, Allocator allocator) {
    if (request.getContainerRequestsCount() == 0) {
      return new Denied(
          AllocationOutcome.FAILED,
          Status.INVALID_ARGUMENT.withDescription(
              "a request for " + resource + " must name a container, and names none"));
    }
    try {
      return ask(request.getContainerRequestsList(), resource, allocator);
    } catch (RuntimeException e) {
      log.error("{}: Allocate failed unexpectedly for {}", resource, ids(request), e);
      return new Denied(
          AllocationOutcome.FAILED,
          Status.INTERNAL.withDescription(
              "the device plugin of " + resource + " failed unexpectedly, see its log: " + e));
    }
  }

  private static AllocateAnswer ask(
      List<ContainerAllocateRequest> containers, ResourceName resource, Allocator allocator) {
    var response = AllocateResponse.newBuilder();
    for (var container : containers) {
      var ids = List.copyOf(new LinkedHashSet<>(container.getDevicesIdsList()));
      switch (allocator.allocate(ids)) {
        case Granted granted -> response.addContainerResponses(ProtoMessages.granted(granted));
        case Refused(var reason) -> {
          log.warn("{}: allocation of {} refused: {}", resource, ids, reason);
          return new Denied(
              AllocationOutcome.REFUSED, Status.FAILED_PRECONDITION.withDescription(reason));
        }
      }
    }
    return new Given(response.build());
  }

  private static List<String> ids(AllocateRequest request) {
    return request.getContainerRequestsList().stream()
        .flatMap(container -> container.getDevicesIdsList().stream())
        .toList();
  }
}
