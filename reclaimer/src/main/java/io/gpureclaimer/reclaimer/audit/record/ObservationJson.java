package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodName;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.SignalHistory;
import io.gpureclaimer.reclaimer.json.JsonObject;
import io.gpureclaimer.reclaimer.json.JsonReading;
import io.gpureclaimer.reclaimer.json.MalformedJson;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a look saw of some pods as JSON, and back. */
final class ObservationJson {
  private ObservationJson() {}

  static JsonObject write(Observation observation) {
    return switch (observation) {
      case Observation.Blind(String reason) -> new JsonObject().put("blind", reason);
      case Observation.Seen seen ->
          new JsonObject()
              .put("at", seen.at())
              .list(
                  "pods",
                  seen.pods().values().stream()
                      .sorted(Comparator.comparing(PodActivity::uid))
                      .toList(),
                  ObservationJson::pod);
    };
  }

  static Observation read(JsonReading object) {
    return object
        .optional("blind", object::text)
        .<Observation>map(Observation.Blind::new)
        .orElseGet(
            () ->
                new Observation.Seen(
                    object.instant("at"),
                    object.list("pods", ObservationJson::pod).stream()
                        .collect(Collectors.toMap(PodActivity::uid, pod -> pod)),
                    List.of()));
  }

  static JsonObject pod(PodActivity pod) {
    return new JsonObject()
        .put("uid", pod.uid())
        .put("name", pod.name().map(ObservationJson::name))
        .list("devices", pod.devices(), ObservationJson::device)
        .put("deviceCount", pod.deviceCount())
        .list("signals", pod.signals(), ObservationJson::signal)
        .put("heard", pod.signalHistory().map(ObservationJson::heard));
  }

  private static PodActivity pod(JsonReading object) {
    return new PodActivity(
        object.text("uid"),
        object.optional("name", object::object).map(ObservationJson::name),
        object.list("devices", ObservationJson::device),
        object.optionalInteger("deviceCount"),
        object.list("signals", ObservationJson::signal),
        object.optional("heard", object::object).map(ObservationJson::heard));
  }

  private static JsonObject heard(SignalHistory heard) {
    return new JsonObject().put("since", heard.since()).map("work", heard.workByCode(), at -> at);
  }

  private static SignalHistory heard(JsonReading object) {
    Map<Signal.Kind, Instant> work =
        object.map("work", JsonReading::instant).entrySet().stream()
            .collect(Collectors.toMap(entry -> kind(entry.getKey()), Map.Entry::getValue));
    return new SignalHistory(object.instant("since"), work);
  }

  private static JsonObject name(PodName name) {
    return new JsonObject().put("namespace", name.namespace()).put("name", name.name());
  }

  private static PodName name(JsonReading object) {
    return new PodName(object.text("namespace"), object.text("name"));
  }

  private static JsonObject device(DeviceActivity device) {
    return new JsonObject()
        .put("gpu", device.device().gpu().value())
        .put("instance", device.device().instanceId())
        .put("lastActive", device.lastActive())
        .put("observedSince", device.observedSince())
        .put("observedUntil", device.observedUntil())
        .put("sampledAt", device.sampledAt())
        .put("recentUtilization", device.recentUtilization());
  }

  private static DeviceActivity device(JsonReading object) {
    return new DeviceActivity(
        entity(object),
        object.optional("lastActive", object::instant),
        object.instant("observedSince"),
        object.instant("observedUntil"),
        object.instant("sampledAt"),
        object.optionalNumber("recentUtilization"));
  }

  private static Entity entity(JsonReading object) {
    var gpu = new GpuUuid(object.text("gpu"));
    return object
        .optional("instance", object::integer)
        .map(instance -> Entity.instance(gpu, instance))
        .orElseGet(() -> Entity.whole(gpu));
  }

  private static JsonObject signal(Signal signal) {
    return new JsonObject()
        .put("kind", signal.kind().code())
        .put("value", signal.value())
        .put("limit", signal.limit())
        .put("what", signal.what());
  }

  private static Signal signal(JsonReading object) {
    return new Signal(
        kind(object.text("kind")),
        object.number("value"),
        object.number("limit"),
        object.text("what"));
  }

  private static Signal.Kind kind(String code) {
    return kindIfKnown(code).orElseThrow(() -> new MalformedJson("kind", "a kind of signal", code));
  }

  /** What a kind is called; older records name some that nothing was ever measured of. */
  static Optional<Signal.Kind> kindIfKnown(String code) {
    return Arrays.stream(Signal.Kind.values()).filter(kind -> kind.code().equals(code)).findFirst();
  }
}
