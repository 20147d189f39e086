package io.gpureclaimer.exporter.exposition.text;

import static io.gpureclaimer.exporter.exposition.TestSamples.FIRST;
import static io.gpureclaimer.exporter.exposition.TestSamples.NOON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.StrictScrape;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import io.gpureclaimer.exporter.exposition.TestSamples;
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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which series a device has, and whom they name, in every way in which devices are held. */
class SharingTextTest {
  private static final Entity GPU = Entity.whole(FIRST.uuid());
  private static final MigInstance PART =
      new MigInstance(FIRST.uuid(), 7, "1g.10gb", List.of("MIG-x"));
  private static final Holder A = new Holder("ml", "a", "main", "uid-a");
  private static final Holder B = new Holder("ml", "b", "main", "uid-b");
  private static final HolderStyle PLAIN = new HolderStyle(false, false);
  private static final HolderStyle UID = new HolderStyle(false, true);
  private static final HolderStyle SHARES = new HolderStyle(true, false);
  private static final ServedPodLabels TEAM =
      new ServedPodLabels(List.of(new Label("team", "nlp")), 0);

  @Test
  void namesTheHolderOfADevice_withUidAndLabelsIfTheyAreAskedFor() {
    var held = new DeviceAssignment(A, null, null, TEAM);

    assertThat(series(UID, held))
        .containsExactly(
            "DCGM_FI_DEV_GPU_TEMP{…,team=\"nlp\",container=\"main\",namespace=\"ml\",pod=\"a\",pod_uid=\"uid-a\"}"
                + " 40",
            "DCGM_FI_DEV_GPU_UTIL{…,team=\"nlp\",container=\"main\",namespace=\"ml\",pod=\"a\",pod_uid=\"uid-a\"}"
                + " 90",
            "DCGM_FI_DEV_FB_USED{…,team=\"nlp\",container=\"main\",namespace=\"ml\",pod=\"a\",pod_uid=\"uid-a\"}"
                + " 1000");
    assertThat(series(PLAIN, held).getFirst())
        .isEqualTo(
            "DCGM_FI_DEV_GPU_TEMP{…,team=\"nlp\",container=\"main\",namespace=\"ml\",pod=\"a\"}"
                + " 40");
  }

  @Test
  void givesASharedDeviceToNoHolder_whereSharesHaveNoSeriesOfTheirOwn() {
    assertThat(series(PLAIN, share(A, "0"), share(B, "1")).getFirst())
        .isEqualTo("DCGM_FI_DEV_GPU_TEMP{…} 40");
  }

  @Test
  void hasSeriesForEachShare_withTheSameLabelsAsElsewhere() {
    assertThat(
            series(
                new HolderStyle(true, true),
                new DeviceAssignment(A, "0", null, TEAM),
                new DeviceAssignment(A, "1", null, TEAM),
                share(B, "2")))
        .containsExactly(
            "DCGM_FI_DEV_GPU_TEMP{…,team=\"nlp\",container=\"main\",namespace=\"ml\",pod=\"a\",pod_uid=\"uid-a\",vgpu=\"0\"}"
                + " 40",
            "DCGM_FI_DEV_GPU_TEMP{…,team=\"nlp\",container=\"main\",namespace=\"ml\",pod=\"a\",pod_uid=\"uid-a\",vgpu=\"1\"}"
                + " 40",
            "DCGM_FI_DEV_GPU_TEMP{…,container=\"main\",namespace=\"ml\",pod=\"b\",pod_uid=\"uid-b\",vgpu=\"2\"}"
                + " 40",
            "DCGM_FI_DEV_GPU_UTIL{…} 90",
            "DCGM_FI_DEV_FB_USED{…} 1000");
  }

  @Test
  void countsNothingTwice_whereTheUseOfEachContainerIsKnown() {
    var uses =
        new ContainerUsage.Known(
            Map.of(
                GPU,
                List.of(new ContainerUse(A, 600L << 20, 60.0), new ContainerUse(B, null, 20.0))));

    assertThat(lines(SHARES, snapshot(share(A, "0"), share(A, "1"), share(B, "2")).withUses(uses)))
        .filteredOn(line -> !line.contains("TEMP"))
        .containsExactly(
            "DCGM_FI_DEV_GPU_UTIL{…,container=\"main\",namespace=\"ml\",pod=\"a\"} 60",
            "DCGM_FI_DEV_GPU_UTIL{…,container=\"main\",namespace=\"ml\",pod=\"b\",vgpu=\"2\"} 20",
            "DCGM_FI_DEV_FB_USED{…,container=\"main\",namespace=\"ml\",pod=\"a\"} 600",
            "gpu_pod_sm_utilization_ratio{…,container=\"main\",namespace=\"ml\",pod=\"a\",pod_uid=\"uid-a\"}"
                + " 0.600000",
            "gpu_pod_sm_utilization_ratio{…,container=\"main\",namespace=\"ml\",pod=\"b\",pod_uid=\"uid-b\"}"
                + " 0.200000");
  }

  @Test
  void givesTheWholeDeviceToOneContainer_thatHasAllItsShares() {
    assertThat(series(SHARES, share(A, "0"), share(A, "1")).subList(2, 4))
        .containsExactly(
            "DCGM_FI_DEV_GPU_UTIL{…,container=\"main\",namespace=\"ml\",pod=\"a\"} 90",
            "DCGM_FI_DEV_FB_USED{…,container=\"main\",namespace=\"ml\",pod=\"a\"} 1000");
  }

  @Test
  void keepsThePlainSeriesOfADeviceThatIsNotHeld() {
    assertThat(series(SHARES).getFirst()).isEqualTo("DCGM_FI_DEV_GPU_TEMP{…} 40");
  }

  @Test
  void namesTheClaim() {
    var claim = new Claim("gpus", "ml", "gpu.nvidia.com", "node-a", "gpu-0", null);

    assertThat(series(PLAIN, new DeviceAssignment(A, null, claim, TEAM)).getFirst())
        .isEqualTo(
            "DCGM_FI_DEV_GPU_TEMP{…,team=\"nlp\",container=\"main\",dra_claim_name=\"gpus\","
                + "dra_claim_namespace=\"ml\",dra_device_name=\"gpu-0\","
                + "dra_driver_name=\"gpu.nvidia.com\",dra_pool_name=\"node-a\","
                + "namespace=\"ml\",pod=\"a\"} 40");
  }

  @Test
  void namesTheHolderOfAnInstance_andNoHolderForItsGpu() {
    var claim =
        new Claim(
            "gpus",
            "ml",
            "gpu.nvidia.com",
            "node-a",
            "mig-0",
            new ClaimedMigDevice("MIG-x", "1g.10gb"));
    var answered =
        new Answered(
            FIRST,
            NOON,
            List.of(new Reading(DcgmField.DEV_GPU_TEMP, 40)),
            Set.of(),
            Map.of(),
            List.of(
                new InstanceSample(
                    PART, List.of(new Reading(DcgmField.DEV_FB_USED, 10)), Set.of())));
    var snapshot =
        TestSamples.of(List.of(answered), Map.of())
            .withHoldings(
                Map.of(PART.entity(), List.of(new DeviceAssignment(A, null, claim, TEAM))));

    assertThat(lines(PLAIN, snapshot))
        .containsExactly(
            "DCGM_FI_DEV_GPU_TEMP{…} 40",
            "DCGM_FI_DEV_FB_USED{…,team=\"nlp\",container=\"main\",dra_claim_name=\"gpus\","
                + "dra_claim_namespace=\"ml\",dra_device_name=\"mig-0\","
                + "dra_driver_name=\"gpu.nvidia.com\",dra_mig_device_uuid=\"MIG-x\","
                + "dra_mig_profile=\"1g.10gb\",dra_pool_name=\"node-a\","
                + "namespace=\"ml\",pod=\"a\"} 10");
  }

  @Test
  void hasSeriesForEachJob() {
    var jobs = new Jobs(Map.of(GPU, List.of("4711", "4712")), OptionalInt.of(0));

    assertThat(lines(PLAIN, snapshot(DeviceAssignment.of(A)).withJobs(jobs)).subList(0, 2))
        .containsExactly(
            "DCGM_FI_DEV_GPU_TEMP{…,container=\"main\",hpc_job=\"4711\",namespace=\"ml\",pod=\"a\"}"
                + " 40",
            "DCGM_FI_DEV_GPU_TEMP{…,container=\"main\",hpc_job=\"4712\",namespace=\"ml\",pod=\"a\"}"
                + " 40");
  }

  @Test
  void putsAPodLabelBehindAPrefix_whenTheCountersFileHasItsName() {
    var labels =
        new ServedPodLabels(
            List.of(new Label("DCGM_FI_DRIVER_VERSION", "x"), new Label("a", "b")), 0);
    var answered =
        new Answered(
            FIRST,
            NOON,
            List.of(new Reading(DcgmField.DEV_GPU_TEMP, 40)),
            Set.of(),
            TestSamples.TEXTS,
            List.of());
    var snapshot =
        TestSamples.of(List.of(answered), Map.of())
            .withHoldings(Map.of(GPU, List.of(new DeviceAssignment(A, null, null, labels))));

    assertThat(lines(PLAIN, snapshot))
        .containsExactly(
            "DCGM_FI_DEV_GPU_TEMP{…,DCGM_FI_DRIVER_VERSION=\"570.86.15\",a=\"b\","
                + "pod_label_DCGM_FI_DRIVER_VERSION=\"x\","
                + "container=\"main\",namespace=\"ml\",pod=\"a\"} 40");
  }

  /** Mimir takes 30 by default, the name and Prometheus's own two among them. */
  @Test
  void aSeriesHasRoomForTenLabelsOfAPod() {
    var labels = IntStream.range(0, 10).mapToObj(i -> new Label("label" + i, "v")).toList();
    var extra = List.of(new Label("health_error_code", "x"), new Label("health_watch", "y"));
    var part = new MigInstance(FIRST.uuid(), 7, "1g.10gb", List.of());
    var reading = new Reading(DcgmField.DEV_GPU_TEMP, 40, extra);
    var answered =
        new Answered(
            FIRST,
            NOON,
            List.of(),
            Set.of(),
            TestSamples.TEXTS,
            List.of(new InstanceSample(part, List.of(reading), Set.of())));
    var snapshot =
        TestSamples.of(List.of(answered), Map.of())
            .withHoldings(
                Map.of(
                    part.entity(),
                    List.of(new DeviceAssignment(A, "0", null, new ServedPodLabels(labels, 0)))));
    byte[] text =
        new SnapshotText(new SeriesStyle(LabelStyle.CLASSIC, new HolderStyle(true, true)))
            .render(snapshot, ClassicCounters.set(), List.of(), new byte[0])
            .toByteArray();

    assertThat(StrictScrape.parse(text).getFirst().samples())
        .singleElement()
        .satisfies(sample -> assertThat(sample.series().labels()).hasSizeBetween(26, 30 - 3));
  }

  @Property
  @Tag("fuzz")
  void noSeriesIsThereTwice_andNoLabelInOne(
      @ForAll("holdings") List<DeviceAssignment> holdings,
      @ForAll @Size(max = 3) List<@net.jqwik.api.constraints.NotBlank String> jobs,
      @ForAll boolean perShare,
      @ForAll boolean uid,
      @ForAll boolean usesAreKnown) {
    var uses = new HashMap<Entity, List<ContainerUse>>();
    if (usesAreKnown) {
      uses.put(
          GPU,
          holdings.stream()
              .map(DeviceAssignment::holder)
              .distinct()
              .map(holder -> new ContainerUse(holder, 1L << 20, 1.0))
              .toList());
    }
    var snapshot =
        snapshot(holdings.toArray(DeviceAssignment[]::new))
            .withJobs(new Jobs(Map.of(GPU, jobs), OptionalInt.of(0)))
            .withUses(new ContainerUsage.Known(uses));

    var lines = lines(new HolderStyle(perShare, uid), snapshot);

    assertThat(lines)
        .extracting(line -> line.substring(0, line.lastIndexOf(' ')))
        .doesNotHaveDuplicates();
    assertThat(lines)
        .allSatisfy(
            line ->
                assertThat(line.replaceAll("\"(?:[^\"\\\\]|\\\\.)*\"", "").split("[{,}]"))
                    .doesNotHaveDuplicates());
  }

  @Provide
  Arbitrary<List<DeviceAssignment>> holdings() {
    var names = Arbitraries.of("a", "b", "c\"\\\n");
    Arbitrary<@Nullable String> uids = Arbitraries.of("u1", "u2").injectNull(0.3);
    Arbitrary<@Nullable String> shares = Arbitraries.of("0", "1").injectNull(0.3);
    var holders =
        Combinators.combine(names, names, names, uids)
            .as((namespace, pod, container, id) -> new Holder(namespace, pod, container, id));
    var claims =
        Arbitraries.of(
                new Claim("c", "n", "d", "p", "e", null),
                new Claim("c", "n", "d", "p", "f", new ClaimedMigDevice("MIG-x", null)))
            .injectNull(0.5);
    var labels =
        Arbitraries.of("team", "x", "DCGM_FI_DRIVER_VERSION", "pod_label_x")
            .set()
            .map(
                set ->
                    new ServedPodLabels(
                        set.stream().sorted().map(n -> new Label(n, "v\n\"")).toList(), 0));
    return Combinators.combine(holders, shares, claims, labels)
        .as(DeviceAssignment::new)
        .list()
        .ofMaxSize(6);
  }

  private static DeviceAssignment share(Holder holder, String number) {
    return new DeviceAssignment(holder, number, null, ServedPodLabels.NONE);
  }

  private static List<String> series(HolderStyle style, DeviceAssignment... holdings) {
    return lines(style, snapshot(holdings));
  }

  private static Snapshot snapshot(DeviceAssignment... holdings) {
    GpuSample answered =
        new Answered(
            FIRST,
            NOON,
            List.of(
                new Reading(DcgmField.DEV_GPU_TEMP, 40),
                new Reading(DcgmField.DEV_GPU_UTIL, 90),
                new Reading(DcgmField.DEV_FB_USED, 1000)));
    return TestSamples.of(List.of(answered), Map.of()).withHoldings(Map.of(GPU, List.of(holdings)));
  }

  /** Without what is the same for all, and without the number of devices of each pod. */
  private static List<String> lines(HolderStyle style, Snapshot snapshot) {
    byte[] text =
        new SnapshotText(new SeriesStyle(LabelStyle.CLASSIC, style))
            .render(snapshot, ClassicCounters.set(), List.of(), new byte[0])
            .toByteArray();
    return Arrays.stream(new String(text, UTF_8).split("\n", -1))
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .filter(line -> !line.startsWith("gpu_pod_device_count"))
        .map(line -> line.replaceFirst("\\{.*?hostname=\"node-a\"", "{…"))
        .toList();
  }
}
