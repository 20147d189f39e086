package io.gpureclaimer.exporter.dump;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.Failed;
import io.gpureclaimer.exporter.sample.GpuSample.Hung;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A snapshot as JSON; what is absent in the one is absent in the other. */
final class SnapshotDump {
  private SnapshotDump() {}

  static String json(Snapshot snapshot) {
    var root = new LinkedHashMap<String, Object>();
    root.put("at", snapshot.at());
    root.put("hostname", snapshot.hostname());
    root.put("driver", driver(snapshot.driver()));
    root.put("gpus", snapshot.gpus().stream().map(gpu -> gpu(gpu, snapshot)).toList());
    return JsonText.of(root);
  }

  private static Map<String, Object> driver(DriverState driver) {
    var object = new LinkedHashMap<String, Object>();
    switch (driver) {
      case DriverState.Up up -> {
        object.put("state", "up");
        up.version().ifPresent(version -> object.put("version", version));
      }
      case DriverState.Down(var reason) -> {
        object.put("state", "down");
        object.put("reason", reason);
      }
    }
    return object;
  }

  private static Map<String, Object> gpu(GpuSample sample, Snapshot snapshot) {
    var object = new LinkedHashMap<String, Object>();
    object.put("index", sample.index());
    sample.gpu().ifPresent(gpu -> introduce(gpu, snapshot, object));
    switch (sample) {
      case Answered answered -> answered(answered, snapshot, object);
      case Lost _ -> object.put("state", "lost");
      case Hung _ -> object.put("state", "hung");
      case Failed failed -> {
        object.put("state", "failed");
        object.put("reason", failed.reason());
      }
    }
    return object;
  }

  private static void introduce(Gpu gpu, Snapshot snapshot, Map<String, Object> object) {
    object.put("uuid", gpu.uuid().value());
    String place = gpu.pciBusId();
    if (place != null) {
      object.put("pciBusId", place);
    }
    object.put("modelName", gpu.modelName());
    object.put("holders", holders(snapshot.holdersOf(Entity.whole(gpu.uuid()))));
  }

  private static void answered(Answered answered, Snapshot snapshot, Map<String, Object> object) {
    object.put("state", "answered");
    object.put("asked", answered.at());
    var texts = new LinkedHashMap<String, Object>();
    answered.texts().forEach((field, text) -> texts.put(field.metricName(), text));
    object.put("texts", texts);
    object.put("readings", readings(answered.readings()));
    object.put("failed", names(answered.failed()));
    object.put(
        "instances", answered.instances().stream().map(part -> instance(part, snapshot)).toList());
  }

  private static Map<String, Object> instance(InstanceSample part, Snapshot snapshot) {
    var object = new LinkedHashMap<String, Object>();
    object.put("id", part.instance().id());
    object.put("profile", part.instance().profile());
    object.put("holders", holders(snapshot.holdersOf(part.instance().entity())));
    object.put("readings", readings(part.readings()));
    object.put("failed", names(part.failed()));
    return object;
  }

  private static List<Map<String, Object>> readings(List<Reading> readings) {
    return readings.stream().map(SnapshotDump::reading).toList();
  }

  private static Map<String, Object> reading(Reading reading) {
    var object = new LinkedHashMap<String, Object>();
    object.put("field", reading.field().metricName());
    object.put("id", reading.field().id());
    for (Label label : reading.extra()) {
      object.put(label.name(), label.value());
    }
    object.put("value", reading.value());
    return object;
  }

  private static List<Map<String, Object>> holders(List<Holder> holders) {
    return holders.stream().map(SnapshotDump::holder).toList();
  }

  private static Map<String, Object> holder(Holder holder) {
    var object = new LinkedHashMap<String, Object>();
    object.put("namespace", holder.namespace());
    object.put("pod", holder.pod());
    object.put("container", holder.container());
    var uid = holder.uid();
    if (uid != null) {
      object.put("uid", uid);
    }
    return object;
  }

  private static List<String> names(Collection<DcgmField> fields) {
    return fields.stream().map(DcgmField::metricName).sorted().toList();
  }
}
