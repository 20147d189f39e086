package io.gpureclaimer.reclaimer.activity;

import java.util.List;
import java.util.OptionalInt;

/**
 * What one look saw of one pod.
 *
 * @param uid the pod's UID, by which it is joined to the cluster; names are not trusted for that
 * @param devices one entry per distinct GPU, ordered by UUID
 * @param deviceCount how many devices the agent says that the pod holds, observed or not; absent
 *     where it does not say
 * @param signals what else was measured; nothing that is absent here was
 */
public record PodActivity(
    String uid, List<DeviceActivity> devices, OptionalInt deviceCount, List<Signal> signals) {
  public PodActivity {
    devices = List.copyOf(devices);
    signals = List.copyOf(signals);
  }

  /** Devices, and nothing else that was said or measured. */
  public PodActivity(String uid, List<DeviceActivity> devices) {
    this(uid, devices, OptionalInt.empty(), List.of());
  }
}
