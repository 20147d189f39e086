package io.gpureclaimer.exporter.collect.computed;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.health.XidHistory;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.deviceplugin.health.XidTexts;
import io.gpureclaimer.nvml.DriverEvent;
import io.gpureclaimer.nvml.EventWatch;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the driver has told of its own accord since the program's start. For any thread. */
public final class GpuEvents implements EventWatch.Listener {
  private static final Logger log = LoggerFactory.getLogger(GpuEvents.class);

  private final XidLog xids;
  private final InstantSource clock;

  /** Why GPUs are not listened to, where the driver refused; until one is heard. */
  private final ConcurrentMap<GpuUuid, String> refusals = new ConcurrentHashMap<>();

  /**
   * @param xids where XIDs are entered
   * @param clock tells when we heard of one
   */
  public GpuEvents(XidLog xids, InstantSource clock) {
    this.xids = xids;
    this.clock = clock;
  }

  @Override
  public void begins(GpuUuid gpu) {
    xids.begin(gpu);
  }

  /** Not before: a driver may let us begin each time, and refuse each time what follows. */
  @Override
  public void isHeard(GpuUuid gpu) {
    if (refusals.remove(gpu) != null) {
      log.info("subscribed to events of GPU {}", gpu);
    }
  }

  @Override
  public void ends(GpuUuid gpu) {
    xids.end(gpu);
  }

  @Override
  public void happened(DriverEvent event) {
    switch (event) {
      case DriverEvent.Xid(var gpu, int code, var instance) -> {
        xids.add(gpu, code, clock.instant());
        log.warn(
            "GPU {}{}: XID {}: {}",
            gpu,
            instance.isPresent() ? " instance " + instance.getAsInt() : "",
            code,
            XidTexts.of(code));
      }
      case DriverEvent.MigChanged(var gpu) -> log.info("GPU {} is partitioned again", gpu);
      case DriverEvent.SingleBitError(var gpu) ->
          log.debug("GPU {}: an error in memory was corrected", gpu);
      case DriverEvent.DoubleBitError(var gpu) ->
          log.warn("GPU {}: an error in memory could not be corrected", gpu);
    }
  }

  @Override
  public void refused(GpuUuid gpu, String why) {
    if (!why.equals(refusals.put(gpu, why))) {
      log.warn(
          "GPU {} is not listened to, so that none of its XIDs is heard: {}; it is tried again",
          gpu,
          why);
    }
  }

  /** Why no XID of a GPU is heard, where the driver refuses to tell them. */
  public Optional<String> whyUnheard(GpuUuid gpu) {
    return isListeningTo(gpu) ? Optional.empty() : Optional.ofNullable(refusals.get(gpu));
  }

  /** The XIDs of a GPU until now; empty if it was never listened to. */
  Optional<XidHistory> xidsOf(GpuUuid gpu) {
    return xids.of(gpu, clock.instant());
  }

  /** Whether a GPU of which no XID is heard has none. */
  boolean isListeningTo(GpuUuid gpu) {
    return xids.isListeningTo(gpu);
  }
}
