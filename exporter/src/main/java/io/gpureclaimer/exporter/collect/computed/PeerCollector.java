package io.gpureclaimer.exporter.collect.computed;

import static io.gpureclaimer.common.vocabulary.DcgmField.EXP_P2P_STATUS;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.DcgmFields;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.P2pStatus;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * NVLink connections between GPUs. It hardly ever changes, so it is asked once a minute, and again
 * at once where an answer failed.
 */
public final class PeerCollector implements Collector {
  private static final Duration ASKED_AGAIN_AFTER = Duration.ofMinutes(1);

  /** A bit for each GPU that is reached. */
  private static final DcgmField REACHED = DcgmFields.field("DEV_P2P_NVLINK_STATUS");

  private final MonotonicClock monotonic;

  /** By handle: another session brings others. Concurrent, as turns may overlap. */
  private final Map<GpuHandle, PeerQuery> last = new ConcurrentHashMap<>();

  /**
   * @param monotonic monotonic clock
   */
  public PeerCollector(MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  private record PeerQuery(long nanos, Map<Integer, NvmlResult<P2pStatus>> answers, int peers) {
    boolean isWhole() {
      return answers.values().stream().noneMatch(NvmlResult.Failed.class::isInstance);
    }

    /** Unless there is a peer of which it is not known. */
    OptionalLong reached() {
      long bits = 0;
      int known = 0;
      for (var answer : answers.entrySet()) {
        if (answer.getValue() instanceof Value<P2pStatus>(var status)) {
          bits |= status == P2pStatus.OK ? 1L << answer.getKey() : 0;
          known++;
        }
      }
      return known == peers ? OptionalLong.of(bits) : OptionalLong.empty();
    }
  }

  @Override
  public String name() {
    return "p2p";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of(EXP_P2P_STATUS, REACHED);
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    var asked = last.get(device.handle());
    long now = monotonic.nanos();
    if (asked == null || !asked.isWhole() || now - asked.nanos() >= ASKED_AGAIN_AFTER.toNanos()) {
      last.keySet().removeIf(handle -> handle.index() == device.handle().index());
      asked = new PeerQuery(now, ask(device), device.nvml().deviceCount() - 1);
      last.put(device.handle(), asked);
    }
    asked.answers().forEach((peer, answer) -> enter(peer, answer, into));
    asked.reached().ifPresent(bits -> into.put(REACHED, bits));
  }

  /**
   * A pair that failed is left out, and is no failure of the GPU that asks: it may be the peer that
   * is lost.
   */
  private static void enter(int peer, NvmlResult<P2pStatus> answer, Readings into) {
    if (answer instanceof Value<P2pStatus>(var status)) {
      into.put(EXP_P2P_STATUS, status.code(), of(peer, status));
    }
  }

  private static List<Label> of(int peer, P2pStatus status) {
    return List.of(
        new Label("link_status", status.text()), new Label("peer_gpu", Integer.toString(peer)));
  }

  /** Of a peer that has no handle to give, as one that is lost, nothing is said. */
  private static Map<Integer, NvmlResult<P2pStatus>> ask(PolledGpu device) {
    var answers = new TreeMap<Integer, NvmlResult<P2pStatus>>();
    int devices = device.nvml().deviceCount();
    for (int peer = 0; peer < devices; peer++) {
      if (peer != device.gpu().index()
          && device.nvml().handle(peer) instanceof Value<GpuHandle>(var handle)) {
        answers.put(peer, device.nvml().nvlinkTo(device.handle(), handle));
      }
    }
    return answers;
  }
}
