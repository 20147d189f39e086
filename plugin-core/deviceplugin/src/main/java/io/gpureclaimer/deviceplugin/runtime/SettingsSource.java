package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.files.ReloadingFile;
import io.gpureclaimer.common.files.ReloadingFile.Refresh;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigWatch;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigWatch.ConfigState;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Source of the device plugin's configuration. Confined to the thread that reads it. */
public interface SettingsSource {

  /**
   * Configuration in the format of NVIDIA's device plugin.
   *
   * @param name of the file, or of what replaces it
   * @param content empty for the default settings
   */
  record Text(String name, String content) {}

  /** The text if it has changed since the last call. */
  Optional<Text> read(Instant now);

  /** Why this text was selected, where there was a choice. */
  Optional<String> why();

  /** Why there is no text, or only an old one; empty if the current text was read. */
  Optional<String> problem();

  /** No file: flags and environment are the whole configuration. */
  static SettingsSource none() {
    return new NoFile();
  }

  /** One file; a mounted ConfigMap changes without any event. */
  static SettingsSource file(Path path) {
    return new OfFile(path);
  }

  /** A file and its last content. */
  final class OfFile implements SettingsSource {
    private static final int LARGEST_BYTES = 1 << 20;

    private final ReloadingFile<Text> file;

    private OfFile(Path path) {
      this.file =
          new ReloadingFile<>(
              path,
              LARGEST_BYTES,
              CodingErrorAction.REPORT,
              content -> new Text(path.toString(), content));
    }

    @Override
    public Optional<Text> read(Instant now) {
      return file.refresh() instanceof Refresh.Loaded<Text>(var text)
          ? Optional.of(text)
          : Optional.empty();
    }

    @Override
    public Optional<String> why() {
      return Optional.empty();
    }

    @Override
    public Optional<String> problem() {
      return file.problem().map(problem -> file.path() + ": " + problem);
    }
  }

  /** Nothing but flags and environment. */
  final class NoFile implements SettingsSource {
    private boolean wasRead;

    private NoFile() {}

    @Override
    public Optional<Text> read(Instant now) {
      if (wasRead) {
        return Optional.empty();
      }
      wasRead = true;
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

  /** One of the files of a folder, named by a label of the Node. */
  final class FolderByLabel implements SettingsSource {
    private final ConfigWatch watch;

    public FolderByLabel(ConfigWatch watch) {
      this.watch = watch;
    }

    @Override
    public Optional<Text> read(Instant now) {
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
}
