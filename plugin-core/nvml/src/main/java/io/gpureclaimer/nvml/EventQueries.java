package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_NOT_AVAILABLE;

import io.gpureclaimer.nvml.binding.NvmlEventData;
import java.util.List;
import java.util.OptionalInt;

/** Queries about events. */
final class EventQueries {
  static final long NO_DEVICE = 0;

  /** An event as the driver reports it; the device is its own handle of a GPU, 0 for none. */
  record RawEvent(long device, long type, long data, OptionalInt instance) {}

  static final List<NvmlQuery<Long>> CREATE =
      List.of(
          new NvmlQuery<>(
              "nvmlEventSetCreate",
              (lib, _, out) -> lib.nvmlEventSetCreate(out.scalar(0)),
              out -> out.address(0)));

  static final NvmlQuery<Long> SUPPORTED =
      new NvmlQuery<>(
          "nvmlDeviceGetSupportedEventTypes",
          (lib, device, out) -> lib.nvmlDeviceGetSupportedEventTypes(device, out.scalar(0)),
          out -> out.longValue(0));

  static NvmlQuery<Boolean> register(long types, long set) {
    return new NvmlQuery<>(
        "nvmlDeviceRegisterEvents",
        (lib, device, _) -> lib.nvmlDeviceRegisterEvents(device, types, set),
        _ -> true);
  }

  static List<NvmlQuery<RawEvent>> await(long set, int millis) {
    return List.of(
        new NvmlQuery<>(
            "nvmlEventSetWait_v2",
            (lib, _, out) -> lib.nvmlEventSetWait_v2(set, fresh(out), millis),
            out -> rawEvent(out.event)),
        new NvmlQuery<>(
            "nvmlEventSetWait",
            (lib, _, out) -> lib.nvmlEventSetWait(set, fresh(out), millis),
            out -> rawEvent(out.event)));
  }

  static List<NvmlQuery<Boolean>> free(long set) {
    return List.of(
        new NvmlQuery<>("nvmlEventSetFree", (lib, _, _) -> lib.nvmlEventSetFree(set), _ -> true));
  }

  /**
   * The older way leaves the instances alone, and what an earlier event left is not of this one.
   */
  private static NvmlEventData fresh(CallMemory out) {
    out.event.device.set(NO_DEVICE);
    out.event.gpuInstanceId.set(NVML_VALUE_NOT_AVAILABLE);
    return out.event;
  }

  private static RawEvent rawEvent(NvmlEventData event) {
    int instance = event.gpuInstanceId.intValue();
    return new RawEvent(
        event.device.get(),
        event.eventType.get(),
        event.eventData.get(),
        instance == NVML_VALUE_NOT_AVAILABLE ? OptionalInt.empty() : OptionalInt.of(instance));
  }

  private EventQueries() {}
}
