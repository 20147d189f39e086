package io.gpureclaimer.simulator;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_GPU_IS_LOST;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_INVALID_ARGUMENT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_TIMEOUT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_NOT_AVAILABLE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.nvmlEventMigConfigChange;
import static io.gpureclaimer.nvml.binding.NvmlConstants.nvmlEventTypeDoubleBitEccError;
import static io.gpureclaimer.nvml.binding.NvmlConstants.nvmlEventTypeXidCriticalError;

import io.gpureclaimer.nvml.binding.NvmlEventData;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Events of simulated cards, for their subscribers. A scripted event without a subscriber waits
 * until there is one. Safe for several threads.
 */
final class SimulatedEvents {
  private final Supplier<Script> script;
  private final InstantSource clock;
  private final Instant start;
  private final Map<Long, EventQueue> listeners = new ConcurrentHashMap<>();
  private final Set<Scripted> raised = ConcurrentHashMap.newKeySet();
  private final Map<Integer, MigLayout> layouts = new ConcurrentHashMap<>();
  private final AtomicLong lastSet = new AtomicLong(0x5200_0000L);

  SimulatedEvents(Supplier<Script> script, InstantSource clock) {
    this.script = script;
    this.clock = clock;
    this.start = clock.instant();
  }

  private record RaisedEvent(long device, long type, long data, OptionalInt instance) {}

  /** One entry of a script: the second of two equal ones is another one. */
  private record Scripted(int gpu, int number, ScriptedXid xid) {}

  private record EventQueue(Map<SimulatedGpu, Registered> gpus, BlockingQueue<RaisedEvent> queue) {}

  private record Registered(long device, long types) {}

  long create() {
    long set = lastSet.incrementAndGet();
    listeners.put(set, new EventQueue(new ConcurrentHashMap<>(), new LinkedBlockingQueue<>()));
    return set;
  }

  int register(long set, SimulatedGpu gpu, long device, long types) {
    var listener = listeners.get(set);
    if (listener == null) {
      return NVML_ERROR_INVALID_ARGUMENT;
    }
    listener.gpus().put(gpu, new Registered(device, types));
    layouts.putIfAbsent(gpu.index(), gpu.layout(script.get().of(gpu.index())));
    return NVML_SUCCESS;
  }

  int free(long set) {
    return listeners.remove(set) == null ? NVML_ERROR_INVALID_ARGUMENT : NVML_SUCCESS;
  }

  int listeners() {
    return (int) listeners.values().stream().filter(set -> !set.gpus().isEmpty()).count();
  }

  /** Without subscribers: the last session is over. */
  void forget() {
    listeners.clear();
  }

  void raiseXid(int gpu, int code, OptionalInt instance) {
    raise(gpu, nvmlEventTypeXidCriticalError, code, instance);
  }

  void raiseDoubleBitError(int gpu) {
    raise(gpu, nvmlEventTypeDoubleBitEccError, 0, OptionalInt.empty());
  }

  /** A scripted event becomes visible when the script is read, every other at once. */
  int await(long set, NvmlEventData out, int millis) {
    var listener = listeners.get(set);
    if (listener == null) {
      return NVML_ERROR_INVALID_ARGUMENT;
    }
    raiseWhatIsDue(listener);
    boolean lost = listener.gpus().keySet().stream().anyMatch(this::isLost);
    var next = next(listener, lost ? 0 : millis);
    if (next != null) {
      return write(next, out);
    }
    return lost ? NVML_ERROR_GPU_IS_LOST : NVML_ERROR_TIMEOUT;
  }

  private static @Nullable RaisedEvent next(EventQueue listener, long millis) {
    try {
      return listener.queue().poll(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private void raiseWhatIsDue(EventQueue listener) {
    var loaded = Duration.between(start, clock.instant());
    for (SimulatedGpu gpu : listener.gpus().keySet()) {
      GpuScript now = script.get().of(gpu.index());
      for (int i = 0; i < now.xids().size(); i++) {
        var xid = now.xids().get(i);
        if (xid.after().compareTo(loaded) <= 0 && raised.add(new Scripted(gpu.index(), i, xid))) {
          raiseXid(gpu.index(), xid.code(), xid.instance());
        }
      }
      var layout = gpu.layout(now);
      var before = layouts.put(gpu.index(), layout);
      if (before != null && !before.equals(layout)) {
        raise(gpu.index(), nvmlEventMigConfigChange, 0, OptionalInt.empty());
      }
    }
  }

  private void raise(int gpu, long type, long data, OptionalInt instance) {
    for (EventQueue listener : listeners.values()) {
      listener
          .gpus()
          .forEach(
              (one, registered) -> {
                if (one.index() == gpu && (registered.types() & type) != 0) {
                  listener.queue().add(new RaisedEvent(registered.device(), type, data, instance));
                }
              });
    }
  }

  private boolean isLost(SimulatedGpu gpu) {
    GpuScript now = script.get().of(gpu.index());
    return now.has(Fault.LOST) || now.has(Fault.GONE);
  }

  private static int write(RaisedEvent event, NvmlEventData out) {
    out.device.set(event.device());
    out.eventType.set(event.type());
    out.eventData.set(event.data());
    out.gpuInstanceId.set(event.instance().orElse(NVML_VALUE_NOT_AVAILABLE));
    out.computeInstanceId.set(NVML_VALUE_NOT_AVAILABLE);
    return NVML_SUCCESS;
  }
}
