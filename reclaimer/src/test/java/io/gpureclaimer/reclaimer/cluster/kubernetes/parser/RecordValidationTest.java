package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Unreadable;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordValidationTest {
  private static final String RECORD =
      """
      {"metadata": {"namespace": "ml", "name": "deployment-web-1", "uid": "u",
                    "ownerReferences": [{"uid": "uid-web"}, {"uid": "uid-other"}]},
       "status": {"state": "Reclaimed", "recordedAt": "2026-01-01T00:00:00Z",
         "owner": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "uid-web"},
         "changes": [
           {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "uid-web",
            "subresource": "scale", "path": "/spec/replicas",
            "former": {"value": "2"}, "written": {"value": "0"}},
           {"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "name": "so", "uid": "uid-so",
            "subresource": "", "path": "/metadata/annotations/a",
            "former": {"absent": true}, "written": {"value": "\\"0\\""}}]}}
      """;

  @Test
  void readsARecord() {
    Reclamation record = read(object());

    assertThat(record.unreadable()).isEmpty();
    assertThat(record.status().orElseThrow().state()).isEqualTo(ReclamationState.RECLAIMED);
    assertThat(record.status().orElseThrow().changes()).hasSize(2);
  }

  @Test
  void isIncomplete_whenThereIsNoStatus() {
    ObjectNode object = object();
    object.remove("status");

    assertThat(read(object).status()).isEmpty();
    assertThat(read(object).unreadable()).isEmpty();
  }

  /** A value that is missing here would remove or spoil the field when the owner is restored. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "/status/state; \"Paused\"; status.state: expected a known state, found \"Paused\"",
        "/status/state; ; status.state: expected a known state, found nothing",
        "/status/owner; ; status.owner.apiVersion: expected a name, found nothing",
        "/status/owner/uid; \"\"; status.owner.uid: expected a name, found \"\"",
        "/status/changes; []; status.changes: expected at least one change, found []",
        "/status/changes; ; status.changes: expected at least one change, found nothing",
        "/status/changes/1/uid; 5; status.changes[1].uid: expected a name, found 5",
        "/status/changes/0/path; \"spec\"; status.changes[0].path: expected a JSON pointer, found"
            + " \"spec\"",
        "/status/changes/0/path; ; status.changes[0].path: expected a JSON pointer, found nothing",
        "/status/changes/0/former; ; status.changes[0].former: expected a value as JSON text, or"
            + " absent, found nothing",
        "/status/changes/0/former; {\"value\": 2}; status.changes[0].former: expected a value as"
            + " JSON text, or absent, found {\"value\":2}",
        "/status/changes/1/former; {\"value\": \"1\", \"absent\": true};"
            + " status.changes[1].former: expected a value as JSON text, or absent, found"
            + " {\"value\":\"1\",\"absent\":true}",
        "/status/changes/0/written; {\"value\": \"{\"}; status.changes[0].written: expected a"
            + " value as JSON text, or absent, found {\"value\":\"{\"}",
        "/status/changes/0/written; {\"value\": \"\"}; status.changes[0].written: expected a value"
            + " as JSON text, or absent, found {\"value\":\"\"}",
        "/status/changes/1/resumed; {}; status.changes[1].resumed: expected a value as JSON text,"
            + " or absent, found {}"
      })
  void isUnreadable(String path, String value, String why) {
    ObjectNode object = object();
    JsonPointer pointer = JsonPointer.compile(path);
    String last = pointer.last().getMatchingProperty();
    ObjectNode parent = (ObjectNode) object.at(pointer.head());
    Optional.ofNullable(value)
        .ifPresentOrElse(
            text -> parent.set(last, ObjectParser.tree(text)), () -> parent.remove(last));

    Reclamation record = read(object);

    assertThat(record.status()).isEmpty();
    assertThat(record.unreadable()).map(Unreadable::why).contains(why);
    assertThat(record.unreadable().orElseThrow().owners()).contains("uid-web", "uid-other");
  }

  @Test
  void mayBeOfAnyOwner_whenItNamesNone() {
    ObjectNode object = (ObjectNode) ObjectParser.tree("{\"status\": {\"state\": \"Paused\"}}");

    assertThat(read(object).unreadable()).map(Unreadable::owners).contains(Set.of());
  }

  private static Reclamation read(ObjectNode object) {
    return ReclamationParser.of(object);
  }

  private static ObjectNode object() {
    return (ObjectNode) ObjectParser.tree(RECORD);
  }
}
