package io.gpureclaimer.deviceplugin.cdi.spec;

import io.gpureclaimer.deviceplugin.cdi.spec.CdiSpec.CdiDevice;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The versions of CDI that brought what we use. A runtime refuses a specification of a version that
 * it does not know, so none newer is claimed than is needed.
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
