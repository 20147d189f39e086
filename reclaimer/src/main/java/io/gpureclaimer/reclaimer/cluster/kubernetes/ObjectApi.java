package io.gpureclaimer.reclaimer.cluster.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable.ObjectUnreadable;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.VolcanoJob;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.MetadataParser;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ObjectParser;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads and changes single fields of objects of any kind, one call each. Safe for use by several
 * threads.
 */
final class ObjectApi {
  private static final String PARAMETERS = "?fieldManager=" + FieldChange.MANAGER;

  private final ApiServer api;
  private final Discovery discovery;
  private final CommandApi commands;

  ObjectApi(ApiServer api, Discovery discovery) {
    this.api = api;
    this.discovery = discovery;
    this.commands = new CommandApi(api, discovery);
  }

  /**
   * The fields as they are now, or as they will be because of a Command; empty if the object is
   * gone or was replaced.
   */
  Optional<OwnerView> fresh(ObjectRef object, Set<String> paths) {
    ApiReply reply = api.get(path(object));
    if (reply.code() == ApiReply.NOT_FOUND && !api.isUnknownPath(reply)) {
      return Optional.empty();
    }
    if (!reply.ok()) {
      throw new ObjectUnreadable(
          "get " + object, "expected it, got " + reply.code() + ": " + api.message(reply));
    }
    var found = api.object(reply, GenericKubernetesResource.class);
    return Optional.of(
            MetadataParser.owner(found, object.apiVersion(), object.kind(), Optional.of(paths)))
        .filter(view -> view.owner().uid().equals(object.uid()))
        .map(view -> isByCommand(object, paths) ? commands.foreseen(view) : view);
  }

  private static boolean isByCommand(ObjectRef object, Set<String> paths) {
    return VolcanoJob.is(object) && paths.contains(VolcanoJob.PHASE);
  }

  /** Changes fields of one object, and reads in the answer whether they were stored. */
  ActionResult change(List<FieldChange> changes, String resourceVersion, boolean dryRun) {
    FieldChange first = changes.getFirst();
    requireTogether(changes);
    if (first.isByCommand()) {
      return commands.request(first, dryRun, this::refusal);
    }
    String path =
        path(first.object()) + (first.subresource().isEmpty() ? "" : "/" + first.subresource());
    ApiReply reply =
        api.patch(
            path + PARAMETERS + (dryRun ? "&dryRun=All" : ""),
            ObjectParser.patch(changes, resourceVersion));
    return reply.ok() ? stored(changes, api.tree(reply), dryRun) : refusal(reply, first.object());
  }

  private ActionResult refusal(ApiReply reply, ObjectRef object) {
    String message = api.message(reply);
    return switch (reply.code()) {
      case ApiReply.NOT_FOUND ->
          api.isUnknownPath(reply)
              ? ActionResult.refused(reply.code(), message)
              : ActionResult.gone(object);
      case ApiReply.CONFLICT -> ActionResult.changed(object, message);
      case ApiReply.TOO_MANY_REQUESTS -> new ActionResult.Blocked(reply.pause(), message);
      default -> ActionResult.refused(reply.code(), message);
    };
  }

  private static void requireTogether(List<FieldChange> changes) {
    FieldChange first = changes.getFirst();
    for (FieldChange change : changes) {
      if (!change.object().equals(first.object())
          || !change.subresource().equals(first.subresource())) {
        throw new IllegalArgumentException(
            "expected changes of " + first.object() + " alone, found one of " + change.object());
      }
    }
  }

  private static ActionResult stored(List<FieldChange> changes, JsonNode answer, boolean dryRun) {
    for (FieldChange change : changes) {
      // A Scale leaves out zero replicas.
      Optional<String> found =
          ObjectParser.field(answer, change.path())
              .or(
                  () ->
                      change.subresource().equals(FieldChange.SCALE)
                          ? Optional.of("0")
                          : Optional.empty());
      if (!found.equals(change.written())) {
        return new ActionResult.Failed(
            "the API server accepted "
                + change.field()
                + " of "
                + change.object()
                + " and did not store it: its CRD may be too old for this field");
      }
    }
    return dryRun ? new ActionResult.DryRun() : new ActionResult.Done();
  }

  private String path(ObjectRef object) {
    ResourceDefinitionContext context =
        discovery.find(new ObjectKind(object.apiVersion(), object.kind()));
    return (object.group().isEmpty() ? "/api/" : "/apis/")
        + object.apiVersion()
        + (context.isNamespaceScoped() ? "/namespaces/" + object.namespace() : "")
        + "/"
        + context.getPlural()
        + "/"
        + object.name();
  }
}
