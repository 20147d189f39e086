package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.vocabulary.CdiNames;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiSpec.CdiDevice;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.CdiHook;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.DeviceNode;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.MigFacts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * GPUs and MIG devices as devices of a specification. A GPU that is divided by MIG is not offered
 * as a whole, and no device means all of them: a container gets exactly what it requests.
 */
final class GpuDevices {
  private static final String CAPS = "/dev/nvidia-caps/nvidia-cap";

  private final DeviceFiles files;
  private final DrmFiles drm;
  private final @Nullable HookProgram program;

  GpuDevices(DeviceFiles files, DrmFiles drm, @Nullable HookProgram program) {
    this.files = files;
    this.drm = drm;
    this.program = program;
  }

  /** The devices of some GPUs; what cannot be one is a problem, and left out. */
  List<CdiDevice> of(List<GpuFacts> gpus, List<String> problems) {
    var devices = new ArrayList<CdiDevice>();
    for (GpuFacts gpu : gpus) {
      if (!gpu.migOn()) {
        devices.add(new CdiDevice(CdiNames.deviceName(gpu.gpu().uuid().value()), whole(gpu)));
      }
      gpu.placedInstances().forEach(placed -> addInstance(gpu, placed.facts(), devices, problems));
    }
    return devices;
  }

  private ContainerEdits whole(GpuFacts gpu) {
    var nodes = new ArrayList<DeviceNode>(List.of(node(gpu)));
    var drawing = drawing(gpu);
    nodes.addAll(drawing);
    return new ContainerEdits(List.of(), nodes, List.of(), links(drawing));
  }

  private List<DeviceNode> drawing(GpuFacts gpu) {
    String place = gpu.gpu().pciBusId();
    return place == null ? List.of() : drm.of(place);
  }

  private void addInstance(
      GpuFacts gpu, MigFacts instance, List<CdiDevice> into, List<String> problems) {
    String name = CdiNames.deviceName(instance.uuid());
    Integer gpuInstance = instance.gpuInstanceCap();
    Integer computeInstance = instance.computeInstanceCap();
    if (gpuInstance == null || computeInstance == null) {
      problems.add(
          "MIG device "
              + name
              + " is not in the CDI specification: the kernel does not report which files below"
              + " /dev/nvidia-caps open it (/proc/driver/nvidia-caps/mig-minors)");
    } else {
      into.add(new CdiDevice(name, instance(gpu, instance, gpuInstance, computeInstance)));
    }
  }

  private ContainerEdits instance(
      GpuFacts gpu, MigFacts instance, int gpuInstanceCap, int computeInstanceCap) {
    var nodes =
        new ArrayList<DeviceNode>(
            List.of(
                node(gpu),
                files.node(CAPS + gpuInstanceCap),
                files.node(CAPS + computeInstanceCap)));
    List<DeviceNode> drawing = instance.profile().contains("gfx") ? drawing(gpu) : List.of();
    nodes.addAll(drawing);
    return new ContainerEdits(List.of(), nodes, List.of(), links(drawing));
  }

  private DeviceNode node(GpuFacts gpu) {
    return files.ofDriver("/dev/nvidia" + gpu.minor(), gpu.minor());
  }

  private List<CdiHook> links(List<DeviceNode> drawing) {
    return program == null ? List.of() : program.link(drm.links(drawing)).stream().toList();
  }
}
