package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_UNINITIALIZED;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.nvml.binding.LibNvml;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * One open session with the driver.
 *
 * <p>Safe for several threads as long as no two of them ask about the same GPU at once. Every
 * question about a GPU answers {@link NvmlResult.Unsupported} where board or driver has no answer
 * (an older driver that lacks the function included), {@link NvmlResult.Failed} where it tried and
 * failed (with {@code GPU_IS_LOST} once the GPU has fallen off the bus), and throws {@link
 * NvmlException} once the session is gone.
 */
public final class Nvml implements AutoCloseable {
  /** Of a GPU that we know by its handle only. */
  private static final int NO_INDEX = -1;

  private final Driver driver;
  private final GpmWatches watches = new GpmWatches();
  private final Mig mig;
  private final ProcessReader processes;
  private final Links links;
  private final Set<EventSet> eventSets = ConcurrentHashMap.newKeySet();

  /** Every GPU that was ever subscribed to, by the driver's handle. */
  private final ConcurrentMap<Long, GpuUuid> names = new ConcurrentHashMap<>();

  private final CallGate listeners = new CallGate();
  private final AtomicBoolean open = new AtomicBoolean(true);
  private final AtomicBoolean waited = new AtomicBoolean();

  private Nvml(Driver driver) {
    this.driver = driver;
    this.mig = new Mig(driver);
    this.processes = new ProcessReader(driver);
    this.links = new Links(driver);
  }

  /**
   * Opens a session.
   *
   * <p><b>Source:</b> {@code nvmlInit_v2}, or {@code nvmlInit} where the library has only that.
   *
   * @throws NvmlException if the driver does not let us: not loaded, not of the library's version,
   *     no permission
   */
  public static Nvml open(LibNvml lib) {
    Driver driver = new Driver(lib);
    driver.demand(SessionQueries.INIT);
    return new Nvml(driver);
  }

  /**
   * Closes the session; the driver counts how often it was opened. Never throws. Waits for threads
   * that await an event or begin a subscription, and lets no further one begin. If the driver keeps
   * one of them, the session stays open, because a shutdown during a call is undefined. Closing it
   * again tries again, and does not wait again.
   */
  @Override
  public void close() {
    if (open.get() && eventsAreOver() && open.compareAndSet(true, false)) {
      watches.close();
      driver.run(SessionQueries.SHUTDOWN);
    }
  }

  /** False once the session has been given back. */
  public boolean isOpen() {
    return open.get();
  }

  private boolean eventsAreOver() {
    eventSets.forEach(EventSet::end);
    Duration patience = waited.getAndSet(true) ? Duration.ZERO : EventSet.PATIENCE;
    long began = MonotonicClock.SYSTEM.nanos();
    boolean over = listeners.shut(patience);
    for (EventSet set : eventSets) {
      over &= set.retire(patience.minusNanos(MonotonicClock.SYSTEM.nanos() - began));
    }
    return over;
  }

  /**
   * Reads the version of the kernel driver, such as {@code 550.54.15}.
   *
   * <p><b>Source:</b> {@code nvmlSystemGetDriverVersion}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<String> driverVersion() {
    return driver.ask(SessionQueries.DRIVER_VERSION);
  }

  /**
   * Reads the version of the NVML library, such as {@code 12.550.54.15}.
   *
   * <p><b>Source:</b> {@code nvmlSystemGetNVMLVersion}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<String> nvmlVersion() {
    return driver.ask(SessionQueries.NVML_VERSION);
  }

  /**
   * Reads the newest version of CUDA that the driver supports.
   *
   * <p><b>Unit:</b> 1000 × major + 10 × minor. <b>Source:</b> {@code
   * nvmlSystemGetCudaDriverVersion_v2}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Integer> cudaVersion() {
    return driver.ask(SessionQueries.CUDA_VERSION);
  }

  /**
   * Counts the GPUs of this node, those included that we may not talk to.
   *
   * <p><b>Source:</b> {@code nvmlDeviceGetCount_v2}, or {@code nvmlDeviceGetCount}, which leaves
   * those out.
   *
   * @throws NvmlException if the driver does not report it
   */
  public int deviceCount() {
    return driver.demand(SessionQueries.DEVICE_COUNT);
  }

  /**
   * Takes the driver's handle of a GPU, with memory of its own for the answers.
   *
   * <p><b>Source:</b> {@code nvmlDeviceGetHandleByIndex_v2}, or {@code nvmlDeviceGetHandleByIndex}.
   *
   * @param index from zero, below {@link #deviceCount}
   * @return {@link NvmlResult.Failed} with {@code NO_PERMISSION} for a GPU that a cgroup hides, and
   *     with {@code INVALID_ARGUMENT} for an index that no GPU has
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<GpuHandle> handle(int index) {
    return driver.ask(SessionQueries.handle(index));
  }

  /**
   * As {@link #handle(int)}, of the index that an earlier handle of this session was of: that one
   * again, with the memory it has, if the driver's handle is still the same.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<GpuHandle> handle(GpuHandle before) {
    return driver
        .ask(SessionQueries.device(before.index()), before.out())
        .map(device -> device == before.device() ? before : new GpuHandle(before.index(), device));
  }

  /**
   * Reads the name that the GPU keeps for life.
   *
   * <p><b>Source:</b> {@code nvmlDeviceGetUUID}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<GpuUuid> uuid(GpuHandle gpu) {
    return driver.ask(NvmlQueries.UUID, gpu);
  }

  /**
   * Reads the product name, such as {@code NVIDIA H200}.
   *
   * <p><b>Source:</b> {@code nvmlDeviceGetName}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<String> name(GpuHandle gpu) {
    return driver.ask(NvmlQueries.NAME, gpu);
  }

  /**
   * Reads where the GPU sits on the bus, as {@code 00000000:19:00.0}: a domain of eight digits,
   * hexadecimal in upper case.
   *
   * <p><b>Source:</b> {@code nvmlDeviceGetPciInfo_v3}, {@code _v2} or the first one.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<String> pciBusId(GpuHandle gpu) {
    return driver.ask(PciBusId.WAYS, gpu);
  }

  /**
   * Reads the clock of the streaming multiprocessors.
   *
   * <p><b>Unit:</b> megahertz. <b>Meaning:</b> now. <b>Source:</b> {@code nvmlDeviceGetClockInfo}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Long> smClockMegahertz(GpuHandle gpu) {
    return driver.ask(NvmlQueries.SM_CLOCK, gpu);
  }

  /**
   * Reads the clock of the device memory.
   *
   * <p><b>Unit:</b> megahertz. <b>Meaning:</b> now. <b>Source:</b> {@code nvmlDeviceGetClockInfo}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Long> memoryClockMegahertz(GpuHandle gpu) {
    return driver.ask(NvmlQueries.MEMORY_CLOCK, gpu);
  }

  /**
   * Reads the temperature of the GPU die.
   *
   * <p><b>Unit:</b> degrees Celsius. <b>Meaning:</b> now. <b>Source:</b> {@code
   * nvmlDeviceGetTemperature}.
   *
   * @return {@link NvmlResult.Unsupported} also for more than 200 degrees, as DCGM has it
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Long> gpuTemperatureCelsius(GpuHandle gpu) {
    return driver.ask(NvmlQueries.GPU_TEMPERATURE, gpu);
  }

  /**
   * Reads the power that the GPU and its associated circuitry draw.
   *
   * <p><b>Unit:</b> milliwatts. <b>Meaning:</b> average of the last second on Ampere (except GA100)
   * and newer, instantaneous on everything older. <b>Source:</b> {@code nvmlDeviceGetPowerUsage}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Long> powerMilliwatts(GpuHandle gpu) {
    return driver.ask(NvmlQueries.POWER, gpu);
  }

  /**
   * Reads how often a PCIe packet had to be sent again.
   *
   * <p><b>Unit:</b> retries. <b>Meaning:</b> since the driver was last loaded. <b>Source:</b>
   * {@code nvmlDeviceGetPcieReplayCounter}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Long> pcieReplays(GpuHandle gpu) {
    return driver.ask(NvmlQueries.PCIE_REPLAYS, gpu);
  }

  /**
   * Reads how busy the GPU and its memory are.
   *
   * <p><b>Unit:</b> percent of time. <b>Meaning:</b> over the last sample period, between 1/6 and 1
   * second. <b>Source:</b> {@code nvmlDeviceGetUtilizationRates}.
   *
   * @return {@link NvmlResult.Unsupported} while MIG is on
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Utilization> utilization(GpuHandle gpu) {
    return driver.ask(NvmlQueries.UTILIZATION, gpu);
  }

  /**
   * Reads how busy the video encoders are.
   *
   * <p><b>Unit:</b> percent of their capacity. <b>Meaning:</b> over the driver's own sampling
   * period. <b>Source:</b> {@code nvmlDeviceGetEncoderUtilization}.
   *
   * @return {@link NvmlResult.Unsupported} while MIG is on
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Long> encoderUtilizationPercent(GpuHandle gpu) {
    return driver.ask(NvmlQueries.ENCODER_UTILIZATION, gpu);
  }

  /**
   * Reads how busy the video decoders are.
   *
   * <p><b>Unit:</b> percent of their capacity. <b>Meaning:</b> over the driver's own sampling
   * period. <b>Source:</b> {@code nvmlDeviceGetDecoderUtilization}.
   *
   * @return {@link NvmlResult.Unsupported} while MIG is on
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Long> decoderUtilizationPercent(GpuHandle gpu) {
    return driver.ask(NvmlQueries.DECODER_UTILIZATION, gpu);
  }

  /**
   * Reads several single numbers, which {@link DeviceNumbers} explains. Numbers that come from one
   * call of the driver, and stand next to each other, cost one call.
   *
   * @return for each, in order; once the GPU is lost it is not asked for the rest
   * @throws NvmlException if the session is not open
   */
  public List<NvmlResult<Long>> numbers(GpuHandle gpu, List<DeviceNumber> numbers) {
    return new NumberReader(driver, gpu).ask(numbers);
  }

  /**
   * As {@link #numbers}, for a thread other than the one that polls this GPU: for calls that may
   * take long.
   *
   * @throws NvmlException if the session is not open, or is being closed
   */
  public List<NvmlResult<Long>> numbersApart(GpuHandle gpu, List<DeviceNumber> numbers) {
    return asListener(() -> new NumberReader(driver, gpu.apart()).ask(numbers));
  }

  /**
   * Reads a text, which {@link DeviceTexts} explains.
   *
   * @return {@link NvmlResult.Failed} with {@code NO_DATA} for one that is empty
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<String> text(GpuHandle gpu, DeviceText text) {
    return driver.ask(text.ways(), gpu);
  }

  /**
   * Reads many fields in one call, or singly where the library refuses them together.
   *
   * <p><b>Unit, meaning:</b> of each as {@code nvml.h} has it. <b>Source:</b> {@code
   * nvmlDeviceGetFieldValues}.
   *
   * @return what came of the call as a whole, and in it for each field, in order: unsupported also
   *     for one that this library does not know
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<List<NvmlResult<FieldValue>>> fieldValues(GpuHandle gpu, FieldQuery query) {
    return gpu.fields(query).ask(driver, gpu.device());
  }

  /**
   * Measures since this GPU was last measured. The first call returns an empty list.
   *
   * <p><b>Unit, meaning:</b> of each metric as {@code nvml.h} has it, averaged over the time
   * between, which should be at least 100 ms. <b>Source:</b> {@code nvmlGpmMetricsGet} over two
   * samples of {@code nvmlGpmSampleGet}.
   *
   * @return what came of the look as a whole, {@link NvmlResult.Unsupported} before Hopper; and in
   *     it for each metric, in order
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<List<NvmlResult<Double>>> measure(GpuHandle gpu, GpmQuery query) {
    return watches.of(driver, gpu.device(), OptionalInt.empty()).read(query, gpu.out());
  }

  /**
   * As {@link #measure(GpuHandle, GpmQuery)}, of one GPU instance of MIG: samples of {@code
   * nvmlGpmMigSampleGet}.
   *
   * @param gpu the GPU that the instance is a part of
   * @param instance the number of the GPU instance
   */
  public NvmlResult<List<NvmlResult<Double>>> measure(GpuHandle gpu, int instance, GpmQuery query) {
    return watches.of(driver, gpu.device(), OptionalInt.of(instance)).read(query, gpu.out());
  }

  /**
   * The next poll of each instance of this GPU is a first one, which returns nothing: the number of
   * an instance may belong to another instance than at the last poll.
   */
  public void forgetInstances(GpuHandle gpu) {
    watches.forgetInstances(gpu.device());
  }

  /** As {@link #forgetInstances}, of one of them. */
  public void forgetInstance(GpuHandle gpu, int instance) {
    watches.forget(gpu.device(), instance);
  }

  /**
   * Reads how full the frame buffer is.
   *
   * <p><b>Unit:</b> bytes. <b>Meaning:</b> now; see {@link Memory} for what counts as used.
   * <b>Source:</b> {@code nvmlDeviceGetMemoryInfo_v2}, or {@code nvmlDeviceGetMemoryInfo} before
   * driver 510, and only then: the two do not mean the same.
   *
   * @return {@link NvmlResult.Unsupported} on boards that have no memory of their own
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Memory> memory(GpuHandle gpu) {
    return driver.ask(NvmlQueries.MEMORY, gpu);
  }

  /**
   * Reads whether the vGPU feature is licensed; false also where the driver answers that the system
   * knows no such license, or supports none.
   *
   * <p><b>Meaning:</b> now. <b>Source:</b> {@code nvmlDeviceGetGridLicensableFeatures_v4}.
   *
   * @return {@link NvmlResult.Unsupported} only where the library lacks the function
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Boolean> vgpuLicensed(GpuHandle gpu) {
    return driver.ask(NvmlQueries.VGPU_LICENSED, gpu);
  }

  /** What this session knows of the parts into which MIG divides a GPU. */
  public Mig mig() {
    return mig;
  }

  /** What this session knows of the ways between GPUs. */
  public Links links() {
    return links;
  }

  /**
   * Sets who may compute on a GPU from now on, until it is set again or the driver is loaded again.
   * The only call of this program that changes a GPU; {@link DeviceNumbers#COMPUTE_MODE} reads it.
   *
   * <p><b>Source:</b> {@code nvmlDeviceSetComputeMode}.
   *
   * @return {@link NvmlResult.Failed} with {@code NO_PERMISSION} unless we are root; {@link
   *     NvmlResult.Unsupported} on boards that have but one mode
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Boolean> setComputeMode(GpuHandle gpu, ComputeMode mode) {
    return driver.ask(NvmlQueries.setComputeMode(mode), gpu);
  }

  /** What this session knows of the processes on a GPU. */
  public ProcessReader processes() {
    return processes;
  }

  /**
   * Reads how busy a GPU was, sample by sample, so that nothing between two looks is missed.
   *
   * <p><b>Unit:</b> percent. <b>Meaning:</b> the samples after {@code lastSeenMicros} that the
   * driver still has, the oldest first; it keeps some seconds' worth. <b>Source:</b> {@code
   * nvmlDeviceGetSamples}.
   *
   * @param lastSeenMicros the newest time stamp of an earlier answer; 0 for all that there are
   * @return an empty list if there is nothing new; {@link NvmlResult.Unsupported} while MIG is on
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<List<UtilizationSample>> samples(
      GpuHandle gpu, SampleKind kind, long lastSeenMicros) {
    return NoNewSamples.ifNone(driver.ask(SampleQueries.samples(kind, lastSeenMicros), gpu));
  }

  /**
   * Reports whether one GPU reaches another over NVLink, without a detour through the host.
   *
   * <p><b>Meaning:</b> as the node is built and configured. <b>Source:</b> {@code
   * nvmlDeviceGetP2PStatus}, {@code NVML_P2P_CAPS_INDEX_NVLINK}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<P2pStatus> nvlinkTo(GpuHandle gpu, GpuHandle peer) {
    return driver.ask(PeerQueries.nvlink(peer.device()), gpu);
  }

  /**
   * Subscribes to events of a GPU: XIDs, errors of its memory, changes of its MIG instances.
   * Earlier events are not reported.
   *
   * <p><b>Source:</b> {@code nvmlEventSetCreate}, and {@code nvmlDeviceRegisterEvents} for those of
   * them that {@code nvmlDeviceGetSupportedEventTypes} names.
   *
   * @param uuid whose events they are
   * @return {@link NvmlResult.Unsupported} where not even XIDs are reported
   * @throws NvmlException if the session is not open, or is being closed
   */
  public NvmlResult<EventSet> events(GpuHandle gpu, GpuUuid uuid) {
    return asListener(() -> register(gpu, uuid));
  }

  /**
   * Makes calls that closing waits for.
   *
   * @throws NvmlException if the session is not open, or is being closed
   */
  <T> T asListener(Supplier<T> calls) {
    if (!listeners.enter()) {
      throw new NvmlException("nvmlEventSetCreate", NVML_ERROR_UNINITIALIZED);
    }
    try {
      return calls.get();
    } finally {
      listeners.leave();
    }
  }

  /** A set that comes too late, when the session is already being closed, is over at once. */
  private NvmlResult<EventSet> register(GpuHandle gpu, GpuUuid uuid) {
    names.put(gpu.device(), uuid);
    NvmlResult<EventSet> answer = EventSet.of(driver, gpu, uuid, this::nameOf, eventSets::remove);
    if (answer instanceof NvmlResult.Value<EventSet>(var set)) {
      eventSets.add(set);
      if (listeners.isShut()) {
        set.retire();
        throw new NvmlException("nvmlEventSetCreate", NVML_ERROR_UNINITIALIZED);
      }
    }
    return answer;
  }

  /** A GPU that is lost no longer reports its name. */
  private Optional<GpuUuid> nameOf(long device) {
    GpuUuid known = names.get(device);
    return known != null
        ? Optional.of(known)
        : driver.ask(NvmlQueries.UUID, new GpuHandle(NO_INDEX, device))
                instanceof NvmlResult.Value<GpuUuid>(var uuid)
            ? Optional.of(uuid)
            : Optional.empty();
  }

  /**
   * How busy a GPU was over the driver's last sample period, between 1/6 and 1 second.
   *
   * @param gpuPercent time during which at least one kernel ran
   * @param memoryPercent time during which device memory was read or written
   */
  public record Utilization(int gpuPercent, int memoryPercent) {}
}
