package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.files.RootedFiles;
import io.gpureclaimer.deviceplugin.cdi.GpuSpecification.SpecificationResult.Nothing;
import io.gpureclaimer.deviceplugin.cdi.GpuSpecification.SpecificationResult.Spec;
import io.gpureclaimer.deviceplugin.cdi.GpuSpecification.SpecificationResult.Unknown;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFileSearch;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFileSearch.SearchResult;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles;
import io.gpureclaimer.deviceplugin.cdi.driver.FirmwareFolders;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiSpec;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuStatus;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Builds the CDI specification of the GPUs from driver reports and installed files. */
final class GpuSpecification {
  private final CdiSettings settings;
  private final DeviceFiles devices;
  private final DrmFiles drm;
  private final DriverFileSearch driverFiles;
  private final HookSearch hooks;

  GpuSpecification(CdiSettings settings) {
    this.settings = settings;
    this.devices = new DeviceFiles(settings.devices());
    this.drm = new DrmFiles(settings.sys(), devices);
    this.driverFiles =
        new DriverFileSearch(
            new RootedFiles(settings.driver().here()),
            new FirmwareFolders(settings.proc(), settings.sys()));
    this.hooks = new HookSearch(settings);
  }

  /** Result of building a specification. */
  sealed interface SpecificationResult {

    /** There are devices. */
    record Spec(CdiSpec spec) implements SpecificationResult {}

    /** All GPUs responded, and there is no device. */
    record Nothing() implements SpecificationResult {}

    /** The devices are unknown now: the former specification stays. */
    record Unknown() implements SpecificationResult {}
  }

  /** Adds to the problems what keeps devices, or files, from being in it. */
  SpecificationResult make(NodeInventory inventory, List<String> problems) {
    if (inventory.gpus().isEmpty()) {
      return new Unknown();
    }
    Optional<DriverFiles> files = driverFiles(inventory, problems);
    if (files.isEmpty()) {
      return new Unknown();
    }
    var program = hooks.find(problems).orElse(null);
    // The names of a GPU that is unavailable now stay good for the pods that hold it.
    List<GpuFacts> known =
        inventory.gpus().stream().map(GpuStatus::lastKnown).filter(Objects::nonNull).toList();
    var entries = new GpuDevices(devices, drm, program).of(known, problems);
    if (entries.isEmpty()) {
      return known.size() == inventory.gpus().size() ? new Nothing() : new Unknown();
    }
    var common =
        new CommonEdits(settings.driver(), devices, settings.libraryFolders())
            .of(files.get(), program, problems);
    return new Spec(new CdiSpec(settings.kind("gpu"), entries, common));
  }

  private Optional<DriverFiles> driverFiles(NodeInventory inventory, List<String> problems) {
    Optional<String> version = inventory.driver();
    if (version.isEmpty()) {
      problems.add("the driver does not report its version, so its files cannot be found");
      return Optional.empty();
    }
    return switch (driverFiles.find(version.get())) {
      case SearchResult.Complete(var files) -> Optional.of(files);
      case SearchResult.Missing(var found) -> {
        problems.add(missing(version.get(), found));
        yield Optional.empty();
      }
    };
  }

  private String missing(String version, List<String> found) {
    String where = "no libraries of driver " + version + " below " + settings.driver().here();
    return found.isEmpty()
        ? where + ": mount the root of the driver's files there"
        : where
            + ", but "
            + String.join(", ", found)
            + ": the kernel module and the libraries are of different versions; reload the module,"
            + " or restart the node";
  }
}
