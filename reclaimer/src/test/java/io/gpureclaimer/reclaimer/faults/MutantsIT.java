package io.gpureclaimer.reclaimer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.ByName;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.execution.Messenger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A program with one of the mistakes that matter is caught: the matrix can fail. */
class MutantsIT {
  private static final Duration LONG_ENOUGH = Duration.ofHours(2);
  private static final String WORKED = "within its idle time";
  private static final String UNKNOWABLE = "it could not be known to be idle";

  @Execution(ExecutionMode.CONCURRENT)
  @Test
  void isCaught_whenWhatIsAbsentCountsAsIdle() {
    assertThat(wrongs(InjectedFault.AGENT_DOWN_ON_ONE_NODE, mistaken(MutantsIT::absentIsIdle)))
        .anyMatch(wrong -> wrong.contains(UNKNOWABLE));
  }

  @Tag("nightly")
  @Execution(ExecutionMode.CONCURRENT)
  @Test
  void isCaught_whenThePodIsAsIdleAsTheIdlestOfItsGpus() {
    assertThat(wrongs(null, mistaken(MutantsIT::anyIdleGpu)))
        .anyMatch(wrong -> wrong.contains(WORKED));
  }

  @Tag("nightly")
  @Execution(ExecutionMode.CONCURRENT)
  @Test
  void isCaught_whenOneOfSeveralPodsIsIgnored() {
    assertThat(
            wrongs(
                null,
                mistaken(pod -> devices -> pod.owner().isEmpty() ? devices : idleSinceEver(pod))))
        .anyMatch(wrong -> wrong.contains("half-web-b") && wrong.contains(WORKED));
  }

  @Tag("nightly")
  @Execution(ExecutionMode.CONCURRENT)
  @Test
  void isCaught_whenAGapIsTakenForSilence() {
    assertThat(wrongs(InjectedFault.AGENT_RESTARTED, mistaken(MutantsIT::gapsFilled)))
        .anyMatch(wrong -> wrong.contains(UNKNOWABLE));
  }

  @Execution(ExecutionMode.CONCURRENT)
  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2})
  void isCaught_whenAReceiverThatRefusesIsTakenToBeWarned(long seed) {
    assertThat(
            wrongs(
                seed,
                EvidenceSourceKind.PROMETHEUS,
                InjectedFault.RECEIVER_REFUSES,
                _ -> new Object[] {Messenger.NONE}))
        .anyMatch(wrong -> wrong.contains("a receiver had no warning"));
  }

  /** As if the last activity alone were the record. */
  @Execution(ExecutionMode.CONCURRENT)
  @Tag("nightly")
  @Test
  void isCaught_whenABusyTimeThatGrowsAloneIsIgnored() {
    assertThat(
            wrongsWithout(
                EvidenceSourceKind.PROMETHEUS,
                InjectedFault.LAST_ACTIVE_STANDS_STILL,
                LedgerMetrics.BUSY))
        .anyMatch(wrong -> wrong.contains(WORKED));
  }

  /** Work that only the power shows, of agents that recorded it and are not queried for it. */
  @Tag("nightly")
  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest
  @EnumSource(names = {"PROMETHEUS", "SELECTIVE"})
  void isCaught_whenASignalThatAnAgentRecordedIsIgnored(EvidenceSourceKind source) {
    assertThat(
            wrongs(
                source,
                InjectedFault.COUNTERS_STUCK_AT_ZERO,
                stand -> new Object[] {new AgentSignalMutant(stand)}))
        .anyMatch(wrong -> wrong.contains(WORKED));
  }

  /** What the real source says of the pod as a whole is left out. */
  @Execution(ExecutionMode.CONCURRENT)
  @Tag("nightly")
  @Test
  void isCaught_whenAMissingDeviceCountIsIgnored() {
    assertThat(wrongs(InjectedFault.DEVICE_COUNTS_LOST, mistaken(_ -> devices -> devices)))
        .anyMatch(wrong -> wrong.contains("its device count was missing"));
  }

  /** What is not stored is what a program that does not query it misses. */
  @Execution(ExecutionMode.CONCURRENT)
  @Tag("nightly")
  @ParameterizedTest
  @EnumSource(names = {"SERIES", "RULES"})
  void isCaught_whenOnlyTheUtilizationCounts(EvidenceSourceKind source) {
    assertThat(
            wrongsWithout(
                source,
                InjectedFault.WORK_SHOWN_BY_FP64_ALONE,
                SimulatedAgent.SELDOM_SIGNS.stream()
                    .map(DcgmField::metricName)
                    .toArray(String[]::new)))
        .anyMatch(wrong -> wrong.contains(WORKED));
  }

  @Execution(ExecutionMode.CONCURRENT)
  @Tag("nightly")
  @Test
  void isCaught_whenTheWorkOfCpusIsIgnored() {
    assertThat(wrongsOfDeaf(null, (_, signal) -> signal.kind() == SignalKind.CPU))
        .anyMatch(wrong -> wrong.contains("CPU showed it"));
  }

  /** As if every Deployment served requests. */
  @Execution(ExecutionMode.CONCURRENT)
  @Tag("nightly")
  @Test
  void isCaught_whenADataLoaderIsTakenForAServer() {
    assertThat(
            wrongsOfDeaf(
                null,
                (pod, signal) ->
                    pod.name().startsWith("loader") && signal.kind() == SignalKind.CPU))
        .anyMatch(wrong -> wrong.contains("loader") && wrong.contains("CPU showed it"));
  }

  @Execution(ExecutionMode.CONCURRENT)
  @Tag("nightly")
  @Test
  void isCaught_whenRequestsAreIgnored() {
    assertThat(wrongsOfDeaf(null, (_, signal) -> signal.kind() == SignalKind.REQUESTS))
        .anyMatch(wrong -> wrong.contains("REQUESTS showed it"));
  }

  @Tag("nightly")
  @Execution(ExecutionMode.CONCURRENT)
  @Test
  void isCaught_whenWhatIsNoLongerReportedIsTakenForSilence() {
    assertThat(wrongsOfDeaf(InjectedFault.KUBELETS_LOST, (_, signal) -> !signal.isKnown()))
        .anyMatch(wrong -> wrong.contains("CPU showed it"));
  }

  /**
   * As if the record of a pod that was left out were that of this moment, until it is due and in
   * the check before the action.
   */
  @Execution(ExecutionMode.CONCURRENT)
  @Test
  void isCaught_whenARecordThatWasLeftOutIsTakenForANewOne() {
    assertThat(
            wrongs(
                EvidenceSourceKind.SELECTIVE,
                InjectedFault.AGENT_RESTARTED,
                stand -> new Object[] {new LeftOutMutant(stand)}))
        .anyMatch(wrong -> wrong.contains(UNKNOWABLE) || wrong.contains(WORKED));
  }

  private static List<String> wrongsWithout(
      EvidenceSourceKind source, InjectedFault fault, String... metrics) {
    return LongStream.range(0, 3)
        .mapToObj(
            seed -> {
              try (var run = new FaultRun(seed, source, Set.of(fault))) {
                run.prometheus().drop(Set.of(metrics));
                return run.live(LONG_ENOUGH).referee().wrongs();
              }
            })
        .filter(found -> !found.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  private static Function<FaultRun.StandInContext, Object[]> mistaken(
      Function<PodView, UnaryOperator<List<DeviceActivity>>> mistake) {
    return stand -> new Object[] {new Mistaken(stand, mistake)};
  }

  private static List<String> wrongsOfDeaf(
      @Nullable InjectedFault fault, BiPredicate<PodName, Signal> unheard) {
    return wrongs(fault, stand -> new Object[] {new SignalLossMutant(stand, unheard)});
  }

  private static List<String> wrongs(
      @Nullable InjectedFault fault, Function<FaultRun.StandInContext, Object[]> standIns) {
    return wrongs(EvidenceSourceKind.PROMETHEUS, fault, standIns);
  }

  private static List<String> wrongs(
      EvidenceSourceKind source,
      @Nullable InjectedFault fault,
      Function<FaultRun.StandInContext, Object[]> standIns) {
    return LongStream.range(0, 3)
        .mapToObj(seed -> wrongs(seed, source, fault, standIns))
        .filter(found -> !found.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  private static List<String> wrongs(
      long seed,
      EvidenceSourceKind source,
      @Nullable InjectedFault fault,
      Function<FaultRun.StandInContext, Object[]> standIns) {
    try (var run = new FaultRun(seed, source, fault == null ? Set.of() : Set.of(fault), standIns)) {
      return run.live(LONG_ENOUGH).referee().wrongs();
    }
  }

  private static UnaryOperator<List<DeviceActivity>> absentIsIdle(PodView pod) {
    return devices -> devices.size() == pod.gpus() ? devices : idleSinceEver(pod);
  }

  private static List<DeviceActivity> idleSinceEver(PodView pod) {
    var devices = new ArrayList<DeviceActivity>();
    for (int gpu = 0; gpu < pod.gpus(); gpu++) {
      devices.add(
          new DeviceActivity(
              new GpuUuid(pod.ref().uid() + "-" + gpu),
              Optional.empty(),
              SkewedClocks.START,
              Instant.MAX,
              Instant.MAX,
              OptionalDouble.of(0)));
    }
    return devices;
  }

  private static UnaryOperator<List<DeviceActivity>> anyIdleGpu(PodView pod) {
    return devices ->
        devices.stream()
            .min(Comparator.comparing(device -> device.lastActive().orElse(Instant.MIN)))
            .map(
                idlest ->
                    devices.stream()
                        .map(
                            device ->
                                new DeviceActivity(
                                    device.device(),
                                    idlest.lastActive(),
                                    device.observedSince(),
                                    device.observedUntil(),
                                    device.sampledAt(),
                                    idlest.recentUtilization()))
                        .toList())
            .orElse(List.of());
  }

  private static UnaryOperator<List<DeviceActivity>> gapsFilled(PodView pod) {
    return devices ->
        devices.stream()
            .map(
                device ->
                    new DeviceActivity(
                        device.device(),
                        device.lastActive(),
                        SkewedClocks.START,
                        device.observedUntil(),
                        device.sampledAt(),
                        device.recentUtilization()))
            .toList();
  }

  /** Never closed: it holds nothing but the client that it asks. */
  private static ActivitySource realSource(FaultRun.StandInContext stand) {
    return WiredReplica.start("real", stand.api(), stand.clock(), stand.properties())
        .part(ActivitySource.class);
  }

  /** The real source behind a mistake. */
  private static final class Mistaken implements ActivitySource {
    private final FaultRun.StandInContext stand;
    private final ActivitySource real;
    private final Function<PodView, UnaryOperator<List<DeviceActivity>>> mistake;

    private Mistaken(
        FaultRun.StandInContext stand,
        Function<PodView, UnaryOperator<List<DeviceActivity>>> mistake) {
      this.stand = stand;
      this.mistake = mistake;
      this.real = realSource(stand);
    }

    @Override
    public Observation fetchAll() {
      return distorted(real.fetchAll());
    }

    @Override
    public Observation fetchPod(PodActivity pod) {
      return distorted(real.fetchPod(pod));
    }

    private Observation distorted(Observation observation) {
      Instant now = stand.clock().instant();
      Map<String, PodActivity> seen =
          switch (observation) {
            case Observation.Seen all -> all.pods();
            case Observation.Blind _ -> Map.of();
          };
      Map<String, PodActivity> pods = new HashMap<>();
      for (PodView pod : stand.api().view().pods()) {
        String uid = pod.ref().uid();
        List<DeviceActivity> devices =
            Optional.ofNullable(seen.get(uid)).map(PodActivity::devices).orElse(List.of());
        List<DeviceActivity> reported =
            mistake.apply(pod).apply(devices).stream()
                .map(device -> notAfter(device, now))
                .toList();
        if (pod.node().isPresent() && !reported.isEmpty()) {
          pods.put(uid, new PodActivity(uid, reported));
        }
      }
      return new Observation.Seen(
          now, pods, List.of(), unjoined(observation), Optional.empty(), Optional.empty());
    }

    private static ByName unjoined(Observation observation) {
      return switch (observation) {
        case Observation.Seen seen -> seen.unjoined();
        case Observation.Blind _ -> ByName.nothing();
      };
    }

    private static DeviceActivity notAfter(DeviceActivity device, Instant now) {
      return device.observedUntil().isBefore(now)
          ? device
          : new DeviceActivity(
              device.device(),
              device.lastActive(),
              device.observedSince(),
              now,
              now,
              device.recentUtilization());
    }
  }

  /** The real source, as if agents recorded no signal and still watched them. */
  private static final class AgentSignalMutant implements ActivitySource {
    private final ActivitySource real;

    private AgentSignalMutant(FaultRun.StandInContext stand) {
      this.real = realSource(stand);
    }

    @Override
    public Observation fetchAll() {
      return deaf(real.fetchAll());
    }

    @Override
    public Observation fetchAll(Collection<PodIdentity> pods, Map<String, LeftOut> mayLeaveOut) {
      return deaf(real.fetchAll(pods, mayLeaveOut));
    }

    @Override
    public Observation fetchPod(PodActivity pod) {
      return deaf(real.fetchPod(pod));
    }

    private static Observation deaf(Observation observation) {
      return switch (observation) {
        case Observation.Blind blind -> blind;
        case Observation.Seen seen -> {
          Map<String, PodActivity> pods = new HashMap<>(seen.pods());
          pods.replaceAll((_, pod) -> deaf(pod));
          yield new Observation.Seen(
              seen.at(),
              pods,
              seen.oddities(),
              seen.unjoined(),
              seen.sourceStartedAt(),
              seen.format());
        }
      };
    }

    private static PodActivity deaf(PodActivity pod) {
      return pod.devices().stream().allMatch(device -> device.signal().isEmpty())
          ? pod
          : new PodActivity(
              pod.uid(),
              pod.name(),
              pod.devices().stream().map(AgentSignalMutant::deaf).toList(),
              pod.deviceCount(),
              List.of(),
              pod.signalHistory(),
              pod.doubt(),
              pod.leftOut());
    }

    private static DeviceActivity deaf(DeviceActivity device) {
      return new DeviceActivity(
          device.device(),
          device.lastActive(),
          device.observedSince(),
          device.observedUntil(),
          device.sampledAt(),
          device.recentUtilization());
    }
  }

  /** The real source without some of the signals of pods. */
  private static final class SignalLossMutant implements ActivitySource {
    private final ActivitySource real;
    private final BiPredicate<PodName, Signal> unheard;

    private SignalLossMutant(FaultRun.StandInContext stand, BiPredicate<PodName, Signal> unheard) {
      this.unheard = unheard;
      this.real = realSource(stand);
    }

    @Override
    public Observation fetchAll() {
      return heard(real.fetchAll());
    }

    @Override
    public Observation fetchPod(PodActivity pod) {
      return heard(real.fetchPod(pod));
    }

    private Observation heard(Observation observation) {
      return switch (observation) {
        case Observation.Blind blind -> blind;
        case Observation.Seen seen ->
            new Observation.Seen(
                seen.at(),
                seen.pods(),
                seen.oddities(),
                new ByName(seen.unjoined().pods(), heard(seen.unjoined().signals())),
                seen.sourceStartedAt(),
                seen.format());
      };
    }

    private Map<PodName, List<Signal>> heard(Map<PodName, List<Signal>> signals) {
      Map<PodName, List<Signal>> heard = new HashMap<>(signals);
      heard.replaceAll(
          (pod, each) -> each.stream().filter(signal -> !unheard.test(pod, signal)).toList());
      return heard;
    }
  }

  /** The real source, of which every idle pod may be left out, with what it left out made new. */
  private static final class LeftOutMutant implements ActivitySource {
    private final Clock clock;
    private final ActivitySource real;
    private final Map<String, PodActivity> leftOut = new HashMap<>();

    private LeftOutMutant(FaultRun.StandInContext stand) {
      this.clock = stand.clock();
      this.real = realSource(stand);
    }

    @Override
    public Observation fetchAll() {
      return real.fetchAll();
    }

    @Override
    public Observation fetchAll(Collection<PodIdentity> pods, Map<String, LeftOut> mayLeaveOut) {
      Map<String, LeftOut> all = new HashMap<>();
      pods.forEach(pod -> all.put(pod.uid(), LeftOut.RECORD_AND_SIGNALS));
      return made(real.fetchAll(pods, all));
    }

    @Override
    public Observation fetchPod(PodActivity pod) {
      return leftOut.containsKey(pod.uid())
          ? new Observation.Seen(
              clock.instant(), Map.of(pod.uid(), leftOut.get(pod.uid())), List.of())
          : real.fetchPod(pod);
    }

    private Observation made(Observation observation) {
      return switch (observation) {
        case Observation.Blind blind -> blind;
        case Observation.Seen seen -> {
          leftOut.clear();
          seen.pods()
              .forEach(
                  (uid, pod) -> {
                    if (pod.leftOut().isPresent()) {
                      leftOut.put(uid, new PodActivity(uid, made(pod.devices(), seen.at())));
                    }
                  });
          Map<String, PodActivity> pods = new HashMap<>(seen.pods());
          pods.putAll(leftOut);
          yield new Observation.Seen(
              seen.at(),
              pods,
              seen.oddities(),
              seen.unjoined(),
              seen.sourceStartedAt(),
              seen.format());
        }
      };
    }

    private static List<DeviceActivity> made(List<DeviceActivity> devices, Instant at) {
      return devices.stream()
          .map(
              device ->
                  new DeviceActivity(
                      device.device(),
                      device.lastActive(),
                      device.observedSince(),
                      at,
                      at,
                      OptionalDouble.of(0)))
          .toList();
    }
  }
}
