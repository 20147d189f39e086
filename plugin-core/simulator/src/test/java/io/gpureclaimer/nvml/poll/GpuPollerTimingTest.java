package io.gpureclaimer.nvml.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.nvml.FaultyDriver;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlReturn;
import io.gpureclaimer.nvml.poll.GpuPoll.GpuReader;
import io.gpureclaimer.nvml.poll.GpuPoll.GpuReader.Read;
import io.gpureclaimer.nvml.poll.GpuPoll.GpuReader.ResponseState;
import io.gpureclaimer.nvml.poll.GpuPoller.Deadlines;
import io.gpureclaimer.nvml.poll.GpuStatus.Late;
import io.gpureclaimer.nvml.poll.GpuStatus.Responding;
import io.gpureclaimer.nvml.poll.GpuStatus.Unavailable;
import io.gpureclaimer.nvml.session.DriverSession;
import io.gpureclaimer.nvml.session.DriverThread;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deadlines of the poller: a late, a hung and a slow GPU, and when a poll is due. */
@Timeout(60)
class GpuPollerTimingTest {
  private static final Duration GPU = Duration.ofMillis(200);
  private static final Duration HUNG = Duration.ofSeconds(10);
  private static final Duration REFRESH = Duration.ofSeconds(10);
  private static final int TIMEOUT = 10;
  private static final String POWER = "nvmlDeviceGetPowerUsage";

  private final ManualTime time = new ManualTime();
  private volatile Script script = Script.IDLE;
  private final FaultyDriver driver =
      new FaultyDriver(
          new SimulatedDriver(Profile.named("t4x4").orElseThrow(), "node-a", () -> script, time));
  private final DriverThread thread = new DriverThread();
  private final DriverSession session =
      new DriverSession(driver::library, thread, Duration.ofMinutes(1), Duration.ZERO, time);
  private final List<InventoryUpdate> updates = new ArrayList<>();
  private final GpuPoller poller =
      new GpuPoller(
          session,
          thread,
          new KernelFiles(Path.of("/nonexistent")),
          new Deadlines(GPU, Duration.ofMinutes(1), Duration.ZERO, Duration.ofHours(1), HUNG),
          REFRESH,
          false,
          List.of(),
          time,
          time);

  @BeforeEach
  void subscribe() {
    poller.subscribe(updates::add);
  }

  @AfterEach
  void end() {
    script = Script.IDLE;
    driver.repair();
    thread.close();
  }

  @Test
  void aGpuThatRespondedBeforeIsLate_andTheOthersGoOn() {
    begin();
    hang(1);

    var poll = polled();

    assertThat(states())
        .containsExactly(Responding.class, Late.class, Responding.class, Responding.class);
    assertThat(poll.gpus().get(1).fault()).isEqualTo(GpuStatus.GpuFault.OVERDUE);
    assertThat(poll.inventory().responding()).hasSize(4);
  }

  @Test
  void aLateGpuIsHung_onceItsCallHasNotReturnedForLong() {
    begin();
    hang(1);
    polled();
    time.advance(HUNG.minusNanos(1));
    polled();
    assertThat(states()).element(1).isEqualTo(Late.class);

    time.advance(Duration.ofNanos(1));
    polled();

    assertThat(last().inventory().gpus().get(1))
        .isInstanceOfSatisfying(
            Unavailable.class,
            gpu -> {
              assertThat(gpu.fault()).isEqualTo(GpuStatus.GpuFault.HUNG);
              assertThat(gpu.uuid()).isNotNull();
              assertThat(gpu.lastKnown()).isNotNull();
            });
  }

  @Test
  void aHungGpuRespondsAgain_whenItsCallReturns_withoutASecondCall() {
    begin();
    hang(1);
    polled();
    time.advance(HUNG);
    polled();
    long calls = driver.callsOf("nvmlDeviceGetMemoryInfo_v2");
    polled();
    assertThat(driver.callsOf("nvmlDeviceGetMemoryInfo_v2")).isLessThanOrEqualTo(calls + 3);

    script = Script.IDLE;
    await().until(() -> !thread.hasHungCall());
    polled();

    assertThat(states()).containsOnly(Responding.class);
  }

  @Test
  void aGpuThatHasNeverRespondedIsUnavailable_andTheFirstInventoryWaitsForIt() {
    hang(1);

    var poll = polled();

    assertThat(poll.inventory().gpus().get(1)).isInstanceOf(Unavailable.class);
    assertThat(poll.inventory().gpus().get(1).uuid()).isNotNull();
    assertThat(poll.gpus().get(1).gpu()).isNotNull();
    assertThat(updates).isEmpty();
    time.advance(HUNG);
    polled();
    assertThat(states())
        .containsExactly(Responding.class, Unavailable.class, Responding.class, Responding.class);
  }

  @Test
  void theFirstInventoryHasAGpuThatIsSlowToBegin() {
    hang(1);
    polled();
    script = Script.IDLE;
    await().until(() -> !thread.hasHungCall());

    polled();

    assertThat(updates).hasSize(1);
    assertThat(states()).containsOnly(Responding.class);
  }

  @Test
  void aLateGpuIsNotTakenForAnother_whenGpusAreRenumbered() {
    begin();
    hang(2);
    polled();
    script = Script.of(GpuScript.broken(0, Fault.GONE), GpuScript.broken(2, Fault.HANG));

    var gpus = polled().inventory().gpus();

    assertThat(gpus).hasSize(3);
    // The call at index 2 was about the GPU that has moved to 1: neither is known for sure.
    assertThat(gpus)
        .extracting(gpu -> gpu.getClass().getSimpleName())
        .containsExactly("Responding", "Unavailable", "Unavailable");
    assertThat(gpus.get(2).uuid()).isNull();
  }

  @Test
  void aGpuIsNotLate_afterAnotherSessionHasBegun() {
    begin();
    hang(1);
    polled();
    driver.fail("nvmlDeviceGetCount_v2", NvmlReturn.UNINITIALIZED.code());
    poller.poll();
    driver.repair();

    assertThat(polled().inventory().gpus().get(1)).isInstanceOf(Unavailable.class);
  }

  @Test
  void aPollIsDue_whenTheInventoryIsOldOrMayHaveChanged() {
    begin();
    updates.clear();
    poller.pollIfDue();
    time.advance(REFRESH.minusNanos(1));
    poller.pollIfDue();
    assertThat(updates).isEmpty();

    time.advance(Duration.ofNanos(1));
    poller.pollIfDue();
    assertThat(updates).hasSize(1);

    poller.repartitioned(last().inventory().responding().findFirst().orElseThrow().gpu().uuid());
    poller.pollIfDue();
    assertThat(updates).hasSize(2);
  }

  @Test
  void aPollIsDueSoon_whileACallIsLate() {
    begin();
    hang(1);
    polled();
    script = Script.IDLE;
    await().until(() -> !thread.hasHungCall());
    poller.pollIfDue();
    assertThat(states()).element(1).isEqualTo(Late.class);

    time.advance(GPU);
    poller.pollIfDue();

    assertThat(states()).containsOnly(Responding.class);
  }

  @Test
  void aPollForReadingsIsAPollOfTheInventory() {
    begin();
    updates.clear();
    time.advance(REFRESH);
    poller.poll(reader());
    poller.pollIfDue();

    assertThat(updates).hasSize(1);
  }

  @Test
  void allReadingsOfAGpuFailing_isAFaultOfTheReadingsAlone() {
    begin();
    driver.failOfFirst(POWER, TIMEOUT);

    var poll = (GpuPoll.Polled<Long>) poller.poll(reader());

    assertThat(poll.gpus().getFirst().fault()).isEqualTo(GpuStatus.GpuFault.UNREADABLE);
    assertThat(states()).containsOnly(Responding.class);
  }

  @Test
  void allReadingsOfAGpuFailing_isItsFault_ifItsIdentityCannotBeReadEither() {
    begin();
    poller.poll(reader());
    driver.failOfFirst(POWER, TIMEOUT);
    driver.failOfFirst("nvmlDeviceGetUUID", TIMEOUT);

    var poll = (GpuPoll.Polled<Long>) poller.poll(reader());

    assertThat(poll.gpus().getFirst().fault()).isEqualTo(GpuStatus.GpuFault.REFUSED);
    assertThat(states().getFirst()).isEqualTo(Unavailable.class);
  }

  @Test
  void aGpuKeepsItsMinorNumber_whenTheDriverFailsToReportItAgain() {
    begin();
    driver.failOfFirst("nvmlDeviceGetMinorNumber", TIMEOUT);
    time.advance(REFRESH);

    polled();

    assertThat(last().inventory().responding())
        .extracting(GpuFacts::minor)
        .containsExactly(0, 1, 2, 3);
  }

  private static GpuReader<Long> reader() {
    return (gpu, _, _) -> {
      boolean failed = gpu.nvml().powerMilliwatts(gpu.handle()) instanceof Failed;
      return new Read<>(
          1L,
          failed ? ResponseState.SILENT : ResponseState.RESPONDING,
          failed ? "all queries failed" : "",
          false);
    };
  }

  /** Polls until all GPUs have responded: the first calls may be late on a busy machine. */
  private void begin() {
    await()
        .until(
            () ->
                polled().gpus().stream().allMatch(gpu -> gpu.fault() == null)
                    && !updates.isEmpty());
  }

  /** The next poll reads all facts, and that GPU does not return. */
  private void hang(int gpu) {
    time.advance(REFRESH);
    script = Script.of(GpuScript.broken(gpu, Fault.HANG));
  }

  private GpuPoll.Polled<Void> polled() {
    return (GpuPoll.Polled<Void>) poller.poll();
  }

  private InventoryUpdate.Polled last() {
    return (InventoryUpdate.Polled) updates.getLast();
  }

  private List<Class<?>> states() {
    return last().inventory().gpus().stream().<Class<?>>map(GpuStatus::getClass).toList();
  }
}
