package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.nvml.poll.GpuFacts;
import java.util.Optional;

/** Labels of whole GPUs: properties of one model, and the count of each. */
final class WholeGpuLabels {
  static final String RESOURCE = "nvidia.com/gpu";

  private static final String MODEL_KEY = "product.";
  private static final String LONGEST_SUFFIX = ".memory";
  private static final int LONGEST_MODEL =
      LabelGrammar.LONGEST - ("gpu." + MODEL_KEY + LONGEST_SUFFIX).length();

  private WholeGpuLabels() {}

  /**
   * The labels that take a node to have one model of GPU.
   *
   * @param gpu sheet under {@code nvidia.com/gpu.}
   */
  static void ofModel(LabelBuilder gpu, Models.GpuModel model, SharingFacts sharing) {
    if (model.gpus().stream().allMatch(GpuFacts::migOn)) {
      ResourceLabels.withoutReplicas(gpu, model.name(), model.gpus().size());
    } else {
      ResourceLabels.write(
          gpu,
          model.name(),
          model.gpus().size(),
          sharing.of(model.gpus().stream().map(it -> it.gpu().uuid().value())));
    }
    gpu.put("memory", model.memoryMib().orElse(null));
    model.gpus().stream()
        .flatMap(it -> Optional.ofNullable(it.capability()).stream())
        .findFirst()
        .ifPresent(
            capability ->
                gpu.put("family", GpuFamily.of(capability))
                    .put("compute.major", capability.major())
                    .put("compute.minor", capability.minor()));
  }

  /** Two labels for each model, so that a node with several can be chosen for any of them. */
  static void ofEachModel(LabelBuilder gpu, Models models) {
    for (Models.GpuModel model : models.all()) {
      LabelGrammar.part(model.name(), LONGEST_MODEL)
          .map(name -> gpu.under(MODEL_KEY + name + '.'))
          .ifPresent(
              sheet ->
                  sheet
                      .put("count", model.gpus().size())
                      .put("memory", model.memoryMib().orElse(null)));
    }
  }

  /** GPU generations in the spelling of NVIDIA's feature discovery. */
  static final class GpuFamily {
    private static final ComputeCapability TURING = new ComputeCapability(7, 5);
    private static final ComputeCapability ADA_LOVELACE = new ComputeCapability(8, 9);

    private GpuFamily() {}

    static String of(ComputeCapability capability) {
      return switch (capability.major()) {
        case 1 -> "tesla";
        case 2 -> "fermi";
        case 3 -> "kepler";
        case 5 -> "maxwell";
        case 6 -> "pascal";
        case 7 -> capability.compareTo(TURING) < 0 ? "volta" : "turing";
        case 8 -> capability.compareTo(ADA_LOVELACE) < 0 ? "ampere" : "ada-lovelace";
        case 9 -> "hopper";
        case 10, 12 -> "blackwell";
        case 13 -> "rubin";
        default -> "undefined";
      };
    }
  }
}
