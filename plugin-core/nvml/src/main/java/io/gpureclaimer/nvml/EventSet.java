package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_UNINITIALIZED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.nvmlEventMigConfigChange;
import static io.gpureclaimer.nvml.binding.NvmlConstants.nvmlEventTypeDoubleBitEccError;
import static io.gpureclaimer.nvml.binding.NvmlConstants.nvmlEventTypeSingleBitEccError;
import static io.gpureclaimer.nvml.binding.NvmlConstants.nvmlEventTypeXidCriticalError;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.DriverEvent.DoubleBitError;
import io.gpureclaimer.nvml.DriverEvent.MigChanged;
import io.gpureclaimer.nvml.DriverEvent.SingleBitError;
import io.gpureclaimer.nvml.DriverEvent.Xid;
import io.gpureclaimer.nvml.EventQueries.RawEvent;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of one GPU, from the moment of its registration on; and those of other GPUs where the
 * library keeps no sets apart, under their own names. One thread awaits them; another may retire
 * the set, which waits until the first has left the driver.
 */
public final class EventSet {
  private static final Logger log = LoggerFactory.getLogger(EventSet.class);

  /**
   * Limit of one call that waits for events. A session that closes waits for it; each call costs
   * its thread a wake-up.
   */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  /** How long a session that closes waits for the call to return. */
  static final Duration PATIENCE = LONGEST_WAIT.multipliedBy(2);

  private static final long WANTED =
      nvmlEventTypeXidCriticalError
          | nvmlEventTypeDoubleBitEccError
          | nvmlEventTypeSingleBitEccError
          | nvmlEventMigConfigChange;

  private static final SortedMap<Integer, String> EVENTS =
      new TreeMap<>(
          Map.of(
              nvmlEventTypeXidCriticalError, "XIDs",
              nvmlEventTypeDoubleBitEccError, "double-bit errors",
              nvmlEventTypeSingleBitEccError, "single-bit errors",
              nvmlEventMigConfigChange, "MIG divisions"));

  private final Driver driver;
  private final GpuUuid gpu;
  private final long set;
  private final GpuResolver names;
  private final Consumer<EventSet> whenOver;
  private final CallMemory out = new CallMemory();

  /** Held while inside the driver, and to give the set back. */
  private final ReentrantLock inside = new ReentrantLock();

  private volatile boolean retired;
  private boolean given;

  /** Resolves which GPU the driver means. */
  interface GpuResolver {
    Optional<GpuUuid> of(long device);
  }

  private EventSet(
      Driver driver, GpuUuid gpu, long set, GpuResolver names, Consumer<EventSet> whenOver) {
    this.driver = driver;
    this.gpu = gpu;
    this.set = set;
    this.names = names;
    this.whenOver = whenOver;
  }

  /** A set that is subscribed to all wanted events that the GPU supports. */
  static NvmlResult<EventSet> of(
      Driver driver,
      GpuHandle handle,
      GpuUuid gpu,
      GpuResolver names,
      Consumer<EventSet> whenOver) {
    return driver
        .ask(EventQueries.SUPPORTED, handle)
        .then(types -> register(driver, handle, gpu, types & WANTED))
        .map(set -> new EventSet(driver, gpu, set, names, whenOver));
  }

  GpuUuid gpu() {
    return gpu;
  }

  private static NvmlResult<Long> register(
      Driver driver, GpuHandle handle, GpuUuid gpu, long types) {
    if ((types & nvmlEventTypeXidCriticalError) == 0) {
      return new NvmlResult.Unsupported<>();
    }
    return driver
        .ask(EventQueries.CREATE, handle.out())
        .then(
            set -> {
              var registered = register(driver, handle, gpu, types, set);
              if (!(registered instanceof Value<Boolean>)) {
                driver.run(EventQueries.free(set));
              }
              return registered.map(_ -> set);
            });
  }

  /**
   * A kind of event that the driver refuses, although it declared support, leaves XIDs subscribed.
   */
  private static NvmlResult<Boolean> register(
      Driver driver, GpuHandle handle, GpuUuid gpu, long types, long set) {
    NvmlResult<Boolean> answer = driver.ask(EventQueries.register(types, set), handle);
    for (long fewer :
        new long[] {types & ~nvmlEventMigConfigChange, nvmlEventTypeXidCriticalError}) {
      if (isRefused(answer) && fewer != types) {
        answer = driver.ask(EventQueries.register(fewer, set), handle);
        if (answer instanceof Value<Boolean>) {
          log.warn(
              "the driver refuses some events of GPU {}: wanted={}, subscribed={}",
              gpu,
              names(types),
              names(fewer));
        }
      }
    }
    return answer;
  }

  private static String names(long types) {
    return EVENTS.entrySet().stream()
        .filter(event -> (types & event.getKey()) != 0)
        .map(Map.Entry::getValue)
        .collect(Collectors.joining(", "));
  }

  private static boolean isRefused(NvmlResult<Boolean> answer) {
    return answer instanceof NvmlResult.Unsupported
        || (answer instanceof Failed<Boolean>(var reason, _, _)
            && (reason == NvmlReturn.NO_PERMISSION || reason == NvmlReturn.INVALID_ARGUMENT));
  }

  /**
   * Waits for the next event, at most {@link #LONGEST_WAIT}.
   *
   * <p><b>Source:</b> {@code nvmlEventSetWait_v2}, or {@code nvmlEventSetWait}, which does not
   * report GPU instances.
   *
   * @return empty if there was none, or one of a kind or of a GPU that we do not know; {@link
   *     Failed} with {@code GPU_IS_LOST} at once, and each time, when the GPU has fallen off the
   *     bus; some libraries say so of every GPU when one has
   * @throws NvmlException if the session is not open, or the set has been retired
   */
  public NvmlResult<Optional<DriverEvent>> await() {
    inside.lock();
    try {
      if (retired) {
        throw new NvmlException("nvmlEventSetWait_v2", NVML_ERROR_UNINITIALIZED);
      }
      var rawEvent = driver.ask(EventQueries.await(set, (int) LONGEST_WAIT.toMillis()), out);
      return rawEvent instanceof Failed<RawEvent>(var reason, _, _) && reason == NvmlReturn.TIMEOUT
          ? new Value<>(Optional.empty())
          : rawEvent.map(event -> toWhom(event).flatMap(whom -> event(whom, event)));
    } finally {
      inside.unlock();
    }
  }

  /**
   * Frees the set, once no thread is inside the driver with it.
   *
   * @return false if a thread does not return: the session must then not be shut down
   */
  public boolean retire() {
    return retire(PATIENCE);
  }

  /** Lets no further thread into the driver; one that is inside returns by itself. */
  void end() {
    retired = true;
  }

  boolean retire(Duration patience) {
    end();
    try {
      if (!inside.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
    try {
      if (!given) {
        given = true;
        driver.run(EventQueries.free(set));
        whenOver.accept(this);
      }
      return true;
    } finally {
      inside.unlock();
    }
  }

  private Optional<GpuUuid> toWhom(RawEvent rawEvent) {
    return rawEvent.device() == EventQueries.NO_DEVICE
        ? Optional.of(gpu)
        : names.of(rawEvent.device());
  }

  private static Optional<DriverEvent> event(GpuUuid whom, RawEvent rawEvent) {
    return switch ((int) rawEvent.type()) {
      case nvmlEventTypeXidCriticalError ->
          Optional.of(new Xid(whom, (int) rawEvent.data(), rawEvent.instance()));
      case nvmlEventTypeSingleBitEccError -> Optional.of(new SingleBitError(whom));
      case nvmlEventTypeDoubleBitEccError -> Optional.of(new DoubleBitError(whom));
      case nvmlEventMigConfigChange -> Optional.of(new MigChanged(whom));
      default -> Optional.empty();
    };
  }
}
