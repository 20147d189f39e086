package io.gpureclaimer.doctor;

/** What a check came to. */
public sealed interface Outcome {

  /**
   * Something does not work.
   *
   * @param found what is
   * @param advice what to do
   */
  record Problem(String found, String advice) implements Outcome {}

  /**
   * It works, and may not for long, or not for everybody.
   *
   * @param found what is
   * @param advice what to do
   */
  record Warning(String found, String advice) implements Outcome {}

  /**
   * It may be well or not: from here it cannot be seen.
   *
   * @param reason why not
   */
  record CannotTell(String reason) implements Outcome {}

  /**
   * All is well.
   *
   * @param found what is
   */
  record Ok(String found) implements Outcome {}

  /**
   * There is nothing to check on this node.
   *
   * @param reason why not
   */
  record NotApplicable(String reason) implements Outcome {}

  /** The kind, for sorting and for machines. */
  default OutcomeKind kind() {
    return switch (this) {
      case Problem _ -> OutcomeKind.PROBLEM;
      case Warning _ -> OutcomeKind.WARNING;
      case CannotTell _ -> OutcomeKind.CANNOT_TELL;
      case Ok _ -> OutcomeKind.OK;
      case NotApplicable _ -> OutcomeKind.NOT_APPLICABLE;
    };
  }

  /** What people read first. */
  default String text() {
    return switch (this) {
      case Problem(var found, var _) -> found;
      case Warning(var found, var _) -> found;
      case CannotTell(var reason) -> reason;
      case Ok(var found) -> found;
      case NotApplicable(var reason) -> reason;
    };
  }

  /** The kinds, the most urgent first. */
  enum OutcomeKind {
    PROBLEM,
    WARNING,
    CANNOT_TELL,
    OK,
    NOT_APPLICABLE
  }
}
