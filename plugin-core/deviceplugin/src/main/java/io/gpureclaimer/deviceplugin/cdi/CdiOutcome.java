package io.gpureclaimer.deviceplugin.cdi;

/** Result of publishing a CDI specification. */
public sealed interface CdiOutcome {

  /** The file was missing or different, and was written. */
  record Written(Cause cause) implements CdiOutcome {}

  /** The file was up to date. */
  record Unchanged() implements CdiOutcome {}

  /** There are no devices, so the file was removed. */
  record Removed() implements CdiOutcome {}

  /** The devices are unknown now; the file was kept. */
  record Kept() implements CdiOutcome {}

  /**
   * The file could not be written; its previous content stays.
   *
   * @param reason which file, what failed and what that means, for people
   */
  record Failed(String reason) implements CdiOutcome {}

  /**
   * The folder was deleted on the node after it was mounted here: runtimes do not see new files.
   *
   * @param reason the same, for people
   */
  record FolderDeleted(String reason) implements CdiOutcome {}

  /** Reason for writing a file. */
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
