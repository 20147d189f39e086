package io.gpureclaimer.core.nvml;

/**
 * The driver's handle of one GPU, and the memory into which its calls write; so two threads never
 * share memory unless they ask the same GPU. Confined to one thread at a time.
 */
public final class GpuHandle {
  private final int index;
  private final long device;
  private final OutMemory out = new OutMemory();
  private final int[] settled = new int[Alternatives.SLOTS];

  GpuHandle(int index, long device) {
    this.index = index;
    this.device = device;
  }

  /** The driver's index of the GPU, from zero. */
  public int index() {
    return index;
  }

  long device() {
    return device;
  }

  OutMemory out() {
    return out;
  }

  /** Which of several ways to ask has proved to be the one for this GPU. */
  int settledOn(int slot) {
    return settled[slot];
  }

  void settle(int slot, int way) {
    settled[slot] = way;
  }

  @Override
  public String toString() {
    return "GPU " + index;
  }
}
