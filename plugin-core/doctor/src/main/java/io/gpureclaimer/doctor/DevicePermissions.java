package io.gpureclaimer.doctor;

import io.gpureclaimer.doctor.DriverAnswer.Reported;
import io.gpureclaimer.doctor.DriverAnswer.Silent;
import io.gpureclaimer.nvml.NvmlReturn;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whether a cgroup lets this process open the driver's device files, and whether containers keep
 * theirs when systemd loads its units again.
 */
final class DevicePermissions implements Check {
  private static final String OWN_GROUPS = "/proc/self/cgroup";
  private static final String DEVICES_V1 = "/sys/fs/cgroup/devices";
  private static final Pattern ALLOWS = Pattern.compile("(?:a \\*:\\*|c (?:195|\\*):\\S+) r?w?m?");

  @Override
  public String name() {
    return "device permissions";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    if (!node.kernel().hasNvidia()) {
      return new Outcome.NotApplicable("the kernel module is not loaded");
    }
    return switch (node.driver()) {
      case Reported _ -> links(node.files());
      case Silent(var reason, var _) when reason == NvmlReturn.OPERATING_SYSTEM ->
          new Outcome.Problem(
              "the operating system or a cgroup keeps this process from the device files",
              "run the agent privileged, or give it the device files in its pod's"
                  + " specification");
      case Silent _ -> rules(node.files());
    };
  }

  /** Without a link, systemd does not know a device, and takes it away again. */
  private static Outcome links(NodeFiles files) {
    boolean linked = files.names("/dev/char").stream().anyMatch(name -> name.startsWith("195:"));
    return linked || !files.isFolder("/dev/char")
        ? new Outcome.Ok("this process may use the GPUs")
        : new Outcome.Warning(
            "this process may use the GPUs; /dev/char has no links to their files, so a container"
                + " that got a GPU by NVIDIA's runtime hook loses it at systemctl daemon-reload",
            "hand GPUs out by CDI or with pass-device-specs, or make the links: nvidia-ctk system"
                + " create-dev-char-symlinks --create-all");
  }

  private static Outcome rules(NodeFiles files) {
    Optional<String> group =
        files.text(OWN_GROUPS).stream()
            .flatMap(String::lines)
            .map(line -> line.split(":", 3))
            .filter(parts -> parts.length == 3 && List.of(parts[1].split(",")).contains("devices"))
            .map(parts -> parts[2])
            .findFirst();
    Optional<String> list =
        group
            .flatMap(path -> files.text(DEVICES_V1 + path + "/devices.list"))
            .or(() -> files.text(DEVICES_V1 + "/devices.list"));
    if (list.isEmpty()) {
      return new Outcome.Undecided(
          "cgroup v2 keeps its device rules where they cannot be read, and the driver does not"
              + " answer");
    }
    return list.get().lines().anyMatch(rule -> ALLOWS.matcher(rule.strip()).matches())
        ? new Outcome.Ok("the cgroup's device rules let this process use the GPUs")
        : new Outcome.Problem(
            "the cgroup's device rules do not have NVIDIA's devices (195)",
            "run the agent privileged, or give it the device files in its pod's specification");
  }
}
