package io.gpureclaimer.deviceplugin.cdi.spec;

import io.gpureclaimer.deviceplugin.cdi.spec.CdiSpec.CdiDevice;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

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
            "a CDI specification has each name once, was given twice " + device.name());
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

  /**
   * The versions of CDI that brought what we use. A runtime refuses a specification of a version
   * that it does not know, so none newer is claimed than is needed.
   */
  enum CdiVersion {
    /** The oldest that any runtime accepts. */
    V0_3_0("0.3.0"),
    /** A device file has another path on the host; the name of a device begins with a digit. */
    V0_5_0("0.5.0"),
    /** A dot in the class. */
    V0_6_0("0.6.0");

    private final String text;

    CdiVersion(String text) {
      this.text = text;
    }

    static CdiVersion neededBy(CdiSpec spec) {
      return Arrays.stream(values())
          .filter(version -> version.isNeededBy(spec))
          .max(Comparator.naturalOrder())
          .orElse(V0_3_0);
    }

    private boolean isNeededBy(CdiSpec spec) {
      return switch (this) {
        case V0_3_0 -> true;
        case V0_5_0 ->
            spec.names().stream().anyMatch(name -> Character.isDigit(name.charAt(0)))
                || Stream.concat(
                        Stream.of(spec.common()), spec.devices().stream().map(CdiDevice::edits))
                    .flatMap(edits -> edits.nodes().stream())
                    .anyMatch(node -> node.hostPath() != null);
        case V0_6_0 -> spec.kind().deviceClass().indexOf('.') >= 0;
      };
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
