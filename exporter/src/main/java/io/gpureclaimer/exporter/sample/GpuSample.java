package io.gpureclaimer.exporter.sample;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.vocabulary.DcgmField;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Result for one GPU in one sampling pass. */
public sealed interface GpuSample {

  /** The driver's index of the GPU; known even of a GPU that never answered. */
  int index();

  /** The device, as it introduced itself in this pass or an earlier one. */
  Optional<Gpu> gpu();

  /**
   * The GPU responded.
   *
   * <p>A metric the device does not support is absent from {@code readings}; it is never zero. An
   * idle card and a card without a power sensor must stay distinguishable all the way to
   * Prometheus.
   *
   * @param device the device that answered
   * @param at when its turn began; before the pass if the answers came late
   * @param readings in order of field id; two of one field differ in their extra labels
   * @param failed the fields that the device should report and failed to, this time
   * @param texts what it says of itself in words: its serial number, its driver's version
   * @param instances the parts into which MIG has divided it, in order of their ids; none without
   * @param load how busy it was since the pass before
   * @param processes on it and on each of its parts; empty if not wanted, or not reported
   */
  record Answered(
      Gpu device,
      Instant at,
      List<Reading> readings,
      Set<DcgmField> failed,
      Map<DcgmField, String> texts,
      List<InstanceSample> instances,
      UtilizationSamples load,
      Map<Entity, DeviceProcesses> processes)
      implements GpuSample {
    public Answered {
      failed = Set.copyOf(failed);
      readings = Reading.inOrder(readings);
      texts = Map.copyOf(texts);
      instances = List.copyOf(instances);
      processes = Map.copyOf(processes);
    }

    /** Nothing is known except what it reads. */
    public Answered(
        Gpu device,
        Instant at,
        List<Reading> readings,
        Set<DcgmField> failed,
        Map<DcgmField, String> texts,
        List<InstanceSample> instances) {
      this(
          device,
          at,
          readings,
          failed,
          texts,
          instances,
          new UtilizationSamples.Unknown(),
          Map.of());
    }

    /** Nothing is divided, and nothing was put in words. */
    public Answered(Gpu device, Instant at, List<Reading> readings, Set<DcgmField> failed) {
      this(device, at, readings, failed, Map.of(), List.of());
    }

    /** Nor did anything fail. */
    public Answered(Gpu device, Instant at, List<Reading> readings) {
      this(device, at, readings, Set.of());
    }

    @Override
    public int index() {
      return device.index();
    }

    @Override
    public Optional<Gpu> gpu() {
      return Optional.of(device);
    }
  }

  /** The GPU did not respond: nothing was read from it in this pass. */
  sealed interface Unresponsive extends GpuSample {
    /** The device; null if it was never identified. */
    @Nullable Gpu known();

    /** What is known of it without its driver. */
    LastKnown lastKnown();

    /** The same, with this known of it. */
    Unresponsive with(LastKnown other);

    @Override
    default Optional<Gpu> gpu() {
      return Optional.ofNullable(known());
    }
  }

  /**
   * Last known data of a GPU that does not respond: events, fault and texts. No reading of an
   * earlier pass.
   *
   * @param readings XIDs and health only
   * @param texts such as its serial number, which do not change
   */
  record LastKnown(List<Reading> readings, Map<DcgmField, String> texts) {
    /** Nothing is known. */
    public static final LastKnown NOTHING = new LastKnown(List.of(), Map.of());

    public LastKnown {
      readings = Reading.inOrder(readings);
      texts = Map.copyOf(texts);
    }
  }

  /** The driver reports that the GPU has fallen off the bus. */
  record Lost(int index, @Nullable Gpu known, LastKnown lastKnown) implements Unresponsive {
    /** Nothing else is known. */
    public Lost(int index, @Nullable Gpu known) {
      this(index, known, LastKnown.NOTHING);
    }

    @Override
    public Lost with(LastKnown other) {
      return new Lost(index, known, other);
    }
  }

  /** A call about this GPU has not returned yet; its thread was left behind. */
  record Hung(int index, @Nullable Gpu known, LastKnown lastKnown) implements Unresponsive {
    /** Nothing else is known. */
    public Hung(int index, @Nullable Gpu known) {
      this(index, known, LastKnown.NOTHING);
    }

    @Override
    public Hung with(LastKnown other) {
      return new Hung(index, known, other);
    }
  }

  /** Nothing could be learned from the GPU, for another reason. */
  record Failed(int index, @Nullable Gpu known, String reason, LastKnown lastKnown)
      implements Unresponsive {
    /** Nothing else is known. */
    public Failed(int index, @Nullable Gpu known, String reason) {
      this(index, known, reason, LastKnown.NOTHING);
    }

    @Override
    public Failed with(LastKnown other) {
      return new Failed(index, known, reason, other);
    }
  }
}
