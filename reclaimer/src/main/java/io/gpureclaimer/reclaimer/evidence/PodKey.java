package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;

/** Identity under which a source knows a pod; never blank. */
public sealed interface PodKey {

  /** For people. */
  String text();

  /** A UID, which no other pod ever has. */
  record Uid(String uid) implements PodKey {
    public Uid {
      requireText(uid);
    }

    @Override
    public String text() {
      return uid;
    }
  }

  /** A name, which another pod may have had. */
  record Named(PodName name) implements PodKey {
    public Named {
      requireText(name.namespace());
      requireText(name.name());
    }

    @Override
    public String text() {
      return name.toString();
    }
  }

  private static void requireText(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("the identity of a pod must not be blank");
    }
  }

  /** A device that is allocated to a pod. */
  record PodDevice(PodKey pod, Entity device) {
    @Override
    public String toString() {
      return "pod " + pod.text() + ", GPU " + device;
    }
  }

  /**
   * How people call a pod. Another pod may have had the same name before.
   *
   * @param namespace where it lives
   * @param name what it is called there
   */
  public record PodName(String namespace, String name) {

    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }
}
