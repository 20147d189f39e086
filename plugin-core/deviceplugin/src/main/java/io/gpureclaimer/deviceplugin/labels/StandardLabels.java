package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.deviceplugin.allocation.MigStrategy;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuFacts.MigMode;
import io.gpureclaimer.nvml.poll.NodeInventory;
import io.gpureclaimer.nvml.poll.NodeInventory.CudaVersion;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The labels of a node, as NVIDIA's GPU feature discovery names and spells them. Pure: the same for
 * the same facts, in whatever order the driver reports them. An unknown fact gives no label.
 *
 * <p>Most of these labels take a node to have one model of GPU. On a node with several they
 * describe the one with the most GPUs (of several such, the first in the alphabet), always the same
 * one; labels of each model are added.
 */
public final class StandardLabels {
  private static final String DOMAIN = "nvidia.com/";

  private StandardLabels() {}

  /**
   * The labels for these facts.
   *
   * @param inventory what the driver reported; one with no readable GPU gives no label about GPUs,
   *     so that it should not be published for a driver that did not answer
   */
  public static NodeLabels of(
      NodeInventory inventory, SharingFacts sharing, MachineFacts machine, LabelOptions options) {
    var sheet = LabelBuilder.empty();
    LabelBuilder nvidia = sheet.under(DOMAIN);
    var timestamp = options.timestamp();
    nvidia.put("gfd.timestamp", timestamp == null ? null : timestamp.getEpochSecond());
    List<GpuFacts> gpus = inventory.responding().toList();
    if (!gpus.isEmpty()) {
      node(nvidia, inventory, sharing, machine);
      resources(sheet, gpus, Models.of(gpus), sharing, options);
    }
    return sheet.labels();
  }

  private static void node(
      LabelBuilder nvidia, NodeInventory inventory, SharingFacts sharing, MachineFacts machine) {
    inventory.driver().ifPresent(version -> DriverLabels.ofDriver(nvidia, version));
    Optional.ofNullable(inventory.cuda()).ifPresent(cuda -> DriverLabels.ofCuda(nvidia, cuda));
    MachineLabels.write(nvidia, machine, inventory);
    List<GpuFacts> gpus = inventory.responding().toList();
    MachineLabels.ofFabric(nvidia, gpus);
    boolean divided = gpus.stream().anyMatch(GpuFacts::migOn);
    nvidia.put("mig.capable", migCapable(inventory));
    nvidia.put("mps.capable", sharing.usesMps() && !divided);
  }

  /** A GPU that cannot be asked may be one, if no other is. */
  private static @Nullable Boolean migCapable(NodeInventory inventory) {
    if (inventory.responding().anyMatch(gpu -> gpu.mig() != MigMode.INCAPABLE)) {
      return true;
    }
    return inventory.responding().count() == inventory.gpus().size() ? false : null;
  }

  /**
   * With the strategy single, GPUs that are offered whole, if any is, and not those that are not.
   */
  private static List<GpuFacts> asGpus(List<GpuFacts> gpus, SharingFacts sharing) {
    List<GpuFacts> whole =
        gpus.stream().filter(gpu -> sharing.offers(gpu.gpu().uuid().value())).toList();
    return sharing.migStrategy() != MigStrategy.SINGLE || whole.isEmpty() ? gpus : whole;
  }

  private static void resources(
      LabelBuilder sheet,
      List<GpuFacts> gpus,
      Models models,
      SharingFacts sharing,
      LabelOptions options) {
    LabelBuilder gpu = sheet.under(WholeGpuLabels.RESOURCE + '.');
    Models.of(asGpus(gpus, sharing))
        .mostCommon()
        .ifPresent(model -> WholeGpuLabels.ofModel(gpu, model, sharing));
    if (models.isMixed() || options.alwaysByModel()) {
      WholeGpuLabels.ofEachModel(gpu, models);
    }
    switch (sharing.migStrategy()) {
      case NONE -> {}
      case SINGLE -> MigLabels.single(sheet, gpus, sharing);
      case MIXED -> MigLabels.mixed(sheet, gpus, sharing);
    }
    if (sharing.migStrategy() != MigStrategy.NONE) {
      sheet.under(DOMAIN).put("mig.strategy", sharing.migStrategy().text());
    }
  }

  /** The versions of the driver and of its CUDA, under the old and the new names. */
  static final class DriverLabels {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)(?:\\.(\\d+))?");

    private DriverLabels() {}

    /** A version that is not two or three numbers gets only the full label. */
    static void ofDriver(LabelBuilder nvidia, String version) {
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

    static void ofCuda(LabelBuilder nvidia, CudaVersion cuda) {
      nvidia
          .put("cuda.runtime.major", cuda.major())
          .put("cuda.runtime.minor", cuda.minor())
          .put("cuda.runtime-version.major", cuda.major())
          .put("cuda.runtime-version.minor", cuda.minor())
          .put("cuda.runtime-version.full", cuda);
    }
  }
}
