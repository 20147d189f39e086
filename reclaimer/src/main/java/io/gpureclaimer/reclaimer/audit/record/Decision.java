package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.reclaimer.policy.Verdict;
import io.gpureclaimer.reclaimer.policy.VerdictCode;
import io.gpureclaimer.reclaimer.policy.VerdictSentence;
import io.gpureclaimer.reclaimer.policy.Workload;
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
 */
public record Decision(
    Subject workload,
    Opinion verdict,
    Optional<Account> step,
    Optional<Account> deed,
    Optional<String> action,
    Inputs inputs) {

  /** Which workload. */
  public record Subject(String namespace, String kind, String name, String uid, int gpus) {
    static Subject of(Workload workload) {
      return new Subject(
          workload.namespace(),
          workload.kind(),
          workload.name(),
          workload.uid(),
          workload.gpusHeld());
    }

    @Override
    public String toString() {
      return kind + " " + namespace + "/" + name;
    }
  }

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

  /** A step or a deed in words: its stable name and a sentence. */
  public record Account(String name, String sentence) {}

  /** A decision on a verdict. */
  public static Decision on(
      Verdict verdict, Optional<Account> step, Optional<Account> deed, Inputs inputs) {
    return new Decision(
        Subject.of(verdict.workload()), Opinion.of(verdict), step, deed, Optional.empty(), inputs);
  }

  /** The same, that belongs to an act. */
  public Decision of(Optional<String> act) {
    return new Decision(workload, verdict, step, deed, act, inputs);
  }

  /** What the judge says to the same inputs now. */
  public Replayed replay() {
    Optional<Opinion> now = inputs.judge().map(Opinion::of);
    return now.equals(Optional.of(verdict))
        ? new Replayed.Same()
        : new Replayed.Other(now.map(Opinion::toString).orElse("no verdict on one workload"));
  }

  /** How a decision looks today. */
  public sealed interface Replayed {
    /** The same verdict, for the same reason, in the same words. */
    record Same() implements Replayed {}

    /** Another one. */
    record Other(String verdict) implements Replayed {}
  }
}
