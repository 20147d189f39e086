package io.gpureclaimer.exporter.exposition.text;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.ContainerUse;
import io.gpureclaimer.exporter.sample.DeviceAssignment;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Layout of the series of one device in one pass, by its holders. */
final class DeviceSeries {
  private static final double BYTES_PER_MIB = 1 << 20;

  private final List<DeviceAssignment> holdings;
  private final List<String> jobs;
  private final List<ContainerUse> uses;
  private final HolderStyle style;

  DeviceSeries(Inputs inputs, HolderStyle style) {
    this.holdings = inputs.holdings();
    this.jobs = inputs.jobs();
    this.uses = inputs.uses();
    this.style = style;
  }

  /**
   * Inputs of the series layout.
   *
   * @param holdings who holds the device and how
   * @param jobs those that run on it
   * @param uses what single containers use of it, where that makes a difference
   */
  record Inputs(List<DeviceAssignment> holdings, List<String> jobs, List<ContainerUse> uses) {
    static Inputs of(Snapshot snapshot, Entity device, HolderStyle style) {
      var holdings = snapshot.holdingsOf(device);
      boolean perShare = style.perShare() && holdings.size() > 1;
      return new Inputs(
          holdings, snapshot.jobs().on(device), perShare ? snapshot.uses().of(device) : List.of());
    }
  }

  /**
   * One series of a device.
   *
   * @param labels what it says of who holds the device
   * @param own the holder's own value, which stands for the device's; empty if the device's does
   */
  record HolderSeries(HolderLabels labels, OptionalDouble own) {
    static HolderSeries ofDevice(HolderLabels labels) {
      return new HolderSeries(labels, OptionalDouble.empty());
    }
  }

  /** The device's own values, for each of these. */
  List<HolderSeries> series() {
    return HolderLabels.of(holdings, jobs, style).stream().map(HolderSeries::ofDevice).toList();
  }

  /**
   * The series of {@code GPU_UTIL} or {@code FB_USED} where each share has series of its own; empty
   * if they are as all others.
   *
   * <p>They add up to at most the device's value: if one container alone has all that is held of
   * the device, the value is its own, once. Otherwise each container has its own value, without the
   * device's; if those are unknown, the device's value is there once, without a holder.
   */
  Optional<List<HolderSeries>> seriesOfUse(DcgmField field) {
    if (!style.perShare() || holdings.size() < 2) {
      return Optional.empty();
    }
    if (holdings.stream().map(DeviceAssignment::holder).distinct().count() == 1) {
      return Optional.of(ofDevice(holdings));
    }
    return Optional.of(uses.isEmpty() ? ofDevice(List.of()) : ofContainers(field));
  }

  private List<HolderSeries> ofDevice(List<DeviceAssignment> held) {
    return HolderLabels.together(held, jobs, style).stream().map(HolderSeries::ofDevice).toList();
  }

  /** Containers that no label distinguishes are one. */
  private List<HolderSeries> ofContainers(DcgmField field) {
    var values = new LinkedHashMap<HolderLabels, Double>();
    for (ContainerUse use : uses) {
      Double value = value(use, field);
      if (value != null) {
        for (var labels : HolderLabels.together(heldBy(use.holder()), jobs, style)) {
          values.merge(labels, value, Double::sum);
        }
      }
    }
    return values.entrySet().stream()
        .map(series -> new HolderSeries(series.getKey(), OptionalDouble.of(series.getValue())))
        .toList();
  }

  private List<DeviceAssignment> heldBy(Holder holder) {
    return holdings.stream().filter(holding -> holding.holder().equals(holder)).toList();
  }

  private static @Nullable Double value(ContainerUse use, DcgmField field) {
    if (field == DcgmField.DEV_GPU_UTIL) {
      return use.smPercent();
    }
    Long bytes = use.memoryBytes();
    return bytes == null ? null : bytes / BYTES_PER_MIB;
  }
}
