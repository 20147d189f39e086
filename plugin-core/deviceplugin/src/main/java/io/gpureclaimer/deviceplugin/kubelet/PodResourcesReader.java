package io.gpureclaimer.deviceplugin.kubelet;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.WireFormat;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Failed;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Listed;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;
import v1.Api.ContainerResources;
import v1.Api.ListPodResourcesRequest;
import v1.Api.ListPodResourcesResponse;
import v1.Api.PodResources;
import v1.PodResourcesListerGrpc;

/**
 * Reads a kubelet's answer pod by pod, and keeps only what was asked for: of a full node's
 * mebibytes about CPUs, memory and other devices, never more than one pod's is in memory.
 */
final class PodResourcesReader {
  private final Predicate<String> resources;
  private final Predicate<String> drivers;

  /**
   * @param resources which ones to keep the devices of, by name
   * @param drivers of dynamic resource allocation, which ones to keep the devices of, by name
   */
  PodResourcesReader(Predicate<String> resources, Predicate<String> drivers) {
    this.resources = resources;
    this.drivers = drivers;
  }

  /**
   * Each device once: the kubelet names one that is near to several NUMA nodes for each of them.
   *
   * @throws IOException if these are not the protocol's bytes
   * @throws IllegalArgumentException if a device has no holder: then nothing of it is believed
   */
  Listed read(InputStream answer) throws IOException {
    var in = CodedInputStream.newInstance(answer);
    var devices = new LinkedHashSet<ContainerDevice>();
    var claims = new LinkedHashSet<ClaimDevice>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (isPod(tag)) {
        var pod = in.readMessage(PodResources.parser(), ExtensionRegistryLite.getEmptyRegistry());
        for (var container : pod.getContainersList()) {
          addDevices(pod, container, devices);
          addClaims(pod, container, claims);
        }
      } else {
        in.skipField(tag);
      }
    }
    return new Listed(List.copyOf(devices), List.copyOf(claims));
  }

  private static boolean isPod(int tag) {
    return WireFormat.getTagFieldNumber(tag) == ListPodResourcesResponse.POD_RESOURCES_FIELD_NUMBER
        && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  private void addDevices(
      PodResources pod, ContainerResources container, Collection<ContainerDevice> into) {
    for (var devices : container.getDevicesList()) {
      String resource = devices.getResourceName();
      if (resources.test(resource)) {
        for (String id : devices.getDeviceIdsList()) {
          into.add(
              new ContainerDevice(
                  pod.getNamespace(), pod.getName(), container.getName(), resource, id));
        }
      }
    }
  }

  /** What a claim gives without naming a device is a resource of another kind. */
  private void addClaims(
      PodResources pod, ContainerResources container, Collection<ClaimDevice> into) {
    for (var claim : container.getDynamicResourcesList()) {
      for (var device : claim.getClaimResourcesList()) {
        if (drivers.test(device.getDriverName()) && !device.getDeviceName().isEmpty()) {
          into.add(
              new ClaimDevice(
                  pod.getNamespace(),
                  pod.getName(),
                  container.getName(),
                  claim.getClaimName(),
                  claim.getClaimNamespace(),
                  device.getDriverName(),
                  device.getPoolName(),
                  device.getDeviceName()));
        }
      }
    }
  }

  /** The kubelet's {@code List}, with an answer that is read as it comes. */
  static final class ListCall implements Marshaller<PodResourcesListing> {
    private final PodResourcesReader reader;

    private ListCall(PodResourcesReader reader) {
      this.reader = reader;
    }

    /**
     * @param resources which ones to keep the devices of, by name
     * @param drivers of dynamic resource allocation, which ones to keep the devices of, by name
     */
    static MethodDescriptor<ListPodResourcesRequest, PodResourcesListing> of(
        Predicate<String> resources, Predicate<String> drivers) {
      var generated = PodResourcesListerGrpc.getListMethod();
      return generated.toBuilder(
              generated.getRequestMarshaller(),
              new ListCall(new PodResourcesReader(resources, drivers)))
          .build();
    }

    @Override
    public PodResourcesListing parse(InputStream answer) {
      try {
        return reader.read(answer);
      } catch (IOException | IllegalArgumentException e) {
        return new Failed("malformed", "the answer cannot be understood: " + e.getMessage());
      }
    }

    @Override
    public InputStream stream(PodResourcesListing value) {
      throw new IllegalStateException("we ask the kubelet, and never answer for it");
    }
  }
}
