package io.gpureclaimer.reclaimer.action;

import static io.gpureclaimer.common.program.ReferencePage.code;
import static java.util.stream.Collectors.joining;

import io.gpureclaimer.common.program.ReferencePage;
import io.gpureclaimer.reclaimer.action.scale.ScalableKinds;
import io.gpureclaimer.reclaimer.action.scale.ScaleDownIdleReplicas;
import io.gpureclaimer.reclaimer.action.stop.StoppableKinds;
import io.gpureclaimer.reclaimer.action.suspend.SuspendableKinds;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page with all kinds of owners. */
class ActionsReferenceTest {
  private static final ObjectRef ANY = new ObjectRef("v1", "Any", "", "", "");

  @Test
  void listsEveryKind() {
    var page =
        new ReferencePage(
            "Actions on owners",
            "An idle workload is stopped through the topmost owner of its pods, by one field of"
                + " that object. The value before is recorded in a Reclamation, and a restore"
                + " writes it back. Any owner is refused if it is stopped already, if its fields"
                + " cannot be read, or if records cannot be written. In the mode `auto`, the order"
                + " is stop, suspend, scale, evict. A record is deleted a week after its action is"
                + " over; until then its restoration or contest counts.");
    Stream.of(StoppableKinds.ACTION, SuspendableKinds.ACTION, ScalableKinds.ACTION)
        .forEach(
            action ->
                page.section(action.name())
                    .table(
                        List.of("kind", "field", "refused if", "lost", "restored"),
                        action.kinds().stream().map(ActionsReferenceTest::row).toList()));
    page.paragraph(
            "Further kinds with a scale subresource and `spec.replicas`, by the property"
                + " `actions.scalable`, are scaled like a Deployment.")
        .paragraph(
            "With the annotation `gpu-reclaimer.io/partial`, a Deployment is scaled "
                + "down by its idle"
                + " replicas. They get the lowest `"
                + ScaleDownIdleReplicas.DELETION_COST
                + "`, then `spec.replicas` is reduced by their number. Refused with an autoscaler"
                + " (`autoscaled`) and during a rollout (`rolling-out`). Also refused while another"
                + " replica is not ready (`replica-not-ready`) or has the lowest cost"
                + " (`deletion-cost-taken`), and before the restore of an earlier such action"
                + " (`scaled-down-already`).")
        .section("evict")
        .paragraph(
            "A pod without an owner and without a group is evicted. The Reclamation, written"
                + " before, has the reason and how to get the pod back; the reclaimer "
                + "cannot restore"
                + " it. The user of a JupyterHub server starts it again on the page of the hub.")
        .section("Controllers and budgets that stand against an action")
        .paragraph(
            "These are checked before the warning and again right before the action. What the"
                + " reclaimer may not read refuses the action.")
        .table(
            List.of("what", "how the reclaimer acts"),
            List.of(
                List.of(
                    "HorizontalPodAutoscaler",
                    "scales its target to zero, where the autoscaler leaves it alone; after the"
                        + " restore, the autoscaler resumes by itself. Refused if autoscalers"
                        + " cannot be read (`autoscalers-unread`)"),
                List.of(
                    "KEDA ScaledObject",
                    "pauses it by the annotation `autoscaling.keda.sh/paused-replicas: \"0\"`"
                        + " first, and removes the annotation for the restore; then KEDA decides"
                        + " about the replicas. If they are still zero 2 minutes later, the"
                        + " reclaimer writes the former number. A pause by people stays; with"
                        + " replicas it refuses the action (`paused-with-replicas`). KEDA 2.18.2 or"
                        + " later"),
                List.of(
                    "Knative before 1.21",
                    "refuses to stop a Revision (`minimum-ignored`): that version replaces the"
                        + " pods when the minimum changes, and keeps their number. Its pods have"
                        + " the annotation `autoscaling.knative.dev/min-scale`"),
                List.of(
                    "Argo CD, Flux",
                    "refuses if the tool manages the field of the action, or tracks the object and"
                        + " it is unknown who manages the field (`managed-by-gitops`). The reason"
                        + " names the setting that permits the action"),
                List.of(
                    "Helm",
                    "acts: Helm writes the field only at the next upgrade, which then"
                        + " supersedes the action"),
                List.of(
                    "PodDisruptionBudget",
                    "refuses if it allows fewer disruptions than the workload has ready pods"
                        + " (`disruption-budget`), or cannot be read (`budgets-unread`)"),
                List.of(
                    "anything else that writes the field back",
                    "leaves the owner alone for an hour (state Contested), and twice as long each"
                        + " time, up to a day"),
                List.of(
                    "a controller that does not stop the pods",
                    "writes the former value back and does the same, if no pod is terminating"
                        + " 10 minutes after the action. For a Knative Revision it waits 2 hours,"
                        + " because pods stay for a while after the last request. Terminating pods"
                        + " have no time limit")))
        .section("Kinds without an action")
        .paragraph(
            "These are only reported, as is any kind that this page does not list. Workspaces of"
                + " Coder are not stopped either, whatever their kind: stop them in Coder.")
        .table(
            List.of("kind", "why: a workload of this kind …"),
            new TreeMap<>(UnsupportedKinds.ALL)
                .entrySet().stream().map(ActionsReferenceTest::unsupported).toList());

    page.assertIsCommittedAs("actions.md");
  }

  private static List<String> row(OwnerKind kind) {
    return List.of(
        code(kind.qualifiedKind())
            + (kind.below().isEmpty()
                ? ""
                : kind.below().stream().sorted().collect(joining("`, `", ", also below `", "`"))),
        code(new FieldChange(ANY, kind.path(), Optional.empty(), Optional.empty()).field())
            + " = "
            + kind.stopped().map(ReferencePage::code).orElse("the time of the action")
            + through(kind.subresource()),
        kind.checks().stream()
            .map(check -> check.obstacle() + " (" + code(check.code()) + ")")
            .collect(joining("; ")),
        kind.effect().lost(),
        kind.effect().restored());
  }

  private static String through(String subresource) {
    return switch (subresource) {
      case "" -> "";
      case FieldChange.COMMAND -> " through the Commands `AbortJob` and `ResumeJob`";
      default -> " through " + code(subresource);
    };
  }

  private static List<String> unsupported(Map.Entry<String, UnsupportedKinds.Unsupported> kind) {
    return List.of(code(kind.getKey()), kind.getValue().reason());
  }
}
