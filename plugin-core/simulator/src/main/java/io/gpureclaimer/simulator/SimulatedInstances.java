package io.gpureclaimer.simulator;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_FOUND;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;

import io.gpureclaimer.nvml.binding.NvmlBar1Memory;
import io.gpureclaimer.nvml.binding.NvmlDeviceAttributes;
import io.gpureclaimer.simulator.MigLayout.Numbered;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.ToIntFunction;

/** The parts of a simulated card, as the script divides it at one moment. */
record SimulatedInstances(SimulatedGpu gpu, GpuScript script) {
  /** The most that a card can have. */
  static final int MOST = 7;

  private static final int MOST_PERCENT = 100;
  private static final long MIB_PER_GIB = 1024;
  private static final long BYTES_PER_MIB = 1L << 20;

  /** What an instance has less than its name says: 9856 MiB in {@code 1g.10gb}. */
  private static final long LESS_THAN_ITS_NAME_MIB = 384;

  private static final long MULTIPROCESSORS_PER_SLICE = 16;

  /** One of them. */
  record InstancePart(SimulatedInstances all, Numbered instance) {
    String uuid() {
      String seed = all.gpu.uuid() + '/' + instance;
      return "MIG-" + UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8));
    }

    String name() {
      return all.gpu.model().name() + " MIG " + instance.size().profile();
    }

    long totalMib() {
      return instance.size().gib() * MIB_PER_GIB - LESS_THAN_ITS_NAME_MIB;
    }

    /** What the script has in use on the card, evenly over its parts. */
    long usedMib() {
      return Math.min(totalMib(), all.gpu.usedMib(all.script) / all.layout().instances().size());
    }

    /** Its share of the card's, as of the memory; none of it in use. */
    int bar1(NvmlBar1Memory out) {
      long total = Board.of(all.gpu.model()).bar1Mib() * totalMib() / all.gpu.model().totalMib();
      out.bar1Total.set(total * BYTES_PER_MIB);
      out.bar1Used.set(0);
      out.bar1Free.set(total * BYTES_PER_MIB);
      return NVML_SUCCESS;
    }

    int attributes(NvmlDeviceAttributes out) {
      int slices = instance.size().slices();
      int computeSlices = instance.size().computeSlices();
      int extra = instance.size().variant().isEmpty() ? 0 : 1;
      out.multiprocessorCount.set(computeSlices * MULTIPROCESSORS_PER_SLICE);
      out.sharedCopyEngineCount.set(slices);
      out.sharedDecoderCount.set(slices == 1 ? extra : slices / 2);
      out.sharedEncoderCount.set(0);
      out.sharedJpegCount.set(extra);
      out.sharedOfaCount.set(extra);
      out.gpuInstanceSliceCount.set(slices);
      out.computeInstanceSliceCount.set(computeSlices);
      out.memorySizeMB.set(totalMib());
      return NVML_SUCCESS;
    }
  }

  MigLayout layout() {
    return gpu.layout(script);
  }

  boolean has(int id) {
    return layout().numbered().stream().anyMatch(part -> part.id() == id);
  }

  /** That of its processes, if the script says of any in which part they are; else the card's. */
  int loadPercent(int id, Instant now) {
    boolean scripted = script.processes().stream().anyMatch(some -> some.instance().isPresent());
    if (!scripted) {
      return gpu.utilizationPercent(script, now);
    }
    int sum =
        script.processes().stream()
            .filter(process -> process.instance().equals(OptionalInt.of(id)))
            .mapToInt(ScriptedProcess::smPercent)
            .sum();
    return Math.min(sum, MOST_PERCENT);
  }

  Optional<InstancePart> at(int index) {
    List<Numbered> numbered = layout().numbered();
    return index >= 0 && index < numbered.size()
        ? Optional.of(new InstancePart(this, numbered.get(index)))
        : Optional.empty();
  }

  /** Queries the part with that index; it may not exist, or no longer. */
  int ask(int index, ToIntFunction<InstancePart> answer) {
    return at(index).map(answer::applyAsInt).orElse(NVML_ERROR_NOT_FOUND);
  }
}
