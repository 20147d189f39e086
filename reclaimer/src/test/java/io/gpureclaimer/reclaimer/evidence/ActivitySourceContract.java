package io.gpureclaimer.reclaimer.evidence;

import static io.gpureclaimer.reclaimer.evidence.ExposedSeries.LAST_ACTIVE;
import static io.gpureclaimer.reclaimer.evidence.ExposedSeries.OBSERVED_SINCE;
import static io.gpureclaimer.reclaimer.evidence.ExposedSeries.OBSERVED_UNTIL;
import static io.gpureclaimer.reclaimer.evidence.ExposedSeries.UTILIZATION;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every activity source makes of the same series, wherever it got them from. */
public abstract class ActivitySourceContract {
  private static final String NOTHING_SHOWN =
      "no gpu_pod_* series in the answer: no pod holds a GPU, or no agent is scraped";

  // A real Prometheus remembers for minutes, so that each test has GPUs of its own.
  private final String test = UUID.randomUUID().toString();
  private final String gpuA = "GPU-a-" + test;
  private final String gpuB = "GPU-b-" + test;
  private final String pod = "pod-" + test;

  /** Makes the agents expose these series and nothing else, and returns a source that sees them. */
  protected abstract ActivitySource showing(List<ExposedSeries> shown);

  /** Whether the source has samples that are no numbers; to others they were never there. */
  protected boolean reportsWhatIsNoNumber() {
    return true;
  }

  /** The time by the source's clock. */
  protected abstract Instant now();

  private Instant before(int seconds) {
    return now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(seconds);
  }

  @Test
  void seesEachPodWithItsGpus_orderedByUuid() {
    Instant since = before(3_600);
    Instant active = before(600);
    Instant until = before(1);
    String other = "other-" + test;
    ActivitySource source =
        showing(
            List.of(
                at(OBSERVED_SINCE, pod, gpuB, since),
                at(OBSERVED_UNTIL, pod, gpuB, until),
                neverBusy(pod, gpuB),
                at(LAST_ACTIVE, pod, gpuA, active),
                at(OBSERVED_SINCE, pod, gpuA, since),
                at(OBSERVED_UNTIL, pod, gpuA, until),
                at(OBSERVED_SINCE, other, "GPU-c-" + test, until),
                at(OBSERVED_UNTIL, other, "GPU-c-" + test, until),
                neverBusy(other, "GPU-c-" + test)));

    assertThat(timeless(source.fetchAll()))
        .isEqualTo(
            seen(
                List.of(
                    new PodActivity(
                        pod,
                        List.of(
                            device(gpuA, Optional.of(active), since, until),
                            device(gpuB, Optional.empty(), since, until))),
                    new PodActivity(
                        other, List.of(device("GPU-c-" + test, Optional.empty(), until, until))))));
  }

  @Test
  void reportsWhenItTookTheValues_andWhenItAnswered() {
    Instant start = now();

    ActivitySource source = showing(idle(pod, gpuA));

    var seen = (Seen) source.fetchAll();
    Instant sampledAt = seen.pod(pod).orElseThrow().devices().getFirst().sampledAt();
    assertThat(sampledAt).isBetween(start, seen.at());
    assertThat(seen.at()).isBeforeOrEqualTo(now());
  }

  @Test
  void seesNoPods_whenNoPodHoldsAGpu() {
    assertThat(timeless(showing(List.of()).fetchAll())).isEqualTo(seen(List.of(), NOTHING_SHOWN));
  }

  @Test
  void mergesSeveralSeriesOfOneGpu_toTheLeastIdle() {
    ActivitySource source =
        showing(
            List.of(
                at(OBSERVED_SINCE, pod, gpuA, before(500)),
                at(OBSERVED_UNTIL, pod, gpuA, before(1)),
                at(LAST_ACTIVE, pod, gpuA, before(300)),
                at(OBSERVED_SINCE, pod, gpuA, before(400)).with("container", "sidecar"),
                at(OBSERVED_UNTIL, pod, gpuA, before(2)).with("container", "sidecar"),
                at(LAST_ACTIVE, pod, gpuA, before(350)).with("container", "sidecar")));

    assertThat(timeless(source.fetchAll()).pod(pod).orElseThrow().devices())
        .singleElement()
        .satisfies(
            device -> {
              assertThat(device.lastActive().orElseThrow()).isBetween(before(310), before(290));
              assertThat(device.observedSince()).isBetween(before(410), before(390));
              assertThat(device.observedUntil()).isBetween(before(12), before(2));
            });
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1, 0})
  void leavesOutAGpu_whoseTimeCannotBeTrue(double value) {
    var shown = new ArrayList<>(idle(pod, gpuA));
    shown.addAll(idle(pod, gpuB));
    shown.add(ExposedSeries.of(LAST_ACTIVE, pod, gpuB, value));

    Seen seen = timeless(showing(shown).fetchAll());

    if (Double.isNaN(value) && !reportsWhatIsNoNumber()) {
      assertThat(gpus(seen)).as("its agent says outright that it never worked").contains(gpuB);
      return;
    }
    assertThat(gpus(seen)).containsExactly(gpuA);
    assertThat(seen.oddities())
        .containsExactly(
            "pod "
                + pod
                + ", GPU "
                + gpuB
                + ": last_active is "
                + value
                + ", no time in the past; GPU left out");
  }

  @Test
  void leavesOutAGpu_whoseTimeIsFarInTheFuture() {
    var shown = new ArrayList<>(idle(pod, gpuA));
    shown.addAll(idle(pod, gpuB));
    shown.add(at(LAST_ACTIVE, pod, gpuB, before(-600)));

    Seen seen = timeless(showing(shown).fetchAll());

    assertThat(gpus(seen)).containsExactly(gpuA);
    assertThat(seen.oddities())
        .singleElement()
        .asString()
        .contains(gpuB, "last_active", "no time in the past");
  }

  @Test
  void leavesOutAGpu_thatIsOnlyHalfReported() {
    String gpuC = "GPU-c-" + test;
    ActivitySource source =
        showing(
            List.of(
                at(OBSERVED_SINCE, pod, gpuA, before(9)),
                at(OBSERVED_UNTIL, pod, gpuB, before(1)),
                at(LAST_ACTIVE, pod, gpuC, before(5))));

    assertThat(timeless(source.fetchAll()))
        .isEqualTo(
            seen(
                List.of(),
                "pod " + pod + ", GPU " + gpuA + ": no observed_until; GPU left out",
                "pod " + pod + ", GPU " + gpuB + ": no observed_since; GPU left out",
                "pod " + pod + ", GPU " + gpuC + ": no observed_since; GPU left out"));
  }

  @Test
  void leavesOutAGpu_whoseLastActivityIsMissing_thoughItWorked() {
    ActivitySource source =
        showing(
            List.of(
                at(OBSERVED_SINCE, pod, gpuA, before(100)),
                at(OBSERVED_UNTIL, pod, gpuA, before(1)),
                ExposedSeries.of(ExposedSeries.BUSY, pod, gpuA, 0.5),
                at(OBSERVED_SINCE, pod, gpuB, before(100)),
                at(OBSERVED_UNTIL, pod, gpuB, before(1))));

    assertThat(timeless(source.fetchAll()))
        .isEqualTo(
            seen(
                List.of(),
                "pod "
                    + pod
                    + ", GPU "
                    + gpuA
                    + ": no last_active, and nothing says that it never worked; GPU left out",
                "pod "
                    + pod
                    + ", GPU "
                    + gpuB
                    + ": no last_active, and nothing says that it never worked; GPU left out"));
  }

  @Test
  void leavesOutWhatHasNoPodUidOrNoUuid() {
    var shown = new ArrayList<>(idle(pod, gpuA));
    shown.add(at(LAST_ACTIVE, pod, gpuA, before(5)).without("pod_uid"));
    shown.add(at(LAST_ACTIVE, pod, gpuA, before(5)).without("UUID"));

    Seen seen = timeless(showing(shown).fetchAll());

    assertThat(gpus(seen)).containsExactly(gpuA);
    assertThat(seen.pod(pod).orElseThrow().devices().getFirst().lastActive()).isEmpty();
    assertThat(seen.oddities())
        .containsExactly(
            "last_active without pod_uid or UUID: pod_uid null, UUID " + gpuA,
            "last_active without pod_uid or UUID: pod_uid " + pod + ", UUID null");
  }

  @Test
  void leavesOutAnActivity_thatLiesBeforeTheObservation() {
    Instant since = before(100);
    Instant until = before(1);
    ActivitySource source =
        showing(
            List.of(
                at(OBSERVED_SINCE, pod, gpuA, since),
                at(OBSERVED_UNTIL, pod, gpuA, until),
                at(LAST_ACTIVE, pod, gpuA, before(200))));

    assertThat(timeless(source.fetchAll()))
        .isEqualTo(
            seen(
                List.of(
                    new PodActivity(pod, List.of(device(gpuA, Optional.empty(), since, until)))),
                "pod "
                    + pod
                    + ", GPU "
                    + gpuA
                    + ": last_active is before observed_since; last_active left out"));
  }

  @Test
  void looksAgainAtOnePod_withTheRawUtilizationOfItsGpus() {
    var shown = new ArrayList<>(idle(pod, gpuA));
    shown.addAll(idle(pod, gpuB));
    shown.addAll(idle("other-" + test, "GPU-c-" + test));
    shown.add(ExposedSeries.of(UTILIZATION, pod, gpuA, 37));
    ActivitySource source = showing(shown);
    PodActivity first = ((Seen) source.fetchAll()).pod(pod).orElseThrow();

    Seen again = timeless(source.fetchPod(first));

    assertThat(again.pods().keySet()).containsExactly(pod);
    assertThat(again.pod(pod).orElseThrow().devices())
        .extracting(DeviceActivity::recentUtilization)
        .containsExactly(OptionalDouble.of(37), OptionalDouble.empty());
  }

  /** Values of an H100: at rest with a CUDA context, and with a kernel of 1 ms in 5 s. */
  @Test
  void aGpuAtRestIsNotAtWork_andTheShortestKernelIs() {
    var shown = new ArrayList<>(idle(pod, gpuA));
    shown.addAll(idle(pod, gpuB));
    for (String gpu : List.of(gpuA, gpuB)) {
      shown.add(ExposedSeries.of(UTILIZATION, pod, gpu, 0));
      shown.add(ExposedSeries.of("DCGM_FI_PROF_GR_ENGINE_ACTIVE", pod, gpu, 0.000062));
      shown.add(ExposedSeries.of("DCGM_FI_PROF_DRAM_ACTIVE", pod, gpu, 0.000029));
    }
    shown.add(ExposedSeries.of("DCGM_FI_PROF_SM_ACTIVE", pod, gpuA, 0));
    shown.add(ExposedSeries.of("DCGM_FI_PROF_SM_ACTIVE", pod, gpuB, 0.000008));
    ActivitySource source = showing(shown);
    PodActivity first = ((Seen) source.fetchAll()).pod(pod).orElseThrow();

    var devices = timeless(source.fetchPod(first)).pod(pod).orElseThrow().devices();

    assertThat(devices.getFirst().recentUtilization()).hasValue(0);
    assertThat(devices.getLast().recentUtilization().orElseThrow()).isPositive();
  }

  @Test
  void queriesNoUtilization_whenItQueriesAllNamespaces() {
    var shown = new ArrayList<>(idle(pod, gpuA));
    shown.add(ExposedSeries.of(UTILIZATION, pod, gpuA, 37));

    assertThat(timeless(showing(shown).fetchAll()).pod(pod).orElseThrow().devices())
        .extracting(DeviceActivity::recentUtilization)
        .containsExactly(OptionalDouble.empty());
  }

  @Test
  void seesNothing_whenThePodIsGoneAtTheSecondLook() {
    PodActivity first =
        new PodActivity(pod, List.of(device(gpuA, Optional.empty(), before(9), before(1))));

    assertThat(timeless(showing(List.of()).fetchPod(first)))
        .isEqualTo(seen(List.of(), NOTHING_SHOWN));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "quote\"",
        "back\\slash",
        "new\nline",
        "dots.and|bars(.*)[a]{2}^$",
        "süß ✓ 🚀",
        "} or up{a=\""
      })
  void findsAPodAgain_whateverItsLabelsContain(String strange) {
    String strangePod = pod + strange;
    String strangeGpu = gpuA + strange;
    var shown = new ArrayList<>(idle(strangePod, strangeGpu));
    shown.add(ExposedSeries.of(UTILIZATION, strangePod, strangeGpu, 5));
    ActivitySource source = showing(shown);
    PodActivity first = ((Seen) source.fetchAll()).pod(strangePod).orElseThrow();

    Seen again = timeless(source.fetchPod(first));

    assertThat(again.oddities()).isEmpty();
    assertThat(again.pod(strangePod).orElseThrow().devices())
        .extracting(DeviceActivity::device, DeviceActivity::recentUtilization)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                Entity.whole(new GpuUuid(strangeGpu)), OptionalDouble.of(5)));
  }

  @Test
  void distinguishesInstancesOfOneGpu() {
    var shown = new ArrayList<>(inInstance(idle(pod, gpuA), 1));
    shown.addAll(inInstance(idle("other-" + test, gpuA), 11));

    Seen seen = timeless(showing(shown).fetchAll());

    assertThat(devices(seen, pod)).containsExactly(Entity.instance(new GpuUuid(gpuA), 1));
    assertThat(devices(seen, "other-" + test))
        .containsExactly(Entity.instance(new GpuUuid(gpuA), 11));
  }

  @Test
  void leavesOutAnInstance_whoseIdIsNoNumber() {
    List<ExposedSeries> shown =
        idle(pod, gpuA).stream().map(one -> one.with("GPU_I_ID", "first")).toList();

    Seen seen = timeless(showing(shown).fetchAll());

    assertThat(seen.pods()).isEmpty();
    assertThat(seen.oddities()).isNotEmpty();
  }

  @Test
  void reportsHowManyDevicesThePodHolds() {
    var shown = new ArrayList<>(idle(pod, gpuA));
    shown.add(ExposedSeries.of(ExposedSeries.DEVICE_COUNT, pod, "", 2).without("UUID"));

    var seen = (Seen) showing(shown).fetchAll();

    assertThat(seen.pod(pod).orElseThrow().deviceCount()).isEqualTo(OptionalInt.of(2));
  }

  /** One scrape of the agent brings the counts of all of its pods. */
  @Test
  void doubtsAPodWithoutADeviceCount_ifItsAgentHasThatOfAnotherPod() {
    String other = "other-" + test;
    var shown = new ArrayList<>(idle(pod, gpuA));
    shown.addAll(idle(other, gpuB));
    shown.add(ExposedSeries.of(ExposedSeries.DEVICE_COUNT, other, "", 1).without("UUID"));

    var seen = (Seen) showing(shown).fetchAll();

    assertThat(seen.pod(other).orElseThrow().doubt()).isEmpty();
    assertThat(seen.pod(pod).orElseThrow().doubt())
        .hasValueSatisfying(
            doubt ->
                assertThat(doubt.reason())
                    .startsWith("expected its device count, found none, but its agent ")
                    .endsWith(" reports those of other pods"));
  }

  @Test
  void leavesOutAPod_whoseDeviceCountIsNone() {
    var shown = new ArrayList<>(idle(pod, gpuA));
    shown.add(ExposedSeries.of(ExposedSeries.DEVICE_COUNT, pod, "", Double.NaN).without("UUID"));

    var seen = (Seen) showing(shown).fetchAll();

    if (!reportsWhatIsNoNumber()) {
      assertThat(seen.pod(pod).orElseThrow().deviceCount()).isEmpty();
      return;
    }
    assertThat(seen.pods()).isEmpty();
    assertThat(seen.oddities())
        .contains("pod " + pod + ": its device count is no count; pod left out");
  }

  /** The same, of an instance of the GPU. */
  private static List<ExposedSeries> inInstance(List<ExposedSeries> shown, int id) {
    return shown.stream().map(one -> one.with("GPU_I_ID", Integer.toString(id))).toList();
  }

  private static List<Entity> devices(Seen seen, String pod) {
    return seen.pod(pod).orElseThrow().devices().stream().map(DeviceActivity::device).toList();
  }

  /** What an agent shows of a GPU that its pod has not used since an hour. */
  protected final List<ExposedSeries> idle(String podUid, String gpu) {
    return List.of(
        at(OBSERVED_SINCE, podUid, gpu, before(3_600)),
        at(OBSERVED_UNTIL, podUid, gpu, before(1)),
        neverBusy(podUid, gpu));
  }

  private static ExposedSeries neverBusy(String podUid, String gpu) {
    return ExposedSeries.of(ExposedSeries.BUSY, podUid, gpu, 0);
  }

  private static ExposedSeries at(String name, String podUid, String gpu, Instant instant) {
    return ExposedSeries.of(name, podUid, gpu, (double) instant.getEpochSecond());
  }

  private static List<String> gpus(Seen seen) {
    return seen.pods().values().stream()
        .flatMap(pod -> pod.devices().stream())
        .map(device -> device.device().toString())
        .toList();
  }

  private static DeviceActivity device(
      String gpu, Optional<Instant> lastActive, Instant since, Instant until) {
    return new DeviceActivity(
        new GpuUuid(gpu), lastActive, since, until, Instant.EPOCH, OptionalDouble.empty());
  }

  private static Seen seen(List<PodActivity> pods, String... oddities) {
    Map<String, PodActivity> byUid = new TreeMap<>();
    pods.forEach(pod -> byUid.put(pod.uid(), pod));
    return new Seen(Instant.EPOCH, byUid, List.of(oddities));
  }

  /** The same without the source's own times, which differ from source to source. */
  private static Seen timeless(Observation observation) {
    assertThat(observation).isInstanceOf(Seen.class);
    var seen = (Seen) observation;
    return seen(
        seen.pods().values().stream().map(ActivitySourceContract::timeless).toList(),
        seen.oddities().toArray(String[]::new));
  }

  private static PodActivity timeless(PodActivity pod) {
    return new PodActivity(
        pod.uid(),
        pod.devices().stream()
            .map(
                device ->
                    new DeviceActivity(
                        device.device(),
                        device.lastActive(),
                        device.observedSince(),
                        device.observedUntil(),
                        Instant.EPOCH,
                        device.recentUtilization()))
            .toList());
  }
}
