package io.gpureclaimer.verification.scenario.privilege;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.privilege.ApiCaller.ApiAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Reclamation is written by the reclaimer, once; people only ask for the restore. */
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReclamationWritesE2E {
  private static final Duration EFFECTIVE = Duration.ofSeconds(60);
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int REFUSED_BY_ROLES = 403;
  private static final int REFUSED = 422;
  private static final String RESTORE = "{\"spec\":{\"restore\":true}}";
  private static final String ACTING = "{\"status\":{\"state\":\"Acting\"}}";
  private static final String STATUS =
      """
      {"status": {
        "state": "Intended", "workload": "Deployment/llm", "action": "scale", "actionId": "one",
        "idleSince": "2026-11-25T10:00:00Z", "recordedAt": "2026-11-25T12:00:00Z", "gpus": 8,
        "owner": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "llm", "uid": "u"},
        "changes": [{
          "apiVersion": "apps/v1", "kind": "Deployment", "name": "llm", "uid": "u",
          "subresource": "scale", "path": "/spec/replicas",
          "former": {"value": "3"}, "written": {"value": "0"}}]}}
      """;

  private final ApiCaller reclaimer;
  private final ApiCaller administrator;
  private final ApiCaller editor;
  private final ApiCaller viewer;
  private final ApiCaller neighbor;
  private final ApiCaller writer;
  private final String folder;
  private final String record;

  ReclamationWritesE2E(TestCluster cluster) {
    Stream.of(
            "00-namespaces.yaml",
            "00-reclamations.yaml",
            "reclaimer-rbac.yaml",
            "reclaimer-verbs.yaml",
            "reclaimer-admission-writes.yaml")
        .map(Manifest::shipped)
        .forEach(cluster::apply);
    String namespace = cluster.namespace("records", Map.of());
    this.folder = "/apis/gpu-reclaimer.io/v1alpha1/namespaces/" + namespace + "/reclamations";
    this.record = folder + "/llm";
    this.reclaimer = ApiCaller.account(cluster, "gpu-reclaimer", "gpu-reclaimer");
    this.administrator = ApiCaller.administrator(cluster);
    this.editor = person(cluster, "editor", namespace, "edit");
    this.viewer = person(cluster, "viewer", namespace, "view");
    this.neighbor = person(cluster, "neighbor", cluster.namespace("elsewhere", Map.of()), "edit");
    this.writer = person(cluster, "writer", namespace, "cluster-admin");
    await("the policy").atMost(EFFECTIVE).until(() -> create(writer, "tried").code() == REFUSED);
    await("the aggregated roles")
        .atMost(EFFECTIVE)
        .until(() -> Stream.of(editor, viewer).allMatch(one -> one.get(folder).code() == OK));
  }

  private static ApiCaller person(TestCluster cluster, String name, String namespace, String role) {
    cluster.apply(
        new RoleBindingBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(namespace)
            .endMetadata()
            .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
            .addNewSubject("rbac.authorization.k8s.io", "User", name, null)
            .build());
    return ApiCaller.person(cluster, name);
  }

  @BeforeEach
  void record() {
    administrator.delete(record);
    assertThat(create(reclaimer, "llm").code()).isEqualTo(CREATED);
    assertThat(reclaimer.patch(record + "/status", STATUS).code()).isEqualTo(OK);
  }

  @AfterAll
  void close() {
    List.of(reclaimer, administrator, editor, viewer, neighbor, writer).forEach(ApiCaller::close);
  }

  private ApiAnswer create(ApiCaller caller, String name) {
    return caller.post(
        folder,
        """
        {"apiVersion": "gpu-reclaimer.io/v1alpha1", "kind": "Reclamation", "metadata": {"name": "NAME"}}
        """
            .replace("NAME", name));
  }

  @Test
  void isCreatedByTheReclaimerOnly() {
    assertThat(create(writer, "mine").body()).contains("only the reclaimer creates a Reclamation");
    assertThat(create(editor, "mine").code()).isEqualTo(REFUSED_BY_ROLES);
  }

  @Test
  void hasAStatusThatTheReclaimerOnlyWrites() {
    assertThat(writer.patch(record + "/status", ACTING).body())
        .contains("only the reclaimer writes the status of a Reclamation");
    assertThat(editor.patch(record + "/status", ACTING).code()).isEqualTo(REFUSED_BY_ROLES);
    assertThat(editor.patch(record, ACTING).code()).isEqualTo(OK);
    assertThat(editor.get(record).body()).contains("\"state\":\"Intended\"");

    assertThat(reclaimer.patch(record + "/status", ACTING).code()).isEqualTo(OK);
    assertThat(editor.get(record).body()).contains("\"state\":\"Acting\"");
  }

  /** Restores without a reclaimer, and from a backup. */
  @Test
  void isWrittenByAnAdministrator() {
    assertThat(create(administrator, "saved").code()).isEqualTo(CREATED);
    assertThat(administrator.patch(record + "/status", ACTING).code()).isEqualTo(OK);
    administrator.delete(folder + "/saved");
  }

  @Test
  void isRestoredAtTheRequestOfThoseWhoMayEditInTheNamespace() {
    assertThat(viewer.patch(record, RESTORE).code()).isEqualTo(REFUSED_BY_ROLES);
    assertThat(neighbor.patch(record, RESTORE).code()).isEqualTo(REFUSED_BY_ROLES);
    assertThat(neighbor.get(record).code()).isEqualTo(REFUSED_BY_ROLES);
    assertThat(editor.patch(record, RESTORE).code()).isEqualTo(OK);
    assertThat(viewer.get(record).body()).contains("\"restore\":true");
  }

  @Test
  void isNotRequestedByTheReclaimer() {
    assertThat(reclaimer.patch(record, RESTORE).code()).isEqualTo(REFUSED_BY_ROLES);
  }

  /** A record that is not over has what the restoration needs. */
  @Test
  void isDeletedByTheReclaimer_onlyWhenItIsOver() {
    assertThat(reclaimer.delete(record).body())
        .contains("the reclaimer deletes only the record of an action that is over");

    assertThat(reclaimer.patch(record + "/status", ACTING.replace("Acting", "Failed")).code())
        .isEqualTo(OK);
    assertThat(reclaimer.delete(record).code()).isEqualTo(OK);
  }

  @Test
  void isDeletedByAnAdministrator() {
    assertThat(administrator.delete(record).code()).isEqualTo(OK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"value\": \"3\" | \"value\": \"4\" | changes must not change",
        "\"value\": \"3\" | \"absent\": true | changes must not change",
        "\"value\": \"3\" | \"value\": \"3\", \"absent\": true | exactly one of absent and value",
        "{\"value\": \"3\"} | {} | exactly one of absent and value",
        "{\"value\": \"3\"} | {\"absent\": false} | Unsupported value",
        "\"actionId\": \"one\" | \"actionId\": \"two\" | another action gets another Reclamation",
        "\"state\": \"Intended\" | \"state\": \"Done\" | Unsupported value",
        "\"gpus\": 8 | \"gpus\": -1 | should be greater than or equal to 0",
      })
  void keepsWhatWasRecorded(String former, String other, String refusal) {
    ApiAnswer answer = reclaimer.patch(record + "/status", STATUS.replace(former, other));

    assertThat(answer.code()).isEqualTo(REFUSED);
    assertThat(answer.body()).contains(refusal);
  }

  @Test
  void mayBeRecordedAgain_whenTheActionFailed() {
    String failed = ACTING.replace("Acting", "Failed");

    assertThat(reclaimer.patch(record + "/status", failed).code()).isEqualTo(OK);
    assertThat(reclaimer.patch(record + "/status", STATUS.replace("\"3\"", "\"4\"")).code())
        .isEqualTo(OK);
  }
}
