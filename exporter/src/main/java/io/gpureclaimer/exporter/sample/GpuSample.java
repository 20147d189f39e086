package io.gpureclaimer.exporter.sample;

import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.vocabulary.DcgmField;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What came of one GPU's turn in one sampling pass. */
public sealed interface GpuSample {

  /** The driver's index of the GPU; known even of a GPU that never answered. */
  int index();

  /** The device, as it introduced itself in this pass or an earlier one. */
  Optional<Gpu> gpu();

  /**
   * The GPU answered.
   *
   * <p>A metric the device does not support is absent from {@code readings}; it is never zero. An
   * idle card and a card without a power sensor must stay distinguishable all the way to
   * Prometheus.
   *
   * @param device the device that answered
   * @param at when its turn began; before the pass if the answers came late
   * @param readings at most one per field, in order of field id
   * @param failed the fields that the device should tell and failed to, this time
   */
  record Answered(Gpu device, Instant at, List<Reading> readings, Set<DcgmField> failed)
      implements GpuSample {
    public Answered {
      failed = Set.copyOf(failed);
      readings =
          readings.stream()
              .sorted(Comparator.comparingInt(reading -> reading.field().id()))
              .toList();
      for (int i = 1; i < readings.size(); i++) {
        if (readings.get(i).field() == readings.get(i - 1).field()) {
          throw new IllegalArgumentException(
              "expected at most one reading of " + readings.get(i).field() + ", found two");
        }
      }
    }

    /** Nothing failed. */
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

  /** The driver says that the GPU has fallen off the bus. */
  record Lost(int index, @Nullable Gpu known) implements GpuSample {
    @Override
    public Optional<Gpu> gpu() {
      return Optional.ofNullable(known);
    }
  }

  /** A call about this GPU has not returned yet; its thread was left behind. */
  record Hung(int index, @Nullable Gpu known) implements GpuSample {
    @Override
    public Optional<Gpu> gpu() {
      return Optional.ofNullable(known);
    }
  }

  /** Nothing could be learned from the GPU, for another reason. */
  record Failed(int index, @Nullable Gpu known, String reason) implements GpuSample {
    @Override
    public Optional<Gpu> gpu() {
      return Optional.ofNullable(known);
    }
  }
}
