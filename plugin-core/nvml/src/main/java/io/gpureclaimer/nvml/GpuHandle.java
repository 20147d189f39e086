package io.gpureclaimer.nvml;

import java.util.Map;
import java.util.WeakHashMap;

/**
 * The driver's handle of one GPU, or of a part of one, and the memory into which its calls write;
 * so two threads never share memory unless they ask the same GPU. Confined to one thread at a time.
 */
public final class GpuHandle {
  private final int index;
  private final long device;
  private final CallMemory out;
  private final int[] settled = new int[FallbackCalls.SLOTS];
  private final Map<FieldQuery, FieldBlock> fieldBlocks = new WeakHashMap<>();

  GpuHandle(int index, long device) {
    this(index, device, new CallMemory());
  }

  private GpuHandle(int index, long device, CallMemory out) {
    this.index = index;
    this.device = device;
    this.out = out;
  }

  /** The driver's index of the GPU, from zero. */
  public int index() {
    return index;
  }

  /** The same GPU, for another thread. */
  GpuHandle apart() {
    return new GpuHandle(index, device);
  }

  /**
   * A part of this GPU, or the GPU that this is a part of: asked in the same turn, by the same
   * thread, and so with the same memory.
   */
  GpuHandle related(long device) {
    return new GpuHandle(index, device, out);
  }

  long device() {
    return device;
  }

  CallMemory out() {
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
