package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.NamedRuleWithOperations;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rights and settings of the pages. */
class ChartPagesTest {
  private static final Map<String, Object> AUTHORIZED =
      Map.of("reclaimer.pages.readers", "authorized");

  @Test
  void givesNoRight_unlessPeopleAreKnown() {
    assertThat(role(Chart.objects(Map.of()))).isEmpty();
    assertThat(role(Chart.objects(Map.of("reclaimer.pages.readers", "everyone")))).isEmpty();
  }

  @Test
  void reviewsAccess_andPatchesOwnersAndRecords() {
    assertThat(ChartRightsTest.grants(role(Chart.objects(AUTHORIZED))))
        .contains(
            "create authentication.k8s.io/tokenreviews",
            "create authorization.k8s.io/subjectaccessreviews",
            "patch gpu-reclaimer.io/reclamations",
            "patch apps/deployments",
            "patch kubeflow.org/notebooks")
        .noneMatch(grant -> grant.contains("*") || grant.contains("secrets"));
  }

  /** Without the policy, patch on an owner is a right to its whole specification. */
  @Test
  void patchesNoOwner_withoutTheAdmissionPolicy() {
    var values = new HashMap<String, Object>(AUTHORIZED);
    values.put("admissionPolicy.enabled", false);

    assertThat(ChartRightsTest.grants(role(Chart.objects(values))))
        .containsExactly(
            "create authentication.k8s.io/tokenreviews",
            "create authorization.k8s.io/subjectaccessreviews");
  }

  @Test
  void theAdmissionPolicyLimitsEachOwnerThatMayBePatched() {
    List<HasMetadata> objects = Chart.objects(AUTHORIZED);
    Set<String> limited = new HashSet<>();
    for (NamedRuleWithOperations rule :
        writes(objects).getSpec().getMatchConstraints().getResourceRules()) {
      limited.addAll(rule.getApiGroups());
    }

    assertThat(((ClusterRole) role(objects).getFirst()).getRules())
        .filteredOn(rule -> rule.getVerbs().contains("patch"))
        .filteredOn(rule -> !rule.getApiGroups().contains("gpu-reclaimer.io"))
        .isNotEmpty()
        .flatExtracting(PolicyRule::getApiGroups)
        .allSatisfy(group -> assertThat(limited).contains(group));
  }

  @Test
  void mountsTheSecretOfTheProxy() {
    List<HasMetadata> objects =
        Chart.objects(
            Map.of(
                "reclaimer.pages.readers", "authorized",
                "reclaimer.pages.proxy.secretName", "proxy",
                "reclaimer.pages.proxy.peers[0]", "10.0.0.0/8",
                "reclaimer.pages.proxy.userPrefix", "oidc:"));

    assertThat(objects)
        .filteredOn(object -> object instanceof ConfigMap)
        .extracting(object -> ((ConfigMap) object).getData().get("application.yml"))
        .contains(
            """
            web:
              identity:
                groups-header: X-Forwarded-Groups
                groups-prefix: ""
                proxy-peers:
                - 10.0.0.0/8
                proxy-secret-file: /etc/gpu-reclaimer/proxy-secret/secret
                user-header: X-Forwarded-User
                user-prefix: 'oidc:'
              pages: authorized
            """);
    assertThat(objects)
        .filteredOn(Deployment.class::isInstance)
        .flatExtracting(
            object ->
                ((Deployment) object)
                    .getSpec()
                    .getTemplate()
                    .getSpec()
                    .getContainers()
                    .getFirst()
                    .getVolumeMounts())
        .extracting(VolumeMount::getMountPath)
        .contains("/etc/gpu-reclaimer/proxy-secret");
  }

  @Test
  void pricesOfTheDashboards_areThoseOfThePage() {
    assertThat(
            Chart.objects(
                Map.of(
                    "prometheusRule.prices.NVIDIA H100 80GB HBM3",
                    2.5,
                    "prometheusRule.prices.Tesla T4",
                    1,
                    "reclaimer.pages.readers",
                    "everyone")))
        .filteredOn(ConfigMap.class::isInstance)
        .extracting(object -> ((ConfigMap) object).getData().get("application.yml"))
        .contains(
            """
            web:
              pages: everyone
              prices:
              - NVIDIA H100 80GB HBM3=2.5
              - Tesla T4=1
            """);
  }

  private static List<HasMetadata> role(List<HasMetadata> objects) {
    return objects.stream()
        .filter(ClusterRole.class::isInstance)
        .filter(object -> object.getMetadata().getName().equals("gpu-reclaimer-pages"))
        .toList();
  }

  private static ValidatingAdmissionPolicy writes(List<HasMetadata> objects) {
    return objects.stream()
        .filter(ValidatingAdmissionPolicy.class::isInstance)
        .map(ValidatingAdmissionPolicy.class::cast)
        .filter(policy -> policy.getMetadata().getName().equals("gpu-reclaimer-writes"))
        .findFirst()
        .orElseThrow();
  }
}
