package io.gpureclaimer.core.labels;

import io.gpureclaimer.core.device.MigSize;
import io.gpureclaimer.core.inventory.GpuFacts;
import io.gpureclaimer.core.inventory.MigFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the labels say of MIG devices, by the strategy with which they are offered. */
final class MigLabels {
  private static final String DOMAIN = "nvidia.com/";

  private MigLabels() {}

  /** One MIG device, and the model of GPU that it is a part of. */
  private record Part(String model, MigFacts device) {}

  /** As if MIG devices were GPUs: they go under {@code nvidia.com/gpu.}, if all are of one size. */
  static void single(LabelSheet sheet, List<GpuFacts> gpus, ResourceSharing sharing) {
    List<GpuFacts> divided = gpus.stream().filter(GpuFacts::migOn).toList();
    if (divided.isEmpty()) {
      return;
    }
    LabelSheet gpu = sheet.under(WholeGpuLabels.RESOURCE + '.');
    Map<String, List<Part>> byProfile = byProfile(divided);
    boolean valid =
        divided.size() == gpus.size()
            && divided.stream().noneMatch(it -> it.instances().isEmpty())
            && byProfile.size() == 1;
    if (valid) {
      byProfile.forEach((profile, parts) -> write(gpu, profile, parts, sharing));
    } else {
      invalid(gpu, divided.getFirst().gpu().modelName());
    }
  }

  /** Each size under a name of its own; parts of instances have no resource, and no labels. */
  static void mixed(LabelSheet sheet, List<GpuFacts> gpus, SharingFacts sharing) {
    byProfile(gpus)
        .forEach(
            (profile, parts) -> {
              if (parts.getFirst().device().isWholeInstance()) {
                String resource = DOMAIN + "mig-" + profile;
                write(sheet.under(resource + '.'), profile, parts, sharing.of(resource));
              }
            });
  }

  private static Map<String, List<Part>> byProfile(List<GpuFacts> gpus) {
    var byProfile = new TreeMap<String, List<Part>>();
    for (GpuFacts gpu : gpus) {
      for (MigFacts device : gpu.instances()) {
        byProfile
            .computeIfAbsent(device.profile().replace('+', '.'), _ -> new ArrayList<>())
            .add(new Part(gpu.gpu().modelName(), device));
      }
    }
    return byProfile;
  }

  private static void write(
      LabelSheet sheet, String profile, List<Part> parts, ResourceSharing sharing) {
    String product = mostCommonModel(parts) + "-MIG-" + profile;
    ResourceLabels.write(sheet, product, parts.size(), sharing);
    parts.stream()
        .flatMap(part -> Optional.ofNullable(part.device().size()).stream())
        .findFirst()
        .ifPresent(size -> writeSize(sheet, size));
  }

  private static void writeSize(LabelSheet sheet, MigSize size) {
    sheet
        .put("memory", size.memoryMib())
        .put("multiprocessors", size.multiprocessors())
        .put("slices.gi", size.gpuSlices())
        .put("slices.ci", size.computeSlices())
        .put("engines.copy", size.copyEngines())
        .put("engines.decoder", size.decoders())
        .put("engines.encoder", size.encoders())
        .put("engines.jpeg", size.jpegEngines())
        .put("engines.ofa", size.ofaEngines());
  }

  private static void invalid(LabelSheet gpu, String model) {
    gpu.putText("product", model + "-MIG-INVALID")
        .put("count", 0)
        .put("replicas", 0)
        .put("memory", 0)
        .put("sharing-strategy", "");
  }

  private static String mostCommonModel(List<Part> parts) {
    return parts.stream()
        .collect(Collectors.groupingBy(Part::model, Collectors.counting()))
        .entrySet()
        .stream()
        .max(
            Map.Entry.<String, Long>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
        .map(Map.Entry::getKey)
        .orElseThrow();
  }
}
