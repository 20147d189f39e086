package io.gpureclaimer.exporter.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.util.List;
import java.util.Optional;

/**
 * Spelling of the labels of device series. Bound from {@code labels.*}.
 *
 * @param oldNamespace whether as the 1.x exporters did
 * @param hostname what the label of the node is called: {@code hostname}, {@code Hostname}, or
 *     {@code none} for no such label
 * @param replaceBlanksInModelName whether the words of a model's name are joined by dashes
 */
@Context
@ConfigurationProperties("labels")
public record LabelsConfig(
    boolean oldNamespace, String hostname, boolean replaceBlanksInModelName) {
  private static final String NONE = "none";
  private static final List<String> HOSTNAMES = List.of("hostname", "Hostname", NONE);

  public LabelsConfig {
    if (!HOSTNAMES.contains(hostname)) {
      throw new IllegalArgumentException(
          "labels.hostname must be one of " + String.join(", ", HOSTNAMES) + ", was " + hostname);
    }
  }

  /** The name of the label for the node, if there is to be one. */
  public Optional<String> hostnameLabel() {
    return hostname.equals(NONE) ? Optional.empty() : Optional.of(hostname);
  }
}
