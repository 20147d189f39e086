package io.gpureclaimer.deviceplugin.kubelet;

import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.GPU;
import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.MIG;
import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.healthy;
import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.unhealthy;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.RegisterAnswer.Accepted;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.RegisterAnswer.Rejected;
import io.gpureclaimer.deviceplugin.kubelet.SocketState.Absent;
import io.gpureclaimer.deviceplugin.kubelet.SocketState.FileIdentity;
import io.gpureclaimer.deviceplugin.kubelet.SocketState.Present;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The life of registrations, with a clock that the test advances. */
class PluginRegistrarTest {
  private static final KubeletTimeouts PACE = KubeletTimeouts.USUAL;
  private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

  private final FakeRegistrarEnvironment node = new FakeRegistrarEnvironment();
  private final List<Consumer<Allocatable>> questions = new ArrayList<>();
  private SocketState place = kubelet(1);
  private final PluginRegistrar conductor =
      new PluginRegistrar(
          node,
          () -> place,
          questions::add,
          PACE,
          new Random(7),
          () -> NOON.plus(node.elapsed()),
          node::nanoTime);

  @Test
  void asksForNoServer_whileThereIsNoKubelet() {
    place = new Absent("kubelet.sock is not there");
    conductor.offer(Map.of(GPU, TestDevices.of("a")));
    let(Duration.ofMinutes(10));

    assertThat(node.endpoints).isEmpty();
    assertThat(conductor.state().kubeletMissing()).isEqualTo("kubelet.sock is not there");
  }

  @Test
  void isWatched_whenTheKubeletWatchesBeforeItAnswers() {
    conductor.offer(Map.of(GPU, TestDevices.of("a")));
    turn();
    node.endpoint().watch();
    turn();
    assertThat(conductor.state().watched()).isFalse();
    node.answer(new Accepted());
    turn();

    assertThat(conductor.state().watched()).isTrue();
  }

  @Test
  void pausesLongerAndLonger_whenTheKubeletRefuses() {
    conductor.offer(Map.of(GPU, TestDevices.of("a")));
    for (int attempt = 0; attempt < 12; attempt++) {
      awaitRegistration(attempt + 1);
      node.answer(new Rejected(RegistrationOutcome.REFUSED, "no"));
    }

    List<Duration> pauses = pauses(node.attempts);
    assertThat(pauses.getFirst()).isBetween(Duration.ofMillis(180), Duration.ofMillis(340));
    assertThat(pauses.getLast()).isBetween(Duration.ofSeconds(22), Duration.ofSeconds(38));
    assertThat(node.elapsed()).isGreaterThan(Duration.ofMinutes(2));
    assertThat(state(GPU).registrations()).isEqualTo(Map.of(RegistrationOutcome.REFUSED, 12L));
  }

  @Test
  void pausesLongerAndLonger_whenThereCanBeNoSocket() {
    node.impossible = "disk full";
    conductor.offer(Map.of(GPU, TestDevices.of("a")));
    let(Duration.ofMinutes(10));

    assertThat(node.attempts).hasSizeBetween(20, 30);
    assertThat(state(GPU).lastError()).isEqualTo("disk full");
  }

  @Test
  void doesNotPause_whenAnotherKubeletComes() {
    conductor.offer(Map.of(GPU, TestDevices.of("a")));
    for (int attempt = 0; attempt < 12; attempt++) {
      awaitRegistration(attempt + 1);
      node.answer(new Rejected(RegistrationOutcome.UNREACHABLE, "connection refused"));
    }
    turn();
    turn();
    place = kubelet(2);
    turn();

    assertThat(node.registrations()).isEqualTo(13);
  }

  @Test
  void pausesLongerAndLonger_whenTheKubeletHangsUpAgainAndAgain() {
    conductor.offer(Map.of(GPU, TestDevices.of("a")));
    for (int attempt = 0; attempt < 12; attempt++) {
      awaitRegistration(attempt + 1);
      node.answer(new Accepted());
      node.endpoint().watch();
      turn();
      node.endpoint().hangUp();
    }

    assertThat(pauses(node.attempts).getLast()).isGreaterThan(Duration.ofSeconds(22));
  }

  @Test
  void hardlyPauses_whenTheKubeletHangsUpAfterALongTime() {
    register();
    let(PACE.stable());
    Duration before = node.elapsed();
    node.endpoint().hangUp();
    awaitRegistration(2);

    assertThat(node.elapsed().minus(before)).isBetween(PACE.settle(), PACE.settle().plusMillis(50));
  }

  @Test
  void registersAgain_onlyWhenNoClientIsConnectedToTheOldServer() {
    register();
    node.endpoint().goesWhenDrained = false;
    node.endpoint().hangUp();
    let(Duration.ofSeconds(1));
    assertThat(node.endpoints).hasSize(1);
    assertThat(node.endpoint().reported).containsExactly("drain");
    node.endpoint().gone = true;
    let(Duration.ofSeconds(1));

    assertThat(node.endpoints).hasSize(2);
  }

  @Test
  void cutsThoseOff_whoDoNotLeaveTheOldServer() {
    register();
    node.endpoint().goesWhenDrained = false;
    node.endpoint().hangUp();
    var old = node.endpoint();
    let(PACE.drain().plusSeconds(1));

    assertThat(old.reported).containsExactly("drain", "cut");
    assertThat(node.registrations()).isEqualTo(2);
  }

  @Test
  void letsTheKubeletForgetTheOldConnection_beforeItRegistersAgain() {
    register();
    let(PACE.stable());
    node.endpoint().inPlace = false;
    turn();
    turn();
    Duration gone = node.elapsed();
    awaitRegistration(2);

    assertThat(node.elapsed().minus(gone)).isGreaterThanOrEqualTo(PACE.settle());
  }

  @Test
  void keepsTheConnection_whenItsSocketIsGoneAndTheKubeletsToo() {
    register();
    let(PACE.stable());
    node.endpoint().inPlace = false;
    turn();
    place = new Absent("kubelet.sock is not there");
    let(Duration.ofMinutes(1));
    assertThat(node.endpoint().reported).isEmpty();
    assertThat(conductor.state().watched()).isTrue();

    place = kubelet(2);
    awaitRegistration(2);
  }

  @Test
  void registersAgain_whenItsSocketIsGone_whileTheKubeletIsAsked() {
    conductor.offer(Map.of(GPU, TestDevices.of("a")));
    turn();
    node.endpoint().inPlace = false;
    awaitRegistration(2);
    node.answer(0, new Accepted());
    turn();

    assertThat(state(GPU).registered()).isFalse();
  }

  @Test
  void registersAgain_whenTheListIsNotWatched() {
    conductor.offer(Map.of(GPU, TestDevices.of("a")));
    turn();
    node.answer(new Accepted());
    let(PACE.stream().minusSeconds(1));
    assertThat(node.registrations()).isEqualTo(1);
    let(Duration.ofSeconds(2));

    assertThat(node.registrations()).isEqualTo(2);
    assertThat(state(GPU).registrations()).isEqualTo(Map.of(RegistrationOutcome.NOT_WATCHED, 1L));
  }

  @Test
  void registersAgainAtOnce_whenTheKubeletAccepts_andIsGone() {
    conductor.offer(Map.of(GPU, TestDevices.of("a")));
    turn();
    node.answer(new Accepted());
    node.endpoint().connected = false;
    let(Duration.ofSeconds(1));

    assertThat(node.registrations()).isEqualTo(2);
  }

  @Test
  void keepsServing_whenTheSocketOfTheKubeletGoesAway() {
    register();
    place = new Absent("kubelet.sock is not there");
    let(Duration.ofMinutes(1));

    assertThat(conductor.state().watched()).isTrue();
    assertThat(node.endpoint().reported).isEmpty();
  }

  @Test
  void registersAgain_whenAnotherProcessEnds_thatOfferedTheSame() {
    node.sockets.add("socket-other");
    register();
    let(Duration.ofMinutes(1));
    assertThat(node.registrations()).isEqualTo(1);
    node.sockets.add("socket-third");
    turn();
    node.sockets.remove("socket-other");
    awaitRegistration(2);
    node.answer(new Accepted());
    node.endpoint().watch();
    let(Duration.ofMinutes(1));

    assertThat(node.registrations()).isEqualTo(2);
  }

  @Test
  void registersAgain_whenAnotherProcessIsKilled_andItsSocketStays() {
    node.sockets.add("socket-other");
    register();
    let(Duration.ofMinutes(1));
    node.withoutListener.add("socket-other");
    Duration killed = node.elapsed();
    awaitRegistration(2);
    node.answer(new Accepted());
    node.endpoint().watch();

    assertThat(node.elapsed().minus(killed))
        .isLessThan(PACE.probe().plus(PACE.settle()).plusMillis(50));
    let(Duration.ofMinutes(1));
    assertThat(node.registrations()).isEqualTo(2);
  }

  @Test
  void registersAgain_whenAnotherProcessStartedAndWasKilledBetweenTwoLooks() {
    register();
    node.sockets.add("socket-other");
    node.withoutListener.add("socket-other");
    awaitRegistration(2);
  }

  @Test
  void keepsItsRegistration_besideSocketsOfProcessesThatWereKilledBefore() {
    node.sockets.add("socket-other");
    node.withoutListener.add("socket-other");
    register();
    let(Duration.ofMinutes(1));
    node.sockets.clear();
    let(Duration.ofMinutes(1));

    assertThat(node.registrations()).isEqualTo(1);
    assertThat(node.probes).isEqualTo(1);
  }

  @Test
  void probesTheOtherProcessOncePerLook_howeverOftenItTakesTurns() {
    node.sockets.add("socket-other");
    register();
    for (int nudge = 0; nudge < 1_000; nudge++) {
      turn();
      node.pass(PACE.probe().dividedBy(100));
    }

    assertThat(node.probes).isBetween(10, 11);
  }

  @Test
  void doesNotCare_whenAnotherResourceOfAnotherProcessEnds() {
    node.sockets.add("socket-gpu-other");
    register();
    node.sockets.clear();
    let(Duration.ofMinutes(1));

    assertThat(node.registrations()).isEqualTo(1);
  }

  @Test
  void doesNotCare_whenAResourceOfItsOwnEnds_whoseSocketIsCalledAlike() {
    conductor.offer(Map.of(GPU, TestDevices.of("a"), MIG, TestDevices.of("m")));
    turn();
    for (int resource = 0; resource < 2; resource++) {
      node.answer(resource, new Accepted());
      node.endpoints.get(resource).watch();
      node.sockets.add(node.endpoints.get(resource).name());
    }
    turn();
    node.endpoints.getFirst().hangUp();
    node.sockets.remove(node.endpoints.getFirst().name());
    awaitRegistration(3);

    assertThat(node.endpoints.get(1).reported).isEmpty();
  }

  @Test
  void registersEachResourceOnItsOwn() {
    conductor.offer(Map.of(GPU, TestDevices.of("a"), MIG, TestDevices.of("m")));
    turn();

    assertThat(node.registrations()).isEqualTo(2);
    node.answer(0, new Rejected(RegistrationOutcome.REFUSED, "no"));
    node.answer(1, new Accepted());
    node.endpoint().watch();
    turn();

    assertThat(state(GPU).watched()).isFalse();
    assertThat(state(MIG).watched()).isTrue();
  }

  @Test
  void aVanishedResourceIsOfferedEmpty_andOfferedAgainWhenItReturns() {
    register();
    conductor.offer(Map.of());
    assertThat(node.endpoint().offered().devices()).isEmpty();
    ResourceDevices again = TestDevices.of("a");
    conductor.offer(Map.of(GPU, again));

    assertThat(node.endpoint().offered()).isEqualTo(again);
  }

  @Test
  void keepsWhatWasOffered_whenAnIdIsOfferedTwice() {
    register();
    ResourceDevices before = node.endpoint().offered();
    conductor.offer(Map.of(GPU, TestDevices.of("b", "b"), MIG, TestDevices.of("m")));
    turn();

    assertThat(node.endpoints.getFirst().offered()).isEqualTo(before);
    assertThat(state(GPU).lastError()).isEqualTo("the id b is offered more than once");
    assertThat(state(MIG).devices()).isEqualTo(1);
  }

  @Test
  void reportsSinceWhenItIsWatched() {
    register();
    let(Duration.ofMinutes(5));

    assertThat(state(GPU).watchedSince()).isEqualTo(NOON);
  }

  /** Within the 80 s of docs/device-plugin/kubelet.md. */
  @Test
  void registersAgain_whenTheKubeletBelievesOtherwiseThreeTimes() {
    register();
    Duration began = node.elapsed();
    look(Map.of(GPU.value(), Set.of("b")));
    look(Map.of());
    assertThat(node.registrations()).isEqualTo(1);
    look(Map.of(GPU.value(), Set.of("a", "b")));
    awaitRegistration(2);

    assertThat(node.elapsed().minus(began)).isLessThanOrEqualTo(Duration.ofSeconds(80));
    assertThat(state(GPU).mismatches()).isEqualTo(1);
    assertThat(state(GPU).lastError())
        .isEqualTo(
            "the kubelet has another device list than the one that it was sent; maybe another device plugin on this node offers the same");
  }

  @Test
  void believesInTheKubelet_whenItAgreesInBetween() {
    register();
    look(Map.of());
    look(Map.of());
    look(Map.of(GPU.value(), Set.of("a")));
    look(Map.of());
    look(Map.of());

    assertThat(node.registrations()).isEqualTo(1);
    assertThat(conductor.state().selfCheck())
        .isEqualTo("the kubelet believes otherwise of nvidia.com/gpu");
  }

  @Test
  void provesNothing_whenTheKubeletSaysNothing() {
    register();
    for (int round = 0; round < 5; round++) {
      look(new Allocatable.Failed("kubelet.sock: UNAVAILABLE"));
      look(new Allocatable.Unsupported());
    }

    assertThat(node.registrations()).isEqualTo(1);
    assertThat(conductor.state().selfCheck()).isEqualTo("the kubelet does not offer the question");
  }

  @Test
  void onlyHealthyDevicesAreToBeBelieved() {
    conductor.offer(Map.of(GPU, TestDevices.of(List.of(healthy("a"), unhealthy("b")))));
    turn();
    node.answer(new Accepted());
    node.endpoint().watch();
    turn();
    look(Map.of(GPU.value(), Set.of("a"), "example.com/port", Set.of("p")));

    assertThat(conductor.state().selfCheck()).isEqualTo("the kubelet believes what it was sent");
  }

  @Test
  void asksOneQuestionAtATime() {
    register();
    let(PACE.selfCheck().multipliedBy(4));

    assertThat(questions).hasSize(1);
  }

  @Test
  void endsEverything() {
    register();
    conductor.offer(Map.of(GPU, TestDevices.of("a"), MIG, TestDevices.of("m")));
    turn();
    conductor.end();
    let(PACE.settle().plusMillis(50));

    assertThat(conductor.ended()).isTrue();
    assertThat(node.endpoints)
        .allSatisfy(endpoint -> assertThat(endpoint.reported).contains("drain"));
    let(Duration.ofMinutes(1));
    assertThat(node.endpoints).hasSize(2);
  }

  /** Its end must be visible to a process that looks only now and then. */
  @Test
  void keepsANewSocketForTwoLooks_whenItEndsBesideAnotherProcess() {
    node.sockets.add("socket-other");
    register();
    conductor.end();
    let(PACE.probe().multipliedBy(2).minusMillis(20));
    assertThat(node.endpoint().reported).doesNotContain("drain");

    let(PACE.settle().plusMillis(100));
    assertThat(node.endpoint().reported).contains("drain");
    assertThat(conductor.ended()).isTrue();
  }

  @Test
  void endsAtOnce_besideAnotherProcess_whenItsSocketIsOld() {
    node.sockets.add("socket-other");
    register();
    let(PACE.probe().multipliedBy(2));
    conductor.end();

    assertThat(node.endpoint().reported).contains("drain");
  }

  @Test
  void endsAtOnce_whileItWaitsToTryAgain() {
    node.impossible = "disk full";
    conductor.offer(Map.of(GPU, TestDevices.of("a")));
    let(Duration.ofMinutes(10));
    conductor.end();
    turn();

    assertThat(conductor.ended()).isTrue();
  }

  /** Whatever happens and whenever, in the end it is registered, and there was never a spin. */
  @Test
  void endsUpRegistered_whateverHappened() {
    for (int seed = 0; seed < 300; seed++) {
      new PluginRegistrarRandomRun(seed).report();
    }
  }

  private ResourceState state(ResourceName name) {
    return requireNonNull(conductor.state().resources().get(name));
  }

  private void register() {
    conductor.offer(Map.of(GPU, TestDevices.of("a")));
    turn();
    node.answer(new Accepted());
    node.endpoint().watch();
    turn();
    assertThat(conductor.state().watched()).isTrue();
  }

  private void look(Map<String, Set<String>> believed) {
    look(new Allocatable.Known(believed));
  }

  private void look(Allocatable believed) {
    int before = questions.size();
    while (questions.size() == before) {
      step();
    }
    questions.getLast().accept(believed);
  }

  private void turn() {
    conductor.turn();
  }

  /** As the host does it: a turn, and then the wait that it asks for. */
  private void step() {
    node.pass(conductor.turn());
  }

  private void let(Duration time) {
    Duration until = node.elapsed().plus(time);
    while (node.elapsed().compareTo(until) < 0) {
      Duration wait = conductor.turn();
      Duration left = until.minus(node.elapsed());
      node.pass(wait.compareTo(left) < 0 ? wait : left);
    }
    conductor.turn();
  }

  private void awaitRegistration(int number) {
    Duration wait = conductor.turn();
    for (int turns = 0; node.registrations() < number; turns++) {
      assertThat(turns).isLessThan(10_000);
      node.pass(wait);
      wait = conductor.turn();
    }
  }

  private static List<Duration> pauses(List<Duration> times) {
    var pauses = new ArrayList<Duration>();
    for (int next = 1; next < times.size(); next++) {
      pauses.add(times.get(next).minus(times.get(next - 1)));
    }
    return pauses;
  }

  static SocketState kubelet(int number) {
    return new Present(new FileIdentity(number, FileTime.from(Instant.EPOCH)));
  }
}
