package io.gpureclaimer.deviceplugin.nodeconfig;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
