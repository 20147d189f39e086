package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import io.gpureclaimer.reclaimer.workload.Workload.WorkloadSummary;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Optional;

/**
 * Record of one decision; its components are the members of the JSON.
 *
 * @param schema number of the schema, raised when a reader of the last one would misunderstand
 * @param action id of the action that was tried or announced
 * @param again verdict of the recheck right before the action; absent without a recheck
 */
@Serdeable
public record Decision(
    int schema,
    Instant at,
    WorkloadSummary workload,
    VerdictText verdict,
    Optional<NamedText> step,
    Optional<NamedText> deed,
    Optional<String> action,
    VerdictInputs inputs,
    Optional<RecheckText> again) {
  static final int SCHEMA = 1;

  private static final String BEGINNING = "{\"schema\":";

  public Decision {
    if (schema != SCHEMA) {
      throw new IllegalArgumentException("schema: expected " + SCHEMA + ", found " + schema);
    }
  }

  /** A verdict in words. */
  @Serdeable
  public record VerdictText(String code, String reason, String sentence) {
    static VerdictText of(Verdict verdict) {
      VerdictCode code = VerdictCode.of(verdict);
      return new VerdictText(code.verdict(), code.reason(), VerdictSentence.of(verdict));
    }

    @Override
    public String toString() {
      return code + " (" + reason + "): " + sentence;
    }
  }

  /** Verdict of a recheck with its inputs. */
  @Serdeable
  public record RecheckText(VerdictText verdict, VerdictInputs inputs) {
    public static RecheckText of(Verdict verdict, VerdictInputs inputs) {
      return new RecheckText(VerdictText.of(verdict), inputs);
    }
  }

  /** A step or its result in words: a stable name and a sentence. */
  @Serdeable
  public record NamedText(String name, String sentence) {}

  /** The decision on a verdict, without an action. */
  public static Decision on(
      Verdict verdict, Optional<NamedText> step, Optional<NamedText> result, VerdictInputs inputs) {
    return new Decision(
        SCHEMA,
        inputs.now(),
        WorkloadSummary.of(verdict.workload()),
        VerdictText.of(verdict),
        step,
        result,
        Optional.empty(),
        inputs,
        Optional.empty());
  }

  /** The same decision with the id of its action and the recheck before it. */
  public Decision acted(Optional<String> actionId, Optional<RecheckText> recheck) {
    return new Decision(schema, at, workload, verdict, step, deed, actionId, inputs, recheck);
  }

  /** One line of JSON, without a line feed. */
  public String toJson() {
    return Json.line(this);
  }

  /**
   * The decision that a line of {@link #toJson} holds.
   *
   * @throws Json.Malformed if the text is not a decision of this schema
   */
  public static Decision read(String json) {
    return Json.read(json, Decision.class);
  }

  /** Text of the record in a line of a file of records or of a log; empty if it holds none. */
  public static Optional<String> inLogLine(String line) {
    int start = line.indexOf(BEGINNING);
    if (start >= 0) {
      return Optional.of(line.substring(start));
    }
    if (!line.startsWith("{") || !line.contains("formattedMessage")) {
      return Optional.empty();
    }
    try {
      return Json.read(line, LogEvent.class)
          .formattedMessage()
          .filter(message -> message.startsWith(BEGINNING));
    } catch (Json.Malformed _) {
      return Optional.empty();
    }
  }

  /** Line of a log in JSON. */
  @Serdeable
  record LogEvent(Optional<String> formattedMessage) {}

  /** Judges the recorded inputs again and compares the verdicts. */
  public Replay replay() {
    Replay first = compare(verdict, inputs.judge());
    return again
        .filter(_ -> first instanceof Replay.Same)
        .map(recheck -> compare(recheck.verdict(), recheck.inputs().recheck()))
        .orElse(first);
  }

  private static Replay compare(VerdictText recorded, Optional<Verdict> judged) {
    Optional<VerdictText> now = judged.map(VerdictText::of);
    return now.equals(Optional.of(recorded))
        ? new Replay.Same()
        : new Replay.Different(
            recorded.toString(),
            now.map(VerdictText::toString).orElse("no verdict on one workload"));
  }

  /** Result of judging a record again. */
  public sealed interface Replay {
    /** The same verdict, for the same reason, in the same words. */
    record Same() implements Replay {}

    /** Another verdict. */
    record Different(String recorded, String now) implements Replay {}
  }
}
