package io.gpureclaimer.common.program;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether the agent, or a part of it, is ready. */
public sealed interface Readiness {

  /** Of all parts together: not ready as long as one is not, with the reasons of each. */
  static Readiness of(List<ReadinessCheck> parts) {
    String missing =
        parts.stream()
            .map(ReadinessCheck::readiness)
            .flatMap(it -> it instanceof NotReady(var reason) ? Stream.of(reason) : Stream.empty())
            .collect(Collectors.joining("; "));
    return missing.isEmpty() ? new Ready() : new NotReady(missing);
  }

  /** It is ready. */
  record Ready() implements Readiness {}

  /** It is not ready; {@code reason} is one line for a human. */
  record NotReady(String reason) implements Readiness {}
}
