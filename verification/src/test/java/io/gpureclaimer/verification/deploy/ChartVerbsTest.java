package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.gpureclaimer.reclaimer.action.OwnerAction;
import io.gpureclaimer.reclaimer.action.OwnerKind;
import io.gpureclaimer.reclaimer.action.scale.ScalableKinds;
import io.gpureclaimer.reclaimer.action.stop.StoppableKinds;
import io.gpureclaimer.reclaimer.action.suspend.SuspendableKinds;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rights and settings of the reclaimer for each kind of action in {@code reclaimer.verbs}. */
class ChartVerbsTest {
  private static final List<String> VERBS = List.of("evict", "scale", "suspend", "stop");
  private static final List<String> ALWAYS =
      List.of(
          "create events",
          "create coordination.k8s.io/leases",
          "update coordination.k8s.io/leases");
  private static final List<String> RECORD =
      List.of(
          "create gpu-reclaimer.io/reclamations",
          "delete gpu-reclaimer.io/reclamations",
          "patch gpu-reclaimer.io/reclamations/status",
          "update gpu-reclaimer.io/reclamations/status");
  private static final Map<String, List<String>> WRITES =
      Map.of(
          "evict",
          List.of("create pods/eviction"),
          "scale",
          List.of(
              "patch apps/deployments/scale",
              "patch apps/replicasets/scale",
              "patch apps/statefulsets/scale",
              "patch leaderworkerset.x-k8s.io/leaderworkersets/scale",
              "patch argoproj.io/rollouts/scale",
              "patch grove.io/podcliquesets/scale",
              "patch nvidia.com/dynamographdeploymentscalingadapters/scale",
              "patch apps.nvidia.com/nimservices",
              "patch keda.sh/scaledobjects"),
          "suspend",
          List.of(
              "patch batch/jobs",
              "patch jobset.x-k8s.io/jobsets",
              "patch trainer.kubeflow.org/trainjobs",
              "patch ray.io/rayclusters",
              "patch ray.io/rayjobs",
              "patch ray.io/rayservices",
              "patch sparkoperator.k8s.io/sparkapplications",
              "patch kubeflow.org/pytorchjobs",
              "patch kubeflow.org/mpijobs",
              "patch kubeflow.org/tfjobs",
              "patch kubeflow.org/xgboostjobs",
              "patch kubeflow.org/paddlejobs",
              "patch kubeflow.org/jaxjobs",
              "patch kueue.x-k8s.io/workloads",
              "get bus.volcano.sh/commands",
              "create bus.volcano.sh/commands"),
          "stop",
          List.of(
              "patch kubeflow.org/notebooks",
              "patch kubeflow.org/workspaces",
              "patch serving.kserve.io/inferenceservices",
              "patch serving.kserve.io/llminferenceservices",
              "patch serving.knative.dev/revisions",
              "patch workspace.devfile.io/devworkspaces"));

  @Test
  void theReclaimerWritesEventsAndItsLeaseOnly_whenNoVerbIsEnabled() {
    assertThat(writes(only(Set.of()))).containsExactlyInAnyOrderElementsOf(ALWAYS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"evict", "scale", "suspend", "stop"})
  void theReclaimerWritesWhatTheVerbNeeds_andNothingElse(String verb) {
    var expected = new ArrayList<>(ALWAYS);
    expected.add("patch pods"); // the warning
    WRITES.getOrDefault(verb, List.of()).stream()
        .filter(grant -> !grant.startsWith("get "))
        .forEach(expected::add);
    expected.addAll(RECORD);

    List<HasMetadata> objects = Chart.objects(only(Set.of(verb)));

    assertThat(writes(objects)).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(ChartRightsTest.grants(List.of(role(objects, "gpu-reclaimer-" + verb))))
        .containsExactlyElementsOf(WRITES.get(verb));
  }

  @Test
  void theReclaimerNominatesNodes_onlyIfItShould() {
    assertThat(writes(Map.of())).doesNotContain("patch pods/status");

    List<HasMetadata> objects = Chart.objects(Map.of("reclaimer.nominateNodes", true));

    assertThat(ChartRightsTest.grants(List.of(role(objects, "gpu-reclaimer-nominate"))))
        .containsExactly("patch pods/status");
    assertThat(writes(objects)).filteredOn("patch pods/status"::equals).hasSize(1);
    var reportsOnly = new HashMap<String, Boolean>(only(Set.of()));
    reportsOnly.put("reclaimer.nominateNodes", true);
    assertThat(writes(reportsOnly)).containsExactlyInAnyOrderElementsOf(ALWAYS);
  }

  /** The plural of each kind's name ends with an s. */
  @Test
  void theRoleOfAVerbFitsTheKindsOfItsAction() {
    List<HasMetadata> objects = Chart.objects(Map.of());
    for (OwnerAction action :
        List.of(ScalableKinds.ACTION, SuspendableKinds.ACTION, StoppableKinds.ACTION)) {
      var expected = new HashSet<String>();
      for (OwnerKind kind : action.kinds()) {
        if (kind.subresource().equals(FieldChange.COMMAND)) {
          List.of("get", "create").forEach(verb -> expected.add(verb + " bus.volcano.sh/commands"));
          continue;
        }
        int dot = kind.qualifiedKind().indexOf('.');
        String resource = kind.qualifiedKind().substring(0, dot).toLowerCase(Locale.ROOT) + "s";
        String subresource = kind.subresource().isEmpty() ? "" : "/" + kind.subresource();
        expected.add(
            "patch " + kind.qualifiedKind().substring(dot + 1) + "/" + resource + subresource);
      }
      if (action.name().equals("scale")) {
        expected.add("patch keda.sh/scaledobjects"); // paused, or it would scale up again
      }

      assertThat(ChartRightsTest.grants(List.of(role(objects, "gpu-reclaimer-" + action.name()))))
          .as(action.name())
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void ownersAreNotChanged_whenTheyCannotBeRead() {
    List<HasMetadata> objects = Chart.objects(Map.of("reclaimer.owners.read", false));

    var expected = new ArrayList<>(ALWAYS);
    expected.add("patch pods");
    expected.add("create pods/eviction");
    expected.addAll(RECORD);
    assertThat(writes(objects)).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(objects)
        .noneMatch(object -> object.getMetadata().getName().equals("gpu-reclaimer-owners"));
    assertThat(settings(objects)).containsExactly("actions:\n  enabled:\n  - evict\n");
  }

  @Test
  void theReclaimerIsConfiguredWithTheVerbs_whenNotAllAreEnabled() {
    assertThat(settings(Chart.objects(Map.of()))).isEmpty();
    assertThat(settings(Chart.objects(only(Set.of("suspend", "evict")))))
        .containsExactly("actions:\n  enabled:\n  - evict\n  - suspend\n");
    assertThat(settings(Chart.objects(only(Set.of()))))
        .containsExactly("actions:\n  enabled: []\n");
  }

  @Test
  void aScalableKindIsReadScaledAndConfigured() {
    List<HasMetadata> objects =
        Chart.objects(
            Map.of(
                "reclaimer.owners.scalable[0].apiGroup", "example.com",
                "reclaimer.owners.scalable[0].kind", "Training",
                "reclaimer.owners.scalable[0].resource", "trainings"));

    assertThat(ChartRightsTest.grants(objects))
        .filteredOn(grant -> grant.contains("example.com"))
        .containsExactlyInAnyOrder(
            "get example.com/trainings",
            "list example.com/trainings",
            "watch example.com/trainings",
            "patch example.com/trainings/scale");
    assertThat(settings(objects))
        .containsExactly("actions:\n  scalable:\n  - Training.example.com\n");
  }

  @Test
  void ownersAreReadAndNeverChanged_byTheirRole() {
    List<PolicyRule> owners =
        role(
                Chart.objects(
                    Map.of(
                        "reclaimer.owners.extra[0].apiGroup", "example.com",
                        "reclaimer.owners.extra[0].resources[0]", "trainings")),
                "gpu-reclaimer-owners")
            .getRules();

    assertThat(owners)
        .isNotEmpty()
        .allSatisfy(
            rule ->
                assertThat(rule.getVerbs())
                    .isIn(List.of("list", "watch"), List.of("get", "list", "watch")))
        .flatExtracting(PolicyRule::getResources)
        .contains("trainings")
        .doesNotContain("*", "pods", "secrets", "configmaps", "serviceaccounts")
        .noneMatch(resource -> resource.contains("/"));
    assertThat(owners).flatExtracting(PolicyRule::getApiGroups).doesNotContain("*");
  }

  /** The record of an action needs the version of the object right before the change. */
  @Test
  void theReclaimerGetsAndWatchesEachKindThatItChanges() {
    List<HasMetadata> objects = Chart.objects(Map.of());
    List<String> grants = ChartRightsTest.grants(objects);

    assertThat(writes(objects))
        .filteredOn(grant -> grant.startsWith("patch ") && grant.contains("/"))
        .map(grant -> grant.replaceAll("^patch |/(scale|status)$", ""))
        .isNotEmpty()
        .allSatisfy(
            resource ->
                assertThat(grants)
                    .contains("get " + resource, "list " + resource, "watch " + resource));
  }

  @Test
  void peopleRestoreWhatTheyMayEdit_unlessTheirRolesAreLeftOut() {
    ClusterRole edit = role(Chart.objects(Map.of()), "gpu-reclaimer-reclamations-edit");

    assertThat(edit.getMetadata().getLabels())
        .containsEntry("rbac.authorization.k8s.io/aggregate-to-edit", "true");
    assertThat(ChartRightsTest.grants(List.of(edit)))
        .containsExactly(
            "get gpu-reclaimer.io/reclamations",
            "list gpu-reclaimer.io/reclamations",
            "watch gpu-reclaimer.io/reclamations",
            "patch gpu-reclaimer.io/reclamations",
            "update gpu-reclaimer.io/reclamations");
    assertThat(Chart.render(Map.of("reclaimer.rbac.userRoles", false)))
        .doesNotContain("aggregate-to-");
  }

  @Test
  void whoIsBoundToIt_readsTheReportsThroughTheApiServer() {
    Role reports =
        (Role)
            Chart.objects(Map.of()).stream()
                .filter(object -> object.getMetadata().getName().equals("gpu-reclaimer-reports"))
                .findFirst()
                .orElseThrow();

    assertThat(reports.getMetadata().getNamespace()).isEqualTo(Chart.RELEASE);
    assertThat(ChartRightsTest.grants(List.of(reports))).containsExactly("get services/proxy");
    assertThat(reports.getRules().getFirst().getResourceNames())
        .containsExactly("gpu-reclaimer:http");
    assertThat(Chart.render(Map.of("reclaimer.rbac.userRoles", false)))
        .doesNotContain("services/proxy");
  }

  private static Map<String, Boolean> only(Set<String> enabled) {
    var values = new HashMap<String, Boolean>();
    VERBS.forEach(verb -> values.put("reclaimer.verbs." + verb, enabled.contains(verb)));
    return values;
  }

  private static List<String> writes(Map<String, Boolean> values) {
    return writes(Chart.objects(values));
  }

  /** Without what people may do. */
  private static List<String> writes(List<HasMetadata> objects) {
    return ChartRightsTest.grants(
            objects.stream()
                .filter(
                    object ->
                        !object
                            .getMetadata()
                            .getName()
                            .matches(".*-(policy-writer|reclamations-edit)"))
                .toList())
        .stream()
        .filter(grant -> !grant.matches("(get|list|watch) .*"))
        .toList();
  }

  private static ClusterRole role(List<HasMetadata> objects, String name) {
    return objects.stream()
        .filter(ClusterRole.class::isInstance)
        .map(ClusterRole.class::cast)
        .filter(role -> role.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> settings(List<HasMetadata> objects) {
    return objects.stream()
        .filter(ConfigMap.class::isInstance)
        .map(object -> ((ConfigMap) object).getData().get("application.yml"))
        .toList();
  }
}
