package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.common.vocabulary.ValueForm;
import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.counters.Counter;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A node to render: every device is allocated to a pod of its own and reports every field.
 *
 * @param gpus how many it has
 * @param parts into how many instances each is divided; 0 for not at all
 * @param fields how many are served
 */
record RenderedNode(int gpus, int parts, int fields) {
  /** 496 series: 8 GPUs of 56 fields each, and six of the ledger for each. */
  static final RenderedNode OF_500_SERIES = new RenderedNode(8, 0, 56);

  /** 7 000 series: 56 instances of 119 fields each, and six of the ledger for each. */
  static final RenderedNode OF_7000_SERIES = new RenderedNode(8, 7, 119);

  CounterSet counters() {
    var rows =
        DcgmField.all().stream()
            .filter(field -> field.form() != ValueForm.TEXT)
            .filter(field -> field != DcgmField.DEV_FB_USED)
            .limit(fields - 1L)
            .toList();
    var all = new ArrayList<>(rows);
    all.add(DcgmField.DEV_FB_USED);
    return new CounterSet(
        all.stream()
            .map(
                field ->
                    new Counter(field, field.metricName(), MetricType.GAUGE, "What it is (in U)."))
            .toList(),
        List.of(),
        List.of());
  }

  /** Of passes one after the other: other values, and the very same devices and pods, as ever. */
  List<Snapshot> snapshots(int passes) {
    var devices = IntStream.range(0, gpus).mapToObj(this::device).toList();
    Map<Entity, List<Holder>> holders = new HashMap<>();
    ledger(0).forEach(seen -> holders.put(seen.device(), List.of(seen.holder())));
    var before = TestSamples.of(List.of(), holders);
    return IntStream.range(0, passes)
        .mapToObj(pass -> before.withGpus(read(devices, pass)))
        .toList();
  }

  /** One observation of each device. */
  List<DeviceObservation> ledger(int pass) {
    var ledger = new ArrayList<DeviceObservation>();
    for (int index = 0; index < gpus; index++) {
      var gpu = gpu(index);
      if (parts == 0) {
        ledger.add(observation(gpu, null, pass));
      } else {
        instances(gpu).forEach(part -> ledger.add(observation(gpu, part, pass)));
      }
    }
    return ledger;
  }

  private RenderedDevice device(int index) {
    var gpu = gpu(index);
    return new RenderedDevice(gpu, instances(gpu));
  }

  private List<GpuSample> read(List<RenderedDevice> devices, int pass) {
    return devices.stream().<GpuSample>map(device -> read(device, pass)).toList();
  }

  private Answered read(RenderedDevice device, int pass) {
    return new Answered(
        device.gpu(),
        TestSamples.NOON,
        parts == 0 ? readings(pass + device.gpu().index()) : List.of(),
        Set.of(),
        Map.of(),
        device.parts().stream()
            .map(part -> new InstanceSample(part, readings(pass + part.id()), Set.of()))
            .toList());
  }

  private record RenderedDevice(Gpu gpu, List<MigInstance> parts) {}

  private List<Reading> readings(int seed) {
    var readings = new ArrayList<Reading>();
    for (Counter counter : counters().counters()) {
      boolean whole = counter.form() == ValueForm.INTEGER;
      double value = (seed * 7919 + counter.field().id() * 104_729) % 100_000;
      readings.add(new Reading(counter.field(), whole ? value : value / 1_000));
    }
    return readings;
  }

  private List<MigInstance> instances(Gpu gpu) {
    return IntStream.rangeClosed(1, parts)
        .mapToObj(
            id ->
                new MigInstance(
                    gpu.uuid(), id, "1g.10gb", List.of("MIG-" + gpu.index() + "-" + id)))
        .toList();
  }

  private static Gpu gpu(int index) {
    return new Gpu(
        index,
        new GpuUuid(String.format(Locale.ROOT, "GPU-00000000-1111-2222-3333-%012d", index)),
        String.format(Locale.ROOT, "00000000:%02X:00.0", 0x19 + index),
        "NVIDIA H100 80GB HBM3");
  }

  private static DeviceObservation observation(Gpu gpu, @Nullable MigInstance part, int pass) {
    String name = "train-" + gpu.index() + "-" + (part == null ? 0 : part.id());
    return new DeviceObservation(
        gpu,
        part,
        new Holder("research", name, "main", "0f3c2b1a-0000-4000-8000-" + name),
        TestSamples.NOON.minusSeconds(3_600),
        TestSamples.NOON.plusSeconds(pass),
        TestSamples.NOON,
        Duration.ofMillis(1_000L * pass));
  }
}
