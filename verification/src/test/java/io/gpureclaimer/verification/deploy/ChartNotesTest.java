package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the chart says after an installation: what to look at, where values do not go together. */
class ChartNotesTest {
  private static final String WARNINGS = "PLEASE LOOK AT";
  private static final String HONOR_LABELS = "exporter.serviceMonitor.honorLabels";

  @Test
  void warnOfNothing_whereNothingIsSet() {
    assertThat(Chart.notes(Map.of())).contains("WHAT TO DO NEXT").doesNotContain(WARNINGS);
  }

  @Test
  void warnOfDashboardsThatWillTellOfTheAgents() {
    assertThat(Chart.notes(Map.of("dashboards.enabled", true, HONOR_LABELS, false)))
        .contains(WARNINGS, "the agents' own pods");
    assertThat(Chart.notes(Map.of("dashboards.enabled", true))).doesNotContain(WARNINGS);
    assertThat(Chart.notes(Map.of(HONOR_LABELS, false))).doesNotContain(WARNINGS);
  }

  @Test
  void warnOfRecordingRulesForAnotherScrapeThanDcgmExportersOwn() {
    Map<String, ?> beside = Map.of("exporter.enabled", false, "prometheusRule.enabled", true);

    assertThat(Chart.notes(beside)).contains(WARNINGS, HONOR_LABELS + "=false");
    assertThat(
            Chart.notes(
                Map.of(
                    "exporter.enabled",
                    false,
                    "prometheusRule.enabled",
                    true,
                    HONOR_LABELS,
                    false)))
        .doesNotContain(WARNINGS);
  }
}
