package io.gpureclaimer.reclaimer.audit.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.reclaimer.audit.record.Decision.NamedText;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.show.Golden;
import io.gpureclaimer.reclaimer.show.Reports;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The form of a record, which others read as well. When it changes so that a reader of the old one
 * would misunderstand it, the schema's number is raised.
 */
class DecisionGoldenTest {

  @Test
  void aPodThatIsEvicted() {
    Golden.assertThatTextIs("decision.json", line() + "\n");
  }

  @Test
  void isFoundInALineOfTheLog() {
    String line = line();

    assertThat(Decision.inLogLine(line)).hasValue(line);
    assertThat(Decision.inLogLine("2026-03-02T12:00:00.000Z INFO  audit - " + line)).hasValue(line);
    assertThat(Decision.inLogLine("2026-03-02T12:00:00.000Z INFO  Service - stops")).isEmpty();
  }

  @Test
  void isFoundInALineOfTheLog_thatIsJsonItself() {
    String quoted = line().replace("\\", "\\\\").replace("\"", "\\\"");

    assertThat(
            Decision.inLogLine(
                "{\"timestamp\":1,\"loggerName\":\"audit\",\"formattedMessage\":\""
                    + quoted
                    + "\"}"))
        .hasValue(line());
    assertThat(Decision.inLogLine("{\"formattedMessage\":\"stops\",\"x\":1}")).isEmpty();
    assertThat(Decision.inLogLine("{\"formattedMessage\":")).isEmpty();
  }

  @Test
  void isRead_whenItNamesAVetoThatNoLongerExists() {
    String older = line().replace("\"vetoes\":[", "\"vetoes\":[\"heat\",");

    assertThat(older).isNotEqualTo(line());
    assertThat(Decision.read(older)).isEqualTo(Decision.read(line()));
  }

  @Test
  void isRead_whenItIsOfATimeThatHonoredEveryHeartbeat() {
    String older = line().replaceFirst(",\"heartbeats\":\\[[^\\]]*]", "");

    assertThat(older).isNotEqualTo(line());
    assertThat(Decision.read(older)).isEqualTo(Decision.read(line()));
  }

  @Test
  void isRead_whenTheIdleTimeWasThatOfTheClassOther() {
    String newer = line().replace("\"idleAfter\":\"PT1H\",", "");
    String older = line().replace(",\"other\":\"PT1H\"", "");

    assertThat(newer).isNotEqualTo(line());
    assertThat(older).isNotEqualTo(line());
    assertThat(Decision.read(older).toJson()).isEqualTo(newer);
    assertThatThrownBy(() -> Decision.read(newer.replace(",\"other\":\"PT1H\"", "")))
        .isInstanceOf(Json.Malformed.class)
        .hasMessageContaining("other: expected a duration, found none");
  }

  @Test
  void keepsAllowedCheckpointHooks_andGracePeriods() {
    String newer =
        line()
            .replaceFirst(
                "(\"heartbeats\":\\[[^\\]]*])", "$1,\"checkpoints\":[\".svc.cluster.local\"]")
            .replace("\"budgets\":[]", "\"budgets\":[],\"gracePeriod\":\"PT30S\"");

    assertThat(newer).contains("checkpoints", "gracePeriod");
    assertThat(Decision.read(newer).toJson()).isEqualTo(newer);
  }

  @Test
  void isRefused_whenItIsOfAnotherSchema() {
    assertThatThrownBy(() -> Decision.read(line().replace("\"schema\":1", "\"schema\":2")))
        .isInstanceOf(Json.Malformed.class)
        .hasMessage("schema: expected 1, found 2");
  }

  @Test
  void isRefused_whenSomethingIsMissingOrMakesNoSense() {
    assertThatThrownBy(() -> Decision.read(line().replace("\"phase\":\"RUNNING\",", "")))
        .isInstanceOf(Json.Malformed.class)
        .hasMessage("inputs.cluster.pods[0].phase: expected a value, found none");
    assertThatThrownBy(() -> Decision.read(line().replace("\"gpus\":3,\"slices\"", "\"slices\"")))
        .isInstanceOf(Json.Malformed.class)
        .hasMessage("inputs.cluster.pods[0].accelerators.gpus: expected a value, found none");
    assertThatThrownBy(
            () ->
                Decision.read(line().replace("\"gpus\":3,\"slices\"", "\"gpus\":null,\"slices\"")))
        .isInstanceOf(Json.Malformed.class);
    assertThatThrownBy(() -> Decision.read(line().replace("\"RUNNING\"", "\"DREAMING\"")))
        .isInstanceOf(Json.Malformed.class);
    assertThatThrownBy(() -> Decision.read("{\"schema\":1")).isInstanceOf(Json.Malformed.class);
  }

  private static String line() {
    var report = Reports.acted();
    var inputs =
        new CycleInputs(
            report.at(),
            new JudgmentTerms(JudgeScenario.DEFAULTS, JudgeScenario.LIMITS),
            report.observation(),
            report.cluster());
    return report.judgments().stream()
        .map(Judgment::verdict)
        .filter(verdict -> verdict.workload().name().equals("due"))
        .map(
            verdict ->
                Decision.on(
                        verdict,
                        Optional.of(new NamedText("evict", "")),
                        Optional.of(new NamedText("done", "done")),
                        inputs.about(verdict.workload()))
                    .toJson())
        .findFirst()
        .orElseThrow();
  }
}
