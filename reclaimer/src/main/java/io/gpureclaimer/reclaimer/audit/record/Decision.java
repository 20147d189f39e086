package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.reclaimer.policy.Subject;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.util.Optional;

/**
 * One decision, as it is recorded.
 *
 * @param workload on which
 * @param verdict what was thought of it
 * @param step what was planned for it
 * @param deed what came of the step
 * @param action the name of the act that was tried or announced
 * @param inputs what the verdict was made of
 * @param again what was thought right before the deed; absent where nobody looked again
 */
public record Decision(
    Subject workload,
    Opinion verdict,
    Optional<Account> step,
    Optional<Account> deed,
    Optional<String> action,
    Inputs inputs,
    Optional<SecondThought> again) {

  /** A verdict in words. */
  public record Opinion(String code, String reason, String sentence) {
    static Opinion of(Verdict verdict) {
      VerdictCode code = VerdictCode.of(verdict);
      return new Opinion(code.verdict(), code.reason(), VerdictSentence.of(verdict));
    }

    @Override
    public String toString() {
      return code + " (" + reason + "): " + sentence;
    }
  }

  /** The verdict of the second look, and what it was made of. */
  public record SecondThought(Opinion verdict, Inputs inputs) {

    /** The thought that led to this verdict. */
    public static SecondThought of(Verdict verdict, Inputs inputs) {
      return new SecondThought(Opinion.of(verdict), inputs);
    }
  }

  /** A step or a deed in words: its stable name and a sentence. */
  public record Account(String name, String sentence) {}

  /** A decision on a verdict. */
  public static Decision on(
      Verdict verdict, Optional<Account> step, Optional<Account> deed, Inputs inputs) {
    return new Decision(
        Subject.of(verdict.workload()),
        Opinion.of(verdict),
        step,
        deed,
        Optional.empty(),
        inputs,
        Optional.empty());
  }

  /** The same, that belongs to an act. */
  public Decision of(Optional<String> act) {
    return new Decision(workload, verdict, step, deed, act, inputs, again);
  }

  /** The same, with what was thought right before the deed. */
  public Decision lookedAgain(Optional<SecondThought> thought) {
    return new Decision(workload, verdict, step, deed, action, inputs, thought);
  }

  /** What the judge says to the same inputs now. */
  public Replayed replay() {
    Replayed first = compared(verdict, inputs.judge());
    return again
        .filter(_ -> first instanceof Replayed.Same)
        .map(thought -> compared(thought.verdict(), thought.inputs().judgeAgain(workload.uid())))
        .orElse(first);
  }

  private static Replayed compared(Opinion recorded, Optional<Verdict> judged) {
    Optional<Opinion> now = judged.map(Opinion::of);
    return now.equals(Optional.of(recorded))
        ? new Replayed.Same()
        : new Replayed.Other(
            recorded.toString(), now.map(Opinion::toString).orElse("no verdict on one workload"));
  }

  /** How a decision looks today. */
  public sealed interface Replayed {
    /** The same verdict, for the same reason, in the same words. */
    record Same() implements Replayed {}

    /** Another one. */
    record Other(String recorded, String now) implements Replayed {}
  }
}
