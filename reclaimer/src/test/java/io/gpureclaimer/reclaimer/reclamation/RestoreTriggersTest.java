package io.gpureclaimer.reclaimer.reclamation;

import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.DEFAULTS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.policy.Policies;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreCause;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestoreTriggersTest {
  private final RestoreTriggers triggers =
      new RestoreTriggers(new Policies(DEFAULTS), RestoreTriggers.SETTLED);

  @Test
  void restoresAnOwner_whenDemandIsGone() {
    assertThat(cause("apps/v1", "Deployment", RestoreRequest.NONE)).isPresent();
  }

  @Test
  void leavesTheStartOfADevWorkspaceToAPerson() {
    String group = "workspace.devfile.io/v1alpha2";

    assertThat(cause(group, "DevWorkspace", RestoreRequest.NONE)).isEmpty();
    assertThat(cause(group, "DevWorkspace", new RestoreRequest(true, Optional.empty())))
        .isPresent();
  }

  private Optional<RestoreCause> cause(String apiVersion, String kind, RestoreRequest request) {
    var owner = new Owner(apiVersion, kind, "x", "u");
    var view = new OwnerView(owner, "ml", Optional.empty(), Map.of());
    var namespace = new NamespaceView("ml", Map.of(Annotations.RESTORE, "on-demand-clear"));
    var cluster =
        new ClusterView(
            List.of(),
            Map.of("ml", namespace),
            List.of(new NodeView("n", 1, Map.of(), List.of(), true)),
            Map.of("u", view));
    triggers.in(cluster, NOW);
    return triggers
        .in(cluster, NOW.plus(RestoreTriggers.SETTLED))
        .of(record(view.ref(), request), Optional.of(view));
  }

  private static Reclamation record(ObjectRef owner, RestoreRequest request) {
    var progress =
        new ReclamationProgress(
            ReclamationState.RECLAIMED,
            "stop",
            "id",
            "",
            owner,
            "7",
            List.of(new PodRef("ml", "x-0", "u-0")),
            1,
            Optional.empty(),
            "",
            List.of(),
            Timeline.recorded(NOW, NOW, NOW));
    return new Reclamation("ml", "r", "u-r", "1", request, Optional.of(progress));
  }
}
