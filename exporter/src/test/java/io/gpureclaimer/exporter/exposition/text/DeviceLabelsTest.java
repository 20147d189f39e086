package io.gpureclaimer.exporter.exposition.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.exporter.exposition.TestSamples;
import io.gpureclaimer.exporter.sample.Label;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceLabelsTest {
  private static final Label THIRD_LINK = new Label("nvlink", "3");

  /** A name that stands twice would cost the whole scrape. */
  @Test
  void putsPodLabelsBehindAPrefix_whereALinkHasTheirNames() {
    List<Label> podLabels =
        List.of(
            new Label("model_name", "llama"),
            new Label("gpu_uuid", "x"),
            new Label("nvlink", "y"),
            new Label("team", "nlp"));

    assertThat(text(podLabels, List.of(THIRD_LINK)))
        .startsWith("{nvlink=\"3\",gpu=\"0\",gpu_uuid=\"GPU-")
        .contains(",model_name=\"NVIDIA ")
        .contains(
            ",pod_label_gpu_uuid=\"x\",pod_label_model_name=\"llama\",pod_label_nvlink=\"y\",team=\"nlp\",")
        .doesNotContain("UUID", "modelName");
  }

  @Test
  void leavesThemAsTheyAre_onTheSeriesOfTheGpu() {
    assertThat(text(List.of(new Label("model_name", "llama")), List.of()))
        .startsWith("{gpu=\"0\",UUID=\"GPU-")
        .contains(",model_name=\"llama\",");
  }

  @Test
  void saysNothingOfTheBus_whereAGpuIsOnNone() {
    var gpu = new Gpu(0, new GpuUuid("GPU-a"), null, "Orin (nvgpu)");

    assertThat(text(gpu, List.of(), List.of()))
        .startsWith(
            "{gpu=\"0\",UUID=\"GPU-a\",device=\"nvidia0\",modelName=\"Orin (nvgpu)\",hostname=");
  }

  private static String text(List<Label> podLabels, List<Label> extra) {
    return text(TestSamples.FIRST, podLabels, extra);
  }

  private static String text(Gpu gpu, List<Label> podLabels, List<Label> extra) {
    var holder = new HolderLabels("ml", "train-0", "main", null, null, null, podLabels, null);
    byte[] block =
        new DeviceLabels(gpu, null, "node-a", List.of(), holder)
            .block(extra, LabelStyle.CLASSIC)
            .encoded();
    return new String(block, UTF_8);
  }
}
