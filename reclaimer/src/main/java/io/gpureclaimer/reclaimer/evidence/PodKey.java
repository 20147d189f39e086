package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;

/** Identity under which a source knows a pod; never blank. */
public sealed interface PodKey {

  /** For people. */
  String text();

  /** A UID, which no other pod ever has. */
  record Uid(String uid) implements PodKey {
    @Override
    public String text() {
      return uid;
    }
  }

  /** A name, which another pod may have had. */
  record Named(PodName name) implements PodKey {
    @Override
    public String text() {
      return name.toString();
    }
  }

  /** A device that is allocated to a pod. */
  record PodDevice(PodKey pod, Entity device) {
    @Override
    public String toString() {
      return "pod " + pod.text() + ", GPU " + device;
    }
  }
}
