package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.deviceplugin.allocation.Sharing;
import org.jspecify.annotations.Nullable;

/**
 * Sharing of the devices that a label describes.
 *
 * @param kind by whom
 * @param replicas how often each device is offered, at least 1; null where the devices differ in it
 * @param renamed whether it is offered under another name, so that the product keeps its own
 */
public record ResourceSharing(
    Sharing.SharingKind kind, @Nullable Integer replicas, boolean renamed) {
  /** Each device once, under its own name. */
  public static final ResourceSharing NOT_SHARED =
      new ResourceSharing(Sharing.SharingKind.NONE, 1, false);

  public ResourceSharing {
    if (replicas != null && replicas < 1) {
      throw new IllegalArgumentException("a device has at least 1 replica, was " + replicas);
    }
  }

  boolean isShared() {
    return kind != Sharing.SharingKind.NONE && (replicas == null || replicas > 1);
  }

  /** What the labels call the means. */
  String text() {
    return isShared() ? kind.text() : Sharing.SharingKind.NONE.text();
  }
}
