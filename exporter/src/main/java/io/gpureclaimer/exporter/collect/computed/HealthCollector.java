package io.gpureclaimer.exporter.collect.computed;

import static io.gpureclaimer.common.vocabulary.DcgmField.EXP_GPU_HEALTH_STATUS;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.deviceplugin.health.HealthFinding;
import io.gpureclaimer.deviceplugin.health.HealthInputs;
import io.gpureclaimer.deviceplugin.health.HealthRules;
import io.gpureclaimer.deviceplugin.health.WatchStatus;
import io.gpureclaimer.deviceplugin.health.XidTexts;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.CollectorPlanCache;
import io.gpureclaimer.exporter.collect.DcgmFields;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.nvml.poll.GpuStatus.GpuFault;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Health of a GPU by DCGM's rules, from the readings of this poll and of a minute before. */
public final class HealthCollector implements Collector {
  private static final Set<DcgmField> NEEDS =
      HealthRules.fields().stream().map(DcgmField::of).collect(Collectors.toUnmodifiableSet());

  /** How often health is judged if the status page alone shows it. */
  private static final Duration FOR_STATUS_EVERY = Duration.ofSeconds(5);

  private static final DcgmField MIG_MODE = DcgmFields.field("DEV_MIG_MODE");
  private static final DcgmField RETIRED_DBE = DcgmFields.field("DEV_RETIRED_DBE");

  private final GpuEvents events;
  private final MonotonicClock monotonic;
  private final DownLinks downLinks;

  /** Concurrent because a turn that hung may end on its own thread while another GPU's runs. */
  private final Map<GpuUuid, LastMinute> minutes = new ConcurrentHashMap<>();

  private final Map<GpuUuid, RetiredPages> retired = new ConcurrentHashMap<>();
  private final Map<GpuUuid, HealthFindings> judged = new ConcurrentHashMap<>();

  /** Whether all that health depends on is read, because the counters file names health. */
  private final CollectorPlanCache<Boolean> isServed =
      new CollectorPlanCache<>(wanted -> wanted.containsAll(NEEDS));

  private record HealthFindings(long nanos, List<HealthFinding> findings) {}

  /**
   * @param events where XIDs come from
   * @param monotonic monotonic clock
   */
  public HealthCollector(GpuEvents events, MonotonicClock monotonic) {
    this.events = events;
    this.monotonic = monotonic;
    this.downLinks = new DownLinks(monotonic);
  }

  @Override
  public String name() {
    return "health";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of(EXP_GPU_HEALTH_STATUS);
  }

  /** For the status page, by what is read anyway. */
  @Override
  public boolean alwaysRuns() {
    return true;
  }

  @Override
  public Set<DcgmField> inputs() {
    return Stream.concat(NEEDS.stream(), Stream.of(MIG_MODE))
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    var gpu = device.gpu().uuid();
    HealthFindings last = judged.get(gpu);
    if (last == null
        || isServed.of(into.wanted())
        || monotonic.nanos() - last.nanos() >= FOR_STATUS_EVERY.toNanos()) {
      last = new HealthFindings(monotonic.nanos(), HealthRules.judge(vitals(device, into)));
      judged.put(gpu, last);
    }
    enter(last.findings(), into);
  }

  @Override
  public void collectUnresponsive(GpuUuid gpu, GpuFault fault, Readings into) {
    var xids = new HashSet<>(xidsOf(gpu));
    if (fault == GpuFault.LOST) {
      xids.add(XidTexts.FALLEN_OFF_THE_BUS);
    }
    // A slow call is no evidence of a fault.
    var calls = fault == GpuFault.OVERDUE ? WatchStatus.WARN : WatchStatus.FAIL;
    enter(HealthRules.judgeUnresponsive(calls, xids), into);
  }

  private Set<Integer> xidsOf(GpuUuid gpu) {
    return events.xidsOf(gpu).map(history -> history.totals().keySet()).orElse(Set.of());
  }

  private static void enter(List<HealthFinding> findings, Readings into) {
    for (HealthFinding finding : findings) {
      into.put(
          EXP_GPU_HEALTH_STATUS,
          finding.status().code(),
          List.of(
              new Label("health_error_code", finding.code()),
              new Label("health_watch", finding.watch().name())));
    }
  }

  private HealthInputs vitals(PolledGpu device, Readings readings) {
    var gpu = device.gpu().uuid();
    var now = new HashMap<Integer, Double>();
    for (DcgmField field : NEEDS) {
      readings.value(field).ifPresent(value -> now.put(field.id(), value));
    }
    var down = downLinks.of(device, readings.value(MIG_MODE));
    var minute = minutes.computeIfAbsent(gpu, _ -> new LastMinute());
    var first = minute.firstOf(now, monotonic.nanos());
    return new HealthInputs(
        now,
        first.values(),
        first.age(),
        readings.failedFields().stream().map(DcgmField::id).collect(Collectors.toSet()),
        xidsOf(gpu),
        events.isListeningTo(gpu),
        retiredThisWeek(gpu, readings),
        down.isPresent() ? down.getAsInt() : null);
  }

  private double retiredThisWeek(GpuUuid gpu, Readings readings) {
    OptionalDouble pages = readings.value(RETIRED_DBE);
    return pages.isPresent()
        ? retired
            .computeIfAbsent(gpu, _ -> new RetiredPages())
            .thisWeek(pages.getAsDouble(), monotonic.nanos())
        : 0;
  }

  /**
   * Values of a GPU in the last minute, every few seconds. Confined to the thread that polls the
   * GPU.
   */
  private static final class LastMinute {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration APART = Duration.ofSeconds(5);

    private final Deque<Values> history = new ArrayDeque<>();

    private record Values(long nanos, Map<Integer, Double> values) {}

    /** The oldest values of the last minute, and their age. */
    record OldestValues(Map<Integer, Double> values, Duration age) {}

    /** Remembers the values if the last ones are old enough, and returns the oldest. */
    OldestValues firstOf(Map<Integer, Double> now, long nanos) {
      history.removeIf(past -> nanos - past.nanos() > MINUTE.toNanos());
      if (history.isEmpty() || nanos - history.getLast().nanos() >= APART.toNanos()) {
        history.addLast(new Values(nanos, Map.copyOf(now)));
      }
      var first = history.getFirst();
      return new OldestValues(first.values(), Duration.ofNanos(nanos - first.nanos()));
    }
  }

  /**
   * Number of pages that were retired for double-bit errors in the last week, as observed by this
   * program. Confined to the thread that takes the GPU's turn.
   */
  static final class RetiredPages {
    private static final long WEEK = Duration.ofDays(7).toNanos();

    /**
     * Each count that was reported, and when it was reported first; the oldest may be older than a
     * week.
     */
    private final Deque<PageCount> counts = new ArrayDeque<>();

    private record PageCount(double pages, long nanos) {}

    /**
     * Those of the last week.
     *
     * @param pages how many there are now
     * @param nanos now, by the monotonic clock
     */
    double thisWeek(double pages, long nanos) {
      if (counts.isEmpty() || counts.getLast().pages() != pages) {
        counts.addLast(new PageCount(pages, nanos));
      }
      PageCount first = counts.removeFirst();
      while (!counts.isEmpty() && nanos - counts.getFirst().nanos() >= WEEK) {
        first = counts.removeFirst();
      }
      counts.addFirst(first);
      return pages - first.pages();
    }
  }
}
