package io.gpureclaimer.deviceplugin.runtime;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Source whose text a test writes; it reports each change. */
final class FakeSource implements SettingsSource {
  private @Nullable Text text;
  private @Nullable Text reported;
  private @Nullable String why;
  private @Nullable String problem;

  static FakeSource of(String content) {
    var source = new FakeSource();
    source.write(content);
    return source;
  }

  void write(String content) {
    text = new Text("config.yaml", content);
    problem = null;
  }

  void writeBecause(String reason, String content) {
    write(content);
    why = reason;
  }

  void fail(String why) {
    problem = why;
  }

  void recover() {
    problem = null;
  }

  @Override
  public Optional<Text> read(Instant now) {
    if (problem != null || text == null || text.equals(reported)) {
      return Optional.empty();
    }
    reported = text;
    return Optional.of(text);
  }

  @Override
  public Optional<String> why() {
    return Optional.ofNullable(why);
  }

  @Override
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }
}
