package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.common.device.MigSize;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.MigFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Labels of MIG devices, by strategy. */
final class MigLabels {
  private static final String DOMAIN = "nvidia.com/";

  private MigLabels() {}

  /** One MIG device, and the model of its GPU. */
  private record MigPart(String model, MigFacts device) {}

  /**
   * As if MIG devices were GPUs: those that are offered go under {@code nvidia.com/gpu.}; of
   * several sizes, which only names of one's own make possible, the most common.
   */
  static void single(LabelBuilder sheet, List<GpuFacts> gpus, SharingFacts sharing) {
    List<GpuFacts> divided = gpus.stream().filter(GpuFacts::migOn).toList();
    if (divided.isEmpty()) {
      return;
    }
    LabelBuilder gpu = sheet.under(WholeGpuLabels.RESOURCE + '.');
    Optional<Map.Entry<String, List<MigPart>>> offered =
        byProfile(divided, part -> sharing.offers(part.device().uuid())).entrySet().stream()
            .max(
                Comparator.<Map.Entry<String, List<MigPart>>>comparingInt(
                        it -> it.getValue().size())
                    .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())));
    if (offered.isPresent()) {
      write(gpu, offered.get().getKey(), offered.get().getValue(), sharing);
    } else if (gpus.stream().noneMatch(it -> sharing.offers(it.gpu().uuid().value()))) {
      invalid(gpu, divided.getFirst().gpu().modelName());
    }
  }

  /** Each size under a name of its own; parts of instances have no resource, and no labels. */
  static void mixed(LabelBuilder sheet, List<GpuFacts> gpus, SharingFacts sharing) {
    byProfile(gpus, part -> part.device().isWholeInstance())
        .forEach(
            (profile, parts) -> {
              String resource = DOMAIN + "mig-" + profile;
              write(sheet.under(resource + '.'), profile, parts, sharing);
            });
  }

  private static Map<String, List<MigPart>> byProfile(
      List<GpuFacts> gpus, Predicate<MigPart> counts) {
    var byProfile = new TreeMap<String, List<MigPart>>();
    for (GpuFacts gpu : gpus) {
      gpu.placedInstances().stream()
          .map(placed -> new MigPart(gpu.gpu().modelName(), placed.facts()))
          .filter(counts)
          .forEach(
              part ->
                  byProfile
                      .computeIfAbsent(
                          part.device().profile().replace('+', '.'), _ -> new ArrayList<>())
                      .add(part));
    }
    return byProfile;
  }

  private static void write(
      LabelBuilder sheet, String profile, List<MigPart> parts, SharingFacts sharing) {
    String product = mostCommonModel(parts) + "-MIG-" + profile;
    ResourceLabels.write(
        sheet, product, parts.size(), sharing.of(parts.stream().map(part -> part.device().uuid())));
    parts.stream()
        .flatMap(part -> Optional.ofNullable(part.device().size()).stream())
        .findFirst()
        .ifPresent(size -> writeSize(sheet, size));
  }

  private static void writeSize(LabelBuilder sheet, MigSize size) {
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

  private static void invalid(LabelBuilder gpu, String model) {
    gpu.putText("product", model + "-MIG-INVALID")
        .put("count", 0)
        .put("replicas", 0)
        .put("memory", 0)
        .put("sharing-strategy", "");
  }

  private static String mostCommonModel(List<MigPart> parts) {
    return parts.stream()
        .collect(Collectors.groupingBy(MigPart::model, Collectors.counting()))
        .entrySet()
        .stream()
        .max(
            Map.Entry.<String, Long>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
        .map(Map.Entry::getKey)
        .orElseThrow();
  }
}
