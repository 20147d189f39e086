package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.notify.Receiver;
import io.gpureclaimer.reclaimer.notify.ReceiversFile;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Receivers of messages, in addition to Events. Bound from {@code notify.*}.
 *
 * @param file YAML file with the receivers; default: none
 * @param timeout timeout of one attempt to deliver one message
 * @param patience maximum time per minute for which cycles wait for receivers
 */
@Context
@ConfigurationProperties("notify")
public record NotifyConfig(@Nullable Path file, Duration timeout, Duration patience) {
  public NotifyConfig {
    new Property("notify.timeout", timeout).mustBePositive();
    new Property("notify.patience", patience)
        .mustBeAtLeast(new Property("notify.timeout", timeout));
  }

  /** The names of everybody, as far as a file says who there is. */
  public Optional<Set<String>> names() {
    return file == null
        ? Optional.empty()
        : Optional.of(receivers().stream().map(Receiver::name).collect(Collectors.toSet()));
  }

  /**
   * Everybody whom the file names.
   *
   * @throws IllegalArgumentException if it cannot be honored
   */
  public List<Receiver> receivers() {
    return file == null ? List.of() : ReceiversFile.read(file);
  }
}
