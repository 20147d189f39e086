package io.gpureclaimer.doctor;

import io.gpureclaimer.doctor.DriverAnswer.Silent;
import io.gpureclaimer.doctor.DriverAnswer.Told;
import io.gpureclaimer.doctor.DriverAnswer.ToldGpu;
import io.gpureclaimer.nvml.DeviceNumbers;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlException;
import io.gpureclaimer.nvml.NvmlLibrary;
import io.gpureclaimer.nvml.NvmlResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Asks the driver through NVML, in a session of its own. */
public final class NvmlDriver implements DriverPort {
  private static final int SYSFS_DOMAIN_FROM = 4;
  private static final int SYSFS_ID_LENGTH = 12;

  private final Optional<Path> library;
  private final Path root;

  /**
   * @param library the library, or its folder; empty for the usual places, of which the last are
   *     below the root
   * @param root where the node's file system is
   */
  public NvmlDriver(Optional<Path> library, Path root) {
    this.library = library;
    this.root = root;
  }

  @Override
  public DriverAnswer ask() {
    try (Nvml nvml = Nvml.open(NvmlLibrary.load(library, Optional.of(root)))) {
      return ask(nvml);
    } catch (NvmlException e) {
      return new Silent(e.reason(), String.valueOf(e.getMessage()));
    }
  }

  /**
   * The same in a session that is open already.
   *
   * @throws NvmlException if it is not
   */
  public static Told ask(Nvml nvml) {
    List<ToldGpu> gpus = new ArrayList<>();
    for (int index = 0; index < nvml.deviceCount(); index++) {
      gpus.add(gpu(nvml, index));
    }
    String nvmlVersion = told(nvml.nvmlVersion());
    return new Told(
        told(nvml.driverVersion()),
        nvmlVersion == null ? null : nvmlVersion.substring(nvmlVersion.indexOf('.') + 1),
        gpus);
  }

  private static ToldGpu gpu(Nvml nvml, int index) {
    return switch (nvml.handle(index)) {
      case NvmlResult.Value<GpuHandle>(var gpu) -> gpu(nvml, index, gpu);
      case NvmlResult.Unsupported<GpuHandle>() -> silent(index, "not supported");
      case NvmlResult.Failed<GpuHandle>(var reason, var code) ->
          silent(index, reason.text() + " (code " + code + ")");
    };
  }

  private static ToldGpu gpu(Nvml nvml, int index, GpuHandle gpu) {
    List<NvmlResult<Long>> numbers =
        nvml.numbers(
            gpu,
            List.of(
                DeviceNumbers.COMPUTE_MODE,
                DeviceNumbers.PERSISTENCE_MODE,
                DeviceNumbers.FABRIC_STATUS));
    NvmlResult<String> place = nvml.pciBusId(gpu);
    String bus = told(place);
    Long persistence = told(numbers.get(1));
    return new ToldGpu(
        index,
        bus == null ? null : sysfs(bus),
        told(numbers.get(0)),
        persistence == null ? null : persistence == 1,
        told(numbers.get(2)),
        Stream.of(place, numbers.getFirst())
            .map(NvmlDriver::trouble)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null));
  }

  /** A GPU that needs a reset may still be found, and fail whatever it is asked. */
  private static @Nullable String trouble(NvmlResult<?> answer) {
    return answer instanceof NvmlResult.Failed<?>(var reason, var code)
        ? reason.text() + " (code " + code + ")"
        : null;
  }

  private static ToldGpu silent(int index, String trouble) {
    return new ToldGpu(index, null, null, null, null, trouble);
  }

  /** Eight digits of the domain become four, as sysfs has them. */
  private static String sysfs(String bus) {
    String lower = bus.toLowerCase(Locale.ROOT);
    return lower.length() > SYSFS_ID_LENGTH ? lower.substring(SYSFS_DOMAIN_FROM) : lower;
  }

  private static <T> @Nullable T told(NvmlResult<T> answer) {
    return answer instanceof NvmlResult.Value<T>(var value) ? value : null;
  }
}
