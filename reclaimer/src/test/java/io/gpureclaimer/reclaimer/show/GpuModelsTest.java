package io.gpureclaimer.reclaimer.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.page.ClusterPage;
import io.gpureclaimer.reclaimer.page.GpuModels;
import io.gpureclaimer.reclaimer.page.GpuModels.ModelRow;
import io.gpureclaimer.reclaimer.page.GpuPrices;
import io.gpureclaimer.reclaimer.page.GpuUse;
import io.gpureclaimer.reclaimer.page.PageFrame;
import io.gpureclaimer.reclaimer.page.Pages;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GpuModelsTest {

  @Test
  void countsWhatTheGpusOfEachModelDo() {
    CycleReport report = Reports.actedOn("NVIDIA-H100");

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

  @Test
  void idleGpus_costTheirPriceOfADay() {
    CycleReport report = Reports.actedOn("NVIDIA-H100-80GB-HBM3");
    int idle = total(report).idle();

    assertThat(idle).isEqualTo(IDLE_GPUS);
    assertThat(page(report, Map.of("NVIDIA-H100-80GB-HBM3", 2.5)))
        .contains(
            "<a href=\"/ui/workloads?activity=idle\"><span class=\"number\">$"
                + IDLE_GPUS * 60
                + "</span> a day for idle GPUs<span class=\"detail\">4 of unknown activity</span></a>");
  }

  /** Never as free of charge. */
  @Test
  void idleGpusOfAModelWithoutAPrice_areSaidToHaveNone() {
    CycleReport report = Reports.actedOn("NVIDIA-H100-80GB-HBM3");

    assertThat(page(report, Map.of("NVIDIA-A10", 1.0)))
        .contains(
            "$0</span> a day for idle GPUs<span class=\"detail\">"
                + IDLE_GPUS
                + " without a price, 4 of unknown activity</span>");
    assertThat(page(report, Map.of())).doesNotContain("idle GPUs");
  }

  private static final int IDLE_GPUS = 11;

  private static String page(CycleReport report, Map<String, Double> prices) {
    return new String(
        new Pages()
            .cluster(
                ClusterPage.of(
                    report,
                    PageFrame.of(
                        report, new AnsweringReplica("a", true, "a"), Optional.empty(), true),
                    new GpuPrices(prices))),
        StandardCharsets.UTF_8);
  }

  private static GpuUse total(CycleReport report) {
    return ClusterPage.namespaces(report).getFirst().use();
  }
}
