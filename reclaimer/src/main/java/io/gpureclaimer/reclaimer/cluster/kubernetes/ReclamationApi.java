package io.gpureclaimer.reclaimer.cluster.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster.RecordResult;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ReclamationParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Creates and deletes records of actions and writes their status. Safe for use by several threads.
 *
 * <p>The status is a subresource, so a new record takes two writes; after the first alone it has no
 * status, which says that nothing was changed.
 */
final class ReclamationApi {
  private final ApiServer api;

  ReclamationApi(ApiServer api) {
    this.api = api;
  }

  RecordResult create(Reclamation record) {
    ApiReply reply =
        api.postJson(folder(record), ReclamationParser.withoutStatus(record).toString());
    if (reply.code() == ApiReply.CONFLICT) {
      return again(record);
    }
    return reply.ok() ? update(sameVersion(record, reply)) : refused(record, reply);
  }

  RecordResult update(Reclamation record) {
    ApiReply reply =
        api.patch(
            folder(record) + "/" + record.name() + "/status",
            ReclamationParser.statusPatch(record).toString());
    return reply.ok() ? stored(record, reply) : refused(record, reply);
  }

  /** A CRD that lacks a field drops it without an error, and the record would restore nothing. */
  private RecordResult stored(Reclamation record, ApiReply reply) {
    Optional<ReclamationProgress> stored = ReclamationParser.of(api.tree(reply)).status();
    Optional<ReclamationProgress> written = record.status();
    boolean whole =
        stored.map(ReclamationProgress::state).equals(written.map(ReclamationProgress::state))
            && stored
                .map(ReclamationProgress::owner)
                .equals(written.map(ReclamationProgress::owner))
            && stored
                .map(ReclamationProgress::changes)
                .equals(written.map(ReclamationProgress::changes));
    return whole
        ? new RecordResult.Stored(sameVersion(record, reply))
        : new RecordResult.NotStored(
            new ActionResult.Failed(
                "the API server accepted the record "
                    + record.name()
                    + " and did not store all of it: the CRD reclamations.gpu-reclaimer.io may be"
                    + " too old"));
  }

  List<Reclamation> all(Optional<String> namespace) {
    String path =
        "/apis/"
            + Reclamation.API_VERSION
            + namespace.map(name -> "/namespaces/" + name).orElse("")
            + "/reclamations";
    ApiReply reply = api.get(path);
    if (!reply.ok()) {
      throw new ClusterUnreachable(
          "list reclamations",
          reply.code() == ApiReply.NOT_FOUND
              ? "the CRD reclamations.gpu-reclaimer.io is not installed"
              : "the API server answered " + reply.code() + ": " + api.message(reply));
    }
    List<Reclamation> records = new ArrayList<>();
    api.tree(reply).path("items").forEach(item -> records.add(ReclamationParser.of(item)));
    return records;
  }

  ActionResult requestRestore(Reclamation record, boolean dryRun) {
    ApiReply reply =
        api.patch(
            folder(record) + "/" + record.name() + (dryRun ? "?dryRun=All" : ""),
            ReclamationParser.RESTORE_PATCH);
    if (reply.ok()) {
      return dryRun ? new ActionResult.DryRun() : new ActionResult.Done();
    }
    return reply.code() == ApiReply.NOT_FOUND
        ? ActionResult.gone(record.ref())
        : ActionResult.refused(reply.code(), api.message(reply));
  }

  ActionResult delete(Reclamation record) {
    ApiReply reply =
        api.delete(
            folder(record) + "/" + record.name(),
            ReclamationParser.deleteOptions(record).toString());
    if (reply.ok()) {
      return new ActionResult.Done();
    }
    return switch (reply.code()) {
      case ApiReply.NOT_FOUND -> ActionResult.gone(record.ref());
      case ApiReply.CONFLICT -> ActionResult.changed(record.ref(), api.message(reply));
      default -> ActionResult.refused(reply.code(), api.message(reply));
    };
  }

  /** A record of the same action exists: it may be one that was begun and not carried out. */
  private RecordResult again(Reclamation record) {
    ApiReply reply = api.get(folder(record) + "/" + record.name());
    if (!reply.ok()) {
      throw new ClusterUnreachable(
          "get " + record.ref(), "expected it, got " + reply.code() + ": " + api.message(reply));
    }
    Reclamation found = ReclamationParser.of(api.tree(reply));
    String state = api.tree(reply).at("/status/state").asText();
    return state.isEmpty() || ReclamationState.of(state).filter(record::mayReplace).isPresent()
        ? update(
            new Reclamation(
                record.namespace(),
                record.name(),
                found.uid(),
                found.resourceVersion(),
                found.request(),
                record.status()))
        : new RecordResult.NotStored(
            new ActionResult.Skipped(
                "the action was made before, its record " + found.name() + " is " + state));
  }

  private RecordResult refused(Reclamation record, ApiReply reply) {
    String message = api.message(reply);
    return new RecordResult.NotStored(
        switch (reply.code()) {
          case ApiReply.NOT_FOUND ->
              new ActionResult.Failed(
                  api.isUnknownPath(reply)
                      ? "the action cannot be recorded: the CRD reclamations.gpu-reclaimer.io is"
                          + " not installed"
                      : "the record " + record.name() + " is gone: " + message);
          case ApiReply.CONFLICT -> ActionResult.changed(record.ref(), message);
          default ->
              new ActionResult.Failed(
                  "the action cannot be recorded: the API server answered "
                      + reply.code()
                      + ": "
                      + message);
        });
  }

  private Reclamation sameVersion(Reclamation record, ApiReply reply) {
    JsonNode stored = api.tree(reply);
    return new Reclamation(
        record.namespace(),
        record.name(),
        stored.at("/metadata/uid").asText(),
        stored.at("/metadata/resourceVersion").asText(),
        record.request(),
        record.status());
  }

  private static String folder(Reclamation record) {
    return "/apis/"
        + Reclamation.API_VERSION
        + "/namespaces/"
        + record.namespace()
        + "/reclamations";
  }
}
