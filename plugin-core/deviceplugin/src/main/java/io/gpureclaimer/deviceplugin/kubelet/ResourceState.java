package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.plugin.AllocationOutcome;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Registration state and counters of one resource.
 *
 * @param devices how many are offered
 * @param healthy how many of them a new container may get
 * @param socket the name of the socket that the kubelet reaches us at; null if there is none
 * @param registered whether the kubelet has accepted us
 * @param watchedSince since when the kubelet watches the list; null if it does not, and then no pod
 *     gets a device
 * @param messages how many lists were sent
 * @param registrations attempts to register, by what came of them
 * @param allocations requests for devices, by what came of them
 * @param preferred questions which devices fit best
 * @param mismatches how often the kubelet did not believe what it was sent, and we registered again
 * @param lastError what went wrong last, in one line; null if nothing did
 */
public record ResourceState(
    int devices,
    int healthy,
    @Nullable String socket,
    boolean registered,
    @Nullable Instant watchedSince,
    long messages,
    Map<RegistrationOutcome, Long> registrations,
    Map<AllocationOutcome, LatencyHistogram> allocations,
    LatencyHistogram preferred,
    long mismatches,
    @Nullable String lastError) {
  public ResourceState {
    registrations = Map.copyOf(registrations);
    allocations = Map.copyOf(allocations);
  }

  /** Whether the kubelet knows what is offered, as far as this end can know. */
  public boolean watched() {
    return watchedSince != null;
  }
}
