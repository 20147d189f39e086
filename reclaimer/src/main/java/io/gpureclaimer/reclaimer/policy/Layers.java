package io.gpureclaimer.reclaimer.policy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who asks for something for one pod.
 *
 * @param near the pod and its owners, nearest first
 * @param namespace the namespace, which belongs to the administrator
 */
record Layers(List<Wishes> near, Wishes namespace) {
  Layers {
    near = List.copyOf(near);
  }

  /** All of them, nearest first. */
  Stream<Wishes> all() {
    return Stream.concat(near.stream(), Stream.of(namespace));
  }

  /** What the nearest one that says anything asks for. */
  <T> Optional<Setting<T>> nearest(PolicyKey<T> key) {
    return all().flatMap(wishes -> wishes.setting(key).stream()).findFirst();
  }
}
