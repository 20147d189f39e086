package io.gpureclaimer.reclaimer.backtest;

import java.util.Set;

/**
 * What is asked for.
 *
 * @param namespaces by name; empty for all
 */
public record Scope(Set<String> namespaces) {
  public Scope {
    namespaces = Set.copyOf(namespaces);
  }

  boolean includes(String namespace) {
    return namespaces.isEmpty() || namespaces.contains(namespace);
  }
}
