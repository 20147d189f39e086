package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The programs may do what the features that are switched on need, and nothing else. */
class ChartRightsTest {
  private static final Map<String, Boolean> AGENTS_ALONE = Map.of("reclaimer.enabled", false);

  @Test
  void theAgentsMayListPods_forTheirUids() {
    List<HasMetadata> objects = Chart.objects(AGENTS_ALONE);

    assertThat(grants(objects)).containsExactly("list pods", "watch pods");
    assertThat(agents(objects).getAutomountServiceAccountToken()).isTrue();
  }

  @Test
  void theAgentsMayNothing_andHaveNoToken_withoutUids() {
    List<HasMetadata> objects =
        Chart.objects(
            Map.of("reclaimer.enabled", false, "exporter.kubernetes.enablePodUID", false));

    assertThat(grants(objects)).isEmpty();
    assertThat(agents(objects).getAutomountServiceAccountToken()).isFalse();
  }

  @Test
  void theAgentsMayListClaimableDevices_forClaims() {
    assertThat(
            grants(
                Chart.objects(
                    Map.of("reclaimer.enabled", false, "exporter.kubernetesDRA.enabled", true))))
        .containsExactly(
            "list pods",
            "watch pods",
            "list resource.k8s.io/resourceslices",
            "watch resource.k8s.io/resourceslices",
            "get resource.k8s.io/resourceclaims");
  }

  @Test
  void theAgentsMayLabelNodes_onlyIfTheyShould() {
    assertThat(grants(devicePlugin(Map.of()))).containsExactly("list pods", "watch pods");
    assertThat(grants(devicePlugin(Map.of("nodeLabels.enabled", true))))
        .containsExactly("list pods", "watch pods", "get nodes", "patch nodes", "create events");
    assertThat(
            grants(devicePlugin(Map.of("nodeLabels.enabled", true, "nodeLabels.to", "nfd-file"))))
        .containsExactly("list pods", "watch pods");
  }

  @Test
  void theAgentsMayReportHealth_onlyIfTheyShould() {
    List<HasMetadata> condition = devicePlugin(Map.of("nodeHealth.condition", true));
    List<HasMetadata> taint =
        devicePlugin(Map.of("nodeHealth.condition", true, "nodeHealth.taint", true));

    assertThat(grants(condition))
        .containsExactly(
            "list pods",
            "watch pods",
            "get nodes",
            "patch nodes/status",
            "list pods",
            "create events",
            "create events");
    assertThat(grants(taint)).containsAll(grants(condition)).contains("patch nodes");
    assertThat(properties(condition)).containsExactly("device-plugin:\n  node-condition: true\n");
    assertThat(properties(taint))
        .containsExactly("device-plugin:\n  node-condition: true\n  node-taint: true\n");
  }

  /** Or a new agent could not replace one on a node with an unhealthy GPU. */
  @Test
  void theAgentsTolerateTheirOwnTaint() {
    assertThat(
            agents(devicePlugin(Map.of("nodeHealth.condition", true, "nodeHealth.taint", true)))
                .getTolerations())
        .extracting(Toleration::getKey)
        .containsExactly("nvidia.com/gpu", "nvidia.com/gpu-unhealthy");
  }

  private static List<String> properties(List<HasMetadata> objects) {
    return objects.stream()
        .filter(ConfigMap.class::isInstance)
        .map(object -> ((ConfigMap) object).getData().get("application.yml"))
        .toList();
  }

  @Test
  void theAgentsMayWriteNodeFeatures_inOneNamespace() {
    List<HasMetadata> objects =
        devicePlugin(
            Map.of(
                "nodeLabels.enabled",
                true,
                "nodeLabels.to",
                "node-feature",
                "nodeLabels.namespace",
                "nfd",
                "nodeEvents",
                false));

    assertThat(grants(objects))
        .containsExactlyInAnyOrder(
            "list pods",
            "watch pods",
            "get nfd.k8s-sigs.io/nodefeatures",
            "create nfd.k8s-sigs.io/nodefeatures",
            "patch nfd.k8s-sigs.io/nodefeatures");
    assertThat(objects)
        .filteredOn(object -> object instanceof Role || object instanceof RoleBinding)
        .extracting(object -> object.getMetadata().getNamespace())
        .containsExactly("nfd", "nfd");
  }

  @Test
  void theAgentsMayWatchNodes_whenALabelChoosesTheConfiguration() {
    assertThat(grants(devicePlugin(Map.of("config.name", "configurations"))))
        .containsExactly(
            "list pods", "watch pods", "get nodes", "list nodes", "watch nodes", "create events");
  }

  @Test
  void theAgentsMayCreateEvents_inTheirNodesNamespaceOnly_andOnlyIfTheyShould() {
    assertThat(devicePlugin(Map.of("nodeLabels.enabled", true)))
        .filteredOn(object -> object instanceof Role || object instanceof RoleBinding)
        .extracting(object -> object.getMetadata().getNamespace())
        .containsExactly("default", "default");

    List<HasMetadata> silent =
        devicePlugin(Map.of("nodeLabels.enabled", true, "nodeEvents", false));
    assertThat(grants(silent))
        .containsExactly("list pods", "watch pods", "get nodes", "patch nodes");
    assertThat(silent)
        .filteredOn(ConfigMap.class::isInstance)
        .extracting(object -> ((ConfigMap) object).getData().get("application.yml"))
        .containsExactly("device-plugin:\n  node-events: false\n");
  }

  @Test
  void theAgentsMaySetTheComputeMode_andMeetTheirClients_onlyWhenTheyShareByMps() {
    PodSpec agents = agents(devicePlugin(Map.of("mps.root", "/run/nvidia/mps")));
    Container agent = agents.getContainers().getFirst();

    assertThat(agents.getHostPID()).isTrue();
    assertThat(agent.getSecurityContext().getCapabilities().getAdd()).containsExactly("SYS_ADMIN");
    assertThat(agent.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
    assertThat(agent.getVolumeMounts())
        .filteredOn(mount -> mount.getName().startsWith("mps"))
        .extracting(VolumeMount::getMountPath)
        .containsExactly("/run/nvidia/mps", "/dev/shm");
    assertThat(agents.getVolumes())
        .filteredOn(volume -> volume.getName().startsWith("mps"))
        .extracting(volume -> volume.getHostPath().getPath())
        .containsExactly("/run/nvidia/mps", "/run/nvidia/mps/shm");
  }

  @Test
  void theAgentsMayWatchOverMigDevices_onlyWhereThereMayBeSome() {
    assertThat(watchesMig(Map.of())).isFalse();
    assertThat(watchesMig(Map.of("settings.mig-strategy", "none"))).isFalse();
    assertThat(watchesMig(Map.of("settings.mig-strategy", "mixed"))).isTrue();
    assertThat(watchesMig(Map.of("config.map.default", "flags: {migStrategy: single}"))).isTrue();
    assertThat(watchesMig(Map.of("config.map.default", "flags: {migStrategy: none}"))).isFalse();
    assertThat(watchesMig(Map.of("config.name", "configurations"))).isFalse();
    assertThat(watchesMig(Map.of("config.name", "configurations", "migMonitor", true))).isTrue();
    assertThat(watchesMig(Map.of("settings.mig-strategy", "mixed", "migMonitor", false))).isFalse();
  }

  /** The variable and the right that it needs come together, or not at all. */
  private static boolean watchesMig(Map<String, Object> settings) {
    Container agent = agents(devicePlugin(settings)).getContainers().getFirst();
    boolean asks =
        agent.getEnv().stream()
            .anyMatch(variable -> variable.getName().equals("NVIDIA_MIG_MONITOR_DEVICES"));
    List<String> added = agent.getSecurityContext().getCapabilities().getAdd();
    assertThat(added != null && added.contains("SYS_ADMIN")).isEqualTo(asks);
    return asks;
  }

  @Test
  void theDriversRootIsSeenAlsoWhenItIsMountedLater() {
    assertThat(agents(devicePlugin(Map.of())).getContainers().getFirst().getVolumeMounts())
        .filteredOn(mount -> mount.getName().equals("driver-root"))
        .extracting(VolumeMount::getMountPropagation)
        .containsExactly("HostToContainer");
  }

  @Test
  void theAgentsWriteSpecificationsWhereTheFolderIsMounted() {
    List<HasMetadata> objects = devicePlugin(Map.of("cdiPath", "/etc/cdi"));

    assertThat(agents(objects).getContainers().getFirst().getVolumeMounts())
        .filteredOn(mount -> mount.getName().equals("cdi"))
        .extracting(VolumeMount::getMountPath)
        .containsExactly("/etc/cdi");
    assertThat(objects)
        .filteredOn(ConfigMap.class::isInstance)
        .extracting(object -> ((ConfigMap) object).getData().get("application.yml"))
        .containsExactly("device-plugin:\n  cdi-folder: /etc/cdi\n");
  }

  @Test
  void theAgentsGetTheFilesOfComputation_onlyAsDevicePlugin() {
    assertThat(capabilities(Chart.objects(AGENTS_ALONE))).isEqualTo("utility");
    assertThat(capabilities(devicePlugin(Map.of()))).isEqualTo("compute,utility");
  }

  /** What NVIDIA's runtime is asked for. */
  private static String capabilities(List<HasMetadata> objects) {
    return agents(objects).getContainers().getFirst().getEnv().stream()
        .filter(variable -> variable.getName().equals("NVIDIA_DRIVER_CAPABILITIES"))
        .map(EnvVar::getValue)
        .findFirst()
        .orElseThrow();
  }

  private static List<HasMetadata> devicePlugin(Map<String, Object> settings) {
    var values = new LinkedHashMap<String, Object>();
    values.put("reclaimer.enabled", false);
    values.put("exporter.devicePlugin.enabled", true);
    settings.forEach((name, value) -> values.put("exporter.devicePlugin." + name, value));
    return Chart.objects(values);
  }

  @Test
  void noPodIsPrivileged_orWritesToItsRoot() {
    List<HasMetadata> everything =
        Chart.objects(Map.of("exporter.devicePlugin.enabled", true, "exporter.hostPID", true));

    assertThat(List.of(agents(everything), reclaimer(everything)))
        .flatExtracting(PodSpec::getContainers)
        .allSatisfy(
            container -> {
              var rights = container.getSecurityContext();
              assertThat(rights.getAllowPrivilegeEscalation()).isFalse();
              assertThat(rights.getReadOnlyRootFilesystem()).isTrue();
              assertThat(rights.getPrivileged()).isNull();
              assertThat(rights.getCapabilities().getDrop()).containsExactly("ALL");
              assertThat(rights.getCapabilities().getAdd()).isNullOrEmpty();
            });
  }

  @Test
  void theAgentsSeeOneFolderOfTheHost_andFourMoreAsDevicePlugin() {
    assertThat(folders(AGENTS_ALONE)).containsExactly("/var/lib/kubelet/pod-resources");
    assertThat(folders(Map.of("exporter.devicePlugin.enabled", true, "reclaimer.enabled", false)))
        .containsExactly(
            "/var/lib/kubelet/pod-resources",
            "/var/lib/kubelet/device-plugins",
            "/var/run/cdi",
            "/var/lib/gpu-exporter",
            "/");
  }

  private static List<String> folders(Map<String, Boolean> values) {
    return agents(Chart.objects(values)).getVolumes().stream()
        .filter(volume -> volume.getHostPath() != null)
        .map(volume -> volume.getHostPath().getPath())
        .toList();
  }

  @Test
  void theReclaimerIsWhatPodSecurityCallsRestricted() {
    PodSpec reclaimer = reclaimer(Chart.objects(Map.of()));

    assertThat(reclaimer.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(reclaimer.getSecurityContext().getSeccompProfile().getType())
        .isEqualTo("RuntimeDefault");
    assertThat(reclaimer.getVolumes()).isNullOrEmpty();
    assertThat(reclaimer.getHostNetwork()).isNull();
  }

  private static PodSpec agents(List<HasMetadata> objects) {
    return spec(objects, DaemonSet.class);
  }

  private static PodSpec reclaimer(List<HasMetadata> objects) {
    return spec(objects, Deployment.class);
  }

  private static PodSpec spec(List<HasMetadata> objects, Class<? extends HasMetadata> kind) {
    PodTemplateSpec template =
        objects.stream()
            .filter(kind::isInstance)
            .map(
                object ->
                    object instanceof DaemonSet agents
                        ? agents.getSpec().getTemplate()
                        : ((Deployment) object).getSpec().getTemplate())
            .findFirst()
            .orElseThrow();
    return template.getSpec();
  }

  /** What all roles of the chart grant, as {@code patch apps/deployments}. */
  static List<String> grants(List<HasMetadata> objects) {
    return objects.stream()
        .flatMap(
            object ->
                switch (object) {
                  case ClusterRole role -> role.getRules().stream();
                  case Role role -> role.getRules().stream();
                  default -> Stream.empty();
                })
        .flatMap(ChartRightsTest::deeds)
        .toList();
  }

  private static Stream<String> deeds(PolicyRule rule) {
    return rule.getApiGroups().stream()
        .map(group -> group.isEmpty() ? "" : group + '/')
        .flatMap(
            group ->
                rule.getResources().stream()
                    .flatMap(
                        resource ->
                            rule.getVerbs().stream().map(verb -> verb + ' ' + group + resource)));
  }
}
