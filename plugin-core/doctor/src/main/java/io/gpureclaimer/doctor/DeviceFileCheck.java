package io.gpureclaimer.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The device files through which programs reach the driver. */
final class DeviceFileCheck implements Check {
  private static final String GPUS = "/proc/driver/nvidia/gpus";
  private static final Pattern MINOR = Pattern.compile("Device Minor:\\s*(\\d+)");
  private static final Pattern GPU_FILE = Pattern.compile("nvidia\\d+");

  @Override
  public String name() {
    return "device files";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    if (!node.kernel().hasNvidia()) {
      return new Outcome.NotApplicable("the kernel module is not loaded");
    }
    NodeFiles files = node.files();
    List<String> wanted = new ArrayList<>(List.of("/dev/nvidiactl", "/dev/nvidia-uvm"));
    List<Integer> minors = minors(files);
    minors.forEach(minor -> wanted.add("/dev/nvidia" + minor));
    List<String> missing = wanted.stream().filter(file -> !files.exists(file)).toList();
    if (!missing.isEmpty()) {
      return files.missed(
          new Outcome.Problem(
              "missing: " + String.join(", ", missing),
              "run nvidia-modprobe -u -c=0 (or nvidia-smi) on the node, and see that it runs at each"
                  + " start; in a pod, mount the node's /dev"));
    }
    long found =
        files.names("/dev").stream().filter(name -> GPU_FILE.matcher(name).matches()).count();
    return new Outcome.Ok(
        "/dev/nvidiactl, /dev/nvidia-uvm and " + Plurals.of((int) found, "file") + " for GPUs");
  }

  private static List<Integer> minors(NodeFiles files) {
    List<Integer> minors = new ArrayList<>();
    for (String gpu : files.names(GPUS)) {
      Matcher minor = MINOR.matcher(files.text(GPUS + '/' + gpu + "/information").orElse(""));
      if (minor.find()) {
        minors.add(Integer.parseInt(minor.group(1)));
      }
    }
    return minors;
  }
}
