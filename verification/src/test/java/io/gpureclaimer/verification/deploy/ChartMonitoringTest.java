package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.openshift.api.model.monitoring.v1.Endpoint;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.RelabelConfig;
import io.fabric8.openshift.api.model.monitoring.v1.RuleGroup;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Objects of the Prometheus operator: scrape configuration and alerts. */
class ChartMonitoringTest {
  private static final String AGENTS = "gpu-exporter";

  @Test
  void theAgentsOwnPodIsNotThatOfTheirSeries() {
    assertThat(serviceMonitor(Map.of("exporter.serviceMonitor.enabled", true)))
        .contains("labeldrop pod|namespace|container");
    assertThat(podMonitor(Map.of("exporter.podMonitor.enabled", true)))
        .contains("labeldrop pod|namespace|container");
  }

  @Test
  void theAgentsOwnPodStays_wherePrometheusRenamesTheOthers() {
    assertThat(
            serviceMonitor(
                Map.of(
                    "exporter.serviceMonitor.enabled", true,
                    "exporter.serviceMonitor.honorLabels", false)))
        .noneMatch(relabeling -> relabeling.startsWith("labeldrop"));
  }

  @Test
  void theReclaimersSeriesKeepTheNamespacesThatTheyName() {
    assertThat(
            Chart.objects(Map.of("reclaimer.serviceMonitor.enabled", true)).stream()
                .filter(ServiceMonitor.class::isInstance)
                .filter(monitor -> monitor.getMetadata().getName().equals("gpu-reclaimer"))
                .map(monitor -> ((ServiceMonitor) monitor).getSpec().getEndpoints().getFirst())
                .map(Endpoint::getHonorLabels))
        .containsExactly(true);
  }

  /** Those of the device plugin cannot fire without one, and another release may have it. */
  @Test
  void leavesOutAlertsThatWouldFireForever() {
    assertThat(groups(Map.of()))
        .containsExactly("gpu", "gpu-exporter", "gpu-reclaimer", "gpu-device-plugin");
    assertThat(groups(Map.of("exporter.enabled", false)))
        .containsExactly("gpu", "gpu-reclaimer", "gpu-device-plugin");
    assertThat(groups(Map.of("reclaimer.enabled", false)))
        .containsExactly("gpu", "gpu-exporter", "gpu-device-plugin");
  }

  @Test
  void pricesBecomeRules_byModel() {
    PrometheusRule prices =
        Chart.objects(
                Map.of(
                    "prometheusRule.enabled",
                    true,
                    "prometheusRule.prices.NVIDIA H100 80GB HBM3",
                    2.5,
                    "prometheusRule.prices.Tesla T4",
                    1))
            .stream()
            .filter(PrometheusRule.class::isInstance)
            .filter(rule -> rule.getMetadata().getName().endsWith("-prices"))
            .map(PrometheusRule.class::cast)
            .findFirst()
            .orElseThrow();

    assertThat(prices.getSpec().getGroups().getFirst().getRules())
        .extracting(
            rule -> rule.getRecord() + rule.getLabels() + " = " + rule.getExpr().getStrVal())
        .containsExactly(
            "gpu_reclaimer:gpu_hour:price{modelName=NVIDIA H100 80GB HBM3} = vector(2.5)",
            "gpu_reclaimer:gpu_hour:price{modelName=Tesla T4} = vector(1)");
  }

  @Test
  void thereAreNoPrices_unlessTheyAreConfigured() {
    assertThat(Chart.objects(Map.of("prometheusRule.enabled", true)))
        .filteredOn(PrometheusRule.class::isInstance)
        .noneMatch(rule -> rule.getMetadata().getName().endsWith("-prices"));
  }

  private static List<String> serviceMonitor(Map<String, ?> values) {
    return Chart.objects(values).stream()
        .filter(ServiceMonitor.class::isInstance)
        .filter(monitor -> monitor.getMetadata().getName().equals(AGENTS))
        .flatMap(
            monitor ->
                ((ServiceMonitor) monitor)
                    .getSpec().getEndpoints().getFirst().getRelabelings().stream())
        .map(ChartMonitoringTest::inWords)
        .toList();
  }

  private static List<String> podMonitor(Map<String, ?> values) {
    return Chart.objects(values).stream()
        .filter(PodMonitor.class::isInstance)
        .filter(monitor -> monitor.getMetadata().getName().equals(AGENTS))
        .flatMap(
            monitor ->
                ((PodMonitor) monitor)
                    .getSpec().getPodMetricsEndpoints().getFirst().getRelabelings().stream())
        .map(ChartMonitoringTest::inWords)
        .toList();
  }

  private static String inWords(RelabelConfig relabeling) {
    return relabeling.getAction() + " " + relabeling.getRegex();
  }

  /** Of the alerts; each has rules of its own. */
  private static List<String> groups(Map<String, Object> values) {
    var withRules = new HashMap<>(values);
    withRules.put("prometheusRule.enabled", true);
    List<RuleGroup> groups =
        Chart.objects(withRules).stream()
            .filter(PrometheusRule.class::isInstance)
            .filter(rule -> rule.getMetadata().getName().endsWith("-alerts"))
            .flatMap(rule -> ((PrometheusRule) rule).getSpec().getGroups().stream())
            .toList();
    assertThat(groups).allSatisfy(group -> assertThat(group.getRules()).isNotEmpty());
    return groups.stream().map(RuleGroup::getName).toList();
  }
}
