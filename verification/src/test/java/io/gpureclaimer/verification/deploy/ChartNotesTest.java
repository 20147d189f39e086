package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({"15s, false", "30s, false", "500ms, false", "31s, true", "1m, true", "1m30s, true"})
  void warnOfAScrapeThatIsTooSeldomToActBy(String interval, boolean tooSeldom) {
    Map<String, ?> values =
        Map.of(
            "exporter.serviceMonitor.enabled", true, "exporter.serviceMonitor.interval", interval);

    assertThat(Chart.notes(values).contains("exporter.serviceMonitor.interval is " + interval))
        .isEqualTo(tooSeldom);
  }

  @Test
  void warnOfNoScrape_whereNobodyActsByIt() {
    assertThat(
            Chart.notes(
                Map.of(
                    "exporter.serviceMonitor.enabled", true,
                    "exporter.serviceMonitor.interval", "1m",
                    "reclaimer.enabled", false)))
        .doesNotContain(WARNINGS);
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
