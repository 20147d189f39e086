package io.gpureclaimer.nvml;

import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The watches of one session, one for each GPU and each GPU instance that was ever polled: an open
 * sample must be freed before the session ends. Safe for several threads.
 */
final class GpmWatches {
  private final ConcurrentMap<GpmEntity, GpmWatch> watches = new ConcurrentHashMap<>();

  private record GpmEntity(long device, OptionalInt instance) {}

  GpmWatch of(Driver driver, long device, OptionalInt instance) {
    return watches.computeIfAbsent(
        new GpmEntity(device, instance), _ -> new GpmWatch(driver, device, instance));
  }

  /** After a new MIG layout, another instance may have the number of a former one. */
  void forgetInstances(long device) {
    watches.forEach(
        (entity, watch) -> {
          if (entity.device() == device && entity.instance().isPresent()) {
            watches.remove(entity);
            watch.close();
          }
        });
  }

  /** As {@link #forgetInstances}, of one. */
  void forget(long device, int instance) {
    GpmWatch watch = watches.remove(new GpmEntity(device, OptionalInt.of(instance)));
    if (watch != null) {
      watch.close();
    }
  }

  void close() {
    watches.values().forEach(GpmWatch::close);
    watches.clear();
  }
}
