package io.gpureclaimer.common.device;

import io.gpureclaimer.common.device.DeviceId.Named;
import io.gpureclaimer.common.device.DeviceId.Unmapped;
import io.gpureclaimer.common.device.DeviceName.ByFile;
import io.gpureclaimer.common.device.DeviceName.ByMigUuid;
import io.gpureclaimer.common.device.DeviceName.ByUuid;
import io.gpureclaimer.common.device.DeviceName.InstanceByFile;
import io.gpureclaimer.common.device.DeviceName.InstanceByUuid;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The spellings of NVIDIA's device plugin, which appends {@code ::} and a number to name a share,
 * and of GKE's, which calls a GPU as its device file. Others append what means something else.
 */
final class DeviceIdGrammar {
  private static final String UUID = "\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}";

  /** Numbers of devices have few digits; those of shares are text, and may have any. */
  private static final String NUMBER = "(?:0|[1-9][0-9]{0,5})";

  private static final Pattern BY_UUID =
      Pattern.compile(
          "(?:(?<gpu>GPU-@)|MIG-(?<parent>GPU-@)/(?<instance>#)/#|(?<mig>MIG-@))(?:::(?<share>[0-9]+))?"
              .replace("@", UUID)
              .replace("#", NUMBER));

  private static final Pattern BY_FILE =
      Pattern.compile(
          "nvidia(?<minor>#)(?:/gi(?<instance>#))?(?:/vgpu(?<share>[0-9]+))?".replace("#", NUMBER));

  private DeviceIdGrammar() {}

  static DeviceId parse(String text) {
    Matcher byUuid = BY_UUID.matcher(text);
    if (byUuid.matches()) {
      return new Named(namedByUuid(byUuid), byUuid.group("share"));
    }
    Matcher byFile = BY_FILE.matcher(text);
    if (byFile.matches()) {
      return new Named(namedByFile(byFile), byFile.group("share"));
    }
    return new Unmapped(text);
  }

  private static DeviceName namedByUuid(Matcher spelling) {
    String gpu = spelling.group("gpu");
    if (gpu != null) {
      return new ByUuid(new GpuUuid(gpu));
    }
    String mig = spelling.group("mig");
    return mig != null
        ? new ByMigUuid(mig)
        : new InstanceByUuid(
            new GpuUuid(spelling.group("parent")), Integer.parseInt(spelling.group("instance")));
  }

  private static DeviceName namedByFile(Matcher spelling) {
    int minor = Integer.parseInt(spelling.group("minor"));
    String instance = spelling.group("instance");
    return instance == null
        ? new ByFile(minor)
        : new InstanceByFile(minor, Integer.parseInt(instance));
  }
}
