package io.gpureclaimer.reclaimer.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.page.ClusterPage;
import io.gpureclaimer.reclaimer.page.GpuModels;
import io.gpureclaimer.reclaimer.page.GpuModels.ModelRow;
import io.gpureclaimer.reclaimer.page.GpuUse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GpuModelsTest {

  @Test
  void countsWhatTheGpusOfEachModelDo() {
    CycleReport report = on("NVIDIA-H100");

    assertThat(GpuModels.of(report).rows(report))
        .containsExactly(
            new ModelRow("NVIDIA-H100", 16, total(report)),
            new ModelRow("NVIDIA-A10", 4, new GpuUse(0, 0, 0, 0)));
  }

  /** Never as some other model. */
  @Test
  void aNodeWithoutTheLabel_isOfNoModel() {
    CycleReport report = Reports.acted();

    assertThat(GpuModels.of(report).rows(report)).isEmpty();
    assertThat(GpuModels.of(report).of(report.judgments().getFirst().verdict().workload()))
        .isEmpty();
  }

  private static GpuUse total(CycleReport report) {
    return ClusterPage.namespaces(report).getFirst().use();
  }

  private static CycleReport on(String model) {
    CycleReport report = Reports.acted();
    NodeView node = report.cluster().nodes().getFirst();
    return new CycleReport(
        report.at(),
        new ClusterView(
            report.cluster().pods(),
            report.cluster().namespaces(),
            List.of(labeled(node.name(), node.gpus(), model), labeled("other", 4, "NVIDIA-A10")),
            report.cluster().owners()),
        report.observation(),
        report.judgments(),
        report.postponed(),
        report.plan(),
        report.results());
  }

  private static NodeView labeled(String name, int gpus, String model) {
    return new NodeView(name, gpus, Map.of("nvidia.com/gpu.product", model), List.of(), true);
  }
}
