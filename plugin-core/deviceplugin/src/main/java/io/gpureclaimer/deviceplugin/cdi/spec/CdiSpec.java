package io.gpureclaimer.deviceplugin.cdi.spec;

import java.util.HashSet;
import java.util.List;

/**
 * One specification: devices that a container can be given by name.
 *
 * @param kind what they have in common
 * @param devices at least one; each name once
 * @param common what a container gets that is given any of them
 */
public record CdiSpec(CdiKind kind, List<CdiDevice> devices, ContainerEdits common) {
  public CdiSpec {
    devices = List.copyOf(devices);
    if (devices.isEmpty()) {
      throw new IllegalArgumentException("a CDI specification has at least one device: " + kind);
    }
    var names = new HashSet<String>();
    for (CdiDevice device : devices) {
      if (!names.add(device.name())) {
        throw new IllegalArgumentException(
            "a CDI specification has each name once, was told twice " + device.name());
      }
    }
  }

  /** The oldest version of CDI that has all that is used here. */
  public CdiVersion version() {
    return CdiVersion.neededBy(this);
  }

  /** The names of its devices. */
  public List<String> names() {
    return devices.stream().map(CdiDevice::name).toList();
  }

  /**
   * A device that a container can be given.
   *
   * @param name as CDI lets it be named
   * @param edits what the container gets; not nothing
   */
  public record CdiDevice(String name, ContainerEdits edits) {
    public CdiDevice {
      if (!CdiKind.canName(name)) {
        throw new IllegalArgumentException("not a name that CDI lets a device have: " + name);
      }
      if (edits.isEmpty()) {
        throw new IllegalArgumentException("a CDI device gives a container something: " + name);
      }
    }
  }
}
