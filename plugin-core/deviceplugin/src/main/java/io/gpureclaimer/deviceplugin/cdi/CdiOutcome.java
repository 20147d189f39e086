package io.gpureclaimer.deviceplugin.cdi;

/** What became of a file of specifications. */
public sealed interface CdiOutcome {

  /** It was not as it should be, and now is. */
  record Written(Cause cause) implements CdiOutcome {}

  /** It was already so. */
  record Unchanged() implements CdiOutcome {}

  /** There are no devices left to give, so there is no file. */
  record Removed() implements CdiOutcome {}

  /** The devices are unknown now; the file stays as it is. */
  record Kept() implements CdiOutcome {}

  /**
   * The file could not be made what it should be; it is what it was.
   *
   * @param reason which file, what failed and what that means, for people
   */
  record Failed(String reason) implements CdiOutcome {}

  /**
   * The folder was deleted on the node after it was mounted here: whatever is written, no runtime
   * sees it.
   *
   * @param reason the same, for people
   */
  record FolderDeleted(String reason) implements CdiOutcome {}

  /** Why a file was written. */
  enum Cause {
    /** There was none. */
    NEW,
    /** Devices or files have changed, or an earlier run had written it. */
    CHANGED,
    /** Another program had deleted the one that we had written. */
    VANISHED,
    /** Another program had changed what we had written. */
    OVERWRITTEN
  }
}
