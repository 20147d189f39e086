package io.gpureclaimer.deviceplugin.publication;

import java.util.List;

/** Result of publishing something. */
public sealed interface Published {

  /**
   * They were known already; nothing was written.
   *
   * @param contested labels that another manager owns, and that were left unchanged
   */
  record Same(List<Contested> contested) implements Published {
    public Same {
      contested = List.copyOf(contested);
    }
  }

  /**
   * They are known now.
   *
   * @param contested labels that another manager owns, and that were left unchanged
   */
  record Written(List<Contested> contested) implements Published {
    public Written {
      contested = List.copyOf(contested);
    }
  }

  /**
   * They are not known, and whatever was before still stands.
   *
   * @param reason what kind of failure it was
   * @param text what went wrong and what to do, in one line for people
   */
  record Failed(PublishFailure reason, String text) implements Published {}

  /**
   * A label that another manager has set to another value.
   *
   * @param key of the label
   * @param wanted our value
   * @param found theirs
   * @param owner whose it is
   */
  record Contested(String key, String wanted, String found, String owner) {
    @Override
    public String toString() {
      return key + " is " + found + " by " + owner + ", not " + wanted;
    }
  }

  /** The kinds of failure. */
  enum PublishFailure {
    /** Our account may not do it. */
    FORBIDDEN,
    /** The API server does not have this kind of object. */
    NO_SUCH_API,
    /** The node is not registered. */
    NO_SUCH_NODE,
    /** Another program wrote at the same moment, or owns what we wanted to write. */
    CONFLICT,
    /** The API server did not answer. */
    UNREACHABLE,
    /** The file could not be written. */
    FILE,
    /** Something else. */
    REFUSED
  }
}
