package io.gpureclaimer.deviceplugin.runtime;

import java.time.Instant;
import java.util.Optional;

/** Where the device plugin's configuration comes from. Confined to the thread that looks. */
public interface SettingsSource {

  /**
   * A text in the form of NVIDIA's device plugin, and what people call it.
   *
   * @param name the file, or what there is instead of one
   * @param content empty for the usual settings
   */
  record Text(String name, String content) {}

  /** The text, if it is another one than before; the first time in any case, if there is one. */
  Optional<Text> look(Instant now);

  /** Why it is this text and no other, where there was a choice. */
  Optional<String> why();

  /** Why there is no text, or only an old one; empty if all is well. */
  Optional<String> problem();

  /** There is no file: flags and environment say it all. */
  static SettingsSource none() {
    return new NoFile();
  }

  /** Nothing but flags and environment. */
  static final class NoFile implements SettingsSource {
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
}
