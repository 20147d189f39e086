package io.gpureclaimer.reclaimer.evidence.format;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.PodName;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Parser of the answers to {@link SignalQueries}. Confined to one thread at a time. */
final class SignalParser {
  private static final Map<String, SignalKind> KINDS =
      Stream.of(SignalKind.values())
          .collect(Collectors.toMap(SignalKind::code, Function.identity()));

  private final SignalLimits limits;
  private final PodActivityAggregator aggregator;
  private final String uuid;

  /**
   * @param uuid the label of a GPU's UUID
   */
  SignalParser(SignalLimits limits, PodActivityAggregator aggregator, String uuid) {
    this.limits = limits;
    this.aggregator = aggregator;
    this.uuid = uuid;
  }

  /** The labels that are read. */
  static Set<String> labels(String uuid) {
    return Set.of(
        uuid,
        Labels.GPU_INSTANCE_ID,
        Labels.MODEL_NAME,
        Labels.NAMESPACE,
        Labels.POD,
        SignalQueries.COUNTER,
        SignalQueries.LOST);
  }

  /** Takes a sample; false if it is of no signal. */
  boolean accept(MetricSample sample) {
    SignalKind kind = KINDS.get(sample.labels().getOrDefault(PromQl.KIND, ""));
    if (kind == null) {
      return false;
    }
    switch (kind) {
      case POWER, MEMORY, PCIE, NVLINK -> device(kind, sample);
      case CPU -> pod(sample, limits.cpu(value(sample)));
      case REQUESTS -> {
        String counter = sample.labels().getOrDefault(SignalQueries.COUNTER, "its counters");
        pod(sample, limits.requests(counter, value(sample)));
      }
      case JUPYTER -> pod(sample, limits.jupyter(value(sample)));
    }
    return true;
  }

  private void device(SignalKind kind, MetricSample sample) {
    String model = sample.labels().getOrDefault(Labels.MODEL_NAME, "");
    PodLabels.device(sample.labels(), uuid)
        .ifPresent(
            device ->
                limits
                    .ofDevice(kind, device.toString(), model, sample.value())
                    .ifPresent(signal -> aggregator.signal(device, signal)));
  }

  /** NaN for a signal that is no longer reported. */
  private static double value(MetricSample sample) {
    return sample.labels().containsKey(SignalQueries.LOST) ? Double.NaN : sample.value();
  }

  private void pod(MetricSample sample, Signal signal) {
    String namespace = sample.labels().get(Labels.NAMESPACE);
    String pod = sample.labels().get(Labels.POD);
    if (namespace != null && pod != null) {
      aggregator.signal(new PodName(namespace, pod), signal);
    }
  }
}
