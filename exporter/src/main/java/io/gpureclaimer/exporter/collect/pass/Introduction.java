package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Device;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.NvmlReturn;
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
          .orElseGet(() -> notMet(Silence.of(index, known, answers, whyNot())));
    } catch (IllegalArgumentException e) {
      return notMet(new GpuSample.Failed(index, known, String.valueOf(e.getMessage())));
    }
  }

  /** Without the reasons for which the driver failed, if it did. */
  private String whyNot() {
    String what = "it could not be identified";
    return answers.failures().isEmpty() ? what + ": " + NvmlReturn.NOT_SUPPORTED.text() : what;
  }

  private Device met(GpuHandle handle, Gpu gpu) {
    return new Device(nvml, handle, gpu, Texts.of(nvml, handle, wanted));
  }

  private Optional<Gpu> identity(GpuHandle handle) {
    var place = nvml.pciBusId(handle);
    if (place instanceof Unsupported<String>) {
      return identity(handle, null);
    }
    return answered(place).flatMap(bus -> identity(handle, bus));
  }

  /** One that is on no bus, as that of a Jetson, has a name all the same. */
  private Optional<Gpu> identity(GpuHandle handle, @Nullable String bus) {
    return answered(nvml.uuid(handle))
        .flatMap(uuid -> answered(nvml.name(handle)).map(name -> new Gpu(index, uuid, bus, name)));
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
