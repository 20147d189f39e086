package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObjectParserTest {
  private static final ObjectRef SERVICE =
      new ObjectRef("serving.kserve.io/v1beta1", "InferenceService", "ml", "llm", "u-1");
  private static final String STOP = FieldChange.annotation("serving.kserve.io/stop");
  private static final String TILDE = FieldChange.annotation("example.com/a~b");
  private static final String QUEUE = FieldChange.label("kueue.x-k8s.io/queue-name");
  private static final JsonNode OBJECT =
      ObjectParser.tree(
          """
          {"metadata": {"resourceVersion": "7",
            "labels": {"kueue.x-k8s.io/queue-name": "team"},
            "annotations": {"serving.kserve.io/stop": "false", "example.com/a~b": "x"},
            "managedFields": [
              {"manager": "argocd-controller", "fieldsV1":
                {"f:metadata": {"f:annotations": {"f:serving.kserve.io/stop": {}}}}},
              {"manager": "kubectl", "fieldsV1": {"f:spec": {"f:replicas": {}}}}]},
           "spec": {"replicas": 0, "suspend": false, "scale": null}}
          """);

  @Test
  void pointersEscapeTheKeysOfAnnotations() {
    assertThat(STOP).isEqualTo("/metadata/annotations/serving.kserve.io~1stop");
    assertThat(TILDE).isEqualTo("/metadata/annotations/example.com~1a~0b");
  }

  @Test
  void readsAnnotationsAndLabels() {
    assertThat(ObjectParser.field(OBJECT, STOP)).contains("\"false\"");
    assertThat(ObjectParser.field(OBJECT, TILDE)).contains("\"x\"");
    assertThat(ObjectParser.field(OBJECT, QUEUE)).contains("\"team\"");
  }

  @Test
  void distinguishesAbsentFromZeroAndFalse() {
    assertThat(ObjectParser.field(OBJECT, "/spec/replicas")).contains("0");
    assertThat(ObjectParser.field(OBJECT, "/spec/suspend")).contains("false");
    assertThat(ObjectParser.field(OBJECT, "/spec/scale")).isEmpty();
    assertThat(ObjectParser.field(OBJECT, "/spec/scale/enabled")).isEmpty();
    assertThat(ObjectParser.field(OBJECT, "/spec/paused")).isEmpty();
  }

  @Test
  void readsTheManagersOfAnAnnotation() {
    assertThat(ObjectParser.details(OBJECT, Set.of(STOP, TILDE)).managers())
        .containsOnlyKeys(STOP)
        .containsEntry(STOP, Set.of("argocd-controller"));
  }

  @Test
  void patchesAnAnnotation_besideTheOthers() {
    var change = new FieldChange(SERVICE, STOP, Optional.of("\"false\""), Optional.of("\"true\""));

    assertThat(ObjectParser.tree(ObjectParser.patch(List.of(change), "7")))
        .isEqualTo(
            ObjectParser.tree(
                """
                {"metadata": {"uid": "u-1", "resourceVersion": "7",
                  "annotations": {"serving.kserve.io/stop": "true"}}}
                """));
  }

  @Test
  void removesAField_thatWasAbsent() {
    var annotation = new FieldChange(SERVICE, TILDE, Optional.empty(), Optional.of("\"x\""));
    var field = new FieldChange(SERVICE, "/spec/suspend", Optional.empty(), Optional.of("true"));

    assertThat(
            ObjectParser.tree(
                ObjectParser.patch(List.of(annotation.inverse(), field.inverse()), "7")))
        .isEqualTo(
            ObjectParser.tree(
                """
                {"metadata": {"uid": "u-1", "resourceVersion": "7",
                  "annotations": {"example.com/a~b": null}}, "spec": {"suspend": null}}
                """));
  }

  @Test
  void patchesAFieldBelowAnother() {
    var change =
        new FieldChange(SERVICE, "/spec/runPolicy/suspend", Optional.empty(), Optional.of("true"));

    assertThat(ObjectParser.tree(ObjectParser.patch(List.of(change), "7")).path("spec"))
        .isEqualTo(ObjectParser.tree("{\"runPolicy\": {\"suspend\": true}}"));
  }
}
