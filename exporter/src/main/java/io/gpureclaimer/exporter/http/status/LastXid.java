package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.health.XidHistory.Last;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.deviceplugin.health.XidTexts;
import io.gpureclaimer.exporter.http.status.Html.Cell;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The newest XID of a GPU in a few words: of one that is lost, too, for it is what tells why. */
final class LastXid {
  private static final String NOT_HEARD = "–";

  private final XidLog xids;
  private final Instant now;

  LastXid(XidLog xids, Instant now) {
    this.xids = xids;
    this.now = now;
  }

  Cell of(Optional<Gpu> gpu) {
    return gpu.map(known -> of(known.uuid())).orElse(Cell.plain(NOT_HEARD));
  }

  private Cell of(GpuUuid gpu) {
    return xids.of(gpu, now)
        .flatMap(history -> history.last())
        .map(last -> Cell.plain(said(last)))
        .orElse(Cell.plain(xids.isListeningTo(gpu) ? "none" : NOT_HEARD));
  }

  private String said(Last last) {
    return last.code()
        + ", "
        + Ages.of(Duration.between(last.at(), now))
        + " ago: "
        + XidTexts.of(last.code());
  }
}
