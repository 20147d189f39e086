package io.gpureclaimer.deviceplugin.labels;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a label of the user's own can tell of a node. */
enum TemplateFact {
  /** The most common model's name: {@code NVIDIA-H100-80GB-HBM3}. */
  PRODUCT("product") {
    @Override
    Optional<String> of(NodeLabels standard, Models models) {
      return models.mostCommon().flatMap(model -> LabelGrammar.value(model.name()));
    }
  },
  /** The word of it that people use: {@code H100}, {@code T4}, {@code RTX-6000}. */
  MODEL("model") {
    @Override
    Optional<String> of(NodeLabels standard, Models models) {
      return models.mostCommon().flatMap(model -> shortName(model.name()));
    }
  },
  FAMILY("family", "nvidia.com/gpu.family"),
  COUNT("count", "nvidia.com/gpu.count"),
  REPLICAS("replicas", "nvidia.com/gpu.replicas"),
  MEMORY_MIB("memory-mib", "nvidia.com/gpu.memory"),
  /** To the nearest GiB: {@code 80}. */
  MEMORY_GIB("memory-gib") {
    @Override
    Optional<String> of(NodeLabels standard, Models models) {
      return MEMORY_MIB.of(standard, models).map(TemplateFact::gib);
    }
  },
  /** What a share of a GPU stands for; of a GPU that is not shared, all of it. */
  MEMORY_MIB_PER_REPLICA("memory-mib-per-replica") {
    @Override
    Optional<String> of(NodeLabels standard, Models models) {
      return REPLICAS
          .of(standard, models)
          .map(Long::parseLong)
          .filter(replicas -> replicas > 0)
          .flatMap(
              replicas ->
                  MEMORY_MIB
                      .of(standard, models)
                      .map(mib -> String.valueOf(Long.parseLong(mib) / replicas)));
    }
  },
  COMPUTE_MAJOR("compute-major", "nvidia.com/gpu.compute.major"),
  COMPUTE_MINOR("compute-minor", "nvidia.com/gpu.compute.minor"),
  DRIVER("driver", "nvidia.com/cuda.driver-version.full"),
  DRIVER_MAJOR("driver-major", "nvidia.com/cuda.driver-version.major"),
  CUDA("cuda", "nvidia.com/cuda.runtime-version.full"),
  MACHINE("machine", "nvidia.com/gpu.machine"),
  MIG_STRATEGY("mig-strategy", "nvidia.com/mig.strategy"),
  SHARING("sharing-strategy", "nvidia.com/gpu.sharing-strategy");

  private static final Pattern SHORT_NAME =
      Pattern.compile(
          "(?:((?:RTX|GTX) )(?:PRO )?)?(?<![A-Za-z0-9])([A-Z]{0,3}\\d{1,4}[A-Za-z]{0,2})\\b");
  private static final long MIB_IN_GIB = 1024;

  private final String text;
  private final String label;

  TemplateFact(String text) {
    this(text, "");
  }

  TemplateFact(String text, String label) {
    this.text = text;
    this.label = label;
  }

  /** What it is on this node; by itself, what a standard label says. */
  Optional<String> of(NodeLabels standard, Models models) {
    return Optional.ofNullable(standard.byKey().get(label)).filter(value -> !value.isEmpty());
  }

  static Optional<TemplateFact> named(String text) {
    return Arrays.stream(values()).filter(fact -> fact.text.equals(text)).findFirst();
  }

  static List<String> names() {
    return Arrays.stream(values()).map(fact -> fact.text).toList();
  }

  private static Optional<String> shortName(String model) {
    Matcher name = SHORT_NAME.matcher(model);
    return name.find() ? LabelGrammar.value(name.group()) : Optional.empty();
  }

  private static String gib(String mib) {
    return String.valueOf(Math.round((double) Long.parseLong(mib) / MIB_IN_GIB));
  }
}
