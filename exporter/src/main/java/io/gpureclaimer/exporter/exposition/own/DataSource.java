package io.gpureclaimer.exporter.exposition.own;

import io.gpureclaimer.common.vocabulary.FieldSource;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.SourceState;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Data sources of the agent. */
public enum DataSource {
  /** The driver. */
  NVML("nvml"),
  /** Its profiling counters. */
  GPM("gpm"),
  /** The kubelet, on who holds which device. */
  POD_RESOURCES("pod_resources"),
  /** The API server, on the pods of the node. */
  API_SERVER("api_server");

  private final String label;

  DataSource(String label) {
    this.label = label;
  }

  /** As the metric spells it. */
  String label() {
    return label;
  }

  /** Those that reported something in this pass; the kubelet is queried separately. */
  static Set<DataSource> reporting(Snapshot snapshot, SourceState state) {
    var heard = EnumSet.noneOf(DataSource.class);
    for (var sample : snapshot.gpus()) {
      if (sample instanceof Answered answered) {
        heard.add(NVML);
        boolean profiled =
            hasProfiling(answered.readings())
                || answered.instances().stream().anyMatch(part -> hasProfiling(part.readings()));
        if (profiled) {
          heard.add(GPM);
        }
      }
    }
    if (state instanceof OfKubelet kubelet && kubelet.pods() instanceof WatchState.Synced) {
      heard.add(API_SERVER);
    }
    return heard;
  }

  private static boolean hasProfiling(List<Reading> readings) {
    return readings.stream().anyMatch(reading -> reading.field().source() == FieldSource.GPM);
  }
}
