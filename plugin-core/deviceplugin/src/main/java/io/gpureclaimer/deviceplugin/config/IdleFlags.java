package io.gpureclaimer.deviceplugin.config;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Flags of NVIDIA's that are checked, and ask for what is not done here. Confined to one merge. */
final class IdleFlags {
  private final FlagValues values;
  private final FlagTypes types;

  IdleFlags(FlagValues values, FlagTypes types) {
    this.values = values;
    this.types = types;
  }

  /** One for each that somebody has set so that it asks for something. */
  List<String> notes() {
    types.interval(Flag.SLEEP_INTERVAL);
    boolean featureApi = types.truth(Flag.NODE_FEATURE_API);
    return Stream.of(
            note(
                Flag.FAIL_ON_INIT_ERROR,
                types.truth(Flag.FAIL_ON_INIT_ERROR),
                "without a driver the agent stays, says so, and tries again"),
            note(
                Flag.ONESHOT,
                types.truth(Flag.ONESHOT),
                "labels are kept as they should be for as long as the agent runs"),
            note(
                Flag.SLEEP_INTERVAL,
                true,
                "labels follow each look at the devices, every device-plugin.survey-after"),
            note(
                Flag.NODE_FEATURE_API,
                featureApi,
                "--node-labels says where labels go, and node-feature is one of the places"),
            note(
                Flag.CDI_FEATURE_FLAGS,
                !types.texts(Flag.CDI_FEATURE_FLAGS).isEmpty(),
                "the specifications are not made by NVIDIA's library"))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<String> note(Flag flag, boolean asksForSomething, String why) {
    return values
        .given(flag)
        .filter(_ -> asksForSomething)
        .map(given -> given.origin() + " has no effect: " + why);
  }
}
