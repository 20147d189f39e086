package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.nvml.GpuHandle;
import io.gpureclaimer.core.nvml.Nvml;
import io.gpureclaimer.core.nvml.NvmlResult;
import io.gpureclaimer.core.nvml.NvmlResult.Failed;
import io.gpureclaimer.core.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.core.nvml.NvmlResult.Value;
import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Device;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.sample.GpuSample;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Learns which device sits at an index. Confined to the driver thread that asks. */
final class Introduction {
  private final Nvml nvml;
  private final int index;
  private final @Nullable Gpu known;
  private final Set<DcgmField> wanted;
  private final Readings answers;

  Introduction(Nvml nvml, int index, @Nullable Gpu known, Set<DcgmField> wanted) {
    this.nvml = nvml;
    this.index = index;
    this.known = known;
    this.wanted = wanted;
    this.answers = new Readings(wanted);
  }

  /** What came of it. */
  sealed interface Outcome {

    /** The device can be asked for readings. */
    record Met(Device device) implements Outcome {}

    /** It did not say who it is. */
    record NotMet(Taken turn) implements Outcome {}
  }

  Outcome make() {
    try {
      return answered(nvml.handle(index))
          .flatMap(handle -> identity(handle).map(gpu -> met(handle, gpu)))
          .<Outcome>map(Outcome.Met::new)
          .orElseGet(() -> notMet(Silence.of(index, known, answers, "it could not be identified")));
    } catch (IllegalArgumentException e) {
      return notMet(new GpuSample.Failed(index, known, String.valueOf(e.getMessage())));
    }
  }

  private Device met(GpuHandle handle, Gpu gpu) {
    return new Device(nvml, handle, gpu, Texts.of(nvml, handle, wanted));
  }

  private Optional<Gpu> identity(GpuHandle handle) {
    return answered(nvml.uuid(handle))
        .flatMap(
            uuid ->
                answered(nvml.pciBusId(handle))
                    .flatMap(
                        bus ->
                            answered(nvml.name(handle))
                                .map(name -> new Gpu(index, uuid, bus, name))));
  }

  private <T> Optional<T> answered(NvmlResult<T> answer) {
    answers.take(answer, Set.of(), _ -> {});
    return switch (answer) {
      case Value<T>(var value) -> Optional.of(value);
      case Unsupported<T> _, Failed<T> _ -> Optional.empty();
    };
  }

  private Outcome notMet(GpuSample sample) {
    return new Outcome.NotMet(new Taken(sample, answers.failures(), Map.of()));
  }
}
