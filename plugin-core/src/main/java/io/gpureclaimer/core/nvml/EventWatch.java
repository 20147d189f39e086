package io.gpureclaimer.core.nvml;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.nvml.NvmlResult.Failed;
import io.gpureclaimer.core.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.core.nvml.NvmlResult.Value;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to all GPUs of a session, each on a thread of its own: a call about one that does not
 * return, or one that is lost, keeps nobody from hearing the others. When a session is followed by
 * another, or the number of GPUs changes, it listens anew. Confined to the thread that attends.
 */
public final class EventWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventWatch.class);

  private final Listener listener;
  private final Duration pause;

  private @Nullable Nvml session;
  private int devices;
  private CountDownLatch over = new CountDownLatch(1);

  /** Who is told what happens, on several threads at once. */
  public interface Listener {

    /** From now on, what happens to this GPU is told; what happened before is not. */
    void begins(GpuUuid gpu);

    /** Something happened. */
    void happened(DriverEvent event);
  }

  /**
   * @param listener told of every event
   * @param pause before a GPU that does not answer is tried again
   */
  public EventWatch(Listener listener, Duration pause) {
    this.listener = listener;
    this.pause = pause;
  }

  /** Listens to this session's GPUs from now on; does nothing if it does so already. */
  public void attend(Nvml nvml, int gpus) {
    if (nvml == session && gpus == devices) {
      return;
    }
    close();
    session = nvml;
    devices = gpus;
    var round = new CountDownLatch(1);
    over = round;
    for (int index = 0; index < gpus; index++) {
      int gpu = index;
      Thread.ofPlatform().daemon().name("events-" + gpu).start(() -> listen(nvml, gpu, round));
    }
  }

  /** Stops listening; whoever is inside the driver leaves it within half a second. */
  @Override
  public void close() {
    over.countDown();
    session = null;
  }

  private void listen(Nvml nvml, int index, CountDownLatch round) {
    try {
      do {
        nvml.asListener(() -> register(nvml, index)).then(set -> hear(set, round));
      } while (!round.await(pause.toNanos(), TimeUnit.NANOSECONDS));
    } catch (NvmlException e) {
      log.debug("GPU {} is not listened to any more: its session is over", index, e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static NvmlResult<EventSet> register(Nvml nvml, int index) {
    return nvml.handle(index).then(gpu -> nvml.uuid(gpu).then(uuid -> nvml.events(gpu, uuid)));
  }

  /** Until the watch is over, or the driver fails to tell. */
  private NvmlResult<Boolean> hear(EventSet set, CountDownLatch round) {
    try {
      listener.begins(set.gpu());
      while (round.getCount() > 0) {
        switch (set.await()) {
          case Value<Optional<DriverEvent>>(var event) -> event.ifPresent(listener::happened);
          case Unsupported<Optional<DriverEvent>> _ -> {
            return new Unsupported<>();
          }
          case Failed<Optional<DriverEvent>>(var reason, var code) -> {
            return new Failed<>(reason, code);
          }
        }
      }
      return new Value<>(true);
    } finally {
      set.retire();
    }
  }
}
