package io.gpureclaimer.core.config;

import java.util.List;

/**
 * Which XIDs say that a GPU is unhealthy, beside those that always do.
 *
 * @param disabled XIDs that do not; {@code all} or {@code xids} for none at all
 * @param enabled XIDs that do, whatever else is said; {@code all} for all of them
 */
public record HealthSettings(List<String> disabled, List<String> enabled) {
  public HealthSettings {
    disabled = List.copyOf(disabled);
    enabled = List.copyOf(enabled);
  }
}
