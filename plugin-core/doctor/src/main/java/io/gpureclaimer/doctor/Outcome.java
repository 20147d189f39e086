package io.gpureclaimer.doctor;

/** Result of one check. */
public sealed interface Outcome {

  /**
   * Something does not work.
   *
   * @param found what is
   * @param advice what to do
   */
  record Problem(String found, String advice) implements Outcome {}

  /**
   * It works, but perhaps not for long, or not for every container.
   *
   * @param found what is
   * @param advice what to do
   */
  record Warning(String found, String advice) implements Outcome {}

  /**
   * It is unknown whether it works: the check cannot see it.
   *
   * @param reason why not
   */
  record Undecided(String reason) implements Outcome {}

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
      case Undecided _ -> OutcomeKind.UNDECIDED;
      case Ok _ -> OutcomeKind.OK;
      case NotApplicable _ -> OutcomeKind.NOT_APPLICABLE;
    };
  }

  /** What people read first. */
  default String text() {
    return switch (this) {
      case Problem(var found, var _) -> found;
      case Warning(var found, var _) -> found;
      case Undecided(var reason) -> reason;
      case Ok(var found) -> found;
      case NotApplicable(var reason) -> reason;
    };
  }

  /** The kinds, the most urgent first. */
  enum OutcomeKind {
    PROBLEM("PROBLEM"),
    WARNING("WARNING"),
    UNDECIDED("CANNOT_TELL"),
    OK("OK"),
    NOT_APPLICABLE("NOT_APPLICABLE");

    private final String code;

    OutcomeKind(String code) {
      this.code = code;
    }

    /** As the JSON of a diagnosis has it. */
    public String code() {
      return code;
    }
  }
}
