package io.gpureclaimer.deviceplugin.plugin;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import io.gpureclaimer.deviceplugin.allocation.Allocation.DeviceFile;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Granted;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Mount;
import v1beta1.Api;
import v1beta1.Api.CDIDevice;
import v1beta1.Api.ContainerAllocateResponse;
import v1beta1.Api.Device;
import v1beta1.Api.DeviceSpec;
import v1beta1.Api.ListAndWatchResponse;
import v1beta1.Api.NUMANode;
import v1beta1.Api.TopologyInfo;

/** Converts records to protobuf messages. */
final class ProtoMessages {
  private ProtoMessages() {}

  static ListAndWatchResponse list(DeviceList list) {
    var response = ListAndWatchResponse.newBuilder();
    list.devices().forEach(device -> response.addDevices(device(device)));
    return response.build();
  }

  static ContainerAllocateResponse granted(Granted granted) {
    var response =
        ContainerAllocateResponse.newBuilder()
            .putAllEnvs(granted.env())
            .putAllAnnotations(granted.annotations());
    granted.mounts().forEach(mount -> response.addMounts(mount(mount)));
    granted.devices().forEach(file -> response.addDevices(deviceFile(file)));
    granted
        .cdiDevices()
        .forEach(name -> response.addCdiDevices(CDIDevice.newBuilder().setName(name)));
    return response.build();
  }

  /** No topology at all where no NUMA node is known: an empty one would say "none". */
  private static Device device(ListedDevice offered) {
    var device =
        Device.newBuilder()
            .setID(offered.id())
            .setHealth(offered.healthy() ? "Healthy" : "Unhealthy");
    if (!offered.numaNodes().isEmpty()) {
      var topology = TopologyInfo.newBuilder();
      offered.numaNodes().forEach(node -> topology.addNodes(NUMANode.newBuilder().setID(node)));
      device.setTopology(topology);
    }
    return device.build();
  }

  private static Api.Mount mount(Mount mount) {
    return Api.Mount.newBuilder()
        .setHostPath(mount.hostPath())
        .setContainerPath(mount.containerPath())
        .setReadOnly(mount.readOnly())
        .build();
  }

  private static DeviceSpec deviceFile(DeviceFile file) {
    return DeviceSpec.newBuilder()
        .setHostPath(file.hostPath())
        .setContainerPath(file.containerPath())
        .setPermissions(file.permissions())
        .build();
  }
}
