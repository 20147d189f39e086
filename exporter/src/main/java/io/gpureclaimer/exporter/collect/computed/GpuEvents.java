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

/** The events that the driver has sent since the program's start. For any thread. */
public final class GpuEvents implements EventWatch.Listener {
  private static final Logger log = LoggerFactory.getLogger(GpuEvents.class);

  private final XidLog xids;
  private final InstantSource clock;

  /** Why events of GPUs are not subscribed to, where the driver refused; until one is. */
  private final ConcurrentMap<GpuUuid, String> refusals = new ConcurrentHashMap<>();

  /**
   * @param xids where XIDs are entered
   * @param clock the time of an event
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
      case DriverEvent.MigChanged(var gpu) -> log.info("MIG layout of GPU {} changed", gpu);
      case DriverEvent.SingleBitError(var gpu) ->
          log.debug("GPU {}: an error in memory was corrected", gpu);
      case DriverEvent.DoubleBitError(var gpu) ->
          log.warn("GPU {}: uncorrectable memory error (double-bit ECC)", gpu);
    }
  }

  @Override
  public void refused(GpuUuid gpu, String why) {
    if (!why.equals(refusals.put(gpu, why))) {
      log.warn(
          "not subscribed to events of GPU {}, so its XIDs are not reported: {}; trying again",
          gpu,
          why);
    }
  }

  /** Why no XID of a GPU is reported, where the driver refuses the subscription. */
  public Optional<String> whyUnheard(GpuUuid gpu) {
    return isListeningTo(gpu) ? Optional.empty() : Optional.ofNullable(refusals.get(gpu));
  }

  /** The XIDs of a GPU until now; empty if its events were never subscribed to. */
  Optional<XidHistory> xidsOf(GpuUuid gpu) {
    return xids.of(gpu, clock.instant());
  }

  /** Whether a GPU of which no XID is heard has none. */
  boolean isListeningTo(GpuUuid gpu) {
    return xids.isListeningTo(gpu);
  }
}
