package io.gpureclaimer.reclaimer.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.record.Decision;
import io.gpureclaimer.reclaimer.audit.record.Decision.Replay;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.show.Reports;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("reads the log")
class DecisionLogTest {
  private final List<String> lines = new ArrayList<>();
  private final DecisionLog log =
      new DecisionLog(
          new JudgmentTerms(JudgeScenario.DEFAULTS, JudgeScenario.LIMITS), lines::addAll);

  @TempDir Path folder;

  @Test
  void recordsEachVerdictOnce_andNothingWhenNothingChanges() {
    log.onPlan(Reports.full(), true);

    assertThat(lines).hasSize(Reports.full().judgments().size());

    log.onPlan(Reports.full(), true);

    assertThat(lines).hasSize(Reports.full().judgments().size());
  }

  @Test
  void recordsNothing_whileItFollows_andEverythingWhenItBeginsToLead() {
    log.onPlan(Reports.full(), false);
    log.onPlan(Reports.blind(), false);
    assertThat(lines).isEmpty();

    log.onPlan(Reports.full(), true);
    assertThat(lines).hasSize(Reports.full().judgments().size());
  }

  @Test
  void recordsEverythingAgain_whenItLeadsAgain() {
    log.onPlan(Reports.full(), true);
    lines.clear();

    log.onPlan(Reports.full(), false);
    log.onPlan(Reports.full(), true);

    assertThat(lines).hasSize(Reports.full().judgments().size());
  }

  @Test
  void recordsWhoseVerdictChanged_whenItDoes() {
    log.onPlan(Reports.full(), true);
    lines.clear();

    log.onPlan(Reports.blind(), true);

    assertThat(lines)
        .isNotEmpty()
        .hasSizeLessThan(Reports.full().judgments().size())
        .allSatisfy(line -> assertThat(Decision.read(line).step()).isEmpty());
  }

  @Test
  void recordsEveryDeed_howeverOftenItComesOutTheSame() {
    log.onPlan(Reports.acted(), true);
    lines.clear();
    List<StepResult> deeds = Reports.acted().results();

    deeds.forEach(log::onResult);
    deeds.forEach(log::onResult);

    assertThat(lines).hasSize(2 * deeds.size());
    assertThat(Decision.read(lines.getFirst()).deed()).isPresent();
  }

  @Test
  void everyRecordReplays() {
    log.onPlan(Reports.acted(), true);
    Reports.acted().results().forEach(log::onResult);

    assertThat(lines)
        .extracting(Decision::read)
        .extracting(Decision::replay)
        .containsOnly(new Replay.Same());
  }

  @Test
  void appendsToItsFile_andGoesOnAfterARotation() throws IOException {
    Path file = folder.resolve("audit.jsonl");
    RecordSink sink = RecordSink.file(file);

    sink.write(List.of("one"));
    Files.move(file, folder.resolve("audit.jsonl.1"));
    sink.write(List.of("two", "three"));

    assertThat(Files.readString(file)).isEqualTo("two\nthree\n");
  }

  @Test
  void saysOnceThatItsFileCannotBeWritten() throws IOException {
    Path file = folder.resolve("missing/audit.jsonl");
    RecordSink sink = RecordSink.file(file);
    try (var logged = new CapturedLog(RecordSink.ToFile.class)) {
      sink.write(List.of("one"));
      sink.write(List.of("two"));

      assertThat(logged.take())
          .containsExactly("ERROR decisions are not recorded, " + file + " cannot be written");

      Files.createDirectory(file.getParent());
      sink.write(List.of("three"));

      assertThat(Files.readString(file)).isEqualTo("three\n");
    }
  }
}
