package io.gpureclaimer.deviceplugin.kubelet;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Names of other processes' sockets of our kind in the kubelet's folder.
 *
 * @param live of processes that listen
 * @param dead left behind by processes that were killed
 */
record OtherSockets(Set<String> live, Set<String> dead) {
  static final OtherSockets NONE = new OtherSockets(Set.of(), Set.of());

  OtherSockets {
    live = Set.copyOf(live);
    dead = Set.copyOf(dead);
  }

  OtherSockets filter(Predicate<String> wanted) {
    return new OtherSockets(
        live.stream().filter(wanted).collect(Collectors.toSet()),
        dead.stream().filter(wanted).collect(Collectors.toSet()));
  }
}
