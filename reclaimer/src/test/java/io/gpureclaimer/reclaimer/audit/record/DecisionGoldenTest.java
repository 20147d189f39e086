package io.gpureclaimer.reclaimer.audit.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.reclaimer.audit.record.Decision.Account;
import io.gpureclaimer.reclaimer.json.MalformedJson;
import io.gpureclaimer.reclaimer.show.Golden;
import io.gpureclaimer.reclaimer.show.Reports;
import io.gpureclaimer.reclaimer.verdict.Judgment;
import io.gpureclaimer.reclaimer.verdict.Scene;
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

    assertThat(LogLine.record(line)).hasValue(line);
    assertThat(LogLine.record("2026-03-02T12:00:00.000Z INFO  audit - " + line)).hasValue(line);
    assertThat(LogLine.record("2026-03-02T12:00:00.000Z INFO  Service - stops")).isEmpty();
  }

  @Test
  void isFoundInALineOfTheLog_thatIsJsonItself() {
    String quoted = line().replace("\\", "\\\\").replace("\"", "\\\"");

    assertThat(
            LogLine.record(
                "{\"timestamp\":1,\"loggerName\":\"audit\",\"formattedMessage\":\""
                    + quoted
                    + "\"}"))
        .hasValue(line());
    assertThat(LogLine.record("{\"formattedMessage\":\"stops\",\"x\":1}")).isEmpty();
    assertThat(LogLine.record("{\"formattedMessage\":")).isEmpty();
  }

  @Test
  void isRead_whenItNamesAVetoThatIsNoMore() {
    String older = line().replace("\"vetoes\":[", "\"vetoes\":[\"heat\",");

    assertThat(older).isNotEqualTo(line());
    assertThat(DecisionJson.read(older)).isEqualTo(DecisionJson.read(line()));
  }

  @Test
  void isRead_whenItIsOfATimeThatHeededEveryHeartbeat() {
    String older = line().replaceFirst(",\"heartbeats\":\\[[^\\]]*]", "");

    assertThat(older).isNotEqualTo(line());
    assertThat(DecisionJson.read(older)).isEqualTo(DecisionJson.read(line()));
  }

  @Test
  void isRefused_whenItIsOfAnotherSchema() {
    assertThatThrownBy(() -> DecisionJson.read(line().replace("\"schema\":1", "\"schema\":2")))
        .isInstanceOf(MalformedJson.class)
        .hasMessage("schema: expected 1, found 2");
  }

  @Test
  void isRefused_whenSomethingIsMissingOrMakesNoSense() {
    assertThatThrownBy(() -> DecisionJson.read(line().replace("\"phase\":\"RUNNING\",", "")))
        .isInstanceOf(MalformedJson.class)
        .hasMessage("inputs.cluster.pods[0].phase: expected a value, found none");
    assertThatThrownBy(() -> DecisionJson.read(line().replace("\"RUNNING\"", "\"DREAMING\"")))
        .isInstanceOf(MalformedJson.class);
    assertThatThrownBy(() -> DecisionJson.read("{\"schema\":1")).isInstanceOf(MalformedJson.class);
  }

  private static String line() {
    var report = Reports.acted();
    var circumstances =
        new Circumstances(
            report.at(),
            new Terms(Scene.DEFAULTS, Scene.LIMITS),
            report.observation(),
            report.cluster());
    return report.judgments().stream()
        .map(Judgment::verdict)
        .filter(verdict -> verdict.workload().name().equals("due"))
        .map(
            verdict ->
                DecisionJson.write(
                    Decision.on(
                        verdict,
                        Optional.of(new Account("evict", "")),
                        Optional.of(new Account("done", "done")),
                        circumstances.about(verdict.workload()))))
        .findFirst()
        .orElseThrow();
  }
}
