package io.gpureclaimer.reclaimer.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
  List<Wishes> all() {
    List<Wishes> all = new ArrayList<>(near);
    all.add(namespace);
    return all;
  }

  /** What the nearest one that says anything asks for. */
  <T> Optional<Setting<T>> nearest(PolicyKey<T> key) {
    // Asked a dozen times for each pod: a loop takes a tenth of a stream's time.
    for (Wishes wishes : near) {
      Optional<Setting<T>> setting = wishes.setting(key);
      if (setting.isPresent()) {
        return setting;
      }
    }
    return namespace.setting(key);
  }
}
