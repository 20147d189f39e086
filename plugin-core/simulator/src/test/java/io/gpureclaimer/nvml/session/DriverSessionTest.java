package io.gpureclaimer.nvml.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.nvml.EventSet;
import io.gpureclaimer.nvml.FaultyDriver;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.NvmlReturn;
import io.gpureclaimer.nvml.session.DriverSession.Open;
import io.gpureclaimer.nvml.session.DriverSession.SessionResult;
import io.gpureclaimer.nvml.session.DriverSession.SessionResult.Closed;
import io.gpureclaimer.nvml.session.DriverSession.SessionResult.Seen;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DriverSessionTest {
  private static final Duration DEADLINE = Duration.ofMillis(900);
  private static final Duration PAUSE = Duration.ofSeconds(3);
  private static final int DRIVER_NOT_LOADED = 9;
  private static final int UNINITIALIZED = 1;

  private final ManualTime time = new ManualTime();
  private final FaultyDriver driver =
      new FaultyDriver(
          new SimulatedDriver(
              Profile.named("t4x4").orElseThrow(), "node-a", () -> Script.IDLE, time));
  private final DriverThread thread = new DriverThread();
  private final DriverSession session =
      new DriverSession(driver::library, thread, DEADLINE, PAUSE, time);

  @AfterEach
  void close() {
    driver.repair();
    thread.close();
  }

  @Test
  void opensOnce_andCountsTheDevicesAtEachVisit() {
    session.visit(Open::devices);

    assertThat(seen(session.visit(Open::devices))).isEqualTo(4);
    assertThat(driver.callsOf("nvmlInit_v2")).isEqualTo(1);
    assertThat(driver.callsOf("nvmlDeviceGetCount_v2")).isEqualTo(2);
  }

  @Test
  void reportsTheDriversVersion() {
    String version = seen(session.visit(open -> String.valueOf(open.version())));

    assertThat(version).isEqualTo("550.54.15");
  }

  @Test
  void reportsWhy_whenThereIsNoDriver() {
    driver.fail("nvmlInit_v2", DRIVER_NOT_LOADED);

    assertThat(session.visit(Open::devices))
        .isInstanceOfSatisfying(
            Closed.class, closed -> assertThat(closed.reason()).contains("driver not loaded"));
  }

  @Test
  void triesAgain_onlyAfterThePause() {
    driver.fail("nvmlInit_v2", DRIVER_NOT_LOADED);
    var first = session.visit(Open::devices);
    driver.repair();

    time.advance(PAUSE.minusNanos(1));
    assertThat(session.visit(Open::devices)).isEqualTo(first);
    time.advance(Duration.ofNanos(1));
    assertThat(seen(session.visit(Open::devices))).isEqualTo(4);
  }

  @Test
  void opensAgain_whenTheSessionIsLostDuringAVisit() {
    session.visit(Open::devices);
    driver.fail("nvmlSystemGetDriverVersion", UNINITIALIZED);
    assertThat(session.visit(open -> open.nvml().driverVersion())).isInstanceOf(Closed.class);
    driver.repair();

    time.advance(PAUSE);
    assertThat(seen(session.visit(Open::devices))).isEqualTo(4);
    assertThat(driver.callsOf("nvmlInit_v2")).isEqualTo(2);
    assertThat(driver.callsOf("nvmlShutdown")).isEqualTo(1);
  }

  @Test
  void isClosed_whileOpeningHangs_andThenUsesWhatItOpened() {
    driver.hang("nvmlInit_v2");
    assertThat(session.visit(Open::devices))
        .isEqualTo(
            new Closed<>("a driver call has not returned within 900 ms", NvmlReturn.TIMEOUT));
    assertThat(session.visit(Open::devices))
        .isEqualTo(
            new Closed<>("a driver call has not returned within 900 ms", NvmlReturn.TIMEOUT));

    driver.repair();
    await().until(() -> session.visit(Open::devices) instanceof Seen);
    assertThat(driver.callsOf("nvmlInit_v2")).isEqualTo(1);
  }

  @Test
  void keepsTheSession_whenCountingHangsForAWhile() {
    session.visit(Open::devices);
    driver.hang("nvmlDeviceGetCount_v2");
    assertThat(session.visit(Open::devices)).isInstanceOf(Closed.class);

    driver.repair();
    await().until(() -> session.visit(Open::devices) instanceof Seen);
    assertThat(driver.callsOf("nvmlInit_v2")).isEqualTo(1);
  }

  @Test
  void givesTheSessionBack_whenClosed() {
    session.visit(Open::devices);
    session.close();

    assertThat(driver.callsOf("nvmlShutdown")).isEqualTo(1);
  }

  @Test
  void isNotShutDown_whileACallIsStillInsideTheDriver() {
    session.visit(Open::devices);
    driver.hang("nvmlDeviceGetName");
    leaveACallBehind();

    session.close();

    assertThat(driver.callsOf("nvmlShutdown")).isZero();
  }

  @Test
  void keepsALostSessionOpen_untilNoCallIsInsideTheDriver() {
    session.visit(Open::devices);
    driver.hang("nvmlDeviceGetName");
    leaveACallBehind();
    driver.fail("nvmlSystemGetDriverVersion", UNINITIALIZED);
    assertThat(session.visit(open -> open.nvml().driverVersion())).isInstanceOf(Closed.class);
    driver.fail("nvmlSystemGetDriverVersion", 0);

    time.advance(PAUSE);
    assertThat(seen(session.visit(Open::devices))).isEqualTo(4);
    assertThat(driver.callsOf("nvmlInit_v2")).isEqualTo(2);
    assertThat(driver.callsOf("nvmlShutdown")).isZero();
    assertThat(session.release()).isFalse();

    driver.repair();
    await().untilAsserted(() -> assertThat(session.release()).isTrue());
    assertThat(driver.callsOf("nvmlShutdown")).isEqualTo(2);
  }

  @Test
  void releasesTheDriver_andOpensItAgainAtTheNextVisit() {
    session.visit(Open::devices);

    assertThat(session.release()).isTrue();
    assertThat(driver.callsOf("nvmlShutdown")).isEqualTo(1);
    assertThat(session.release()).isTrue();
    assertThat(driver.callsOf("nvmlShutdown")).isEqualTo(1);

    assertThat(seen(session.visit(Open::devices))).isEqualTo(4);
    assertThat(driver.callsOf("nvmlInit_v2")).isEqualTo(2);
  }

  @Test
  void isNotReleased_whileShuttingDownHangs() {
    session.visit(Open::devices);
    driver.hang("nvmlShutdown");

    assertThat(session.release()).isFalse();
    assertThat(session.release()).isFalse();

    driver.repair();
    await().until(session::release);
    assertThat(driver.callsOf("nvmlShutdown")).isEqualTo(1);
  }

  @Test
  void keepsItsSession_whenItCannotBeReleased() {
    session.visit(Open::devices);
    driver.hang("nvmlDeviceGetName");
    leaveACallBehind();

    for (int i = 0; i < 5; i++) {
      assertThat(session.release()).isFalse();
      assertThat(seen(session.visit(Open::devices))).isEqualTo(4);
    }
    assertThat(driver.callsOf("nvmlInit_v2")).isEqualTo(1);

    driver.repair();
    await().until(session::release);
    assertThat(driver.callsOf("nvmlShutdown")).isEqualTo(1);
  }

  @Test
  void isNotReleased_whileALostSessionIsStillSubscribedTo() {
    var set = seen(session.visit(DriverSessionTest::listen));
    driver.hang("nvmlEventSetWait_v2");
    var heard = CompletableFuture.runAsync(set::await);
    await().until(() -> driver.callsOf("nvmlEventSetWait_v2") == 1);
    loseTheSession();

    time.advance(PAUSE);
    await().until(() -> session.visit(Open::devices) instanceof Seen);
    assertThat(driver.callsOf("nvmlShutdown")).isZero();
    assertThat(session.release()).isFalse();
    assertThat(session.release()).isFalse();
    assertThat(driver.callsOf("nvmlShutdown")).isEqualTo(1);

    driver.repair();
    assertThat(heard).succeedsWithin(Duration.ofSeconds(10));
    await().until(session::release);
    assertThat(driver.callsOf("nvmlShutdown")).isEqualTo(2);
  }

  @Test
  void opensNoThirdSession_whileTwoCannotBeShutDown() {
    session.visit(Open::devices);
    driver.hang("nvmlDeviceGetName");
    leaveACallBehind();
    for (int i = 0; i < 5; i++) {
      loseTheSession();
      time.advance(PAUSE);
      session.visit(Open::devices);
    }

    assertThat(session.visit(Open::devices))
        .isEqualTo(
            new Closed<>(
                "2 sessions cannot be shut down: a driver call has not returned",
                NvmlReturn.TIMEOUT));
    assertThat(driver.callsOf("nvmlInit_v2")).isEqualTo(2);
    assertThat(driver.callsOf("nvmlShutdown")).isZero();

    driver.repair();
    await().until(() -> session.visit(Open::devices) instanceof Seen);
    assertThat(driver.callsOf("nvmlInit_v2")).isEqualTo(3);
    assertThat(driver.callsOf("nvmlShutdown")).isEqualTo(2);
  }

  private static EventSet listen(Open open) {
    var gpu = ((Value<GpuHandle>) open.nvml().handle(0)).value();
    return ((Value<EventSet>) open.nvml().events(gpu, new GpuUuid("GPU-0"))).value();
  }

  private void loseTheSession() {
    driver.fail("nvmlSystemGetDriverVersion", UNINITIALIZED);
    assertThat(session.visit(open -> open.nvml().driverVersion())).isInstanceOf(Closed.class);
    driver.fail("nvmlSystemGetDriverVersion", 0);
  }

  private void leaveACallBehind() {
    session.visit(
        open -> {
          var gpu = ((Value<GpuHandle>) open.nvml().handle(0)).value();
          return thread.call(() -> open.nvml().name(gpu), Duration.ofMillis(50));
        });
  }

  private static <T> T seen(SessionResult<T> visit) {
    assertThat(visit).isInstanceOf(Seen.class);
    return ((Seen<T>) visit).value();
  }
}
