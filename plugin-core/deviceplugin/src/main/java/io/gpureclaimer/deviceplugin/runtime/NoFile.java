package io.gpureclaimer.deviceplugin.runtime;

import java.time.Instant;
import java.util.Optional;

/** Nothing but flags and environment. */
final class NoFile implements SettingsSource {
  private boolean told;

  @Override
  public Optional<Text> look(Instant now) {
    if (told) {
      return Optional.empty();
    }
    told = true;
    return Optional.of(new Text("no config file", ""));
  }

  @Override
  public Optional<String> why() {
    return Optional.empty();
  }

  @Override
  public Optional<String> problem() {
    return Optional.empty();
  }
}
