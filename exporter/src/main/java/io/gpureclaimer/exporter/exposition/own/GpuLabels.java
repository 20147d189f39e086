package io.gpureclaimer.exporter.exposition.own;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Labels of a series about one GPU. A label that is not known is absent, which simpleclient's
 * families do not allow for. Confined to the thread that collects.
 */
final class GpuLabels {
  private final List<String> names = new ArrayList<>();
  private final List<String> values = new ArrayList<>();

  GpuLabels with(String name, String value) {
    names.add(name);
    values.add(value);
    return this;
  }

  GpuLabels withModel(Gpu gpu) {
    with(Labels.MODEL_NAME, gpu.modelName());
    String place = gpu.pciBusId();
    return place == null ? this : with(Labels.PCI_BUS_ID, place);
  }

  /**
   * What all holders of the GPU and its MIG instances have in common, so that it stays one series.
   */
  GpuLabels withHolder(Gpu gpu, Snapshot snapshot) {
    var holders =
        snapshot.holdingsOnAnyPartOf(gpu.uuid()).stream()
            .map(holding -> holding.holder())
            .distinct()
            .toList();
    if (haveOne(holders, holder -> List.of(holder.namespace(), holder.pod()))) {
      with(Labels.NAMESPACE, holders.getFirst().namespace());
      with(Labels.POD, holders.getFirst().pod());
      if (haveOne(holders, Holder::container)) {
        with(Labels.CONTAINER, holders.getFirst().container());
      }
    }
    return this;
  }

  private static <T> boolean haveOne(List<Holder> holders, Function<Holder, T> part) {
    return holders.stream().map(part).distinct().count() == 1;
  }

  Sample sample(String name, double value) {
    return new Sample(name, List.copyOf(names), List.copyOf(values), value);
  }
}
