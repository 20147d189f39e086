package io.gpureclaimer.doctor;

import io.gpureclaimer.nvml.NvmlReturn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the driver library reports about the driver. */
public sealed interface DriverAnswer {

  /**
   * It answered.
   *
   * @param driverVersion of the kernel's part; null if not reported
   * @param libraryVersion of the library; null if not reported
   * @param gpus that it has, in its order
   */
  record Reported(
      @Nullable String driverVersion, @Nullable String libraryVersion, List<ReportedGpu> gpus)
      implements DriverAnswer {
    public Reported {
      gpus = List.copyOf(gpus);
    }
  }

  /**
   * It did not.
   *
   * @param reason why
   * @param text the same for people, with what was tried
   */
  record Silent(NvmlReturn reason, String text) implements DriverAnswer {}

  /**
   * One GPU. What the driver did not report is null.
   *
   * @param index the driver's number of it
   * @param pciBusId as sysfs spells it, {@code 0000:19:00.0}
   * @param computeMode 0: any number of processes, 2: no process, 3: one process
   * @param persistent whether the driver stays loaded without a client
   * @param fabricStatus DCGM's number of how it stands to its NVLink fabric: 0 has none, 3 joined
   * @param trouble why it could not be asked at all
   */
  record ReportedGpu(
      int index,
      @Nullable String pciBusId,
      @Nullable Long computeMode,
      @Nullable Boolean persistent,
      @Nullable Long fabricStatus,
      @Nullable String trouble) {}
}
