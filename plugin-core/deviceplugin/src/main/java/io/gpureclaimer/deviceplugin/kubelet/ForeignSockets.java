package io.gpureclaimer.deviceplugin.kubelet;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Names of device plugin sockets of other processes in the kubelet's folder.
 *
 * @param live of processes that listen
 * @param dead left behind by processes that were killed
 */
record ForeignSockets(Set<String> live, Set<String> dead) {
  static final ForeignSockets NONE = new ForeignSockets(Set.of(), Set.of());

  ForeignSockets {
    live = Set.copyOf(live);
    dead = Set.copyOf(dead);
  }

  ForeignSockets filter(Predicate<String> wanted) {
    return new ForeignSockets(
        live.stream().filter(wanted).collect(Collectors.toSet()),
        dead.stream().filter(wanted).collect(Collectors.toSet()));
  }
}
