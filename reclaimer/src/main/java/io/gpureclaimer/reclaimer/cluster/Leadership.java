package io.gpureclaimer.reclaimer.cluster;

/** Whether this replica may write. Asked before each write, not once per cycle. */
public interface Leadership {

  /** Whether the lease is held now, with time left to finish a write. */
  boolean isHeld();

  /** Whether this replica leads and none has led before it, so that nothing was reclaimed yet. */
  default boolean isFirst() {
    return false;
  }

  /** This replica, as it is named in the lease; empty where it asks for none. */
  String identity();

  /** The holder, for messages; empty if none is known. */
  String holder();
}
