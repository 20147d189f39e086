package io.gpureclaimer.exporter.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The machine that the agent runs on. Bound from {@code node.*}.
 *
 * @param name value of the {@code hostname} label; the machine's own name if not given
 */
@Context
@ConfigurationProperties("node")
public record NodeConfig(@Nullable String name) {
  private static final Path KERNELS_NAME = Path.of("/proc/sys/kernel/hostname");

  /** Value of the {@code hostname} label. */
  public String hostname() {
    if (name != null && !name.isBlank()) {
      return name;
    }
    try {
      return Files.isReadable(KERNELS_NAME)
          ? Files.readString(KERNELS_NAME).strip()
          : InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      throw new UncheckedIOException("the host name cannot be read; set NODE_NAME", e);
    }
  }
}
