package io.gpureclaimer.core.device;

/** What a device plugin calls a device, and with it the kubelet and everybody who asks it. */
public sealed interface DeviceId {

  /** A whole GPU: {@code GPU-} and a UUID. */
  record WholeGpu(GpuUuid gpu) implements DeviceId {}

  /**
   * One of several shares of a GPU: {@code GPU-…::0}.
   *
   * @param gpu the GPU that is shared
   * @param number which share, from zero
   */
  record Replica(GpuUuid gpu, String number) implements DeviceId {}

  /**
   * Not a spelling from which a GPU can be told, such as that of a MIG instance, which does not
   * name the GPU that it is a part of.
   *
   * @param text as it was found
   */
  record Unmapped(String text) implements DeviceId {}

  /** Understands what it can, and guesses nothing. */
  static DeviceId of(String text) {
    return DeviceIdGrammar.parse(text);
  }
}
