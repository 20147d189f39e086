package io.gpureclaimer.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.device.GpuUuid;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often a driver is called that does nothing but fail; by a time that passes as we like. */
class EventWatchPauseTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir private Path folder;
  private final List<Duration> pauses = new CopyOnWriteArrayList<>();
  private volatile Duration end = HOUR;
  private NvmlStub.StubControl driver;
  private Nvml nvml;
  private EventWatch watch;

  @BeforeEach
  void open() {
    NvmlStub stub = NvmlStub.build(folder);
    driver = stub.control();
    driver.stub_reset(1);
    nvml = Nvml.open(stub.lib());
    watch = new EventWatch(List.of(new FailingEventCalls()), SECOND, this::rest);
  }

  @AfterEach
  void close() {
    watch.close();
    nvml.close();
  }

  @ParameterizedTest
  @CsvSource({
    "nvmlEventSetWait_v2, -1",
    "nvmlEventSetCreate, -1",
    "nvmlDeviceRegisterEvents, 0",
    "nvmlDeviceGetUUID, 0"
  })
  void callsADriverThatFailsAtMostSeventyTimesInAnHour(String function, int gpu) {
    driver.stub_fail(function, gpu, 999);

    watch.attend(nvml, 1);

    await().until(() -> total().compareTo(HOUR) >= 0);
    assertThat(driver.stub_calls(function)).isBetween(40, 70);
    assertThat(pauses.getFirst()).isBetween(SECOND, Duration.ofMillis(1_200));
    assertThat(pauses.getLast()).isLessThanOrEqualTo(Duration.ofSeconds(72));
  }

  @Test
  void waitsItself_whenTheDriverDoesNot() {
    driver.stub_fail("nvmlEventSetWait_v2", NvmlStub.ALL_GPUS, 10);
    end = Duration.ofMinutes(1);

    watch.attend(nvml, 1);

    await().until(() -> total().compareTo(end) >= 0);
    assertThat(driver.stub_calls("nvmlEventSetWait_v2")).isBetween(50, 65);
  }

  private Duration total() {
    return pauses.stream().reduce(Duration.ZERO, Duration::plus);
  }

  /** Returns at once until the end, and then not until the watch is closed. */
  private boolean rest(CountDownLatch over, Duration pause) {
    pauses.add(pause);
    if (total().compareTo(end) < 0) {
      return false;
    }
    try {
      over.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  private static final class FailingEventCalls implements EventWatch.Listener {
    @Override
    public void begins(GpuUuid gpu) {}

    @Override
    public void ends(GpuUuid gpu) {}

    @Override
    public void happened(DriverEvent event) {}
  }
}
