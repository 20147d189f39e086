package io.gpureclaimer.exporter.collect.computed;

import static io.gpureclaimer.common.vocabulary.DcgmField.EXP_CLOCK_EVENTS_COUNT;
import static io.gpureclaimer.common.vocabulary.DcgmField.EXP_CLOCK_EVENTS_TOTAL;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.deviceplugin.health.IssueCounts;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reasons for reduced clocks: number of polls within the window in which each was present, and of
 * its changes.
 */
public final class ClockEventsCollector implements Collector {
  private static final DcgmField REASONS = DcgmField.of(112);

  private final Duration window;
  private final InstantSource clock;

  /** Concurrent because a turn that hung may end on its own thread while another GPU's runs. */
  private final Map<GpuUuid, ReasonTimes> seen = new ConcurrentHashMap<>();

  /**
   * @param window how far back the count of passes reaches
   * @param clock the time of a pass
   */
  public ClockEventsCollector(Duration window, InstantSource clock) {
    this.window = window;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "clock_events";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of(EXP_CLOCK_EVENTS_COUNT, EXP_CLOCK_EVENTS_TOTAL);
  }

  @Override
  public Set<DcgmField> inputs() {
    return Set.of(REASONS);
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    into.value(REASONS)
        .ifPresent(
            mask -> {
              var one = seen.computeIfAbsent(device.gpu().uuid(), _ -> new ReasonTimes(window));
              var now = clock.instant();
              one.update(ClockEvent.in((long) mask), now);
              var label = Label.ofWindow(window);
              enter(EXP_CLOCK_EVENTS_COUNT, one.passes.recent(now), List.of(label), into);
              enter(EXP_CLOCK_EVENTS_TOTAL, one.begun.totals(), List.of(), into);
            });
  }

  private static void enter(
      DcgmField field, Map<ClockEvent, Long> counts, List<Label> labels, Readings into) {
    if (counts.isEmpty()) {
      into.put(field, 0, labels);
    }
    new TreeMap<>(counts)
        .forEach(
            (event, count) -> {
              var why = new Label("clock_event", event.label());
              into.put(field, count, Stream.concat(labels.stream(), Stream.of(why)).toList());
            });
  }

  /** Reasons of one GPU. Confined to the thread that takes its turn. */
  private static final class ReasonTimes {
    private final IssueCounts<ClockEvent> passes;
    private final IssueCounts<ClockEvent> begun;
    private Set<ClockEvent> last = EnumSet.noneOf(ClockEvent.class);

    ReasonTimes(Duration window) {
      passes = new IssueCounts<>(window);
      begun = new IssueCounts<>(Duration.ZERO);
    }

    void update(Set<ClockEvent> present, Instant now) {
      for (ClockEvent event : present) {
        passes.add(event, now);
        if (!last.contains(event)) {
          begun.add(event, now);
        }
      }
      last = present;
    }
  }

  /** Reason for reduced clocks: a bit in the driver's mask. */
  enum ClockEvent {
    GPU_IDLE(0x1, "gpu_idle"),
    CLOCKS_SETTING(0x2, "clocks_setting"),
    POWER_CAP(0x4, "power_cap"),
    HW_SLOWDOWN(0x8, "hw_slowdown"),
    SYNC_BOOST(0x10, "sync_boost"),
    SW_THERMAL(0x20, "sw_thermal"),
    HW_THERMAL(0x40, "hw_thermal"),
    HW_POWER_BRAKE(0x80, "hw_power_brake"),
    DISPLAY_CLOCKS(0x100, "display_clocks");

    private final long bit;
    private final String label;

    ClockEvent(long bit, String label) {
      this.bit = bit;
      this.label = label;
    }

    /** As dcgm-exporter spells it. */
    String label() {
      return label;
    }

    /** Those whose bit is set; bits of no name are passed over. */
    static Set<ClockEvent> in(long mask) {
      return Arrays.stream(values())
          .filter(event -> (mask & event.bit) != 0)
          .collect(Collectors.toCollection(() -> EnumSet.noneOf(ClockEvent.class)));
    }
  }
}
