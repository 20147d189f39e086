package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the chart says after an installation: what to look at, where values do not go together. */
class ChartNotesTest {
  private static final String WARNINGS = "WARNINGS";
  private static final Map<String, Boolean> LABELS =
      Map.of(
          "exporter.devicePlugin.enabled", true, "exporter.devicePlugin.nodeLabels.enabled", true);
  private static final String HONOR_LABELS = "exporter.serviceMonitor.honorLabels";

  @Test
  void warnOfNothing_whereNothingIsSet() {
    assertThat(Chart.notes(Map.of())).contains("NEXT STEPS").doesNotContain(WARNINGS);
  }

  /** Without NVIDIA's operator no node has its labels, and no agent would run. */
  @Test
  void nameTheNodesOfTheAgents_whereASelectorChoosesThem() {
    String list = "kubectl get nodes -l ";

    assertThat(Chart.notes(Map.of("exporter.nodeSelector.gpu", "present")))
        .contains(list + "gpu=present", "kubectl label node NODE gpu=present");
    assertThat(Chart.notes(Map.of())).doesNotContain(list);
  }

  @Test
  void sayWhatTheAccountsCanDo_whereNoPolicyLimitsThem() {
    String agent = "is enough to label, taint and cordon every Node";
    String reclaimer = "is enough to change all mutable fields of all pods";

    assertThat(Chart.notes("1.29.3", LABELS))
        .contains("Kubernetes v1.29.3 has no ValidatingAdmissionPolicy", agent, reclaimer);
    assertThat(Chart.notes(with(LABELS, "admissionPolicy.enabled", false)))
        .contains("admissionPolicy.enabled is false, so", agent, reclaimer);
    assertThat(Chart.notes("1.29.3", Map.of())).contains(reclaimer).doesNotContain(agent);
    assertThat(Chart.notes(LABELS)).doesNotContain(WARNINGS);
  }

  @Test
  void nameTheFeatureGate_whereItCouldBeOff() {
    String gate = "ServiceAccountTokenPodNodeInfo";

    assertThat(Chart.notes("1.31.4", LABELS)).contains(gate);
    assertThat(Chart.notes("1.32.0", LABELS)).doesNotContain(gate);
    assertThat(Chart.notes("1.31.4", Map.of())).doesNotContain(gate);
  }

  private static Map<String, Object> with(Map<String, ?> values, String key, Object value) {
    var more = new HashMap<String, Object>(values);
    more.put(key, value);
    return more;
  }

  @Test
  void warnOfDashboardsThatWillShowTheAgents() {
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
  void warnOfNoScrape_whereNoReclaimerUsesIt() {
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
