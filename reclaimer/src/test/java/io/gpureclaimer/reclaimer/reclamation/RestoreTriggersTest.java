package io.gpureclaimer.reclaimer.reclamation;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.DEFAULTS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.ClaimableNode;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.policy.Policies;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers.RestoreCause;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** Free GPUs are of no use to a workload of MIG devices, and vice versa. */
  @ParameterizedTest(name = "{0}, node offers {2} of {1}, {3} taken: {4} ({5})")
  @CsvSource({
    "nvidia.com/gpu, nvidia.com/gpu, 1, 0, true,",
    "nvidia.com/gpu, nvidia.com/gpu, 1, 1, false,",
    "nvidia.com/mig-1g.10gb, nvidia.com/mig-1g.10gb, 2, 1, true,",
    "nvidia.com/mig-1g.10gb, nvidia.com/mig-1g.10gb, 1, 1, false,",
    "nvidia.com/mig-1g.10gb, nvidia.com/gpu, 8, 0, false,",
    "nvidia.com/gpu.shared, nvidia.com/gpu.shared, 4, 3, true,",
    "nvidia.com/gpu.shared, nvidia.com/gpu.shared, 4, 4, false,",
    "nvidia.com/gpu.shared, nvidia.com/gpu, 4, 0, false,",
    "nvidia.com/gpu.shared, nvidia.com/gpu, 4, 3, true, replicas",
    "nvidia.com/gpu.shared, nvidia.com/gpu, 4, 4, false, replicas",
    "nvidia.com/gpu, nvidia.com/gpu, 4, 0, false, replicas",
    ", nvidia.com/gpu, 4, 0, false, replicas",
    "nvidia.com/mig-1g.10gb, nvidia.com/gpu, 7, 6, true, product",
    "nvidia.com/mig-1g.10gb, nvidia.com/gpu, 7, 7, false, product",
    "nvidia.com/mig-2g.20gb, nvidia.com/gpu, 7, 0, false, product",
    "nvidia.com/gpu, nvidia.com/gpu, 7, 0, false, product",
    ", nvidia.com/gpu, 1, 0, true,",
    ", nvidia.com/mig-1g.10gb, 7, 0, false,",
  })
  void restoresWithoutDemand_whereDevicesOfItsKindAreFree(
      @Nullable String resource,
      String offered,
      int count,
      int taken,
      boolean restored,
      @Nullable String named) {
    var owner = new Owner("apps/v1", "Deployment", "x", "u");
    var view = new OwnerView(owner, "ml", Optional.empty(), Map.of());
    var namespace = new NamespaceView("ml", Map.of(Annotations.RESTORE, "on-demand-clear"));
    List<PodView> pods =
        IntStream.range(0, taken)
            .mapToObj(index -> pod("p" + index).replica(offered).on("n").draw())
            .toList();
    var cluster =
        new ClusterView(
            pods,
            Map.of("ml", namespace),
            List.of(
                new NodeView(
                    "n",
                    Map.of(offered, count),
                    named == null ? Map.of() : Map.of("nvidia.com/gpu." + named, labelValue(named)),
                    List.of(),
                    true)),
            Map.of("u", view));
    triggers.in(cluster, NOW);

    assertThat(
            triggers
                .in(cluster, NOW.plus(RestoreTriggers.SETTLED))
                .of(
                    record(view.ref(), RestoreRequest.NONE, Optional.ofNullable(resource)),
                    Optional.of(view))
                .isPresent())
        .isEqualTo(restored);
  }

  @ParameterizedTest
  @CsvSource({"1,true", "0,false"})
  void restoresWhenEnoughDevicesAreFree_thatOnlyClaimsGive(int free, boolean restored) {
    var owner = new Owner("apps/v1", "Deployment", "x", "u");
    var view = new OwnerView(owner, "ml", Optional.empty(), Map.of());
    var namespace = new NamespaceView("ml", Map.of(Annotations.RESTORE, "on-demand-clear"));
    var node = new NodeView("n", Map.of(), Map.of(), List.of(), true);
    var cluster =
        new ClusterView(
            List.of(),
            Map.of("ml", namespace),
            List.of(),
            Map.of("u", view),
            Optional.empty(),
            SchedulingFacts.NONE.withClaimable(
                List.of(
                    new ClaimableNode(
                        node,
                        "",
                        Map.of("nvidia.com/gpu", free, "nvidia.com/mig-1g.10gb", 7),
                        Map.of()))));
    triggers.in(cluster, NOW);

    assertThat(
            triggers
                .in(cluster, NOW.plus(RestoreTriggers.SETTLED))
                .of(record(view.ref(), RestoreRequest.NONE), Optional.of(view))
                .isPresent())
        .isEqualTo(restored);
  }

  private static String labelValue(String named) {
    return named.equals("product") ? "A100-SXM4-80GB-MIG-1g.10gb" : "2";
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
    return record(owner, request, Optional.empty());
  }

  private static Reclamation record(
      ObjectRef owner, RestoreRequest request, Optional<String> resource) {
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
            resource,
            Optional.empty(),
            "",
            List.of(),
            Timeline.recorded(NOW, NOW, NOW));
    return new Reclamation("ml", "r", "u-r", "1", request, Optional.of(progress));
  }
}
