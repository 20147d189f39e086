package io.gpureclaimer.reclaimer.evidence.direct;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.format.PodLabelNames;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** Parser of the DCGM metrics of one fetch: utilization and signals. Confined to one thread. */
final class HardwareParser {
  private static final Map<String, ActivitySign> SIGNS =
      ActivitySign.ALL.stream().collect(Collectors.toMap(ActivitySign::metric, sign -> sign));
  private static final Map<String, SignalKind> SIGNALS = signals();

  private final SignalLimits limits;
  private final MemoryHistory history;
  private final PodActivityAggregator aggregator;
  private final boolean withUtilization;
  private final Map<Entity, Double> memory = new HashMap<>();

  /**
   * @param withUtilization whether the raw utilization is wanted as well
   */
  HardwareParser(
      SignalLimits limits,
      MemoryHistory history,
      PodActivityAggregator aggregator,
      boolean withUtilization) {
    this.limits = limits;
    this.history = history;
    this.aggregator = aggregator;
    this.withUtilization = withUtilization;
  }

  /** The metrics that are read. */
  static Set<String> metrics() {
    var metrics = new HashSet<>(SIGNS.keySet());
    metrics.addAll(SIGNALS.keySet());
    return metrics;
  }

  /** Takes one sample. */
  void accept(MetricSample sample) {
    ActivitySign sign = SIGNS.get(sample.labels().get(MetricSample.NAME));
    SignalKind kind = SIGNALS.get(sample.labels().get(MetricSample.NAME));
    if (sign != null && withUtilization) {
      utilization(sign, sample);
    } else if (kind != null && limits.has(kind)) {
      PodLabelNames.canonical()
          .device(sample.labels())
          .filter(device -> kind == SignalKind.MEMORY || device.instanceId().isEmpty())
          .ifPresent(device -> signal(kind, device, sample));
    }
  }

  /** Adds the memory to the history, for the fetches to come. */
  void finish(Instant at) {
    history.add(memory, at);
  }

  private void utilization(ActivitySign sign, MetricSample sample) {
    PodLabelNames.canonical()
        .device(sample.labels())
        .ifPresentOrElse(
            device -> {
              if (sign.ofInstances() || device.instanceId().isEmpty()) {
                aggregator.utilization(device, sign.countedPercent(sample.value()));
              }
            },
            () -> aggregator.skip("utilization without UUID"));
  }

  private void signal(SignalKind kind, Entity device, MetricSample sample) {
    OptionalDouble value = OptionalDouble.of(sample.value());
    if (kind == SignalKind.MEMORY) {
      memory.merge(device, sample.value(), Math::max);
      value = history.rise(device, sample.value());
    }
    String model = sample.labels().getOrDefault(Labels.MODEL_NAME, "");
    value.ifPresent(
        known ->
            limits
                .ofDevice(kind, device.toString(), model, known)
                .ifPresent(signal -> aggregator.signal(device, signal)));
  }

  private static Map<String, SignalKind> signals() {
    var kinds = new HashMap<String, SignalKind>();
    DcgmField.DEV_POWER_USAGE.names().forEach(name -> kinds.put(name, SignalKind.POWER));
    DcgmField.DEV_FB_USED.names().forEach(name -> kinds.put(name, SignalKind.MEMORY));
    DcgmField.PROF_PCIE_TX_BYTES.names().forEach(name -> kinds.put(name, SignalKind.PCIE));
    DcgmField.PROF_PCIE_RX_BYTES.names().forEach(name -> kinds.put(name, SignalKind.PCIE));
    DcgmField.PROF_NVLINK_TX_BYTES.names().forEach(name -> kinds.put(name, SignalKind.NVLINK));
    DcgmField.PROF_NVLINK_RX_BYTES.names().forEach(name -> kinds.put(name, SignalKind.NVLINK));
    return Map.copyOf(kinds);
  }

  /**
   * Lowest use of memory of each device at the fetches of the last ten minutes. Safe for any
   * thread.
   */
  static final class MemoryHistory {
    private static final Duration HALF = Duration.ofMinutes(5);

    private final AtomicReference<MemoryTrail> trail =
        new AtomicReference<>(new MemoryTrail(Instant.EPOCH, Map.of(), Map.of()));

    /**
     * The least memory in use, by device.
     *
     * @param since when {@code newer} began
     * @param older from five minutes before that
     * @param newer since then
     */
    private record MemoryTrail(
        Instant since, Map<Entity, Double> older, Map<Entity, Double> newer) {}

    /** By how much it has risen; nothing if this is the first look at the device. */
    OptionalDouble rise(Entity device, double mebibytes) {
      MemoryTrail now = trail.get();
      double least =
          Math.min(
              now.older().getOrDefault(device, Double.POSITIVE_INFINITY),
              now.newer().getOrDefault(device, Double.POSITIVE_INFINITY));
      return Double.isInfinite(least)
          ? OptionalDouble.empty()
          : OptionalDouble.of(mebibytes - least);
    }

    /** Adds what all devices use now. */
    void add(Map<Entity, Double> mebibytes, Instant at) {
      MemoryTrail before = trail.get();
      Duration age = Duration.between(before.since(), at);
      if (age.compareTo(HALF) >= 0) {
        Map<Entity, Double> older =
            age.compareTo(HALF.multipliedBy(2)) >= 0 ? Map.of() : before.newer();
        trail.set(new MemoryTrail(at, older, Map.copyOf(mebibytes)));
        return;
      }
      Map<Entity, Double> newer = new HashMap<>(before.newer());
      mebibytes.forEach((device, value) -> newer.merge(device, value, Math::min));
      trail.set(new MemoryTrail(before.since(), before.older(), Map.copyOf(newer)));
    }
  }
}
