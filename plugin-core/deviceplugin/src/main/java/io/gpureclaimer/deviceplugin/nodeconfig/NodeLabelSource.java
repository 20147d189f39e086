package io.gpureclaimer.deviceplugin.nodeconfig;

/** Reads one label of our Node. */
@FunctionalInterface
public interface NodeLabelSource {

  /** What is known now; once known it stays so while the API server is away. */
  NodeLabel now();

  /** What is known of one label of our Node. */
  public sealed interface NodeLabel {

    /** It has this value. */
    record Value(String text) implements NodeLabel {}

    /** The Node does not have it, or has it empty. */
    record Absent() implements NodeLabel {}

    /**
     * The API server has not reported it yet. Not the same as absent: nothing is decided on it.
     *
     * @param reason why, for people
     */
    record Unknown(String reason) implements NodeLabel {}
  }
}
