package io.gpureclaimer.core.kubelet;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;
import v1.Api.ListPodResourcesResponse;
import v1.Api.PodResources;

/**
 * Reads a kubelet's answer pod by pod, and keeps only what was asked for: of a full node's
 * mebibytes about CPUs, memory and other devices, never more than one pod's is in memory.
 */
final class AnswerReader {
  private final Predicate<String> resources;

  /**
   * @param resources which ones to keep the devices of, by name
   */
  AnswerReader(Predicate<String> resources) {
    this.resources = resources;
  }

  /**
   * Each device once: the kubelet names one that is near to several NUMA nodes for each of them.
   *
   * @throws IOException if these are not the protocol's bytes
   * @throws IllegalArgumentException if a device is held by nobody: then nothing of it is believed
   */
  List<HeldDevice> read(InputStream answer) throws IOException {
    var in = CodedInputStream.newInstance(answer);
    var held = new LinkedHashSet<HeldDevice>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (isPod(tag)) {
        add(in.readMessage(PodResources.parser(), ExtensionRegistryLite.getEmptyRegistry()), held);
      } else {
        in.skipField(tag);
      }
    }
    return List.copyOf(held);
  }

  private static boolean isPod(int tag) {
    return WireFormat.getTagFieldNumber(tag) == ListPodResourcesResponse.POD_RESOURCES_FIELD_NUMBER
        && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  private void add(PodResources pod, Collection<HeldDevice> into) {
    for (var container : pod.getContainersList()) {
      for (var devices : container.getDevicesList()) {
        String resource = devices.getResourceName();
        if (resources.test(resource)) {
          for (String id : devices.getDeviceIdsList()) {
            into.add(
                new HeldDevice(
                    pod.getNamespace(), pod.getName(), container.getName(), resource, id));
          }
        }
      }
    }
  }
}
