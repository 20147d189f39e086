package io.gpureclaimer.deviceplugin.nodeconfig;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Follows the label of the Node and the text of the selected file. A label that names no file, a
 * folder that is gone and an API server that is away keep the last good configuration. Confined to
 * the thread that ticks, {@link #status} aside.
 */
public final class ConfigWatch {
  private final NodeLabelSource label;
  private final ConfigFolder folder;
  private final ConfigChoice choice;
  private final AtomicReference<ConfigStatus> status =
      new AtomicReference<>(
          new ConfigStatus(new ConfigState.None("the folder has not been read yet"), null));

  private @Nullable SelectedConfig lastGood;

  public ConfigWatch(NodeLabelSource label, ConfigFolder folder, ConfigChoice choice) {
    this.label = label;
    this.folder = folder;
    this.choice = choice;
  }

  /**
   * How it stands.
   *
   * @param state which configuration the node has
   * @param since when it became another one, by name or text; null if never
   */
  public record ConfigStatus(ConfigState state, @Nullable Instant since) {}

  /** How it stands; for any thread. */
  public ConfigStatus status() {
    return status.get();
  }

  /**
   * Looks again.
   *
   * @return the configuration, if it is another one than before, by name or by text
   */
  public Optional<SelectedConfig> tick(Instant now) {
    ConfigState state = read();
    SelectedConfig before = lastGood;
    if (state instanceof ConfigState.Selected(var config)) {
      lastGood = config;
      if (before == null || !before.saysTheSameAs(config)) {
        status.set(new ConfigStatus(state, now));
        return Optional.of(config);
      }
    }
    status.set(new ConfigStatus(state, status.get().since()));
    return Optional.empty();
  }

  private ConfigState read() {
    try {
      return switch (choice.among(label.now(), folder.names())) {
        case ConfigChoice.Chosen.File(var name, var why) ->
            new ConfigState.Selected(
                new SelectedConfig(name, folder.file(name), folder.content(name), why));
        case ConfigChoice.Chosen.Empty(var why) ->
            new ConfigState.Selected(new SelectedConfig(null, null, "", why));
        case ConfigChoice.Chosen.None(var problem) -> kept(problem);
      };
    } catch (IOException e) {
      return kept(
          "the folder "
              + folder
              + " cannot be read: "
              + e.getClass().getSimpleName()
              + ": "
              + e.getMessage());
    }
  }

  private ConfigState kept(String problem) {
    SelectedConfig good = lastGood;
    return good == null ? new ConfigState.None(problem) : new ConfigState.Kept(good, problem);
  }

  /** Which configuration the node has, as far as known. */
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

  /**
   * The configuration of this node.
   *
   * @param name of its file; null for the empty configuration
   * @param file where it was read; null for the empty configuration
   * @param content its text
   * @param why this one, for people
   */
  public record SelectedConfig(
      @Nullable String name, @Nullable Path file, String content, String why) {

    /** What people call it. */
    public String display() {
      return name == null ? "the empty configuration" : name;
    }

    /** Whether the plugin would have to do anything new for the other. */
    public boolean saysTheSameAs(SelectedConfig other) {
      return Objects.equals(name, other.name) && content.equals(other.content);
    }
  }
}
