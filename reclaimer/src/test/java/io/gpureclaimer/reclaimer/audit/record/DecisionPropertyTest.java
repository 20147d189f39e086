package io.gpureclaimer.reclaimer.audit.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.record.Decision.NamedText;
import io.gpureclaimer.reclaimer.audit.record.Decision.Replay;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;

/** Whatever was seen and decided, the record alone is enough to decide the same again. */
class DecisionPropertyTest {
  private static final JudgmentTerms TERMS =
      new JudgmentTerms(JudgeScenario.DEFAULTS, JudgeScenario.LIMITS);
  private static final List<String> VERDICTS =
      List.of(
          "protected",
          "not-running",
          "active",
          "unknown",
          "watching",
          "reported",
          "to-warn",
          "warned",
          "notified",
          "to-withdraw",
          "due");

  @Property(tries = 5000)
  void theSameIsDecidedAgain_fromTheTextAlone(@ForAll long seed) {
    RandomDecisionInputs.DrawnInputs drawn = RandomDecisionInputs.of(seed);

    for (Decision decision : decisions(drawn)) {
      Decision read = Decision.read(decision.toJson());

      assertThat(read).isEqualTo(decision);
      assertThat(read.replay()).as(decision.toString()).isEqualTo(new Replay.Same());
      Statistics.collect(decision.verdict().code());
    }
    Statistics.coverage(
        cover ->
            VERDICTS.forEach(verdict -> cover.check(verdict).percentage(share -> share > 0.05)));
  }

  @Property(tries = 500)
  void nothingIsWrittenThatIsNotRead(@ForAll long seed) {
    RandomDecisionInputs.DrawnInputs drawn = RandomDecisionInputs.of(seed);

    assertThat(decisions(drawn))
        .allSatisfy(
            decision ->
                assertThat(decision.toJson()).doesNotContain("s3cret", "example.com/token"));
  }

  @Property(tries = 1000)
  void anotherVerdictIsReported_whenTheRecordIsChanged(@ForAll long seed) {
    for (Decision decision : decisions(RandomDecisionInputs.of(seed))) {
      VerdictCode code = new VerdictCode("due", "always");
      if (decision.verdict().code().equals("active")) {
        var forged =
            new Decision(
                decision.schema(),
                decision.at(),
                decision.workload(),
                new Decision.VerdictText(code.verdict(), code.reason(), "idle for 1h"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                decision.inputs(),
                Optional.empty());

        assertThat(forged.replay())
            .isEqualTo(
                new Replay.Different(forged.verdict().toString(), decision.verdict().toString()));
      }
    }
  }

  private static List<Decision> decisions(RandomDecisionInputs.DrawnInputs drawn) {
    var now = JudgeScenario.NOW.plus(Duration.ofNanos(1_234_567));
    var inputs = new CycleInputs(now, TERMS, drawn.observation(), drawn.cluster());
    return TERMS.judge().judge(drawn.cluster(), drawn.observation(), now).stream()
        .map(Judgment::verdict)
        .map(
            verdict ->
                Decision.on(
                    verdict,
                    Optional.of(new NamedText("warn", "idle, \"quoted\"\nand more")),
                    Optional.empty(),
                    inputs.about(verdict.workload())))
        .toList();
  }
}
