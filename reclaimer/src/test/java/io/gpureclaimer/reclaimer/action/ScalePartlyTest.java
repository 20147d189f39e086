package io.gpureclaimer.reclaimer.action;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Possible;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.action.scale.ScaleDownIdleReplicas;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.gpureclaimer.reclaimer.workload.Workloads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The idle replicas of a Deployment, before it is scaled down by them. */
class ScalePartlyTest {
  private static final Owner WEB = new Owner("apps/v1", "Deployment", "web", "u");
  private static final Owner NEWEST = new Owner("apps/v1", "ReplicaSet", "web-2", "r2");
  private static final Owner OLD = new Owner("apps/v1", "ReplicaSet", "web-1", "r1");
  private static final Map<String, String> LOWEST =
      Map.of(ScaleDownIdleReplicas.DELETION_COST, "-2147483648");

  private final Map<String, String> fields = new HashMap<>();
  private Optional<List<Autoscaler>> autoscalers = Optional.of(List.of());

  ScalePartlyTest() {
    fields.put("/spec/replicas", "3");
    fields.put("/metadata/generation", "7");
    fields.put("/status/observedGeneration", "7");
    fields.put("/status/replicas", "3");
    fields.put("/status/updatedReplicas", "3");
    fields.put("/status/readyReplicas", "3");
  }

  @Test
  void marksTheIdlePods_andThenLowersTheReplicas() {
    Workload part = part(pod("idle"), pod("marked").with(LOWEST), pod("busy"));

    assertThat(check(part)).isEqualTo(new Possible(new ScaleDownIdleReplicas()));
    assertThat(new ScaleDownIdleReplicas().changes(part, JudgeScenario.NOW))
        .containsExactly(
            new FieldChange(
                new ObjectRef("v1", "Pod", "ml", "idle", "idle"),
                "/metadata/annotations/controller.kubernetes.io~1pod-deletion-cost",
                Optional.empty(),
                Optional.of("\"-2147483648\"")),
            new FieldChange(
                new ObjectRef("apps/v1", "Deployment", "ml", "web", "u"),
                FieldChange.SCALE,
                "/spec/replicas",
                Optional.of("3"),
                Optional.of("1")));
  }

  @Test
  void keepsTheFormerCost() {
    Workload part =
        part(
            pod("a").with(Map.of(ScaleDownIdleReplicas.DELETION_COST, "-5")),
            pod("b"),
            pod("busy"));

    assertThat(new ScaleDownIdleReplicas().changes(part, JudgeScenario.NOW).getFirst().former())
        .contains("\"-5\"");
  }

  @Test
  void refuses_whenAReplicaThatStaysWouldBeRemovedFirst() {
    assertThat(check(part(pod("a"), pod("b"), pod("busy").notReady())))
        .isEqualTo(
            new Refused(
                "replica-not-ready",
                "pod busy is not ready",
                "pod ml/busy is not ready, so its controller could remove it instead of the idle"
                    + " replicas"));
    assertThat(codeOf(part(pod("a"), pod("b"), pod("busy").unscheduled())))
        .isEqualTo("replica-not-ready");
    assertThat(codeOf(part(pod("a"), pod("b"), pod("busy").terminating())))
        .isEqualTo("replica-not-ready");
    assertThat(codeOf(part(pod("a"), pod("b"), pod("busy").with(LOWEST))))
        .isEqualTo("deletion-cost-taken");
  }

  @Test
  void refuses_duringARollout() {
    for (String field : List.copyOf(fields.keySet())) {
      String before = fields.put(field, "4");
      assertThat(codeOf(part())).as(field).isEqualTo("rolling-out");
      fields.remove(field);
      assertThat(codeOf(part())).as(field).isIn("rolling-out", "replicas-unset");
      fields.put(field, before);
    }
    assertThat(codeOf(part(pod("a"), pod("b").owner(OLD), pod("busy")))).isEqualTo("rolling-out");
    assertThat(codeOf(part())).isEqualTo("possible");
  }

  @Test
  void refuses_whatIsScaledByOthers() {
    for (String kind : List.of("HorizontalPodAutoscaler", "ScaledObject")) {
      var object = new ObjectRef("autoscaling/v2", kind, "ml", "web", "h");
      autoscalers = Optional.of(List.of(new Autoscaler(object, Map.of())));
      assertThat(codeOf(part())).isEqualTo("autoscaled");
    }
    autoscalers = Optional.empty();
    assertThat(codeOf(part())).isEqualTo("autoscalers-unread");
  }

  @Test
  void isTheOnlyActionOnAPart() {
    assertThat(Actions.ALL.check(part(), "stop")).isEmpty();
    assertThat(Actions.ALL.check(part(), "auto"))
        .contains(new Possible(new ScaleDownIdleReplicas()));
    assertThat(new Actions(java.util.Set.of("evict"), List.of()).check(part(), "auto"))
        .get()
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.code()).isEqualTo("action-not-enabled"));
  }

  private static ActionCheck check(Workload part) {
    return new ScaleDownIdleReplicas().check(part);
  }

  private static String codeOf(Workload part) {
    return check(part) instanceof Refused refused ? refused.code() : "possible";
  }

  private Workload part() {
    return part(pod("a"), pod("b"), pod("busy"));
  }

  /** The first two pods are idle. */
  private Workload part(PodDraft one, PodDraft other, PodDraft busy) {
    var details = new OwnerDetails("7", Optional.empty(), Map.of(), fields, Map.of(), autoscalers);
    var web = new OwnerView(WEB, "ml", Optional.empty(), Map.of(), Optional.of(details));
    var pods = List.of(owned(one), owned(other), owned(busy));
    Workload whole =
        Workloads.of(
            pods.stream().map(PodDraft::draw).toList(),
            Map.of("u", web, "r1", replicaSet(OLD), "r2", replicaSet(NEWEST)));
    return whole.only(List.of(one.draw(), other.draw()));
  }

  private static PodDraft owned(PodDraft draft) {
    return draft.draw().owner().isPresent() ? draft : draft.owner(NEWEST);
  }

  private static OwnerView replicaSet(Owner owner) {
    return new OwnerView(owner, "ml", Optional.of(WEB), Map.of());
  }
}
