package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.deviceplugin.allocation.Allocation.DeviceFile;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Granted;
import io.gpureclaimer.deviceplugin.allocation.Allocation.Mount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Files, variables and devices that give a container access to its devices only.
 *
 * <p>Each response says to NVIDIA's runtime which devices are visible: without that it would use
 * the variable of the image, and images of CUDA request all. So where CDI alone brings the devices,
 * no others are visible.
 */
final class Response {
  private static final String VISIBLE = "NVIDIA_VISIBLE_DEVICES";
  private static final String NONE_VISIBLE = "void";
  private static final String IMEX_CHANNELS = "NVIDIA_IMEX_CHANNELS";
  private static final String BUDGET = "GPU_RECLAIMER_MEMORY_BUDGET_MIB";
  private static final long BYTES_PER_MIB = 1024L * 1024;
  private static final String VISIBLE_FOLDER = "/var/run/nvidia-container-devices";
  private static final String NULL_DEVICE = "/dev/null";

  private final ResourceName name;
  private final ResponseSettings settings;
  private final NodeEnvironment there;

  Response(ResourceName name, ResponseSettings settings, NodeEnvironment there) {
    this.name = name;
    this.settings = settings;
    this.there = there;
  }

  Granted to(List<AllocatedDevice> held) {
    var files = new AllocatedDeviceFiles(settings, there);
    List<Integer> channels = files.channels();
    var cdi = new CdiResponse(name, settings, there);
    return new Granted(
        env(held, channels),
        mounts(held, channels),
        settings.passDeviceSpecs() && !settings.onlyCdi() ? files.of(held) : List.<DeviceFile>of(),
        cdi.annotations(held, channels),
        cdi.devices(held, channels));
  }

  private Map<String, String> env(List<AllocatedDevice> held, List<Integer> channels) {
    var env = new LinkedHashMap<String, String>();
    env.put(VISIBLE, visible(held));
    if (uses(DeviceListStrategy.ENVVAR) && !channels.isEmpty()) {
      env.put(
          IMEX_CHANNELS, channels.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    settings.features().forEach(feature -> env.put(feature.variable(), "enabled"));
    if (usesMps(held)) {
      env.put("CUDA_MPS_PIPE_DIRECTORY", MpsFolders.PIPE.inContainer(name));
    }
    if (exposesBudget(held)) {
      env.put(BUDGET, budget(held));
    }
    return env;
  }

  private String visible(List<AllocatedDevice> held) {
    if (uses(DeviceListStrategy.VOLUME_MOUNTS)) {
      return VISIBLE_FOLDER;
    }
    return uses(DeviceListStrategy.ENVVAR) ? String.join(",", ids(held)) : NONE_VISIBLE;
  }

  private List<Mount> mounts(List<AllocatedDevice> held, List<Integer> channels) {
    var mounts = new ArrayList<Mount>();
    Path root = settings.mpsRoot();
    if (root != null && usesMps(held)) {
      for (MpsFolders folder : MpsFolders.values()) {
        mounts.add(new Mount(folder.onNode(root, name), folder.inContainer(name), false));
      }
    }
    if (uses(DeviceListStrategy.VOLUME_MOUNTS)) {
      ids(held).forEach(id -> mounts.add(visible(id)));
      channels.forEach(channel -> mounts.add(visible("imex/" + channel)));
    }
    return mounts;
  }

  private static Mount visible(String what) {
    return new Mount(NULL_DEVICE, VISIBLE_FOLDER + '/' + what, false);
  }

  private List<String> ids(List<AllocatedDevice> held) {
    return held.stream().map(each -> settings.ids().of(each.device())).toList();
  }

  private boolean uses(DeviceListStrategy strategy) {
    return settings.strategies().contains(strategy);
  }

  private static boolean usesMps(List<AllocatedDevice> held) {
    return held.stream().anyMatch(each -> each.portion().sharing() == Sharing.SharingKind.MPS);
  }

  private boolean exposesBudget(List<AllocatedDevice> held) {
    return settings.exposeBudget()
        && held.stream().anyMatch(each -> each.portion().isShared())
        && held.stream().allMatch(each -> each.memoryBytes() != null);
  }

  private static String budget(List<AllocatedDevice> held) {
    return held.stream()
        .map(AllocatedDevice::memoryBytes)
        .map(bytes -> bytes == null ? "" : Long.toString(bytes / BYTES_PER_MIB))
        .collect(Collectors.joining(","));
  }

  /** The folders by which a container reaches the MPS daemon of its resource. */
  public enum MpsFolders {
    /** The sockets of the daemon. */
    PIPE {
      @Override
      public String inContainer(ResourceName name) {
        return "/mps/" + name + "/pipe";
      }

      @Override
      public String onNode(Path root, ResourceName name) {
        return root + "/" + name + "/pipe";
      }
    },
    /** The memory that daemon and clients share; one for all resources. */
    MEMORY {
      @Override
      public String inContainer(ResourceName name) {
        return "/dev/shm";
      }

      @Override
      public String onNode(Path root, ResourceName name) {
        return root + "/shm";
      }
    };

    /** Where a container has it. */
    public abstract String inContainer(ResourceName name);

    /** Where the node has it, below the root of MPS. */
    public abstract String onNode(Path root, ResourceName name);
  }
}
