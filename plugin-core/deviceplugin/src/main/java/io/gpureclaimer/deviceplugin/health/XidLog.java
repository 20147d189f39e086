package io.gpureclaimer.deviceplugin.health;

import io.gpureclaimer.common.device.GpuUuid;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All XIDs by GPU since the start of the program, across driver sessions. For any thread. */
public final class XidLog {
  private final Duration window;
  private final Map<GpuUuid, LoggedXid> entries = new ConcurrentHashMap<>();
  private final Set<GpuUuid> listened = ConcurrentHashMap.newKeySet();

  /**
   * @param window how far back the recent ones reach
   */
  public XidLog(Duration window) {
    this.window = window;
  }

  /** From now on the XIDs of this GPU are heard. */
  public void begin(GpuUuid gpu) {
    entry(gpu);
    listened.add(gpu);
  }

  /** Until it begins again, XIDs of this GPU are not heard; those that were are kept. */
  public void end(GpuUuid gpu) {
    listened.remove(gpu);
  }

  /** Whether a GPU of which no XID is heard has none. */
  public boolean isListeningTo(GpuUuid gpu) {
    return listened.contains(gpu);
  }

  /** One more. */
  public void add(GpuUuid gpu, int code, Instant at) {
    entry(gpu).add(code, at);
  }

  /** What there was of this GPU until now; empty if its events were never subscribed to. */
  public Optional<XidHistory> of(GpuUuid gpu, Instant now) {
    return Optional.ofNullable(entries.get(gpu)).map(entry -> entry.history(now));
  }

  private LoggedXid entry(GpuUuid gpu) {
    return entries.computeIfAbsent(gpu, _ -> new LoggedXid(new IssueCounts<>(window)));
  }

  /** Synchronized because a GPU's own thread adds while the sampling thread looks. */
  private static final class LoggedXid {
    private final IssueCounts<Integer> tally;
    private XidHistory.@Nullable Last last;

    LoggedXid(IssueCounts<Integer> tally) {
      this.tally = tally;
    }

    synchronized void add(int code, Instant at) {
      tally.add(code, at);
      last = new XidHistory.Last(code, at);
    }

    synchronized XidHistory history(Instant now) {
      return new XidHistory(tally.totals(), tally.recent(now), last);
    }
  }
}
