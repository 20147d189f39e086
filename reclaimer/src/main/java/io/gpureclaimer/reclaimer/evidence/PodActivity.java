package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.reclaimer.evidence.Evidence.Unknown;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore.SignalHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Observed activity of one pod.
 *
 * @param uid the pod's UID, by which it is joined to the cluster. Where the source knows pods by
 *     name only, and the cluster has not reported its UID yet, this is the name, which is no UID
 * @param name its namespace and name, if they are known for sure
 * @param devices one entry per distinct GPU or instance, ordered by UUID
 * @param deviceCount how many devices the agent says that the pod holds, observed or not; absent
 *     where it does not say
 * @param signals what else was measured; nothing that is absent here was
 * @param signalHistory what is remembered of signals; absent where they are not enabled
 * @param doubt why nothing of this can be believed; absent if it can
 * @param leftOut what of this was left out of the observation: the devices are then those of an
 *     earlier one; absent if all of it was read
 */
public record PodActivity(
    String uid,
    Optional<PodName> name,
    List<DeviceActivity> devices,
    OptionalInt deviceCount,
    List<Signal> signals,
    Optional<SignalHistory> signalHistory,
    Optional<Unknown> doubt,
    Optional<LeftOut> leftOut) {
  static final Comparator<Entity> ORDER =
      Comparator.comparing((Entity entity) -> entity.gpu().value())
          .thenComparing(entity -> entity.instanceId().orElse(-1));

  public PodActivity {
    devices = List.copyOf(devices);
    signals = List.copyOf(signals);
  }

  /** A pod of which nothing was left out. */
  public PodActivity(
      String uid,
      Optional<PodName> name,
      List<DeviceActivity> devices,
      OptionalInt deviceCount,
      List<Signal> signals,
      Optional<SignalHistory> signalHistory,
      Optional<Unknown> doubt) {
    this(uid, name, devices, deviceCount, signals, signalHistory, doubt, Optional.empty());
  }

  /** A pod whose name is unknown. */
  public PodActivity(
      String uid, List<DeviceActivity> devices, OptionalInt deviceCount, List<Signal> signals) {
    this(uid, Optional.empty(), devices, deviceCount, signals, Optional.empty(), Optional.empty());
  }

  /** Devices, and nothing else that was said or measured. */
  public PodActivity(String uid, List<DeviceActivity> devices) {
    this(uid, devices, OptionalInt.empty(), List.of());
  }

  /** What it holds, each once, in order. A loop, for every cycle asks all pods. */
  public List<Entity> entities() {
    List<Entity> entities = new ArrayList<>(devices.size());
    boolean ascends = true;
    for (DeviceActivity each : devices) {
      ascends &= entities.isEmpty() || ORDER.compare(entities.getLast(), each.device()) < 0;
      entities.add(each.device());
    }
    return ascends ? entities : entities.stream().distinct().sorted(ORDER).toList();
  }

  /** Whether it is known to be this pod. */
  boolean isOf(PodIdentity identity) {
    return uid.equals(identity.uid()) && name.filter(identity.name()::equals).isPresent();
  }

  /** The same, known to be this pod. */
  PodActivity of(PodIdentity identity) {
    return new PodActivity(
        identity.uid(),
        Optional.of(identity.name()),
        devices,
        deviceCount,
        signals,
        signalHistory,
        doubt,
        leftOut);
  }

  /** The same with more that was measured; the work of a CPU is judged by the devices it feeds. */
  PodActivity with(List<Signal> more) {
    if (more.isEmpty()) {
      return this;
    }
    List<Signal> all =
        Stream.concat(signals.stream(), more.stream().map(signal -> signal.per(devices.size())))
            .toList();
    return new PodActivity(uid, name, devices, deviceCount, all, signalHistory, doubt, leftOut);
  }

  /** The same without what was recorded before an instant, which may be of another pod. */
  PodActivity notBefore(Instant start) {
    return new PodActivity(
        uid,
        name,
        devices.stream().map(device -> device.notBefore(start)).toList(),
        deviceCount,
        signals,
        signalHistory,
        doubt,
        leftOut);
  }

  /** The same with what is remembered of its signals. */
  PodActivity withSignalHistory(SignalHistory of) {
    return new PodActivity(
        uid, name, devices, deviceCount, signals, Optional.of(of), doubt, leftOut);
  }

  /** The same, of which nothing can be believed. */
  PodActivity doubted(Optional<Unknown> why) {
    return new PodActivity(uid, name, devices, deviceCount, signals, signalHistory, why, leftOut);
  }

  /** The same devices in a later observation that left them out, with its signals. */
  public PodActivity leftOut(LeftOut what, List<Signal> read) {
    return new PodActivity(
        uid, name, devices, deviceCount, read, Optional.empty(), doubt, Optional.of(what));
  }

  /** What a fetch leaves out of an idle pod from whose evidence nothing can follow yet. */
  public enum LeftOut {
    /** Records of its devices. */
    RECORD("record"),
    /** Records of its devices, and all signals. */
    RECORD_AND_SIGNALS("record-and-signals");

    private final String code;

    LeftOut(String code) {
      this.code = code;
    }

    /** The stable name, for JSON. */
    public String code() {
      return code;
    }
  }
}
