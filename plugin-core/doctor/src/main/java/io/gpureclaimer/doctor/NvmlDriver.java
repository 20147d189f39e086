package io.gpureclaimer.doctor;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.doctor.DriverAnswer.Reported;
import io.gpureclaimer.doctor.DriverAnswer.ReportedGpu;
import io.gpureclaimer.doctor.DriverAnswer.Silent;
import io.gpureclaimer.nvml.DeviceNumbers;
import io.gpureclaimer.nvml.NvmlLibrary;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.poll.GpuPoll;
import io.gpureclaimer.nvml.poll.GpuPoll.GpuReader;
import io.gpureclaimer.nvml.poll.GpuPoller;
import io.gpureclaimer.nvml.poll.KernelFiles;
import io.gpureclaimer.nvml.poll.PolledGpu;
import io.gpureclaimer.nvml.session.DriverSession;
import io.gpureclaimer.nvml.session.DriverThread;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Polls the driver for the diagnosis, in a session of its own. */
public final class NvmlDriver implements DriverPort {
  private static final int SYSFS_DOMAIN_FROM = 4;
  private static final int SYSFS_ID_LENGTH = 12;
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  /** One for all, so that a late answer finds its reader. */
  private static final GpuReader<DiagnosedSettings> SETTINGS = (gpu, _, _) -> read(gpu);

  private static final DiagnosedSettings NOTHING = new DiagnosedSettings(null, null, null, null);

  private final Optional<Path> library;
  private final Path root;

  /**
   * @param library the library, or its folder; empty for the usual places, of which the last are
   *     below the root
   * @param root of the node's file system
   */
  public NvmlDriver(Optional<Path> library, Path root) {
    this.library = library;
    this.root = root;
  }

  /** What only the diagnosis reads of a GPU; null if not reported. */
  private record DiagnosedSettings(
      @Nullable Long computeMode,
      @Nullable Long persistence,
      @Nullable Long fabricStatus,
      @Nullable String trouble) {}

  @Override
  public DriverAnswer ask() {
    return ask(() -> NvmlLibrary.load(library, Optional.of(root)), root);
  }

  static DriverAnswer ask(Supplier<LibNvml> library, Path root) {
    try (var thread = new DriverThread();
        var session =
            new DriverSession(library, thread, DEADLINE, DEADLINE, MonotonicClock.SYSTEM)) {
      return ask(
          new GpuPoller(
              session,
              thread,
              new KernelFiles(root),
              new GpuPoller.Deadlines(
                  DEADLINE, DEADLINE.multipliedBy(2), DEADLINE, DEADLINE, DEADLINE),
              DEADLINE,
              false,
              List.of(),
              MonotonicClock.SYSTEM,
              InstantSource.fixed(Instant.EPOCH)));
    }
  }

  /** The same in the session of a poller. */
  public static DriverAnswer ask(GpuPoller poller) {
    return switch (poller.poll(SETTINGS)) {
      case GpuPoll.DriverDown<DiagnosedSettings>(var reason, var code) -> new Silent(code, reason);
      case GpuPoll.Polled<DiagnosedSettings>(var inventory, var version, var gpus, _) ->
          new Reported(
              inventory.driverVersion(),
              version == null ? null : version.substring(version.indexOf('.') + 1),
              gpus.stream().map(NvmlDriver::gpu).toList());
    };
  }

  private static ReportedGpu gpu(GpuPoll.GpuPollResult<DiagnosedSettings> result) {
    var gpu = result.gpu();
    var read = result.read();
    var settings = read == null ? NOTHING : read.value();
    return new ReportedGpu(
        result.index(),
        gpu == null || gpu.pciBusId() == null ? null : sysfs(gpu.pciBusId()),
        settings.computeMode(),
        settings.persistence() == null ? null : settings.persistence() == 1,
        settings.fabricStatus(),
        result.fault() == null ? settings.trouble() : result.reason());
  }

  /** A GPU that needs a reset may still be found, and fail every query. */
  private static GpuReader.Read<DiagnosedSettings> read(PolledGpu gpu) {
    var numbers =
        gpu.nvml()
            .numbers(
                gpu.handle(),
                List.of(
                    DeviceNumbers.COMPUTE_MODE,
                    DeviceNumbers.PERSISTENCE_MODE,
                    DeviceNumbers.FABRIC_STATUS));
    String trouble =
        numbers.getFirst() instanceof NvmlResult.Failed<Long>(var reason, var code, _)
            ? "its compute mode cannot be read: " + reason.text() + " (code " + code + ")"
            : null;
    return new GpuReader.Read<>(
        new DiagnosedSettings(
            value(numbers.get(0)), value(numbers.get(1)), value(numbers.get(2)), trouble),
        GpuReader.ResponseState.RESPONDING,
        "",
        false);
  }

  /** Eight digits of the domain become four, as sysfs has them. */
  private static String sysfs(String bus) {
    String lower = bus.toLowerCase(Locale.ROOT);
    return lower.length() > SYSFS_ID_LENGTH ? lower.substring(SYSFS_DOMAIN_FROM) : lower;
  }

  private static @Nullable Long value(NvmlResult<Long> answer) {
    return answer instanceof NvmlResult.Value<Long>(var value) ? value : null;
  }
}
