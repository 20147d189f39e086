package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.Gathering;
import io.gpureclaimer.reclaimer.evidence.Label;
import io.gpureclaimer.reclaimer.evidence.PodName;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.Kind;
import io.gpureclaimer.reclaimer.evidence.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.VectorSample;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleFunction;

/** What each sample of a signal means. Confined to the thread of the answer. */
final class SignalSamples {
  private final SignalLimits limits;
  private final Gathering gathering;
  private final String uuid;

  /**
   * @param uuid the label of a GPU's name
   */
  SignalSamples(SignalLimits limits, Gathering gathering, String uuid) {
    this.limits = limits;
    this.gathering = gathering;
    this.uuid = uuid;
  }

  /** Takes from the answer what is a signal. */
  void readFrom(Sorting sorting) {
    sorting
        .reading(
            Set.of(
                uuid,
                Labels.GPU_INSTANCE_ID,
                Labels.MODEL_NAME,
                Labels.NAMESPACE,
                Labels.POD,
                SignalQueries.COUNTER,
                SignalQueries.LOST))
        .to(this::power, Kind.POWER.code())
        .to(
            sample -> device(sample, value -> device -> limits.memory(device, value)),
            Kind.MEMORY.code())
        .to(
            sample -> device(sample, value -> device -> limits.pcie(device, value)),
            Kind.PCIE.code())
        .to(
            sample -> device(sample, value -> device -> limits.nvlink(device, value)),
            Kind.NVLINK.code())
        .to(sample -> pod(sample, limits.cpu(value(sample))), Kind.CPU.code())
        .to(this::requests, Kind.REQUESTS.code())
        .to(sample -> pod(sample, limits.jupyter(value(sample))), Kind.JUPYTER.code());
  }

  /** A signal once its device is known. */
  private interface OfDevice {
    Signal of(String device);
  }

  private void power(VectorSample sample) {
    Optional<Entity> device = device(sample.labels());
    String model = sample.labels().getOrDefault(Labels.MODEL_NAME, "");
    device
        .flatMap(known -> limits.power(known.toString(), model, sample.value()))
        .ifPresent(signal -> gathering.measured().add(device, signal));
  }

  private void device(VectorSample sample, DoubleFunction<OfDevice> signal) {
    Optional<Entity> device = device(sample.labels());
    device.ifPresent(
        known ->
            gathering.measured().add(device, signal.apply(sample.value()).of(known.toString())));
  }

  private void requests(VectorSample sample) {
    String counter = sample.labels().getOrDefault(SignalQueries.COUNTER, "its counters");
    pod(sample, limits.requests(counter, value(sample)));
  }

  /** What is told no more is no number. */
  private static double value(VectorSample sample) {
    return sample.labels().containsKey(SignalQueries.LOST) ? Double.NaN : sample.value();
  }

  private void pod(VectorSample sample, Signal signal) {
    String namespace = sample.labels().get(Labels.NAMESPACE);
    String pod = sample.labels().get(Labels.POD);
    if (namespace != null && pod != null) {
      gathering.measured().add(new PodName(namespace, pod), signal);
    }
  }

  private Optional<Entity> device(Map<String, String> labels) {
    return new Label(labels.get(uuid), labels.get(Labels.GPU_INSTANCE_ID)).device();
  }
}
