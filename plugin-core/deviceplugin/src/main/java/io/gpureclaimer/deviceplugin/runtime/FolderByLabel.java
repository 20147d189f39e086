package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.nodeconfig.ConfigWatch;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigWatch.ConfigState;
import java.time.Instant;
import java.util.Optional;

/** One of the files of a folder, named by a label of the Node. */
public final class FolderByLabel implements SettingsSource {
  private final ConfigWatch watch;

  public FolderByLabel(ConfigWatch watch) {
    this.watch = watch;
  }

  @Override
  public Optional<Text> look(Instant now) {
    return watch.tick(now).map(config -> new Text(config.display(), config.content()));
  }

  @Override
  public Optional<String> why() {
    return switch (watch.status().state()) {
      case ConfigState.Selected(var config) -> Optional.of(config.why());
      case ConfigState.Kept(var config, _) -> Optional.of(config.why());
      case ConfigState.None _ -> Optional.empty();
    };
  }

  @Override
  public Optional<String> problem() {
    return switch (watch.status().state()) {
      case ConfigState.Selected _ -> Optional.empty();
      case ConfigState.Kept(_, var problem) -> Optional.of(problem);
      case ConfigState.None(var problem) -> Optional.of(problem);
    };
  }
}
