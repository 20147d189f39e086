package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.SignalLimits;
import java.util.Arrays;
import java.util.Optional;

/**
 * What is asked of a Prometheus.
 *
 * @param form {@code ledger}, {@code rules} or {@code series}; found out if absent
 * @param labels {@code plain}, {@code exported} or {@code old}; found out if absent
 * @param signals what is looked at besides
 */
public record Options(Optional<String> form, Optional<String> labels, SignalLimits signals) {

  /** The agents' records and nothing besides. */
  public static Options ledgerOnly() {
    return new Options(Optional.of("ledger"), Optional.empty(), SignalLimits.none());
  }

  Optional<PodLabels.Style> style() {
    return labels.map(
        code ->
            Arrays.stream(PodLabels.Style.values())
                .filter(style -> style.code().equals(code))
                .findFirst()
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "labels must be plain, exported or old, was " + code)));
  }
}
