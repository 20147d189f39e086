package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.BoardSignal;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.activity.LastSignal;
import io.gpureclaimer.exporter.attribution.PodLabelRule;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.counters.Counter;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.counters.CounterSet.LabelRow;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.gpureclaimer.exporter.exposition.own.XidMetrics;
import io.gpureclaimer.exporter.exposition.text.HolderStyle;
import io.gpureclaimer.exporter.exposition.text.LabelStyle;
import io.gpureclaimer.exporter.exposition.text.OpenMetrics;
import io.gpureclaimer.exporter.exposition.text.SeriesStyle;
import io.gpureclaimer.exporter.exposition.text.SnapshotText;
import io.gpureclaimer.exporter.exposition.text.TextBuffer;
import io.gpureclaimer.exporter.sample.Claim;
import io.gpureclaimer.exporter.sample.Claim.ClaimedMigDevice;
import io.gpureclaimer.exporter.sample.ContainerUsage;
import io.gpureclaimer.exporter.sample.ContainerUse;
import io.gpureclaimer.exporter.sample.DeviceAssignment;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Jobs;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.ServedPodLabels;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be served, thrown together by chance: devices and instances in every state,
 * holders with equal and with outrageous names, shares, claims, jobs, labels, any counters file.
 */
final class RandomSnapshots {
  private static final List<DcgmField> NUMBERS =
      List.of(
          DcgmField.DEV_SM_CLOCK,
          DcgmField.DEV_GPU_TEMP,
          DcgmField.DEV_POWER_USAGE,
          DcgmField.DEV_TOTAL_ENERGY_CONSUMPTION,
          DcgmField.DEV_GPU_UTIL,
          DcgmField.DEV_XID_ERRORS,
          DcgmField.DEV_FB_USED,
          DcgmField.PROF_SM_ACTIVE,
          DcgmField.EXP_XID_ERRORS_COUNT,
          DcgmField.EXP_GPU_HEALTH_STATUS);

  private static final List<DcgmField> WORDS =
      List.of(DcgmField.DRIVER_VERSION, DcgmField.NVML_VERSION);

  /** Whatever has ever broken a scrape; some differ only in what UTF-8 cannot say. */
  private static final List<String> NASTY =
      List.of(
          "a",
          "b",
          "?",
          "\ud800",
          "\udbff",
          "\udc00a",
          "\ufffd",
          "\"",
          "\\",
          "\\n",
          "\n",
          "\r\n",
          "\0",
          "\u0007",
          "\u0085",
          "\u2028",
          "\ufeff",
          "é",
          "e\u0301",
          "𝄞",
          "}",
          "{a=\"b\"} 1\n# EOF",
          "# HELP x y",
          "a,b=",
          " ");

  private static final List<String> KEYS =
      List.of(
          "a",
          "a.b/c",
          "a-b/c",
          "gpu",
          "uuid",
          "pod_name",
          "Hostname",
          "xid",
          "le",
          "__name__",
          "1",
          "pod_label_gpu",
          "DCGM_FI_DRIVER_VERSION",
          "app.kubernetes.io/name");

  private static final List<Double> NUMBERS_AT_THE_EDGE =
      List.of(
          0.0,
          -0.0,
          100.0,
          0.5,
          -1.0,
          0x1p53 + 2,
          Double.MAX_VALUE,
          -Double.MAX_VALUE,
          Double.MIN_VALUE);

  private final Random random;

  /**
   * What is to be rendered, and how.
   *
   * @param snapshot the devices and their holders
   * @param counters which fields are served
   * @param ledger who was observed
   * @param style how labels are spelled
   * @param xids what was heard of each GPU
   */
  record RandomSnapshot(
      Snapshot snapshot,
      CounterSet counters,
      List<DeviceObservation> ledger,
      SeriesStyle style,
      XidLog xids) {

    /** The whole answer to a scrape. */
    byte[] scrape() {
      return rendered(own().text()).toByteArray();
    }

    /** The same in OpenMetrics. */
    byte[] openMetrics() {
      return OpenMetrics.of(rendered(new byte[0]), own().openMetrics()).toByteArray();
    }

    private TextBuffer rendered(byte[] own) {
      return new SnapshotText(style).render(snapshot, counters, ledger, own);
    }

    private OwnMetrics own() {
      var own = new OwnMetrics("1.2.3", "25", new XidMetrics(xids, () -> TestSamples.NOON));
      own.observe(snapshot, new NotConfigured());
      return own;
    }
  }

  private RandomSnapshots(Random random) {
    this.random = random;
  }

  /** Any of them; the same for the same seed. */
  static RandomSnapshot of(long seed) {
    return new RandomSnapshots(new Random(seed)).scene();
  }

  private RandomSnapshot scene() {
    var gpus = new ArrayList<GpuSample>();
    int count = random.nextInt(4);
    for (int index = 0; index < count; index++) {
      gpus.add(sample(index));
    }
    var holdings = new HashMap<Entity, List<DeviceAssignment>>();
    var jobs = new HashMap<Entity, List<String>>();
    var uses = new HashMap<Entity, List<ContainerUse>>();
    var ledger = new ArrayList<DeviceObservation>();
    var xids = new XidLog(Duration.ofMinutes(5));
    for (GpuSample sample : gpus) {
      if (sample instanceof Answered answered) {
        occupy(answered.device(), null, holdings, jobs, uses, ledger);
        answered
            .instances()
            .forEach(
                part -> occupy(answered.device(), part.instance(), holdings, jobs, uses, ledger));
      }
      sample.gpu().ifPresent(gpu -> xids.add(gpu.uuid(), random.nextInt(3), TestSamples.NOON));
    }
    var snapshot =
        new Snapshot(
            TestSamples.NOON,
            text(),
            TestSamples.twoGpus().driver(),
            gpus,
            holdings,
            List.of(),
            new Jobs(jobs, OptionalInt.of(0)),
            chance(3) ? new ContainerUsage.Unavailable("no") : new ContainerUsage.Known(uses),
            TestSamples.twoGpus().report());
    return new RandomSnapshot(snapshot, counters(), ledger, style(), xids);
  }

  private GpuSample sample(int index) {
    var gpu =
        new Gpu(
            index,
            new GpuUuid("GPU-" + index + visible()),
            "00000000:1" + index + ":00.0",
            visible());
    return switch (random.nextInt(8)) {
      case 0 -> new GpuSample.Lost(index, chance(2) ? gpu : null);
      case 1 -> new GpuSample.Hung(index, gpu);
      case 2 -> new GpuSample.Failed(index, null, text());
      default -> {
        var texts = new HashMap<DcgmField, String>();
        WORDS.forEach(field -> texts.put(field, text()));
        yield new Answered(gpu, TestSamples.NOON, readings(), Set.of(), texts, instances(gpu));
      }
    };
  }

  private List<InstanceSample> instances(Gpu gpu) {
    var parts = new ArrayList<InstanceSample>();
    int count = chance(2) ? random.nextInt(4) : 0;
    for (int id = 0; id < count; id++) {
      parts.add(
          new InstanceSample(
              new MigInstance(gpu.uuid(), id, visible(), List.of("MIG-" + id)),
              readings(),
              Set.of()));
    }
    return parts;
  }

  private List<Reading> readings() {
    var readings = new ArrayList<Reading>();
    for (DcgmField field : NUMBERS) {
      if (field == DcgmField.EXP_XID_ERRORS_COUNT) {
        int codes = random.nextInt(3);
        for (int code = 0; code < codes; code++) {
          readings.add(
              new Reading(
                  field,
                  number(),
                  List.of(
                      new Label("xid", Integer.toString(code)),
                      new Label("window_size_in_ms", "300000"))));
        }
      } else if (field == DcgmField.DEV_XID_ERRORS && chance(2)) {
        readings.add(
            new Reading(
                field,
                number(),
                List.of(new Label("err_code", "79"), new Label("err_msg", text()))));
      } else if (!chance(4)) {
        readings.add(new Reading(field, number()));
      }
    }
    return readings;
  }

  private void occupy(
      Gpu gpu,
      @Nullable MigInstance part,
      Map<Entity, List<DeviceAssignment>> holdings,
      Map<Entity, List<String>> jobs,
      Map<Entity, List<ContainerUse>> uses,
      List<DeviceObservation> ledger) {
    var device = part == null ? Entity.whole(gpu.uuid()) : part.entity();
    var held = several(5, this::holding);
    if (!held.isEmpty()) {
      holdings.put(device, held);
    }
    var running = several(4, this::visible);
    if (!running.isEmpty()) {
      jobs.put(device, running);
    }
    var known = new ArrayList<ContainerUse>();
    for (Holder holder : new HashSet<>(held.stream().map(DeviceAssignment::holder).toList())) {
      known.add(
          new ContainerUse(
              holder, chance(3) ? null : random.nextLong(1L << 40), chance(3) ? null : number()));
      ledger.add(
          new DeviceObservation(
              gpu,
              part,
              holder,
              Instant.EPOCH,
              TestSamples.NOON,
              chance(2) ? null : TestSamples.NOON,
              Duration.ofMillis(random.nextInt(1 << 30)),
              new LastSignal(
                  TestSamples.NOON,
                  chance(2) ? null : BoardSignal.POWER,
                  chance(2) ? Set.of() : Set.of(BoardSignal.POWER, BoardSignal.MEMORY))));
    }
    if (chance(2)) {
      uses.put(device, known);
    }
  }

  private DeviceAssignment holding() {
    var holder = new Holder(visible(), visible(), visible(), chance(2) ? visible() : null);
    String share = chance(2) ? Integer.toString(random.nextInt(3)) : null;
    var claim =
        new Claim(text(), text(), text(), text(), text(), new ClaimedMigDevice(text(), text()));
    return new DeviceAssignment(holder, share, chance(4) ? claim : null, podLabels());
  }

  private ServedPodLabels podLabels() {
    var labels = new HashMap<String, String>();
    several(4, this::key).forEach(key -> labels.put(key, text()));
    return new PodLabelRule(List.of(), 20).of(labels);
  }

  private CounterSet counters() {
    var counters = new ArrayList<Counter>();
    for (DcgmField field : NUMBERS) {
      var names = new ArrayList<>(List.of(field.metricName()));
      field.newName().filter(_ -> chance(3)).ifPresent(names::add);
      field.legacyName().filter(_ -> chance(3)).ifPresent(names::add);
      for (String name : new HashSet<>(names)) {
        var type = chance(2) ? MetricType.GAUGE : MetricType.COUNTER;
        counters.add(new Counter(field, name, type, text(), chance(4) ? 1_000_000 : 1));
      }
    }
    var labels =
        WORDS.stream()
            .filter(_ -> chance(2))
            .map(field -> new LabelRow(field, field.metricName()))
            .toList();
    return new CounterSet(counters, labels, List.of());
  }

  private SeriesStyle style() {
    var hostname =
        switch (random.nextInt(3)) {
          case 0 -> Optional.<String>empty();
          case 1 -> Optional.of("Hostname");
          default -> Optional.of("hostname");
        };
    return new SeriesStyle(
        new LabelStyle(chance(2), hostname, chance(2)), new HolderStyle(chance(2), chance(2)));
  }

  private double number() {
    return chance(3)
        ? NUMBERS_AT_THE_EDGE.get(random.nextInt(NUMBERS_AT_THE_EDGE.size()))
        : random.nextDouble() * 1000;
  }

  private String key() {
    return chance(3) ? text() : KEYS.get(random.nextInt(KEYS.size()));
  }

  /** What is not blank, as the records demand. */
  private String visible() {
    String text = text();
    return text.isBlank() ? text + "x" : text;
  }

  /** Mostly one of few, so that names meet. */
  private String text() {
    if (!chance(5)) {
      return NASTY.get(random.nextInt(NASTY.size()));
    }
    return random
        .ints(random.nextInt(8), 0, Character.MAX_CODE_POINT + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private <T> List<T> several(int most, Supplier<T> one) {
    var several = new ArrayList<T>();
    int count = random.nextInt(most);
    for (int i = 0; i < count; i++) {
      several.add(one.get());
    }
    return several;
  }

  private boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }
}
