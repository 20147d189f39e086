package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Unreadable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Records of actions, to and from the custom resource {@code reclamations.gpu-reclaimer.io}. */
public final class ReclamationParser {
  /** A merge patch that asks for the restoration. */
  public static final String RESTORE_PATCH = "{\"spec\":{\"restore\":true}}";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ReclamationParser() {}

  /**
   * The custom resource without its status, which the API server ignores in a creation. The record
   * of an eviction outlives the pod.
   */
  public static ObjectNode withoutStatus(Reclamation record) {
    ObjectNode object = NODES.objectNode();
    object.put("apiVersion", Reclamation.API_VERSION).put("kind", Reclamation.KIND);
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("namespace", record.namespace()).put("name", record.name());
    record
        .status()
        .filter(progress -> !progress.isEviction())
        .ifPresent(
            progress -> {
              ArrayNode references = metadata.putArray("ownerReferences");
              owners(progress).forEach(owner -> object(references.addObject(), owner));
            });
    object.putObject("spec");
    return object;
  }

  /** Where several Jobs of a CronJob are suspended, the record lives as long as one of them. */
  private static Stream<ObjectRef> owners(ReclamationProgress progress) {
    return Stream.concat(
            Stream.of(progress.owner()),
            progress.changes().stream()
                .map(FieldChange::object)
                .filter(object -> object.kind().equals(progress.owner().kind())))
        .distinct();
  }

  /** A merge patch of the status, for the version of the record that is given. */
  public static ObjectNode statusPatch(Reclamation record) {
    ObjectNode patch = NODES.objectNode();
    patch
        .putObject("metadata")
        .put("uid", record.uid())
        .put("resourceVersion", record.resourceVersion());
    record.status().ifPresent(progress -> patch.set("status", status(record, progress)));
    return patch;
  }

  /** Options that delete the version of the record that is given, and no other. */
  public static ObjectNode deleteOptions(Reclamation record) {
    ObjectNode options = NODES.objectNode().put("apiVersion", "v1").put("kind", "DeleteOptions");
    options
        .putObject("preconditions")
        .put("uid", record.uid())
        .put("resourceVersion", record.resourceVersion());
    return options;
  }

  private static ObjectNode status(Reclamation record, ReclamationProgress progress) {
    ObjectRef owner = progress.owner();
    ObjectNode status = NODES.objectNode();
    status.put("state", progress.state().text()).put("message", progress.message());
    status.put("workload", owner.kind() + "/" + owner.name());
    if (!progress.isEviction()) {
      status.put("howToRestore", record.howToRestore());
    }
    object(status.putObject("owner"), owner).put("resourceVersion", progress.ownerVersion());
    status.put("action", progress.action()).put("actionId", progress.actionId());
    status.put("gpus", progress.devices()).put("evidence", progress.evidence());
    progress.resource().ifPresent(resource -> status.put("resource", resource));
    ArrayNode pods = status.putArray("pods");
    progress.pods().forEach(pod -> pods.addObject().put("name", pod.name()).put("uid", pod.uid()));
    progress
        .pendingPod()
        .ifPresentOrElse(pod -> status.put("pendingPod", pod), () -> status.putNull("pendingPod"));
    write(status, progress.times());
    conditions(status, progress);
    progress.gpuSecondsSaved().ifPresent(saved -> status.put("gpuSecondsSaved", saved));
    ArrayNode changes = status.putArray("changes");
    progress.changes().forEach(change -> write(changes.addObject(), change));
    return status;
  }

  private static void write(ObjectNode status, Timeline times) {
    put(status, "idleSince", Optional.of(times.idleSince()));
    put(status, "warnedAt", Optional.of(times.warnedAt()));
    put(status, "recordedAt", Optional.of(times.recordedAt()));
    put(status, "actedAt", times.actedAt());
    put(status, "reclaimedAt", times.reclaimedAt());
    put(status, "restoringAt", times.restoringAt());
    put(status, "endedAt", times.endedAt());
  }

  /**
   * What {@code kubectl wait} understands. The times of the transitions are those of the record.
   */
  private static void conditions(ObjectNode status, ReclamationProgress progress) {
    Timeline times = progress.times();
    boolean isReclaimed = progress.state() == ReclamationState.RECLAIMED;
    boolean isRestored = progress.state() == ReclamationState.RESTORED;
    Optional<Instant> reclaimed =
        isReclaimed || times.reclaimedAt().isEmpty()
            ? times.reclaimedAt()
            : times.restoringAt().or(times::endedAt);
    Optional<Instant> restored = isRestored ? times.endedAt() : Optional.empty();
    ArrayNode conditions = status.putArray("conditions");
    condition(conditions.addObject(), "Reclaimed", isReclaimed, reclaimed, progress);
    condition(conditions.addObject(), "Restored", isRestored, restored, progress);
  }

  private static void condition(
      ObjectNode node,
      String type,
      boolean holds,
      Optional<Instant> since,
      ReclamationProgress progress) {
    node.put("type", type).put("status", holds ? "True" : "False");
    node.put("reason", progress.state().text()).put("message", progress.message());
    put(node, "lastTransitionTime", since.or(() -> Optional.of(progress.times().recordedAt())));
  }

  /** Null removes what an earlier try has left. */
  private static void put(ObjectNode status, String name, Optional<Instant> time) {
    time.ifPresentOrElse(
        at -> status.put(name, at.truncatedTo(ChronoUnit.MILLIS).toString()),
        () -> status.putNull(name));
  }

  private static void write(ObjectNode node, FieldChange change) {
    object(node, change.object())
        .put("subresource", change.subresource())
        .put("path", change.path());
    value(node.putObject("former"), change.former());
    value(node.putObject("written"), change.written());
    change.resumed().ifPresent(value -> node.putObject("resumed").put("value", value));
  }

  private static void value(ObjectNode node, Optional<String> value) {
    value.ifPresentOrElse(text -> node.put("value", text), () -> node.put("absent", true));
  }

  private static ObjectNode object(ObjectNode node, ObjectRef object) {
    return node.put("apiVersion", object.apiVersion())
        .put("kind", object.kind())
        .put("name", object.name())
        .put("uid", object.uid());
  }

  /** The record that the object is. A status that is not whole is not read at all. */
  public static Reclamation of(JsonNode object) {
    String namespace = object.at("/metadata/namespace").asText();
    Optional<Unreadable> unreadable =
        RecordValidation.in(object.path("status")).map(why -> new Unreadable(owners(object), why));
    return new Reclamation(
        namespace,
        object.at("/metadata/name").asText(),
        object.at("/metadata/uid").asText(),
        object.at("/metadata/resourceVersion").asText(),
        new RestoreRequest(
            object.at("/spec/restore").asBoolean(false), time(object, "/spec/keepUntil")),
        unreadable.isPresent() ? Optional.empty() : progress(object.path("status"), namespace),
        unreadable);
  }

  private static Set<String> owners(JsonNode object) {
    Set<String> uids = new HashSet<>();
    text(object.at("/status/owner/uid")).ifPresent(uids::add);
    object.at("/metadata/ownerReferences").forEach(owner -> uids.add(owner.path("uid").asText()));
    object.at("/status/changes").forEach(change -> uids.add(change.path("uid").asText()));
    uids.remove("");
    return uids;
  }

  private static Optional<ReclamationProgress> progress(JsonNode status, String namespace) {
    return ReclamationState.of(status.path("state").asText())
        .map(
            state ->
                new ReclamationProgress(
                    state,
                    status.path("action").asText(),
                    status.path("actionId").asText(),
                    status.path("message").asText(),
                    object(status.path("owner"), namespace),
                    status.at("/owner/resourceVersion").asText(),
                    pods(status, namespace),
                    status.path("gpus").asInt(),
                    text(status.path("resource")),
                    text(status.path("pendingPod")),
                    status.path("evidence").asText(),
                    changes(status, namespace),
                    times(status)));
  }

  private static Timeline times(JsonNode status) {
    Instant recorded = time(status, "/recordedAt").orElse(Instant.EPOCH);
    return new Timeline(
        time(status, "/idleSince").orElse(recorded),
        time(status, "/warnedAt").orElse(recorded),
        recorded,
        time(status, "/actedAt"),
        time(status, "/reclaimedAt"),
        time(status, "/restoringAt"),
        time(status, "/endedAt"));
  }

  private static List<PodRef> pods(JsonNode status, String namespace) {
    List<PodRef> pods = new ArrayList<>();
    for (JsonNode pod : status.path("pods")) {
      pods.add(new PodRef(namespace, pod.path("name").asText(), pod.path("uid").asText()));
    }
    return pods;
  }

  private static List<FieldChange> changes(JsonNode status, String namespace) {
    List<FieldChange> changes = new ArrayList<>();
    for (JsonNode change : status.path("changes")) {
      changes.add(
          new FieldChange(
              object(change, namespace),
              change.path("subresource").asText(),
              change.path("path").asText(),
              text(change.at("/former/value")),
              text(change.at("/written/value")),
              text(change.at("/resumed/value"))));
    }
    return changes;
  }

  private static ObjectRef object(JsonNode node, String namespace) {
    return new ObjectRef(
        node.path("apiVersion").asText(),
        node.path("kind").asText(),
        namespace,
        node.path("name").asText(),
        node.path("uid").asText());
  }

  private static Optional<String> text(JsonNode value) {
    return value.isTextual() ? Optional.of(value.asText()) : Optional.empty();
  }

  private static Optional<Instant> time(JsonNode object, String path) {
    try {
      return text(object.at(path)).map(Instant::parse);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
