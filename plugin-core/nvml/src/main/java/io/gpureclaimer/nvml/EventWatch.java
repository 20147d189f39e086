package io.gpureclaimer.nvml;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.retry.Backoff;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscribes to events of all GPUs of a session, each on a thread of its own: a call about one GPU
 * that does not return, or a GPU that is lost, does not delay events of the others. When a session
 * is followed by another, it subscribes again. When the number of GPUs changes, existing
 * subscriptions stay, because two event sets of one GPU would report an event twice. A failed
 * subscription is tried again after a pause that grows from failure to failure to a minute.
 * Confined to the thread that attends.
 */
public final class EventWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventWatch.class);

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** A driver that comes back with nothing before this does not wait: then we do. */
  private static final Duration TOO_EARLY = EventSet.LONGEST_WAIT.dividedBy(2);

  private final List<Listener> listeners;
  private final Duration pause;
  private final RetryPause rest;

  /**
   * The GPUs whose events are reported now: of an earlier round, until the next one subscribes to
   * that GPU.
   */
  private final ConcurrentMap<GpuUuid, WatchedSession> heard = new ConcurrentHashMap<>();

  private @Nullable WatchedSession round;
  private int threads;

  /** Receives the events, on several threads at once. */
  public interface Listener {

    /** From now on, events of this GPU are reported; earlier ones are not. */
    void begins(GpuUuid gpu);

    /** From now on, until it begins again, events of this GPU are not reported. */
    void ends(GpuUuid gpu);

    /** Something happened. */
    void happened(DriverEvent event);

    /** What had begun goes well: the driver has answered a first time. */
    default void isHeard(GpuUuid gpu) {}

    /** The driver does not let us listen to this GPU now; it is tried again. */
    default void refused(GpuUuid gpu, String why) {}
  }

  /** The threads that listen to one session. */
  private record WatchedSession(Nvml nvml, CountDownLatch over, Set<GpuUuid> taken) {
    static WatchedSession of(Nvml nvml) {
      return new WatchedSession(nvml, new CountDownLatch(1), ConcurrentHashMap.newKeySet());
    }

    boolean isOver() {
      return over.getCount() == 0;
    }
  }

  private record IdentifiedGpu(GpuHandle handle, GpuUuid uuid) {}

  /** Waits; the tests have one that lets its own time pass. */
  interface RetryPause {

    /** True at once when it is over, or the thread is to end; false when the time has passed. */
    boolean isOver(CountDownLatch over, Duration pause);
  }

  /**
   * @param listeners notified of every event, in order
   * @param pause before a GPU that does not respond is tried again for the first time
   */
  public EventWatch(List<Listener> listeners, Duration pause) {
    this(listeners, pause, EventWatch::isOver);
  }

  EventWatch(List<Listener> listeners, Duration pause, RetryPause rest) {
    this.listeners = List.copyOf(listeners);
    this.pause = pause;
    this.rest = rest;
  }

  /** Listens to this session's GPUs from now on; does nothing if it does so already. */
  public void attend(Nvml nvml, int gpus) {
    if (round == null || round.nvml() != nvml) {
      close();
      round = WatchedSession.of(nvml);
      threads = 0;
    }
    for (WatchedSession mine = round; threads < gpus; threads++) {
      int index = threads;
      Thread.ofPlatform().daemon().name("events-" + index).start(() -> listen(mine, index));
    }
  }

  /** Ends the subscriptions; a thread that waits in the driver leaves it within a second. */
  @Override
  public void close() {
    if (round != null) {
      round.over().countDown();
      round = null;
    }
  }

  private void listen(WatchedSession mine, int index) {
    var backoff = new Backoff(pause, LONGEST_PAUSE, () -> ThreadLocalRandom.current().nextDouble());
    try {
      do {
        mine.nvml()
            .asListener(() -> named(mine.nvml(), index))
            .then(gpu -> listen(mine, gpu, backoff));
      } while (!rest.isOver(mine.over(), backoff.next()));
    } catch (NvmlException e) {
      log.debug("unsubscribed from events of GPU {}: its session is over", index, e);
    }
  }

  private static boolean isOver(CountDownLatch over, Duration pause) {
    try {
      return over.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static NvmlResult<IdentifiedGpu> named(Nvml nvml, int index) {
    return nvml.handle(index).then(gpu -> nvml.uuid(gpu).map(uuid -> new IdentifiedGpu(gpu, uuid)));
  }

  /**
   * The thread of its former number may already be subscribed to a GPU whose number has changed.
   */
  private NvmlResult<Boolean> listen(WatchedSession mine, IdentifiedGpu gpu, Backoff backoff) {
    if (!mine.taken().add(gpu.uuid())) {
      return new Unsupported<>();
    }
    try {
      var outcome =
          mine.nvml().events(gpu.handle(), gpu.uuid()).then(set -> hear(mine, gpu, set, backoff));
      whyNot(outcome).ifPresent(why -> listeners.forEach(it -> it.refused(gpu.uuid(), why)));
      return outcome;
    } finally {
      mine.taken().remove(gpu.uuid());
    }
  }

  private static Optional<String> whyNot(NvmlResult<Boolean> outcome) {
    return switch (outcome) {
      case Value<Boolean> _ -> Optional.empty();
      case Unsupported<Boolean> _ -> Optional.of(NvmlReturn.NOT_SUPPORTED.text());
      case Failed<Boolean>(var reason, _, _) -> Optional.of(reason.text());
    };
  }

  /** Until the watch is over, or the driver fails to report. */
  private NvmlResult<Boolean> hear(
      WatchedSession mine, IdentifiedGpu gpu, EventSet set, Backoff backoff) {
    try {
      begin(mine, set.gpu());
      boolean first = true;
      while (!mine.isOver()) {
        long began = MonotonicClock.SYSTEM.nanos();
        switch (set.await()) {
          case Value<Optional<DriverEvent>>(var event) -> {
            backoff.reset();
            if (first) {
              first = false;
              listeners.forEach(it -> it.isHeard(gpu.uuid()));
            }
            event.ifPresent(one -> deliver(mine, one));
            if (event.isEmpty() && MonotonicClock.SYSTEM.nanos() - began < TOO_EARLY.toNanos()) {
              rest.isOver(mine.over(), EventSet.LONGEST_WAIT);
            }
          }
          case Unsupported<Optional<DriverEvent>> _ -> {
            return new Unsupported<>();
          }
          case Failed<Optional<DriverEvent>>(var reason, var code, _) -> {
            if (reason != NvmlReturn.GPU_IS_LOST || !answers(mine, gpu)) {
              return new Failed<>(reason, code);
            }
            rest.isOver(mine.over(), EventSet.LONGEST_WAIT);
          }
        }
      }
      return new Value<>(true);
    } finally {
      end(mine, set.gpu());
      set.retire();
    }
  }

  /** Of libraries that fail everybody's wait when one GPU is lost: whether it is another. */
  private static boolean answers(WatchedSession mine, IdentifiedGpu gpu) {
    return mine.nvml().asListener(() -> mine.nvml().gpuTemperatureCelsius(gpu.handle()))
        instanceof Value<Long>;
  }

  /** A round that is over takes nothing from the next one. */
  private void begin(WatchedSession mine, GpuUuid gpu) {
    heard.compute(
        gpu,
        (_, before) -> {
          if (before != null && mine.isOver()) {
            return before;
          }
          listeners.forEach(it -> it.begins(gpu));
          return mine;
        });
  }

  private void end(WatchedSession mine, GpuUuid gpu) {
    heard.computeIfPresent(
        gpu,
        (_, now) -> {
          if (!mine.equals(now)) {
            return now;
          }
          listeners.forEach(it -> it.ends(gpu));
          return null;
        });
  }

  /** It may be another GPU's event, which is no longer subscribed to. */
  private void deliver(WatchedSession mine, DriverEvent event) {
    WatchedSession teller = heard.get(event.gpu());
    if (teller == null ? !mine.isOver() : mine.equals(teller)) {
      listeners.forEach(it -> it.happened(event));
    }
  }
}
