package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.GpuUuid;
import org.jspecify.annotations.Nullable;

/** State of one GPU as of a poll; docs/faults.md has what follows from each. */
public sealed interface GpuStatus {

  /** Index of the GPU in the driver's list. */
  int index();

  /** UUID; null if the GPU never reported it. */
  @Nullable GpuUuid uuid();

  /** Facts from this poll or an earlier one; null if there are none. */
  @Nullable GpuFacts lastKnown();

  /** Facts by which new containers may get the GPU; null if they must not. */
  default @Nullable GpuFacts usable() {
    return switch (this) {
      case Responding(var facts) -> facts;
      case Late(var facts) -> facts;
      case Unavailable _ -> null;
    };
  }

  /** The GPU responds, and everything that allocation needs is known. */
  record Responding(GpuFacts facts) implements GpuStatus {
    @Override
    public int index() {
      return facts.gpu().index();
    }

    @Override
    public GpuUuid uuid() {
      return facts.gpu().uuid();
    }

    @Override
    public GpuFacts lastKnown() {
      return facts;
    }
  }

  /**
   * The GPU responded in the poll before, and a call of this one has not returned yet: that is no
   * evidence of a fault. It stays what it was until it is {@link GpuFault#HUNG}.
   */
  record Late(GpuFacts facts) implements GpuStatus {
    @Override
    public int index() {
      return facts.gpu().index();
    }

    @Override
    public GpuUuid uuid() {
      return facts.gpu().uuid();
    }

    @Override
    public GpuFacts lastKnown() {
      return facts;
    }
  }

  /**
   * New containers must not get the GPU.
   *
   * @param uuid as reported in this poll, or known at that index before; null if neither
   * @param lastKnown facts from an earlier poll; null if there are none
   * @param reason the query that failed and how, for people
   */
  record Unavailable(
      int index,
      @Nullable GpuUuid uuid,
      @Nullable GpuFacts lastKnown,
      GpuFault fault,
      String reason)
      implements GpuStatus {}

  /** Fault of a GPU; docs/faults.md has what each means for metrics, ledger and allocation. */
  enum GpuFault {
    /** The driver reports that the GPU has fallen off the bus. */
    LOST,
    /** A driver call has not returned within the deadline of one GPU. */
    OVERDUE,
    /** A driver call has not returned for so long that the GPU counts as broken. */
    HUNG,
    /** The driver refuses its handle or its identity. */
    REFUSED,
    /** The GPU responds, but a fact that allocation needs is missing. */
    INCOMPLETE,
    /** Facts are known, but the driver refuses every reading: allocation does not need any. */
    UNREADABLE
  }
}
