package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.json.JsonWriter;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.deviceplugin.health.WatchStatus;
import io.gpureclaimer.deviceplugin.health.XidHistory;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.deviceplugin.health.XidTexts;
import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.exposition.SnapshotView;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.Failed;
import io.gpureclaimer.exporter.sample.GpuSample.Hung;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import io.gpureclaimer.exporter.sample.GpuSample.Unresponsive;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.Reading;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * GPUs and MIG instances of the last sampling pass, and the containers that hold them with what the
 * ledger observed, in the order of the devices.
 */
final class SampledDevicesJson {
  private static final int PERCENT = 100;

  /** Sorts devices that this pass did not see behind the others. */
  private static final int NO_INDEX = Integer.MAX_VALUE;

  private final SnapshotView shown;
  private final XidLog xids;

  SampledDevicesJson(SnapshotView shown, XidLog xids) {
    this.shown = shown;
    this.xids = xids;
  }

  void write(JsonWriter json) {
    json.name("devices").beginArray();
    for (GpuSample sample : shown.snapshot().gpus()) {
      gpu(sample, json);
      if (sample instanceof Answered answered) {
        for (var part : answered.instances()) {
          json.beginObject()
              .member("gpu", answered.index())
              .member("instance", part.instance().id())
              .member("model", part.instance().profile())
              .member("state", "responding");
          readings(part.readings(), json);
          json.endObject();
        }
      }
    }
    json.endArray().name("allocations").beginArray();
    allocations(json);
    json.endArray();
  }

  private void gpu(GpuSample sample, JsonWriter json) {
    json.beginObject().member("gpu", sample.index());
    sample
        .gpu()
        .ifPresent(
            gpu ->
                json.member("uuid", gpu.uuid().value())
                    .optionalMember("busId", gpu.pciBusId())
                    .member("model", gpu.modelName()));
    switch (sample) {
      case Answered answered -> {
        json.member("state", "responding");
        readings(answered.readings(), json);
        json.optionalMember(
            "doubleBitErrors",
            rounded(value(answered.readings(), DcgmField.DEV_ECC_DBE_VOL_TOTAL)));
      }
      case Lost _ -> json.member("state", "lost").member("reason", "fell off the bus");
      case Hung _ ->
          json.member("state", "hung").member("reason", "a driver call has not returned");
      case Failed(_, _, var reason, _) -> json.member("state", "failed").member("reason", reason);
    }
    health(
        switch (sample) {
          case Answered answered -> answered.readings();
          case Unresponsive silent -> silent.lastKnown().readings();
        },
        json);
    sample.gpu().ifPresent(gpu -> lastXid(gpu.uuid(), json));
    json.endObject();
  }

  /** What {@code DCGM_EXP_GPU_HEALTH_STATUS} reports; absent if nothing could be judged. */
  private static void health(List<Reading> readings, JsonWriter json) {
    var findings =
        readings.stream().filter(it -> it.field() == DcgmField.EXP_GPU_HEALTH_STATUS).toList();
    if (findings.isEmpty()) {
      return;
    }
    double worst = findings.stream().mapToDouble(Reading::value).max().orElseThrow();
    if (worst == WatchStatus.PASS.code()) {
      json.member("health", "healthy");
      return;
    }
    json.member("health", worst == WatchStatus.WARN.code() ? "warning" : "failing")
        .name("healthIssues")
        .beginArray();
    for (Reading finding : findings) {
      if (finding.value() != WatchStatus.PASS.code()) {
        json.value(label(finding, "health_watch") + ": " + label(finding, "health_error_code"));
      }
    }
    json.endArray();
  }

  private static String label(Reading reading, String name) {
    return reading.extra().stream()
        .filter(label -> label.name().equals(name))
        .map(Label::value)
        .findFirst()
        .orElseThrow();
  }

  /** Also for a lost GPU, because its last XID says why it was lost. */
  private void lastXid(GpuUuid gpu, JsonWriter json) {
    json.member("xidsSubscribed", xids.isListeningTo(gpu));
    xids.of(gpu, shown.snapshot().at())
        .flatMap(XidHistory::last)
        .ifPresent(
            last ->
                json.name("lastXid")
                    .beginObject()
                    .member("code", last.code())
                    .member("at", last.at().toString())
                    .member("description", XidTexts.of(last.code()))
                    .endObject());
  }

  private static void readings(List<Reading> readings, JsonWriter json) {
    Double engines = value(readings, DcgmField.PROF_GR_ENGINE_ACTIVE);
    Double utilization =
        engines == null
            ? value(readings, DcgmField.DEV_GPU_UTIL)
            : Double.valueOf(engines * PERCENT);
    json.optionalMember("utilizationPercent", rounded(utilization))
        .optionalMember("memoryUsedMib", rounded(value(readings, DcgmField.DEV_FB_USED)))
        .optionalMember("memoryTotalMib", rounded(value(readings, DcgmField.DEV_FB_TOTAL)))
        .optionalMember("temperatureCelsius", rounded(value(readings, DcgmField.DEV_GPU_TEMP)))
        .optionalMember("powerWatts", rounded(value(readings, DcgmField.DEV_POWER_USAGE)));
  }

  private static @Nullable Double value(List<Reading> readings, DcgmField field) {
    for (Reading reading : readings) {
      if (reading.field() == field) {
        return reading.value();
      }
    }
    return null;
  }

  private static @Nullable Long rounded(@Nullable Double value) {
    return value == null ? null : Math.round(value);
  }

  private void allocations(JsonWriter json) {
    Map<GpuUuid, Integer> indices = new HashMap<>();
    for (GpuSample sample : shown.snapshot().gpus()) {
      sample.gpu().ifPresent(gpu -> indices.put(gpu.uuid(), gpu.index()));
    }
    var order =
        Comparator.<Entity>comparingInt(device -> indices.getOrDefault(device.gpu(), NO_INDEX))
            .thenComparing(device -> device.gpu().value())
            .thenComparingInt(device -> device.instanceId().orElse(-1));
    shown.snapshot().holders().entrySet().stream()
        .sorted(Map.Entry.comparingByKey(order))
        .forEach(
            entry -> {
              Entity device = entry.getKey();
              for (Holder holder : entry.getValue()) {
                json.beginObject()
                    .optionalMember("gpu", indices.get(device.gpu()))
                    .member("uuid", device.gpu().value())
                    .optionalMember("instance", device.instanceId().orElse(null));
                container(holder.namespace(), holder.pod(), holder.container(), json);
                observation(device, holder, json);
                json.endObject();
              }
            });
  }

  static void container(String namespace, String pod, String container, JsonWriter json) {
    json.member("namespace", namespace).member("pod", pod).member("container", container);
  }

  /** Members of the ledger; none if it does not observe this container. */
  private void observation(Entity device, Holder holder, JsonWriter json) {
    for (DeviceObservation seen : shown.ledger()) {
      if (seen.holder().equals(holder) && seen.device().equals(device)) {
        json.member("observedSince", seen.since().toString())
            .member("observedUntil", seen.until().toString())
            .optionalMember("lastActive", seen.seenActive());
        return;
      }
    }
  }
}
