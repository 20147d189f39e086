package io.gpureclaimer.exporter.collect.computed;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_XID_ERRORS;
import static io.gpureclaimer.common.vocabulary.DcgmField.EXP_XID_ERRORS_COUNT;
import static io.gpureclaimer.common.vocabulary.DcgmField.EXP_XID_ERRORS_TOTAL;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.deviceplugin.health.XidHistory;
import io.gpureclaimer.deviceplugin.health.XidTexts;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.nvml.poll.GpuStatus.GpuFault;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * XIDs of a GPU and its instances: the last one, those in a window, and all. Where there was none,
 * one series says 0; a GPU whose events are not subscribed to has none.
 */
public final class XidCollector implements Collector {
  /** The code that DCGM's catalogue calls {@code No Error}. */
  private static final int NONE = 0;

  private final GpuEvents events;
  private final Label window;

  /**
   * @param events where XIDs come from
   * @param window how far back the count in a window reaches
   */
  public XidCollector(GpuEvents events, Duration window) {
    this.events = events;
    this.window = Label.ofWindow(window);
  }

  @Override
  public String name() {
    return "xid";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of(DEV_XID_ERRORS, EXP_XID_ERRORS_COUNT, EXP_XID_ERRORS_TOTAL);
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    enterLast(device.gpu().uuid(), into);
    enterCounts(device.gpu().uuid(), into);
  }

  /**
   * A lost GPU has XID 79, whether or not an event reported it: {@code GPU_IS_LOST} is that state,
   * and newer than any event. The counts are of events alone.
   */
  @Override
  public void collectUnresponsive(GpuUuid gpu, GpuFault fault, Readings into) {
    if (fault == GpuFault.LOST) {
      enterLast(XidTexts.FALLEN_OFF_THE_BUS, into);
    } else {
      enterLast(gpu, into);
    }
    enterCounts(gpu, into);
  }

  private void enterLast(GpuUuid gpu, Readings into) {
    var last = events.xidsOf(gpu).flatMap(XidHistory::last);
    if (last.isPresent()) {
      enterLast(last.get().code(), into);
    } else if (events.isListeningTo(gpu)) {
      enterLast(NONE, into);
    }
  }

  private static void enterLast(int code, Readings into) {
    into.put(
        DEV_XID_ERRORS,
        code,
        List.of(
            new Label("err_code", Integer.toString(code)),
            new Label("err_msg", XidTexts.of(code))));
  }

  private void enterCounts(GpuUuid gpu, Readings into) {
    boolean listening = events.isListeningTo(gpu);
    events.xidsOf(gpu).ifPresent(history -> enterCounts(history, listening, into));
  }

  private void enterCounts(XidHistory history, boolean listening, Readings into) {
    enter(EXP_XID_ERRORS_COUNT, history.recent(), List.of(window), listening, into);
    enter(EXP_XID_ERRORS_TOTAL, history.totals(), List.of(), listening, into);
  }

  private static void enter(
      DcgmField field,
      Map<Integer, Long> counts,
      List<Label> labels,
      boolean listening,
      Readings into) {
    if (counts.isEmpty() && listening) {
      into.put(field, 0, labels);
    }
    new TreeMap<>(counts)
        .forEach(
            (code, count) -> {
              var xid = new Label("xid", Integer.toString(code));
              into.put(field, count, Stream.concat(labels.stream(), Stream.of(xid)).toList());
            });
  }
}
