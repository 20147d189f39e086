package io.gpureclaimer.reclaimer.action;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import java.util.Optional;
import java.util.Set;

/**
 * Objections to the change of a field that a GitOps tool would write back. A plain Helm release is
 * none: it writes only when people upgrade it.
 */
final class GitOps {
  private static final String TRACKING_ID = "argocd.argoproj.io/tracking-id";
  private static final String SERVER_SIDE_APPLY = "kustomize.toolkit.fluxcd.io/ssa";
  private static final String RECONCILE = "kustomize.toolkit.fluxcd.io/reconcile";
  private static final String DRIFT_DETECTION = "helm.toolkit.fluxcd.io/driftDetection";

  private GitOps() {}

  /** Why the field must not be written; empty if no tool would write it back. */
  static Optional<Refused> objection(OwnerView owner, String path, String action) {
    return argoCd(owner, path, action)
        .or(
            () ->
                flux(
                    owner,
                    path,
                    "kustomize-controller",
                    "kustomize.toolkit.fluxcd.io/name",
                    isMarked(owner, SERVER_SIDE_APPLY, Set.of("ifnotpresent", "ignore"))
                        || isMarked(owner, RECONCILE, Set.of("disabled")),
                    SERVER_SIDE_APPLY + ": IfNotPresent or " + RECONCILE + ": disabled"))
        .or(
            () ->
                flux(
                    owner,
                    path,
                    "helm-controller",
                    "helm.toolkit.fluxcd.io/name",
                    isMarked(owner, DRIFT_DETECTION, Set.of("disabled")),
                    DRIFT_DETECTION + ": disabled"));
  }

  /**
   * Argo CD stays the manager of a field that an Application ignores, so the setting that makes it
   * do so cannot be seen; the annotation that asks for this action says that it is made.
   */
  private static Optional<Refused> argoCd(OwnerView owner, String path, String action) {
    return action.equals(owner.annotations().get(Annotations.ACTION))
        ? Optional.empty()
        : objection(
            owner,
            path,
            "Argo CD",
            "argocd-controller",
            owner.annotations().containsKey(TRACKING_ID),
            "list the field in ignoreDifferences of the Application, set its sync option"
                + " RespectIgnoreDifferences=true, and give the object the annotation "
                + Annotations.ACTION
                + ": "
                + action);
  }

  private static Optional<Refused> flux(
      OwnerView owner,
      String path,
      String manager,
      String label,
      boolean permitted,
      String permission) {
    return permitted
        ? Optional.empty()
        : objection(
            owner,
            path,
            "Flux",
            manager,
            details(owner).labels().containsKey(label),
            "leave the field out in git, or give the object the annotation "
                + permission
                + " there");
  }

  /** A field without a known manager may belong to the tool; an absent field does not. */
  private static Optional<Refused> objection(
      OwnerView owner,
      String path,
      String tool,
      String manager,
      boolean tracked,
      String permission) {
    Set<String> managers = details(owner).managers().getOrDefault(path, Set.of());
    boolean manages = managers.contains(manager);
    boolean unknown = tracked && managers.isEmpty() && details(owner).field(path).isPresent();
    if (!manages && !unknown) {
      return Optional.empty();
    }
    String field = FieldChange.field(path);
    return Optional.of(
        new Refused(
            "managed-by-gitops",
            manages ? tool + " manages " + field : tool + " may manage " + field,
            (manages
                    ? tool + " manages " + field + " of " + owner.owner() + " and would revert it"
                    : tool
                        + " tracks "
                        + owner.owner()
                        + ", and it is unknown who manages "
                        + field
                        + " of it")
                + "; to permit the action, "
                + permission));
  }

  private static boolean isMarked(OwnerView owner, String key, Set<String> values) {
    return Optional.ofNullable(owner.annotations().get(key))
        .or(() -> Optional.ofNullable(details(owner).labels().get(key)))
        .filter(value -> values.stream().anyMatch(value::equalsIgnoreCase))
        .isPresent();
  }

  private static OwnerDetails details(OwnerView owner) {
    return owner.details().orElseThrow();
  }
}
