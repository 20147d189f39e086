package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wrong value, or values that contradict each other, end in a sentence that names them. */
class ChartRefusesTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "exporter.servic.port=9400 | at '/exporter': additional properties 'servic' not allowed",
        "replicas=3 | at '': additional properties 'replicas' not allowed",
        "exporter.service.port=http | at '/exporter/service/port': got string, want integer",
        "exporter.image.pullPolicy=Sometimes | at '/exporter/image/pullPolicy': value must be one of 'IfNotPresent', 'Always', 'Never'",
        "exporter.serviceMonitor.enabled=maybe | at '/exporter/serviceMonitor/enabled': value must be one of true, false, 'auto'",
        "exporter.kubeletPath=var/lib | at '/exporter/kubeletPath': 'var/lib' does not match pattern",
        "exporter.extraHostVolumes[0].hostPath=/x | at '/exporter/extraHostVolumes/0': missing property 'name'",
        "fullnameOverride=my.gpu | at '/fullnameOverride': 'my.gpu' does not match pattern",
        "exporter.fullnameOverride=9gpu | at '/exporter/fullnameOverride': '9gpu' does not match pattern",
        "exporter.namespaceOverride=gpu.agents | at '/exporter/namespaceOverride': 'gpu.agents' does not match pattern",
        "runbooks=docs/runbooks | at '/runbooks': 'docs/runbooks' does not match pattern",
        "exporter.devicePlugin.nodeLabels.to=nfd | at '/exporter/devicePlugin/nodeLabels/to': value must be one of 'node', 'node-feature', 'nfd-file'",
        "reclaimer.replicas=0 | at '/reclaimer/replicas': minimum: got 0, want 1",
        "reclaimer.interval=60 | at '/reclaimer/interval'",
        "reclaimer.budgets.maxEvictions=101% | at '/reclaimer/budgets/maxEvictions': '101%' does not match pattern",
        "reclaimer.policy.idleAfter=1 hour | at '/reclaimer/policy/idleAfter': '1 hour' does not match pattern",
        "reclaimer.policy.maxNeedProbability=0.0 | at '/reclaimer/policy/maxNeedProbability': '0.0' does not match pattern",
        "reclaimer.policy.keepFree[0]=4xH100:1g.10gb | at '/reclaimer/policy/keepFree/0': '4xH100:1g.10gb' does not match pattern",
        "reclaimer.policy.maxNeedProbability=2 | at '/reclaimer/policy/maxNeedProbability': maximum: got 2, want 1",
        "reclaimer.budgets.maxGpuSharePerHour=2 | at '/reclaimer/budgets/maxGpuSharePerHour': maximum: got 2, want 1",
        "exporter.extraEnv[0].name=A,exporter.extraEnv[0].value=true | at '/exporter/extraEnv/0/value': got boolean, want string",
        "reclaimer.notify.receivers[0].name=a,reclaimer.notify.receivers[0].kind=webhook | at '/reclaimer/notify/receivers/0/kind': value must be one of 'generic', 'slack', 'alertmanager'",
        "reclaimer.notify.receivers[0].name=a,reclaimer.notify.receivers[0].type=slack | at '/reclaimer/notify/receivers/0': additional properties 'type' not allowed",
        "reclaimer.verbs.delete=true | at '/reclaimer/verbs': additional properties 'delete' not allowed",
        "reclaimer.owners.extra[0].apiGroup=*,reclaimer.owners.extra[0].resources[0]=pods | at '/reclaimer/owners/extra/0/apiGroup'",
        "reclaimer.prometheus.url=prometheus:9090 | at '/reclaimer/prometheus/url': 'prometheus:9090' does not match pattern",
      })
  void aValueThatIsNone(String set, String sentence) {
    assertThatThrownBy(() -> Chart.render(values(set)))
        .hasMessageContaining("values don't meet the specifications of the schema")
        .hasMessageContaining(sentence);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "reclaimer.nominateNodes=true,admissionPolicy.enabled=false | reclaimer.nominateNodes is true without the admission policies",
        "exporter.enabled=false,reclaimer.enabled=false | exporter.enabled and reclaimer.enabled are both false",
        "exporter.fullnameOverride=gpu-reclaimer | fullnameOverride and exporter.fullnameOverride come to the same name, gpu-reclaimer",
        "commonLabels.app\\.kubernetes\\.io/name=mine | commonLabels has app.kubernetes.io/name, by which selectors find our pods",
        "exporter.podLabels.app\\.kubernetes\\.io/instance=mine | exporter.podLabels has app.kubernetes.io/instance, by which selectors find our pods",
        "exporter.rollingUpdate.maxUnavailable=10%,exporter.rollingUpdate.maxSurge=1 | exporter.rollingUpdate.maxUnavailable is 10% and exporter.rollingUpdate.maxSurge is 1, but Kubernetes takes one of them only",
        "exporter.rollingUpdate.maxUnavailable=0 | exporter.rollingUpdate.maxUnavailable and exporter.rollingUpdate.maxSurge are both 0",
        "exporter.rollingUpdate.maxSurge=25%,exporter.hostNetwork=true | two agents have no room on one node, and exporter.rollingUpdate.maxSurge must be 0",
        "admissionPolicy.validationActions[0]=Deny,admissionPolicy.validationActions[1]=Warn | admissionPolicy.validationActions has both Deny and Warn",
        "exporter.image.repository=nvcr.io/nvidia/k8s/dcgm-exporter | exporter.image.repository is nvcr.io/nvidia/k8s/dcgm-exporter, which is another program",
        "exporter.config.enabled=true | exporter.config.enabled is true, which is dcgm-exporter's: the agent does not read its YAML configuration",
        "exporter.image.tag=4.5.3-4.8.2-distroless | exporter.image.tag is 4.5.3-4.8.2-distroless, which is dcgm-exporter's",
        "exporter.serviceMonitor.enabled=true,exporter.podMonitor.enabled=true | every GPU would be scraped twice",
        "exporter.serviceMonitor.enabled=true,exporter.service.enable=false | there is nothing to monitor",
        "exporter.tlsServerConfig.enabled=true,exporter.tlsServerConfig.autoGenerated=false | there is no certificate",
        "exporter.tlsServerConfig.enabled=true,exporter.tlsServerConfig.clientAuthType=RequireAndVerifyClientCert | does not say by what certificates clients are checked",
        "exporter.kubernetes.podLabelAllowlistRegex[0]=team | exporter.kubernetes.enablePodLabels is false: no label would be served",
        "exporter.devicePlugin.enabled=true,exporter.devicePlugin.config.name=a,exporter.devicePlugin.config.map.b=c | exporter.devicePlugin.config.name and exporter.devicePlugin.config.map are both set",
        "exporter.devicePlugin.enabled=true,exporter.devicePlugin.config.map.default= mps: | exporter.devicePlugin.config.map.default shares by MPS, but exporter.devicePlugin.mps.root does not say where",
        "exporter.devicePlugin.enabled=true,exporter.securityContext.runAsUser=65532 | the agent is to run with runAsUser: 65532, and the kubelet's folder for device plugins is root's",
        "exporter.devicePlugin.enabled=true,exporter.podSecurityContext.runAsNonRoot=true | the agent is to run with runAsNonRoot: true",
        "exporter.devicePlugin.enabled=true,exporter.devicePlugin.nodeHealth.taint=true | exporter.devicePlugin.nodeHealth.taint is true, but exporter.devicePlugin.nodeHealth.condition",
        "exporter.devicePlugin.enabled=true,exporter.devicePlugin.nodeLabels.namespace=nfd | exporter.devicePlugin.nodeLabels.namespace is set, but exporter.devicePlugin.nodeLabels.to is node",
        "exporter.devicePlugin.mps.root=/run/nvidia/mps | exporter.devicePlugin.enabled is false, so exporter.devicePlugin.mps.root would do nothing",
        "exporter.dashboardMetrics=true,exporter.customMetrics=DCGM_FI_DEV_GPU_UTIL | exporter.customMetrics and exporter.dashboardMetrics are both set",
        "exporter.devicePlugin.settings.mig-strategy=mixed | exporter.devicePlugin.enabled is false, so exporter.devicePlugin.settings would do nothing",
        "reclaimer.prometheus.url= | reclaimer.prometheus.url is empty, and reclaimer.agents too",
        "reclaimer.prometheus.url=http://p,reclaimer.agents[0]=http://a:9400/metrics | reclaimer.prometheus.url and reclaimer.agents are both set",
        "reclaimer.prometheus.basicAuth.username=u | reclaimer.prometheus.basicAuth.secretName does not say where its password is",
        "reclaimer.prometheus.basicAuth.username=u,reclaimer.prometheus.bearerToken.secretName=s | reclaimer.prometheus.bearerToken and reclaimer.prometheus.basicAuth are both set",
        "reclaimer.notify.existingSecret=s,reclaimer.notify.receivers[0].name=n | reclaimer.notify.receivers and reclaimer.notify.existingSecret are both set",
        "reclaimer.budgets.maxGpuSharePerHour=0.8 | more than half of all GPUs could be taken within an hour",
        "reclaimer.budgets.maxEvictionsPerHour=5 | reclaimer.budgets.maxNamespaceEvictionsPerHour is 10, more than maxEvictionsPerHour, which is 5",
        "reclaimer.service.type=LoadBalancer | the reclaimer has no login",
        "reclaimer.serviceMonitor.enabled=true,reclaimer.podMonitor.enabled=true | it would be scraped twice",
      })
  void valuesThatContradictEachOther(String set, String sentence) {
    assertThatThrownBy(() -> Chart.render(values(set))).hasMessageContaining(sentence);
  }

  @Test
  void butNotWhenItIsMeant() {
    assertThat(
            Chart.render(
                values(
                    "reclaimer.service.type=LoadBalancer,reclaimer.service.allowUnauthenticated=true,"
                        + "reclaimer.budgets.maxGpuSharePerHour=1,reclaimer.budgets.allowWithoutBounds=true")))
        .contains("LoadBalancer");
  }

  private static Map<String, String> values(String set) {
    var values = new LinkedHashMap<String, String>();
    Arrays.stream(set.split(",", -1))
        .map(one -> one.split("=", 2))
        .forEach(one -> values.put(one[0], one[1]));
    return values;
  }
}
