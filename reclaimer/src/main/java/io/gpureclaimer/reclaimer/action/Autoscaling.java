package io.gpureclaimer.reclaimer.action;

import static io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler.PAUSED;
import static io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler.PAUSED_REPLICAS;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Effects of autoscalers on scaling an owner to zero. A HorizontalPodAutoscaler leaves an owner
 * without replicas alone; a ScaledObject of KEDA does so only while it is paused.
 */
final class Autoscaling {
  private static final String ZERO = "0";

  private Autoscaling() {}

  /** Why the owner must not be scaled to zero; empty if it stays there. */
  static Optional<Refused> objection(OwnerView owner) {
    Optional<List<Autoscaler>> autoscalers = owner.details().flatMap(OwnerDetails::autoscalers);
    if (autoscalers.isEmpty()) {
      return Optional.of(
          new Refused(
              "autoscalers-unread",
              "its autoscalers cannot be read",
              "the autoscalers of "
                  + owner.owner()
                  + " cannot be read, and one of them could scale it up again"));
    }
    return autoscalers.get().stream()
        .flatMap(autoscaler -> heldUp(autoscaler).stream())
        .findFirst();
  }

  /** The changes that pause what would scale the owner up again, to be written before it. */
  static List<FieldChange> pauses(OwnerView owner) {
    return owner.details().flatMap(OwnerDetails::autoscalers).stream()
        .flatMap(Collection::stream)
        .filter(Autoscaling::mayScale)
        .map(
            autoscaler ->
                new FieldChange(
                    autoscaler.object(),
                    FieldChange.annotation(PAUSED_REPLICAS),
                    Optional.empty(),
                    Optional.of("\"" + ZERO + "\"")))
        .toList();
  }

  /** The scaler was paused at a number of replicas, and KEDA keeps them. */
  private static Optional<Refused> heldUp(Autoscaler autoscaler) {
    return Optional.ofNullable(autoscaler.annotations().get(PAUSED_REPLICAS))
        .filter(replicas -> !replicas.equals(ZERO))
        .map(
            replicas ->
                new Refused(
                    "paused-with-replicas",
                    autoscaler.object() + " is paused at " + replicas + " replicas",
                    autoscaler.object()
                        + " is paused by the annotation "
                        + PAUSED_REPLICAS
                        + ": "
                        + replicas
                        + ", and KEDA keeps that number of replicas"));
  }

  /** A pause that people made is theirs and stays as it is. */
  private static boolean mayScale(Autoscaler autoscaler) {
    return autoscaler.object().kind().equals(Autoscaler.SCALED_OBJECT)
        && !autoscaler.annotations().containsKey(PAUSED_REPLICAS)
        && !"true".equalsIgnoreCase(autoscaler.annotations().get(PAUSED));
  }
}
