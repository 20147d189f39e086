package io.gpureclaimer.reclaimer.cluster;

import java.util.Map;
import java.util.Optional;

/**
 * An object that controls pods, or controls what controls them.
 *
 * @param namespace where it lives; empty if in none
 * @param controller what controls it in turn; the top owner of its pods has none
 * @param annotations its annotations, without kubectl's copy of the manifest
 */
public record OwnerView(
    Owner owner, String namespace, Optional<Owner> controller, Map<String, String> annotations) {
  public OwnerView {
    annotations = Map.copyOf(annotations);
  }
}
