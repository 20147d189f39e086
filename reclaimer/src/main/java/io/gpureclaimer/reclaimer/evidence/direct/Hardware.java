package io.gpureclaimer.reclaimer.evidence.direct;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.Gathering;
import io.gpureclaimer.reclaimer.evidence.Label;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.Kind;
import io.gpureclaimer.reclaimer.evidence.SignalLimits;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the boards tell of themselves in one look. Confined to one thread. */
final class Hardware {
  private static final Map<String, ActivitySign> SIGNS =
      ActivitySign.ALL.stream().collect(Collectors.toMap(ActivitySign::metric, sign -> sign));
  private static final Map<String, Kind> SIGNALS = signals();

  private final SignalLimits limits;
  private final MemoryTrail trail;
  private final Map<Entity, Double> memory = new HashMap<>();

  Hardware(SignalLimits limits, MemoryTrail trail) {
    this.limits = limits;
    this.trail = trail;
  }

  /** The metrics that are looked at, besides the ledger's. */
  static Set<String> wanted() {
    var wanted = new HashSet<>(SIGNS.keySet());
    wanted.addAll(SIGNALS.keySet());
    return wanted;
  }

  /** The device of a sample. */
  static Label device(TextSample sample) {
    return new Label(sample.labels().get(Labels.UUID), sample.labels().get(Labels.GPU_INSTANCE_ID));
  }

  /**
   * Takes one sample.
   *
   * @param rawToo whether the raw utilization is wanted as well
   */
  void gather(TextSample sample, Gathering gathering, boolean rawToo) {
    ActivitySign sign = SIGNS.get(sample.name());
    if (sign != null) {
      if (rawToo) {
        utilization(sign, sample, gathering);
      }
      return;
    }
    Kind kind = SIGNALS.get(sample.name());
    if (kind != null && limits.has(kind)) {
      signal(kind, sample, gathering);
    }
  }

  /** Remembers the memory for the looks to come. */
  void remember(Instant at) {
    trail.remember(memory, at);
  }

  private static void utilization(ActivitySign sign, TextSample sample, Gathering gathering) {
    Label label = device(sample);
    boolean ofInstance = label.device().flatMap(Entity::instanceId).isPresent();
    if (sign.ofInstances() || !ofInstance) {
      gathering.utilization(label, sample.value() * sign.factor());
    }
  }

  private void signal(Kind kind, TextSample sample, Gathering gathering) {
    Optional<Entity> device = device(sample).device();
    if (device.isEmpty() || (kind != Kind.MEMORY && device.get().instanceId().isPresent())) {
      return;
    }
    String name = device.get().toString();
    Optional<Signal> signal =
        switch (kind) {
          case POWER -> limits.power(name, model(sample), sample.value());
          case MEMORY -> memory(device.get(), sample.value());
          case PCIE -> Optional.of(limits.pcie(name, sample.value()));
          case NVLINK -> Optional.of(limits.nvlink(name, sample.value()));
          case CPU, REQUESTS, JUPYTER -> Optional.empty();
        };
    signal.ifPresent(told -> gathering.measured().add(device, told));
  }

  private Optional<Signal> memory(Entity device, double mebibytes) {
    memory.merge(device, mebibytes, Math::max);
    var rise = trail.rise(device, mebibytes);
    return rise.isEmpty()
        ? Optional.empty()
        : Optional.of(limits.memory(device.toString(), rise.getAsDouble()));
  }

  private static String model(TextSample sample) {
    return sample.labels().getOrDefault(Labels.MODEL_NAME, "");
  }

  private static Map<String, Kind> signals() {
    var kinds = new HashMap<String, Kind>();
    DcgmField.DEV_POWER_USAGE.names().forEach(name -> kinds.put(name, Kind.POWER));
    DcgmField.DEV_FB_USED.names().forEach(name -> kinds.put(name, Kind.MEMORY));
    DcgmField.PROF_PCIE_TX_BYTES.names().forEach(name -> kinds.put(name, Kind.PCIE));
    DcgmField.PROF_PCIE_RX_BYTES.names().forEach(name -> kinds.put(name, Kind.PCIE));
    DcgmField.PROF_NVLINK_TX_BYTES.names().forEach(name -> kinds.put(name, Kind.NVLINK));
    DcgmField.PROF_NVLINK_RX_BYTES.names().forEach(name -> kinds.put(name, Kind.NVLINK));
    return Map.copyOf(kinds);
  }
}
