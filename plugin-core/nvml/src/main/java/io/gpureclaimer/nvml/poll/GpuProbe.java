package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult.FailedCall;
import io.gpureclaimer.nvml.poll.GpuPoll.GpuReader;
import io.gpureclaimer.nvml.poll.GpuPoll.GpuReader.Read;
import io.gpureclaimer.nvml.poll.GpuStatus.GpuFault;
import io.gpureclaimer.nvml.poll.InventoryUpdate.GpuCounters;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Polls the GPU at one index of a session: identity, facts and MIG layout when they are due, then
 * the readings. Confined to one driver thread at a time.
 */
final class GpuProbe {
  private static final Set<String> DISPLAYS = Set.of("DGX Display", "NVIDIA DGX Display");

  private final Nvml nvml;
  private final int index;
  private final KernelFiles files;
  private final Predicate<GpuUuid> repartitioned;
  private final MonotonicClock monotonic;
  private final InstantSource clock;

  /** Read by other threads too: a GPU may hang after it has reported its identity. */
  private volatile @Nullable PolledGpu gpu;

  private @Nullable GpuFacts facts;
  private @Nullable GpuFault factsFault;
  private String factsReason = "";
  private MigLister mig;
  private boolean isDoubtful;

  /** Of the current poll. */
  private List<FailedCall> failures = List.of();

  private @Nullable GpuCounters counters;

  /**
   * @param repartitioned whether MIG may have partitioned a GPU again since this was last asked
   * @param monotonic measures how long calls take
   */
  GpuProbe(
      Nvml nvml,
      int index,
      KernelFiles files,
      Predicate<GpuUuid> repartitioned,
      MonotonicClock monotonic,
      InstantSource clock) {
    this.nvml = nvml;
    this.index = index;
    this.files = files;
    this.repartitioned = repartitioned;
    this.monotonic = monotonic;
    this.clock = clock;
    this.mig = new MigLister(files);
  }

  /** The GPU, as soon as it has reported its identity, while a poll may still go on; or null. */
  @Nullable PolledGpu identified() {
    return gpu;
  }

  /** A probe for the same index that knows nothing yet. */
  GpuProbe fresh() {
    return new GpuProbe(nvml, index, files, repartitioned, monotonic, clock);
  }

  /**
   * Answers of one GPU.
   *
   * @param gpu identity; null if the GPU did not report it
   * @param uuid null if not even that is known
   * @param facts as known after this poll; null if there are none
   * @param counters null if the facts were not read in this poll
   * @param fault null if there is none
   * @param began monotonic time of the first query, in nanoseconds
   * @param ended monotonic time after the last answer
   */
  record GpuProbeResult<R>(
      @Nullable PolledGpu gpu,
      @Nullable GpuUuid uuid,
      @Nullable GpuFacts facts,
      @Nullable GpuCounters counters,
      @Nullable Read<R> read,
      @Nullable GpuFault fault,
      String reason,
      List<FailedCall> failures,
      long began,
      long ended) {

    /** Whether the GPU only drives a display, so that no container gets it. */
    boolean isDisplay() {
      return gpu != null && DISPLAYS.contains(gpu.gpu().modelName());
    }

    /** The same answer, of the GPU that is remembered. */
    GpuProbeResult<R> of(@Nullable PolledGpu known, @Nullable GpuFacts knownFacts) {
      return new GpuProbeResult<>(
          known,
          known == null ? null : known.gpu().uuid(),
          knownFacts,
          counters,
          read,
          fault,
          reason,
          failures,
          began,
          ended);
    }

    /** Whether identity and facts are of this poll. */
    boolean responds() {
      return fault == null || fault == GpuFault.INCOMPLETE || fault == GpuFault.UNREADABLE;
    }
  }

  /**
   * Polls the GPU.
   *
   * @param reader takes the readings; null for none
   * @param refresh whether identity, facts and MIG layout are read again
   */
  <R> GpuProbeResult<R> poll(@Nullable GpuReader<R> reader, boolean refresh) {
    Instant at = clock.instant();
    long began = monotonic.nanos();
    failures = List.of();
    counters = null;
    var before = gpu;
    boolean changed = before != null && repartitioned.test(before.gpu().uuid());
    GpuFactsReader refused =
        before == null || refresh || changed || isDoubtful ? readFacts(changed) : null;
    Read<R> read = null;
    var known = gpu;
    if (known != null && reader != null && factsFault != GpuFault.LOST) {
      read = reader.read(known, mig.layout(), at);
      isDoubtful |= read.instanceFailed();
      if (read.state() == GpuReader.ResponseState.SILENT
          && failures.isEmpty()
          && counters == null) {
        refused = readFacts(false);
      }
    }
    if (refused != null) {
      return refusal(refused, began);
    }
    return answer(read, began);
  }

  private <R> GpuProbeResult<R> answer(@Nullable Read<R> read, long began) {
    GpuFault fault = factsFault;
    String reason = factsReason;
    if (read != null && read.state() != GpuReader.ResponseState.RESPONDING) {
      boolean isLost = read.state() == GpuReader.ResponseState.LOST;
      if (isLost || fault == null) {
        fault = isLost ? GpuFault.LOST : GpuFault.UNREADABLE;
        reason = read.reason();
      }
    }
    return new GpuProbeResult<>(
        gpu,
        gpu == null ? null : gpu.gpu().uuid(),
        facts,
        counters,
        read,
        fault,
        reason,
        failures,
        began,
        monotonic.nanos());
  }

  private <R> GpuProbeResult<R> refusal(GpuFactsReader refused, long began) {
    return new GpuProbeResult<>(
        null,
        refused.uuid(),
        facts,
        null,
        null,
        refused.fault(),
        refused.reason(),
        failures,
        began,
        monotonic.nanos());
  }

  /**
   * Reads identity, facts and MIG layout.
   *
   * @return null unless the driver refuses the identity
   */
  private @Nullable GpuFactsReader readFacts(boolean changed) {
    var queries = new GpuFactsReader(nvml, index, files);
    PolledGpu now = queries.identify(gpu);
    failures = queries.failures();
    if (now == null) {
      gpu = null;
      return queries;
    }
    boolean isPartitionedAgain = changed;
    if (!now.equals(gpu)) {
      facts = null;
      mig = new MigLister(files);
      isPartitionedAgain = repartitioned.test(now.gpu().uuid());
    }
    gpu = now;
    facts = queries.read(now, mig, isPartitionedAgain, facts);
    factsFault = queries.fault();
    factsReason = queries.reason();
    counters = queries.counters();
    isDoubtful = mig.isIncomplete();
    return null;
  }
}
