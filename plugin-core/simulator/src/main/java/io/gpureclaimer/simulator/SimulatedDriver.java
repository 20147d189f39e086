package io.gpureclaimer.simulator;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_MEM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_SM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_CLOCK_VIDEO;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEVICE_MIG_DISABLE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEVICE_MIG_ENABLE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_DRIVER_NOT_LOADED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_GPU_IS_LOST;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_INSUFFICIENT_SIZE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_INVALID_ARGUMENT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_UNINITIALIZED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_P2P_STATUS_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_P2P_STATUS_OK;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TEMPERATURE_GPU;
import static io.gpureclaimer.nvml.binding.NvmlConstants.nvmlEventMigConfigChange;
import static io.gpureclaimer.nvml.binding.NvmlConstants.nvmlEventTypeDoubleBitEccError;
import static io.gpureclaimer.nvml.binding.NvmlConstants.nvmlEventTypeSingleBitEccError;
import static io.gpureclaimer.nvml.binding.NvmlConstants.nvmlEventTypeXidCriticalError;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlBar1Memory;
import io.gpureclaimer.nvml.binding.NvmlDeviceAttributes;
import io.gpureclaimer.nvml.binding.NvmlEventData;
import io.gpureclaimer.nvml.binding.NvmlGridLicensableFeatures;
import io.gpureclaimer.nvml.binding.NvmlMemory;
import io.gpureclaimer.nvml.binding.NvmlMemoryV2;
import io.gpureclaimer.nvml.binding.NvmlPciInfo;
import io.gpureclaimer.nvml.binding.NvmlUtilization;
import io.gpureclaimer.simulator.ScriptedProcess.ProcessList;
import io.gpureclaimer.simulator.SimulatedInstances.InstancePart;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import jnr.ffi.Pointer;

/**
 * The driver of a node that has no GPU: answers as the real one would, in the same memory and with
 * the same codes, about cards that do what a script says. The same script at the same time gives
 * the same answers. Safe for several threads.
 */
public final class SimulatedDriver implements LibNvml, SimulatedSensors, SimulatedGpm {
  private static final String DRIVER_VERSION = "550.54.15";
  private static final String NOT_LOADED = "";
  private static final String NVML_VERSION = "12.550.54.15";
  private static final long FIRST_DEVICE = 0x5100_0000L;
  private static final long FIRST_MIG_DEVICE = 0x5180_0000L;
  private static final long BYTES_PER_MIB = 1L << 20;
  private static final long LOOK_AGAIN_NANOS = 10_000_000;

  private final List<SimulatedGpu> gpus = new ArrayList<>();
  private final Supplier<Script> script;
  private final InstantSource clock;
  private final AtomicInteger sessions = new AtomicInteger();
  private final SimulatedGpmSamples samples = new SimulatedGpmSamples();
  private final SimulatedEvents events;
  private final AtomicReference<String> loadedVersion = new AtomicReference<>(DRIVER_VERSION);

  /**
   * A driver for the cards of a profile.
   *
   * @param nodeName from which the UUIDs are made, so that those of two nodes differ
   * @param script asked at every call; see {@link ScriptFile} for one that can be edited
   */
  public SimulatedDriver(
      Profile profile, String nodeName, Supplier<Script> script, InstantSource clock) {
    this.script = script;
    this.clock = clock;
    this.events = new SimulatedEvents(script, clock);
    for (Model model : profile.models()) {
      int index = gpus.size();
      gpus.add(new SimulatedGpu(index, model, profile.layout(index), nodeName, clock.instant()));
    }
  }

  /** Raises an XID now, for every subscriber of that GPU. */
  public void raiseXid(int gpu, int code) {
    raiseXid(gpu, code, OptionalInt.empty());
  }

  /** The same, attributed to a GPU instance. */
  public void raiseXid(int gpu, int code, OptionalInt instance) {
    events.raiseXid(gpu, code, instance);
  }

  /** An error in memory that cannot be corrected happens now. */
  public void raiseDoubleBitError(int gpu) {
    events.raiseDoubleBitError(gpu);
  }

  /** The card is reset: what it counts begins at zero. */
  public void reset(int gpu) {
    gpus.get(gpu).reset(clock.instant());
  }

  /** The kernel's part of the driver goes away; every session with it. */
  public void unload() {
    loadedVersion.set(NOT_LOADED);
    sessions.set(0);
    events.forget();
  }

  /** It comes back, in that version, with all cards as after a reset. */
  public void load(String version) {
    gpus.forEach(gpu -> gpu.reset(clock.instant()));
    loadedVersion.set(version);
  }

  /** The NUMA node of a card, as the kernel of a real node would report it. */
  public int numaNode(int gpu) {
    return SimulatedTopology.numaNode(gpus.get(gpu));
  }

  /** How many event sets listen to a GPU now. */
  public int listeners() {
    return events.listeners();
  }

  @Override
  public int nvmlInit_v2() {
    if (!isLoaded()) {
      return NVML_ERROR_DRIVER_NOT_LOADED;
    }
    sessions.incrementAndGet();
    return NVML_SUCCESS;
  }

  @Override
  public int nvmlInit() {
    return nvmlInit_v2();
  }

  @Override
  public int nvmlShutdown() {
    int before = sessions.getAndUpdate(open -> Math.max(0, open - 1));
    if (before == 1) {
      events.forget();
    }
    return before == 0 ? NVML_ERROR_UNINITIALIZED : NVML_SUCCESS;
  }

  @Override
  public int nvmlSystemGetDriverVersion(Pointer version, int length) {
    return inSession(() -> putText(version, length, loadedVersion.get()));
  }

  @Override
  public int nvmlSystemGetNVMLVersion(Pointer version, int length) {
    return inSession(() -> putText(version, length, NVML_VERSION));
  }

  @Override
  public int nvmlDeviceGetCount_v2(Pointer deviceCount) {
    return inSession(() -> putInt(deviceCount, present().size()));
  }

  @Override
  public int nvmlDeviceGetCount(Pointer deviceCount) {
    return nvmlDeviceGetCount_v2(deviceCount);
  }

  @Override
  public int nvmlDeviceGetHandleByIndex_v2(int index, Pointer device) {
    List<SimulatedGpu> present = present();
    int card = index >= 0 && index < present.size() ? present.get(index).index() : gpus.size();
    return identity(
        FIRST_DEVICE + card,
        (gpu, _, _) -> {
          device.putAddress(0, FIRST_DEVICE + gpu.index());
          return NVML_SUCCESS;
        });
  }

  @Override
  public int nvmlDeviceGetHandleByIndex(int index, Pointer device) {
    return nvmlDeviceGetHandleByIndex_v2(index, device);
  }

  @Override
  public int nvmlDeviceGetUUID(long device, Pointer uuid, int length) {
    return isMig(device)
        ? part(device, part -> putText(uuid, length, part.uuid()))
        : identity(device, (gpu, _, _) -> putText(uuid, length, gpu.uuid()));
  }

  @Override
  public int nvmlDeviceGetName(long device, Pointer name, int length) {
    return isMig(device)
        ? part(device, part -> putText(name, length, part.name()))
        : identity(device, (gpu, _, _) -> putText(name, length, gpu.model().name()));
  }

  @Override
  public int nvmlDeviceGetPciInfo_v3(long device, NvmlPciInfo pci) {
    return identity(
        device,
        (gpu, _, _) -> {
          String bus = Integer.toHexString(gpu.bus()).toUpperCase(Locale.ROOT);
          pci.domain.set(0);
          pci.bus.set(gpu.bus());
          pci.device.set(0);
          SimulatedPlatform.putIds(pci, Board.of(gpu.model()));
          pci.busIdLegacy.set("0000:" + bus + ":00.0");
          pci.busId.set(gpu.busId());
          return NVML_SUCCESS;
        });
  }

  @Override
  public int nvmlDeviceGetPciInfo_v2(long device, NvmlPciInfo pci) {
    return nvmlDeviceGetPciInfo_v3(device, pci);
  }

  @Override
  public int nvmlDeviceGetPciInfo(long device, NvmlPciInfo pci) {
    return nvmlDeviceGetPciInfo_v3(device, pci);
  }

  @Override
  public int nvmlDeviceGetClockInfo(long device, int type, Pointer clockMegahertz) {
    return reading(
        device,
        (gpu, script, _) ->
            switch (type) {
              case NVML_CLOCK_SM -> putInt(clockMegahertz, gpu.smMegahertz(script));
              case NVML_CLOCK_MEM -> putInt(clockMegahertz, gpu.model().memoryMegahertz());
              case NVML_CLOCK_VIDEO ->
                  putInt(clockMegahertz, SimulatedSensors.video(gpu.smMegahertz(script)));
              default -> NVML_ERROR_INVALID_ARGUMENT;
            });
  }

  @Override
  public int nvmlDeviceGetTemperature(long device, int sensorType, Pointer temperature) {
    return reading(
        device,
        (gpu, script, now) ->
            sensorType == NVML_TEMPERATURE_GPU
                ? putInt(temperature, gpu.celsius(script, now))
                : NVML_ERROR_INVALID_ARGUMENT);
  }

  @Override
  public int nvmlDeviceGetPowerUsage(long device, Pointer power) {
    return reading(
        device,
        (gpu, script, now) ->
            script.has(Fault.POWER_UNSUPPORTED)
                ? NVML_ERROR_NOT_SUPPORTED
                : putInt(power, gpu.milliwatts(script, now)));
  }

  @Override
  public int nvmlDeviceGetPcieReplayCounter(long device, Pointer value) {
    return reading(device, (_, _, _) -> putInt(value, 0));
  }

  @Override
  public int nvmlDeviceGetUtilizationRates(long device, NvmlUtilization utilization) {
    return reading(
        device,
        (gpu, script, now) -> {
          if (gpu.layout(script).isOn()) {
            return NVML_ERROR_NOT_SUPPORTED;
          }
          utilization.gpu.set(gpu.utilizationPercent(script, now));
          utilization.memory.set(gpu.memoryUtilizationPercent(script, now));
          return NVML_SUCCESS;
        });
  }

  @Override
  public int nvmlDeviceGetEncoderUtilization(
      long device, Pointer utilization, Pointer samplingPeriodUs) {
    return reading(
        device,
        (gpu, script, _) ->
            gpu.layout(script).isOn()
                ? NVML_ERROR_NOT_SUPPORTED
                : putInt(utilization, 0) + putInt(samplingPeriodUs, SAMPLING_PERIOD_MICROS));
  }

  @Override
  public int nvmlDeviceGetDecoderUtilization(
      long device, Pointer utilization, Pointer samplingPeriodUs) {
    return nvmlDeviceGetEncoderUtilization(device, utilization, samplingPeriodUs);
  }

  @Override
  public int nvmlDeviceGetMemoryInfo_v2(long device, NvmlMemoryV2 memory) {
    if (isMig(device)) {
      return part(device, part -> putMemory(memory, part.totalMib(), 0, part.usedMib()));
    }
    return reading(
        device,
        (gpu, script, _) ->
            putMemory(
                memory, gpu.model().totalMib(), gpu.model().reservedMib(), gpu.usedMib(script)));
  }

  @Override
  public int nvmlDeviceGetMemoryInfo(long device, NvmlMemory memory) {
    return reading(
        device,
        (gpu, script, _) -> {
          long used = (long) gpu.usedMib(script) + gpu.model().reservedMib();
          memory.total.set(gpu.model().totalMib() * BYTES_PER_MIB);
          memory.used.set(used * BYTES_PER_MIB);
          memory.free.set((gpu.model().totalMib() - used) * BYTES_PER_MIB);
          return NVML_SUCCESS;
        });
  }

  @Override
  public int nvmlDeviceGetBAR1MemoryInfo(long device, NvmlBar1Memory memory) {
    return isMig(device)
        ? part(device, part -> part.bar1(memory))
        : SimulatedSensors.super.nvmlDeviceGetBAR1MemoryInfo(device, memory);
  }

  @Override
  public int nvmlDeviceGetFieldValues(long device, int valuesCount, Pointer values) {
    return reading(
        device,
        (gpu, script, now) -> new SimulatedFields(gpu, script, now).fill(valuesCount, values));
  }

  @Override
  public int nvmlDeviceGetGridLicensableFeatures_v4(
      long device, NvmlGridLicensableFeatures features) {
    return reading(
        device,
        (_, _, _) -> {
          features.isGridLicenseSupported.set(0);
          features.licensableFeaturesCount.set(0);
          return NVML_SUCCESS;
        });
  }

  @Override
  public SimulatedGpmSamples samples() {
    return samples;
  }

  @Override
  public int nvmlDeviceGetMigMode(long device, Pointer currentMode, Pointer pendingMode) {
    return reading(
        device,
        (gpu, script, _) -> {
          int mode = gpu.layout(script).isOn() ? NVML_DEVICE_MIG_ENABLE : NVML_DEVICE_MIG_DISABLE;
          return gpu.model().canBeDivided()
              ? putInt(currentMode, mode) + putInt(pendingMode, mode)
              : NVML_ERROR_NOT_SUPPORTED;
        });
  }

  @Override
  public int nvmlDeviceGetMaxMigDeviceCount(long device, Pointer count) {
    return reading(
        device,
        (gpu, _, _) -> putInt(count, gpu.model().canBeDivided() ? SimulatedInstances.MOST : 0));
  }

  @Override
  public int nvmlDeviceGetMigDeviceHandleByIndex(long device, int index, Pointer migDevice) {
    return reading(
        device,
        (gpu, script, _) ->
            new SimulatedInstances(gpu, script)
                .ask(
                    index,
                    _ -> {
                      long first = FIRST_MIG_DEVICE + (long) gpu.index() * SimulatedInstances.MOST;
                      migDevice.putAddress(0, first + index);
                      return NVML_SUCCESS;
                    }));
  }

  @Override
  public int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(long migDevice, Pointer device) {
    return part(
        migDevice,
        part -> {
          device.putAddress(0, FIRST_DEVICE + part.all().gpu().index());
          return NVML_SUCCESS;
        });
  }

  @Override
  public int nvmlDeviceGetGpuInstanceId(long migDevice, Pointer id) {
    return part(migDevice, part -> putInt(id, part.instance().id()));
  }

  @Override
  public int nvmlDeviceGetComputeInstanceId(long migDevice, Pointer id) {
    return part(migDevice, _ -> putInt(id, 0));
  }

  @Override
  public int nvmlDeviceGetAttributes_v2(long migDevice, NvmlDeviceAttributes attributes) {
    return part(migDevice, part -> part.attributes(attributes));
  }

  @Override
  public int nvmlDeviceGetAttributes(long migDevice, NvmlDeviceAttributes attributes) {
    return nvmlDeviceGetAttributes_v2(migDevice, attributes);
  }

  @Override
  public int nvmlEventSetCreate(Pointer set) {
    return inSession(
        () -> {
          set.putAddress(0, events.create());
          return NVML_SUCCESS;
        });
  }

  @Override
  public int nvmlDeviceGetSupportedEventTypes(long device, Pointer eventTypes) {
    return identity(
        device,
        (gpu, _, _) -> {
          int always =
              nvmlEventTypeXidCriticalError
                  | nvmlEventTypeSingleBitEccError
                  | nvmlEventTypeDoubleBitEccError;
          eventTypes.putLong(
              0, gpu.model().canBeDivided() ? always | nvmlEventMigConfigChange : always);
          return NVML_SUCCESS;
        });
  }

  @Override
  public int nvmlDeviceRegisterEvents(long device, long eventTypes, long set) {
    return identity(device, (gpu, _, _) -> events.register(set, gpu, device, eventTypes));
  }

  @Override
  public int nvmlEventSetWait_v2(long set, NvmlEventData data, int timeoutms) {
    return inSession(() -> events.await(set, data, timeoutms));
  }

  @Override
  public int nvmlEventSetWait(long set, NvmlEventData data, int timeoutms) {
    return nvmlEventSetWait_v2(set, data, timeoutms);
  }

  @Override
  public int nvmlEventSetFree(long set) {
    return inSession(() -> events.free(set));
  }

  @Override
  public int nvmlDeviceGetComputeRunningProcesses_v3(long device, Pointer count, Pointer infos) {
    return running(device, ProcessList.COMPUTE, count, infos);
  }

  @Override
  public int nvmlDeviceGetComputeRunningProcesses_v2(long device, Pointer count, Pointer infos) {
    return running(device, ProcessList.COMPUTE, count, infos);
  }

  @Override
  public int nvmlDeviceGetGraphicsRunningProcesses_v3(long device, Pointer count, Pointer infos) {
    return running(device, ProcessList.GRAPHICS, count, infos);
  }

  @Override
  public int nvmlDeviceGetGraphicsRunningProcesses_v2(long device, Pointer count, Pointer infos) {
    return running(device, ProcessList.GRAPHICS, count, infos);
  }

  @Override
  public int nvmlDeviceGetMPSComputeRunningProcesses_v3(long device, Pointer count, Pointer infos) {
    return running(device, ProcessList.MPS, count, infos);
  }

  @Override
  public int nvmlDeviceGetMPSComputeRunningProcesses_v2(long device, Pointer count, Pointer infos) {
    return running(device, ProcessList.MPS, count, infos);
  }

  @Override
  public int nvmlDeviceGetProcessUtilization(
      long device, Pointer samples, Pointer samplesCount, long lastSeenTimeStamp) {
    return reading(
        device,
        (gpu, script, now) ->
            gpu.layout(script).isOn()
                ? NVML_ERROR_NOT_SUPPORTED
                : new SimulatedProcesses(script, now)
                    .utilization(lastSeenTimeStamp, samplesCount, samples));
  }

  @Override
  public int nvmlDeviceGetSamples(
      long device,
      int type,
      long lastSeenTimeStamp,
      Pointer sampleValType,
      Pointer sampleCount,
      Pointer samples) {
    return reading(
        device,
        (gpu, script, now) ->
            gpu.layout(script).isOn()
                ? NVML_ERROR_NOT_SUPPORTED
                : new SimulatedSamples(gpu, script, now)
                    .fill(type, lastSeenTimeStamp, sampleValType, sampleCount, samples));
  }

  @Override
  public int nvmlDeviceGetP2PStatus(long device1, long device2, int p2pIndex, Pointer p2pStatus) {
    return identity(
        device1,
        (one, _, _) ->
            identity(
                device2,
                (other, _, _) ->
                    putInt(
                        p2pStatus,
                        one.isLinkedTo(other)
                            ? NVML_P2P_STATUS_OK
                            : NVML_P2P_STATUS_NOT_SUPPORTED)));
  }

  @Override
  public int nvmlDeviceGetTopologyCommonAncestor(long device1, long device2, Pointer pathInfo) {
    return identity(
        device1,
        (one, _, _) ->
            identity(
                device2,
                (other, _, _) -> putInt(pathInfo, new SimulatedTopology(gpus).level(one, other))));
  }

  @Override
  public int nvmlDeviceGetNvLinkState(long device, int link, Pointer isActive) {
    return link(device, link, end -> putInt(isActive, end.isPresent() ? 1 : 0));
  }

  @Override
  public int nvmlDeviceGetNvLinkRemoteDeviceType(long device, int link, Pointer type) {
    return link(
        device,
        link,
        end -> end.map(far -> putInt(type, far.type())).orElse(NVML_ERROR_NOT_SUPPORTED));
  }

  @Override
  public int nvmlDeviceGetNvLinkRemotePciInfo_v2(long device, int link, NvmlPciInfo pci) {
    return link(
        device,
        link,
        end -> {
          end.ifPresent(far -> pci.busId.set(far.busId()));
          return end.isPresent() ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
        });
  }

  private int link(long device, int link, ToIntFunction<Optional<SimulatedTopology.End>> answer) {
    return identity(
        device,
        (gpu, script, _) -> {
          if (link >= Board.of(gpu.model()).links()) {
            return NVML_ERROR_INVALID_ARGUMENT;
          }
          return answer.applyAsInt(
              link == 0 && script.has(Fault.NVLINK_DOWN)
                  ? Optional.empty()
                  : new SimulatedTopology(gpus).end(gpu, link));
        });
  }

  private boolean isLoaded() {
    return !loadedVersion.get().equals(NOT_LOADED);
  }

  /** The cards that the driver counts, in its order. */
  private List<SimulatedGpu> present() {
    Script now = script.get();
    return gpus.stream().filter(gpu -> !now.of(gpu.index()).has(Fault.GONE)).toList();
  }

  private int running(long device, ProcessList kind, Pointer count, Pointer infos) {
    return reading(
        device,
        (_, script, now) -> new SimulatedProcesses(script, now).running(kind, count, infos));
  }

  private static boolean isMig(long device) {
    return device >= FIRST_MIG_DEVICE;
  }

  /** Asks the part of a card that a MIG device's handle stands for, if there is one now. */
  private int part(long migDevice, ToIntFunction<InstancePart> answer) {
    long number = migDevice - FIRST_MIG_DEVICE;
    if (number < 0) {
      return NVML_ERROR_INVALID_ARGUMENT;
    }
    return reading(
        FIRST_DEVICE + number / SimulatedInstances.MOST,
        (gpu, script, _) ->
            new SimulatedInstances(gpu, script)
                .ask((int) (number % SimulatedInstances.MOST), answer));
  }

  private static int putMemory(NvmlMemoryV2 memory, long totalMib, long reservedMib, long usedMib) {
    if (memory.version.get() != NvmlMemoryV2.structVersion(memory)) {
      return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    }
    memory.total.set(totalMib * BYTES_PER_MIB);
    memory.reserved.set(reservedMib * BYTES_PER_MIB);
    memory.used.set(usedMib * BYTES_PER_MIB);
    memory.free.set((totalMib - usedMib - reservedMib) * BYTES_PER_MIB);
    return NVML_SUCCESS;
  }

  @Override
  public int inSession(IntSupplier answer) {
    int code = isLoaded() ? NVML_ERROR_UNINITIALIZED : NVML_ERROR_DRIVER_NOT_LOADED;
    return sessions.get() == 0 ? code : answer.getAsInt();
  }

  @Override
  public int nvmlDeviceGetMinorNumber(long device, Pointer minorNumber) {
    return identity(device, (gpu, _, _) -> putInt(minorNumber, gpu.index()));
  }

  private int identity(long device, SimulatedCall answer) {
    long index = device - FIRST_DEVICE;
    if (sessions.get() == 0) {
      return NVML_ERROR_UNINITIALIZED;
    }
    if (index < 0 || index >= gpus.size()) {
      return NVML_ERROR_INVALID_ARGUMENT;
    }
    SimulatedGpu gpu = gpus.get((int) index);
    GpuScript now = script.get().of(gpu.index());
    return now.has(Fault.LOST) || now.has(Fault.GONE)
        ? NVML_ERROR_GPU_IS_LOST
        : answer.of(gpu, now, clock.instant());
  }

  /** As {@link #identity}, but a hanging GPU keeps the caller, deaf to interrupts like a driver. */
  @Override
  public int reading(long device, SimulatedCall answer) {
    return identity(
        device,
        (gpu, _, _) -> {
          while (script.get().of(gpu.index()).has(Fault.HANG)) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
          }
          return identity(device, answer);
        });
  }

  static int putInt(Pointer out, int value) {
    out.putInt(0, value);
    return NVML_SUCCESS;
  }

  static int putText(Pointer out, int length, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length >= length) {
      return NVML_ERROR_INSUFFICIENT_SIZE;
    }
    out.put(0, bytes, 0, bytes.length);
    out.putByte(bytes.length, (byte) 0);
    return NVML_SUCCESS;
  }
}
