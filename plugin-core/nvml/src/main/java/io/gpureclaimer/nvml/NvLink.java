package io.gpureclaimer.nvml;

/** Remote end of one NVLink of a GPU. */
public sealed interface NvLink {

  /** Nowhere: the link is not up. */
  record Down() implements NvLink {}

  /** To an NVSwitch, and through it to every GPU that is linked to one too. */
  record ToSwitch() implements NvLink {}

  /**
   * To another GPU.
   *
   * @param pciBusId as {@link Nvml#pciBusId} spells it
   */
  record ToGpu(String pciBusId) implements NvLink {}

  /** Up, and to something else: a CPU, or what the driver does not name. */
  record ToOther() implements NvLink {}
}
