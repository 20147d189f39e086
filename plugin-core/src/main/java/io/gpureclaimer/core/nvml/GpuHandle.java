package io.gpureclaimer.core.nvml;

import java.util.Map;
import java.util.WeakHashMap;

/**
 * The driver's handle of one GPU, and the memory into which its calls write; so two threads never
 * share memory unless they ask the same GPU. Confined to one thread at a time.
 */
public final class GpuHandle {
  private final int index;
  private final long device;
  private final OutMemory out = new OutMemory();
  private final int[] settled = new int[Alternatives.SLOTS];
  private final Map<FieldQuery, FieldBlock> fieldBlocks = new WeakHashMap<>();

  GpuHandle(int index, long device) {
    this.index = index;
    this.device = device;
  }

  /** The driver's index of the GPU, from zero. */
  public int index() {
    return index;
  }

  /** The same GPU, for another thread. */
  GpuHandle apart() {
    return new GpuHandle(index, device);
  }

  long device() {
    return device;
  }

  OutMemory out() {
    return out;
  }

  /** This GPU's memory for that query; gone when the query is. */
  FieldBlock fields(FieldQuery query) {
    return fieldBlocks.computeIfAbsent(query, asked -> new FieldBlock(asked.fields()));
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
