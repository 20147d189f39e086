package io.gpureclaimer.simulator;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The GPM samples that are open, by the number that stands for their memory. Thread-safe. */
final class SimulatedGpmSamples {
  private static final long FIRST = 0x6100_0000L;

  private final AtomicLong next = new AtomicLong(FIRST);
  private final ConcurrentMap<Long, Sample> open = new ConcurrentHashMap<>();

  private record Sample(@Nullable SimulatedGpu gpu, OptionalInt instance, int loadPercent) {
    boolean isOfTheSameAs(Sample other) {
      return gpu == other.gpu() && instance.equals(other.instance());
    }
  }

  long open() {
    long sample = next.getAndIncrement();
    open.put(sample, new Sample(null, OptionalInt.empty(), 0));
    return sample;
  }

  boolean close(long sample) {
    return open.remove(sample) != null;
  }

  boolean fill(long sample, SimulatedGpu gpu, OptionalInt instance, int loadPercent) {
    return open.computeIfPresent(sample, (_, _) -> new Sample(gpu, instance, loadPercent)) != null;
  }

  /** What was measured between two samples of the same card, or the same part of one. */
  Optional<Between> between(long sample1, long sample2) {
    Sample first = open.get(sample1);
    Sample second = open.get(sample2);
    if (first == null || second == null || first.gpu() == null || !first.isOfTheSameAs(second)) {
      return Optional.empty();
    }
    double load = (first.loadPercent() + second.loadPercent()) / 2.0;
    return Optional.of(new Between(first.gpu().model(), load));
  }

  /** A stretch of time on a card of that model, under that load on average. */
  record Between(Model model, double loadPercent) {
    private static final int BOTH_DIRECTIONS = 2;
    private static final int PCIE_CARRIES_LESS = 32;

    /** What an H100 measures while a process has a context and no kernel runs. */
    private static final double ENGINE_PERCENT_AT_REST = 0.0062;

    private static final double DRAM_PERCENT_AT_REST = 0.0007;

    /** The metric of that number in {@code nvml.h}; empty where the card has none. */
    OptionalDouble value(int metric) {
      return switch (metric) {
        case 1 -> OptionalDouble.of(Math.max(loadPercent, ENGINE_PERCENT_AT_REST));
        case 2 -> share(90);
        case 3 -> share(50);
        case 4 -> share(10);
        case 5, 7 -> share(40);
        case 6, 8, 9, 11 -> OptionalDouble.of(0);
        case 10 -> OptionalDouble.of(Math.max(loadPercent * 60 / 100, DRAM_PERCENT_AT_REST));
        case 12 -> share(20);
        case 13 -> share(10);
        case 20, 21 -> OptionalDouble.of(linksInOneDirection() / PCIE_CARRIES_LESS);
        case 50 -> OptionalDouble.of(0);
        case 60, 61 -> OptionalDouble.of(linksInOneDirection());
        default -> engineOrLink(metric);
      };
    }

    private OptionalDouble engineOrLink(int metric) {
      Board board = Board.of(model);
      boolean decoder = isWithin(metric, 30, board.decoders());
      boolean jpeg = isWithin(metric, 40, board.decoders());
      if (decoder || jpeg) {
        return OptionalDouble.of(0);
      }
      return isWithin(metric, 62, BOTH_DIRECTIONS * board.links())
          ? OptionalDouble.of(linksInOneDirection() / board.links())
          : OptionalDouble.empty();
    }

    private static boolean isWithin(int metric, int first, int count) {
      return metric >= first && metric < first + count;
    }

    private OptionalDouble share(int percent) {
      return OptionalDouble.of(loadPercent * percent / 100);
    }

    private double linksInOneDirection() {
      return model.nvlinkMibPerSecond() * loadPercent / 100 / BOTH_DIRECTIONS;
    }
  }
}
