package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class ReclamationParserTest {
  private static final Path CRD = Path.of("../deploy/manifests/00-reclamations.yaml");
  private static final Instant RECORDED = Instant.parse("2026-03-02T08:00:00Z");
  private static final Instant RECLAIMED = Instant.parse("2026-03-02T08:02:00Z");
  private static final Instant RESTORING = Instant.parse("2026-03-02T09:00:00Z");
  private static final Instant ENDED = Instant.parse("2026-03-02T09:01:00Z");
  private static final Timeline OPEN =
      Timeline.recorded(RECORDED.minusSeconds(7_200), RECORDED.minusSeconds(900), RECORDED)
          .acted(RECORDED.plusSeconds(1));
  private static final Timeline WHOLE = OPEN.reclaimed(RECLAIMED).restoring(RESTORING).ended(ENDED);

  @Test
  void readsWhatItWrites() {
    Reclamation record = record(ReclamationState.RESTORED, WHOLE);
    ObjectNode object = ReclamationParser.withoutStatus(record);
    object.set("status", status(record));

    assertThat(ReclamationParser.of(object).status()).isEqualTo(record.status());
  }

  /** The API server drops what the CRD lacks, and a field without a writer promises nothing. */
  @Test
  void writesEveryFieldOfTheCrd_andNoOther() throws IOException {
    JsonNode status = status(record(ReclamationState.RESTORED, WHOLE));

    assertThat(names(status)).isEqualTo(names(schema("/properties")));
    assertThat(names(status.at("/conditions/0")))
        .isEqualTo(names(schema("/properties/conditions/items/properties")));
    assertThat(names(status.at("/changes/0")))
        .isEqualTo(names(schema("/properties/changes/items/properties")));
  }

  @Test
  void conditionsAreFalse_whileThePodsAreThere() {
    assertThat(conditions(ReclamationState.ACTING, OPEN))
        .containsExactly("Reclaimed False Acting " + RECORDED, "Restored False Acting " + RECORDED);
  }

  @Test
  void isReclaimed_sinceThePodsAreGone() {
    assertThat(conditions(ReclamationState.RECLAIMED, OPEN.reclaimed(RECLAIMED)))
        .containsExactly(
            "Reclaimed True Reclaimed " + RECLAIMED, "Restored False Reclaimed " + RECORDED);
  }

  @Test
  void isRestored_sinceTheEnd_andNotReclaimedSinceTheRestorationBegan() {
    assertThat(conditions(ReclamationState.RESTORED, WHOLE))
        .containsExactly(
            "Reclaimed False Restored " + RESTORING, "Restored True Restored " + ENDED);
  }

  @Test
  void isNoLongerReclaimed_sinceOthersChangedTheOwner() {
    assertThat(conditions(ReclamationState.SUPERSEDED, OPEN.reclaimed(RECLAIMED).ended(ENDED)))
        .containsExactly(
            "Reclaimed False Superseded " + ENDED, "Restored False Superseded " + RECORDED);
  }

  private static List<String> conditions(ReclamationState state, Timeline times) {
    return StreamSupport.stream(
            status(record(state, times)).path("conditions").spliterator(), false)
        .map(
            condition ->
                String.join(
                    " ",
                    condition.path("type").asText(),
                    condition.path("status").asText(),
                    condition.path("reason").asText(),
                    condition.path("lastTransitionTime").asText()))
        .toList();
  }

  private static JsonNode status(Reclamation record) {
    return ReclamationParser.statusPatch(record).path("status");
  }

  private static JsonNode schema(String path) throws IOException {
    Map<?, ?> crd = new KubernetesSerialization().unmarshal(Files.readString(CRD), Map.class);
    return new ObjectMapper()
        .valueToTree(crd)
        .at("/spec/versions/0/schema/openAPIV3Schema/properties/status" + path);
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Reclamation record(ReclamationState state, Timeline times) {
    var owner = new ObjectRef("ray.io/v1", "RayCluster", "ml", "ray", "u");
    var progress =
        new ReclamationProgress(
            state,
            "suspend",
            "id",
            "A sentence.",
            owner,
            "7",
            List.of(new PodRef("ml", "ray-0", "u-0")),
            1,
            Optional.of("nvidia.com/mig-1g.10gb"),
            Optional.of("ml/waiting"),
            "It was idle.",
            List.of(
                new FieldChange(
                    owner,
                    "",
                    "/spec/suspend",
                    Optional.empty(),
                    Optional.of("true"),
                    Optional.of("false"))),
            times);
    return new Reclamation("ml", "r", "u-r", "1", RestoreRequest.NONE, Optional.of(progress));
  }
}
