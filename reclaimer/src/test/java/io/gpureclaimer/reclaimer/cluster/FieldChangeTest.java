package io.gpureclaimer.reclaimer.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldChangeTest {
  private static final ObjectRef JOB =
      new ObjectRef("kubeflow.org/v1", "PyTorchJob", "ml", "train", "uid-1");

  @Test
  void removesTheObjectAroundAField_thatHasNothingElse() {
    var change =
        new FieldChange(JOB, "/spec/runPolicy/suspend", Optional.empty(), Optional.of("true"));

    assertThat(change.parentIfAlone())
        .contains(
            new FieldChange(
                JOB, "/spec/runPolicy", Optional.of("{\"suspend\":true}"), Optional.empty()));
  }

  @Test
  void leavesTheSpecificationAndTheMetadata() {
    var suspend = new FieldChange(JOB, "/spec/suspend", Optional.empty(), Optional.of("true"));
    var stop =
        new FieldChange(JOB, FieldChange.annotation("a/stop"), Optional.empty(), Optional.of("1"));

    assertThat(suspend.parentIfAlone()).isEmpty();
    assertThat(stop.parentIfAlone()).isEmpty();
  }

  @Test
  void namesItsFieldAsPeopleDo() {
    var stop =
        new FieldChange(JOB, FieldChange.annotation("a/stop"), Optional.empty(), Optional.of("1"));
    var replicas = new FieldChange(JOB, "/spec/replicas", Optional.of("3"), Optional.of("0"));

    assertThat(stop.field()).isEqualTo("annotation a/stop");
    assertThat(replicas.field()).isEqualTo("spec.replicas");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/spec/runPolicy/suspend | false | {\"spec\":{\"runPolicy\":{\"suspend\":false}}}",
        "/spec/runPolicy/suspend | | {\"spec\":{\"runPolicy\":{\"suspend\":null}}}",
        "/metadata/annotations/kubeflow.org~1stop | |"
            + " {\"metadata\":{\"annotations\":{\"kubeflow.org/stop\":null}}}",
        "/metadata/annotations/a | \"it's\" | {\"metadata\":{\"annotations\":{\"a\":\"it'\\''s\"}}}"
      })
  void isUndoneByACommand(String path, @Nullable String former, String patch) {
    var change = new FieldChange(JOB, path, Optional.ofNullable(former), Optional.of("true"));

    assertThat(change.howToUndo())
        .isEqualTo(
            "kubectl patch pytorchjob.kubeflow.org train --namespace ml --type merge --patch '"
                + patch
                + "'");
  }

  @Test
  void isUndoneByVolcano_whereACommandChangesIt() {
    var change =
        new FieldChange(
            JOB,
            FieldChange.COMMAND,
            VolcanoJob.PHASE,
            Optional.of(VolcanoJob.RUNNING),
            Optional.of(VolcanoJob.ABORTED));

    assertThat(change.howToUndo()).isEqualTo("vcctl job resume --name train --namespace ml");
  }
}
