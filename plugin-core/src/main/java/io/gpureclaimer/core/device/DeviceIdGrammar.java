package io.gpureclaimer.core.device;

import io.gpureclaimer.core.device.DeviceId.Replica;
import io.gpureclaimer.core.device.DeviceId.Unmapped;
import io.gpureclaimer.core.device.DeviceId.WholeGpu;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The spellings of NVIDIA's device plugin; others append to a UUID what means something else. */
final class DeviceIdGrammar {
  private static final Pattern GPU =
      Pattern.compile(
          "(?<uuid>GPU-\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12})(::(?<number>\\d+))?");

  private DeviceIdGrammar() {}

  static DeviceId parse(String text) {
    Matcher spelling = GPU.matcher(text);
    if (!spelling.matches()) {
      return new Unmapped(text);
    }
    var gpu = new GpuUuid(spelling.group("uuid"));
    String number = spelling.group("number");
    return number == null ? new WholeGpu(gpu) : new Replica(gpu, number);
  }
}
