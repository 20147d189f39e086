package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.nvml.poll.NodeInventory.CudaVersion;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The versions of the driver and of its CUDA, under the old and the new names. */
final class DriverLabels {
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)(?:\\.(\\d+))?");

  private DriverLabels() {}

  /** A version that is no two or three numbers is told in full only. */
  static void ofDriver(LabelSheet nvidia, String version) {
    nvidia.putText("cuda.driver-version.full", version);
    Matcher numbers = VERSION.matcher(version);
    if (numbers.matches()) {
      nvidia
          .put("cuda.driver.major", numbers.group(1))
          .put("cuda.driver.minor", numbers.group(2))
          .put("cuda.driver.rev", numbers.group(3))
          .put("cuda.driver-version.major", numbers.group(1))
          .put("cuda.driver-version.minor", numbers.group(2))
          .put("cuda.driver-version.revision", numbers.group(3));
    }
  }

  static void ofCuda(LabelSheet nvidia, CudaVersion cuda) {
    nvidia
        .put("cuda.runtime.major", cuda.major())
        .put("cuda.runtime.minor", cuda.minor())
        .put("cuda.runtime-version.major", cuda.major())
        .put("cuda.runtime-version.minor", cuda.minor())
        .put("cuda.runtime-version.full", cuda);
  }
}
