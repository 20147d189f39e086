package io.gpureclaimer.deviceplugin.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One file, read at each look: a mounted ConfigMap changes without any event. */
public final class OneFile implements SettingsSource {
  private final Path file;
  private @Nullable String last;
  private @Nullable String problem;

  public OneFile(Path file) {
    this.file = file;
  }

  @Override
  public Optional<Text> look(Instant now) {
    try {
      String content = Files.readString(file);
      problem = null;
      if (content.equals(last)) {
        return Optional.empty();
      }
      last = content;
      return Optional.of(new Text(file.toString(), content));
    } catch (IOException e) {
      problem = file + " cannot be read: " + e.getClass().getSimpleName() + ": " + e.getMessage();
      return Optional.empty();
    }
  }

  @Override
  public Optional<String> why() {
    return Optional.empty();
  }

  @Override
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }
}
