package io.gpureclaimer.reclaimer.activity;

import java.util.List;

/**
 * What the agents recorded of one pod's GPUs.
 *
 * @param uid the pod's UID, by which it is joined to the cluster; names are not trusted for that
 * @param devices one entry per distinct GPU, ordered by UUID
 */
public record PodActivity(String uid, List<DeviceActivity> devices) {
  public PodActivity {
    devices = List.copyOf(devices);
  }
}
