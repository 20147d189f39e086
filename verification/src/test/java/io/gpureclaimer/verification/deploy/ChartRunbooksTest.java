package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Alerts and dashboards lead to the runbooks where people have them, or nowhere. */
class ChartRunbooksTest {
  private static final String THERE = "https://git.example.com/gpu/blob/main/docs/runbooks";

  @Test
  void alertsLeadWhereTheyAre() {
    assertThat(Chart.render(Map.of("prometheusRule.enabled", true, "runbooks", THERE)))
        .contains("alert: GpuLost", "runbook_url: " + THERE + "/GpuLost.md")
        .doesNotContain("runbook_url: docs");
  }

  @Test
  void alertsLeadNowhere_whenItIsNotSaidWhereTheyAre() {
    assertThat(Chart.render(Map.of("prometheusRule.enabled", true)))
        .contains("alert: GpuLost")
        .doesNotContain("runbook_url: ");
  }

  @Test
  void dashboardsLeadWhereTheyAre() {
    assertThat(dashboards(Map.of("dashboards.enabled", true, "runbooks", THERE)))
        .hasSize(6)
        .allSatisfy(text -> assertThat(text).contains("\"" + THERE + "\"", "\"${runbooks}/"));
  }

  @Test
  void theDashboardOfMoreCountersComes_whenTheyAreServed() {
    assertThat(dashboards(Map.of("dashboards.enabled", true, "exporter.dashboardMetrics", true)))
        .filteredOn(text -> text.contains("\"uid\" : \"gpu-node-details\""))
        .hasSize(1);
    assertThat(dashboards(Map.of("dashboards.enabled", true)))
        .noneMatch(text -> text.contains("\"uid\" : \"gpu-node-details\""));
  }

  @Test
  void dashboardsLeadNowhere_whenItIsNotSaidWhereTheyAre() throws JsonProcessingException {
    List<String> dashboards = dashboards(Map.of("dashboards.enabled", true));

    assertThat(dashboards).hasSize(6).noneMatch(text -> text.contains("${runbooks}"));
    for (String dashboard : dashboards) {
      assertThat(new ObjectMapper().readTree(dashboard).path("panels")).isNotEmpty();
    }
  }

  private static List<String> dashboards(Map<String, ?> values) {
    return Chart.objects(values).stream()
        .filter(ConfigMap.class::isInstance)
        .flatMap(map -> ((ConfigMap) map).getData().values().stream())
        .toList();
  }
}
