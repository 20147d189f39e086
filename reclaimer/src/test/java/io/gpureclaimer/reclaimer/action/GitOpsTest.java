package io.gpureclaimer.reclaimer.action;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GitOpsTest {
  private static final String REPLICAS = "/spec/replicas";
  private static final Map<String, String> TRACKED =
      Map.of("argocd.argoproj.io/tracking-id", "llm:apps/Deployment:ml/web");
  private static final Map<String, String> KUSTOMIZED =
      Map.of("kustomize.toolkit.fluxcd.io/name", "llm");
  private static final Map<String, String> RELEASED = Map.of("helm.toolkit.fluxcd.io/name", "llm");

  @Test
  void refuses_whatArgoCdManages_andSaysWhatWouldPermitIt() {
    assertThat(objection(Map.of(), Map.of(), "argocd-controller"))
        .contains(
            new Refused(
                "managed-by-gitops",
                "Argo CD manages spec.replicas",
                "Argo CD manages spec.replicas of Deployment/web and would revert it; to permit the"
                    + " action, list the field in ignoreDifferences of the Application, set its"
                    + " sync option RespectIgnoreDifferences=true, and give the object the"
                    + " annotation gpu-reclaimer.io/action: scale"));
  }

  @Test
  void refuses_whatKustomizationsOfFluxManage_andSaysWhatWouldPermitIt() {
    assertThat(objection(Map.of(), Map.of(), "kustomize-controller"))
        .contains(
            new Refused(
                "managed-by-gitops",
                "Flux manages spec.replicas",
                "Flux manages spec.replicas of Deployment/web and would revert it; to permit the"
                    + " action, leave the field out in git, or give the object the annotation"
                    + " kustomize.toolkit.fluxcd.io/ssa: IfNotPresent or"
                    + " kustomize.toolkit.fluxcd.io/reconcile: disabled there"));
  }

  @Test
  void refuses_whatHelmReleasesOfFluxManage() {
    assertThat(objection(RELEASED, Map.of(), "helm-controller"))
        .map(Refused::reason)
        .hasValueSatisfying(
            reason ->
                assertThat(reason)
                    .endsWith(
                        "the annotation helm.toolkit.fluxcd.io/driftDetection: disabled there"));
  }

  @Test
  void refuses_whenTheObjectIsTrackedAndNoManagerIsKnown() {
    assertThat(objection(Map.of(), TRACKED).map(Refused::obstacle))
        .contains("Argo CD may manage spec.replicas");
    assertThat(objection(KUSTOMIZED, Map.of()).map(Refused::obstacle))
        .contains("Flux may manage spec.replicas");
    assertThat(objection(RELEASED, Map.of()).map(Refused::obstacle))
        .contains("Flux may manage spec.replicas");
  }

  @Test
  void permits_aTrackedObject_whoseFieldOthersManage() {
    assertThat(objection(KUSTOMIZED, TRACKED, "kube-controller-manager")).isEmpty();
  }

  @Test
  void permits_aTrackedObject_whoseFieldIsAbsent() {
    assertThat(GitOps.objection(owner(KUSTOMIZED, TRACKED), "/spec/suspend", "suspend")).isEmpty();
  }

  @Test
  void permits_whatArgoCdManages_whenItsOwnerAsksForThisAction() {
    var asked = Map.of("gpu-reclaimer.io/action", "scale");
    var auto = Map.of("gpu-reclaimer.io/action", "auto");

    assertThat(objection(Map.of(), asked, "argocd-controller")).isEmpty();
    assertThat(objection(Map.of(), auto, "argocd-controller")).isPresent();
  }

  @ParameterizedTest(name = "{1}: {2} permits what {0} manages: {3}")
  @CsvSource({
    "kustomize-controller, kustomize.toolkit.fluxcd.io/ssa, IfNotPresent, true",
    "kustomize-controller, kustomize.toolkit.fluxcd.io/ssa, ignore, true",
    "kustomize-controller, kustomize.toolkit.fluxcd.io/ssa, Merge, false",
    "kustomize-controller, kustomize.toolkit.fluxcd.io/ssa, Override, false",
    "kustomize-controller, kustomize.toolkit.fluxcd.io/reconcile, disabled, true",
    "kustomize-controller, kustomize.toolkit.fluxcd.io/reconcile, enabled, false",
    "helm-controller, helm.toolkit.fluxcd.io/driftDetection, disabled, true",
    "helm-controller, kustomize.toolkit.fluxcd.io/reconcile, disabled, false"
  })
  void permitsWhatFluxLeavesAlone_asLabelOrAnnotation(
      String manager, String key, String value, boolean permitted) {
    var mark = Map.of(key, value);

    assertThat(objection(Map.of(), mark, manager).isEmpty()).isEqualTo(permitted);
    assertThat(objection(mark, Map.of(), manager).isEmpty()).isEqualTo(permitted);
  }

  @Test
  void permits_whatAPlainHelmReleaseInstalled() {
    assertThat(objection(Map.of("app.kubernetes.io/managed-by", "Helm"), Map.of(), "helm"))
        .isEmpty();
  }

  private static Optional<Refused> objection(
      Map<String, String> labels, Map<String, String> annotations, String... managers) {
    return GitOps.objection(owner(labels, annotations, managers), REPLICAS, "scale");
  }

  private static OwnerView owner(
      Map<String, String> labels, Map<String, String> annotations, String... managers) {
    return new OwnerView(
        new Owner("apps/v1", "Deployment", "web", "u"),
        "ml",
        Optional.empty(),
        annotations,
        Optional.of(
            new OwnerDetails(
                "7",
                Optional.empty(),
                labels,
                Map.of(REPLICAS, "3"),
                managers.length == 0 ? Map.of() : Map.of(REPLICAS, Set.of(managers)),
                Optional.of(List.of()))));
  }
}
