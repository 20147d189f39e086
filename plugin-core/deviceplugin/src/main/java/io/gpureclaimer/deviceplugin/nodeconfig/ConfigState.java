package io.gpureclaimer.deviceplugin.nodeconfig;

/** Which configuration the node has, as far as it can be told. */
public sealed interface ConfigState {

  /** This one. */
  record Selected(SelectedConfig config) implements ConfigState {}

  /**
   * The one from before, since there is no new choice.
   *
   * @param config the last good one
   * @param problem why there is no choice, for people
   */
  record Kept(SelectedConfig config, String problem) implements ConfigState {}

  /**
   * None: there was never a choice.
   *
   * @param problem why, for people
   */
  record None(String problem) implements ConfigState {}
}
