package io.gpureclaimer.deviceplugin.labels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.deviceplugin.allocation.MigStrategy;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import io.gpureclaimer.nvml.inventory.Inventory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelTemplateTest {

  @ParameterizedTest
  @CsvSource({
    "{model}, H100",
    "{model:lower}, h100",
    "{product}, NVIDIA-H100-80GB-HBM3",
    "{memory-gib}Gi, 80Gi",
    "{memory-mib}, 81559",
    "{memory-mib-per-replica}, 81559",
    "{count}x-{family}, 8x-hopper",
    "sm{compute-major}{compute-minor}, sm90",
    "{driver}, 550.107.02",
    "cuda-{cuda}, cuda-12.4",
    "fixed, fixed"
  })
  void tellsFactsOfTheNode(String template, String value) {
    assertThat(label(Nodes.eightH100(), "gpu-type", template)).contains(value);
  }

  @Test
  void tellsWhatAShareStandsFor_unlessGpusDifferInThem() {
    assertThat(shares(10)).contains("1536");
    assertThat(shares(null)).isEmpty();
  }

  private static Optional<String> shares(@Nullable Integer replicas) {
    return label(
        Nodes.fourT4(),
        Nodes.shared(
            Nodes.fourT4(), new ResourceSharing(Sharing.Kind.TIME_SLICING, replicas, false)),
        "gpu-share",
        "{memory-mib-per-replica}");
  }

  @ParameterizedTest
  @CsvSource({
    "Tesla T4, T4",
    "NVIDIA A100-SXM4-80GB, A100",
    "NVIDIA L40S, L40S",
    "NVIDIA GeForce RTX 4090, RTX-4090",
    "NVIDIA RTX A6000, RTX-A6000",
    "NVIDIA RTX PRO 6000 Blackwell, RTX-PRO-6000",
    "NVIDIA GH200 480GB, GH200"
  })
  void findsTheWordThatPeopleUse(String model, String word) {
    assertThat(label(Nodes.of(Nodes.silent(0, model)), "gpu-type", "{model}")).contains(word);
  }

  @Test
  void givesNoLabel_whenAFactIsNotTold() {
    var silent = Nodes.of(Nodes.silent(0, "NVIDIA TITAN V"));

    assertThat(label(silent, "gpu-memory", "{memory-gib}Gi")).isEmpty();
    assertThat(label(silent, "gpu-type", "{model}")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gpu-type              | {modle}  | the label gpu-type must name facts that there are (product, model, family, count, replicas, memory-mib, memory-gib, memory-mib-per-replica, compute-major, compute-minor, driver, driver-major, cuda, machine, mig-strategy, sharing-strategy, each also with :lower), was {modle}
          gpu-type              | {model   | the label gpu-type must have a fact's name in each pair of braces, was "{model"
          gpu type              | {model}  | the label "gpu type" must have a key such as gpu-type or example.com/gpu-type: a domain and a slash, which may be left out, and at most 63 letters, digits, '-', '_' and '.'
          nvidia.com/gpu.family | {model}  | the label nvidia.com/gpu.family must not have a key that begins as the standard labels do
          x.kubernetes.io/gpu   | {model}  | the label x.kubernetes.io/gpu must not be in a domain that Kubernetes keeps for itself
          """)
  void refusesInOneLine_namingTheLabel(String key, String template, String problem) {
    assertThatThrownBy(() -> LabelTemplate.of(key, template))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(problem);
  }

  private static Optional<String> label(Inventory inventory, String key, String template) {
    return label(inventory, Nodes.offered(inventory, MigStrategy.NONE), key, template);
  }

  private static Optional<String> label(
      Inventory inventory, SharingFacts sharing, String key, String template) {
    var options = new LabelOptions(false, null, List.of(LabelTemplate.of(key, template)));
    Map<String, String> labels =
        StandardLabels.of(inventory, sharing, MachineFacts.UNKNOWN, options).byKey();
    return Optional.ofNullable(labels.get(key));
  }
}
