package io.gpureclaimer.reclaimer.backtest;

import java.util.Set;

/**
 * What is asked for.
 *
 * @param namespaces by name; empty for all
 */
public record NamespaceScope(Set<String> namespaces) {
  public NamespaceScope {
    namespaces = Set.copyOf(namespaces);
  }

  boolean includes(String namespace) {
    return namespaces.isEmpty() || namespaces.contains(namespace);
  }
}
