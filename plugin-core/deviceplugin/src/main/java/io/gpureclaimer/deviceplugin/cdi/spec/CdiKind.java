package io.gpureclaimer.deviceplugin.cdi.spec;

import java.util.regex.Pattern;

/**
 * What devices of one specification have in common, such as {@code
 * k8s.device-plugin.nvidia.com/gpu}.
 *
 * @param vendor who made the specification
 * @param deviceClass what its devices are
 */
public record CdiKind(String vendor, String deviceClass) {
  private static final Pattern PART = Pattern.compile("[A-Za-z]([-_.A-Za-z0-9]*[A-Za-z0-9])?");
  private static final Pattern DEVICE =
      Pattern.compile("[A-Za-z0-9]([-_.:A-Za-z0-9]*[A-Za-z0-9])?");

  public CdiKind {
    check("vendor", vendor);
    check("class", deviceClass);
  }

  /** Whether CDI lets a device have that name. */
  public static boolean canName(String device) {
    return DEVICE.matcher(device).matches();
  }

  /** What a runtime is asked for: {@code vendor/class=name}. */
  public String qualified(String device) {
    if (!canName(device)) {
      throw new IllegalArgumentException(
          "the name of a CDI device must be letters, digits, '-', '_', '.' and ':', and begin and"
              + " end with a letter or digit, was \""
              + device
              + '"');
    }
    return this + "=" + device;
  }

  /** The file that NVIDIA's device plugin writes it to, and so do we. */
  public String fileName() {
    return vendor + "-" + deviceClass + ".json";
  }

  private static void check(String part, String text) {
    if (!PART.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "the "
              + part
              + " of a CDI kind must be letters, digits, '-', '_' and '.', begin with a letter and"
              + " end with a letter or digit, was \""
              + text
              + '"');
    }
  }

  @Override
  public String toString() {
    return vendor + "/" + deviceClass;
  }
}
