package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.plugin.AllocationOutcome;
import io.gpureclaimer.deviceplugin.plugin.DeviceList;
import io.gpureclaimer.deviceplugin.plugin.PluginEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counters of one resource. Confined to the thread that conducts the device plugin. */
final class ResourceTally implements PluginEvents {
  private final Map<RegistrationOutcome, Long> registrations =
      new EnumMap<>(RegistrationOutcome.class);
  private final Map<AllocationOutcome, LatencyHistogram> allocations =
      new EnumMap<>(AllocationOutcome.class);
  private DeviceList lastSent = new DeviceList(List.of());
  private long messages;
  private LatencyHistogram preferred = LatencyHistogram.NONE;
  private long mismatches;
  private @Nullable String lastError;

  @Override
  public void streamsChanged() {}

  @Override
  public void sent(DeviceList list) {
    messages++;
    lastSent = list;
  }

  @Override
  public void allocated(AllocationOutcome outcome, Duration took) {
    allocations.put(outcome, allocations.getOrDefault(outcome, LatencyHistogram.NONE).with(took));
  }

  @Override
  public void preferred(Duration took) {
    preferred = preferred.with(took);
  }

  void registered(RegistrationOutcome outcome) {
    registrations.merge(outcome, 1L, Long::sum);
  }

  void mismatched() {
    mismatches++;
  }

  void wentWrong(String what) {
    lastError = what;
  }

  Set<String> sentHealthyIds() {
    return lastSent.healthyIds();
  }

  /** Counts together with the state of the registration, as in {@link ResourceState}. */
  ResourceState state(
      DeviceList offered,
      @Nullable String socket,
      boolean registered,
      @Nullable Instant watchedSince) {
    return new ResourceState(
        offered.devices().size(),
        offered.healthy(),
        socket,
        registered,
        watchedSince,
        messages,
        registrations,
        allocations,
        preferred,
        mismatches,
        lastError);
  }
}
