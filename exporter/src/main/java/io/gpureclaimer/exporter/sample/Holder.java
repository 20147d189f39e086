package io.gpureclaimer.exporter.sample;

import org.jspecify.annotations.Nullable;

/**
 * Container that a device is allocated to.
 *
 * @param namespace the pod's namespace
 * @param pod the pod's name
 * @param container the container's name within the pod
 * @param uid the pod's uid; null when the source does not report it
 */
public record Holder(String namespace, String pod, String container, @Nullable String uid) {
  public Holder {
    namespace = text("namespace", namespace);
    pod = text("pod", pod);
    container = text("container", container);
    if (uid != null) {
      uid = text("uid", uid);
    }
  }

  private static String text(String what, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(what + " of a holder must not be blank");
    }
    return WellFormedText.of(value);
  }
}
