package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.NvmlContract.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.DriverEvent.MigChanged;
import io.gpureclaimer.nvml.DriverEvent.Xid;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.MigLayout;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.ScriptedXid;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventWatchTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final AtomicReference<Script> script = new AtomicReference<>(Script.IDLE);
  private final AtomicReference<Instant> clock = new AtomicReference<>(START);
  private final SimulatedDriver driver =
      new SimulatedDriver(Profile.named("h100x8").orElseThrow(), "node-a", script::get, clock::get);
  private final Queue<DriverEvent> heard = new ConcurrentLinkedQueue<>();
  private final Queue<GpuUuid> begun = new ConcurrentLinkedQueue<>();
  private final Queue<GpuUuid> ended = new ConcurrentLinkedQueue<>();
  private final Queue<String> refused = new ConcurrentLinkedQueue<>();
  private final Queue<GpuUuid> answered = new ConcurrentLinkedQueue<>();
  private final EventWatch watch =
      new EventWatch(List.of(new RecordingListener()), Duration.ofMillis(5));
  private Nvml nvml = Nvml.open(driver);

  @TempDir private Path folder;

  @AfterEach
  void close() {
    watch.close();
    nvml.close();
  }

  @Test
  void losesNoneOfTenThousandEvents() {
    watch.attend(nvml, 8);
    awaitListeners(8);

    for (int i = 0; i < 10_000; i++) {
      driver.raiseXid(i % 8, 1 + i % 100);
    }

    await().until(() -> heard.size() >= 10_000);
    Map<GpuUuid, Long> byGpu =
        heard.stream().collect(Collectors.groupingBy(DriverEvent::gpu, Collectors.counting()));
    assertThat(byGpu.keySet()).hasSize(8).isEqualTo(Set.copyOf(begun));
    assertThat(byGpu.values()).containsOnly(1_250L);
    assertThat(heard).hasSize(10_000);
  }

  @Test
  void hearsWhatAScriptRaises_whenItsTimeHasCome_andOnce() {
    script.set(
        Script.of(
            GpuScript.idle(3)
                .raising(
                    new ScriptedXid(79, Duration.ofSeconds(30), OptionalInt.empty()),
                    new ScriptedXid(31, Duration.ZERO, OptionalInt.of(7)))));
    watch.attend(nvml, 8);
    await().until(() -> heard.size() == 1);
    clock.set(START.plusSeconds(30));
    await().until(() -> heard.size() == 2);
    watch.attend(nvml, 7);

    assertThat(List.copyOf(heard))
        .isEqualTo(
            List.of(
                new Xid(uuid(3), 31, OptionalInt.of(7)),
                new Xid(uuid(3), 79, OptionalInt.empty())));
  }

  @Test
  void hearsEachXidOnce_whileTheNumberOfGpusChanges() {
    watch.attend(nvml, 7);
    awaitListeners(7);

    for (int i = 0; i < 1_000; i++) {
      driver.raiseXid(i % 7, 79);
      watch.attend(nvml, 7 + i / 100 % 2);
    }

    await().until(() -> heard.size() >= 1_000);
    awaitListeners(8);
    driver.raiseXid(7, 31);
    await().until(() -> heard.contains(new Xid(uuid(7), 31, OptionalInt.empty())));
    assertThat(heard).hasSize(1_001);
    assertThat(begun).hasSize(8);
  }

  @Test
  void hearsEachXidOnce_whenTheNextSessionListensBesideTheLast() {
    watch.attend(nvml, 1);
    awaitListeners(1);
    try (Nvml next = Nvml.open(driver)) {
      watch.attend(next, 1);
      await().until(() -> begun.size() == 2);

      driver.raiseXid(0, 79);
      driver.raiseXid(0, 31);

      await().until(() -> driver.listeners() == 1 && heard.size() >= 2);
      assertThat(heard).extracting(event -> ((Xid) event).code()).containsExactly(79, 31);
    }
  }

  @Test
  void hearsOfAnotherDivision() {
    watch.attend(nvml, 8);
    awaitListeners(8);
    script.set(Script.of(GpuScript.idle(2).with(MigLayout.of(List.of("3g.40gb")))));

    await().until(() -> !heard.isEmpty());
    assertThat(List.copyOf(heard)).isEqualTo(List.of(new MigChanged(uuid(2))));
  }

  @Test
  void aLostGpuLeavesTheOthersSubscribed_andIsHeardAgainWhenItIsBack() {
    script.set(Script.of(GpuScript.broken(0, Fault.LOST)));
    watch.attend(nvml, 8);

    raiseUntilHeard(1);
    script.set(Script.IDLE);
    raiseUntilHeard(0);
  }

  @Test
  void aGpuWhoseRegistrationHangsLeavesTheOthersSubscribed() {
    NvmlStub stub = NvmlStub.build(folder);
    NvmlStub.StubControl control = stub.control();
    control.stub_reset(2);
    control.stub_hang("nvmlDeviceRegisterEvents", 0);
    Nvml real = Nvml.open(stub.lib());
    watch.attend(real, 2);
    await().until(() -> control.stub_hanging() == 1 && control.stub_waiting() == 1);

    control.stub_event(1, 0x8, 79, -1);

    await().until(() -> heard.size() == 1);
    control.stub_release();
    watch.close();
    real.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nvmlDeviceGetHandleByIndex_v2",
        "nvmlDeviceGetUUID",
        "nvmlDeviceGetSupportedEventTypes",
        "nvmlDeviceRegisterEvents"
      })
  void theSessionIsLeftOpen_whileASubscriptionHangs(String function) {
    NvmlStub stub = NvmlStub.build(folder);
    NvmlStub.StubControl control = stub.control();
    control.stub_reset(1);
    Nvml real = Nvml.open(stub.lib());
    GpuHandle gpu = value(real.handle(0));
    GpuUuid uuid = value(real.uuid(gpu));
    control.stub_hang(function, 0);
    watch.attend(real, 1);
    await().until(() -> control.stub_hanging() == 1);

    real.close();

    assertThat(control.stub_calls("nvmlShutdown")).isZero();
    assertThat(real.isOpen()).isTrue();
    assertThatThrownBy(() -> real.events(gpu, uuid)).isInstanceOf(NvmlException.class);
    control.stub_release();
    await()
        .until(
            () -> {
              real.close();
              return !real.isOpen();
            });
    assertThat(control.stub_calls("nvmlShutdown")).isEqualTo(1);
    assertThat(control.stub_sets()).isZero();
    assertThat(begun).isEmpty();
  }

  @Test
  void endsAndBeginsAgain_whenTheDriverFailsToReport() {
    watch.attend(nvml, 1);
    awaitListeners(1);
    assertThat(ended).isEmpty();

    script.set(Script.of(GpuScript.broken(0, Fault.LOST)));

    await().until(() -> !ended.isEmpty());
    assertThat(Set.copyOf(ended)).isEqualTo(Set.copyOf(begun));
    int before = begun.size();
    script.set(Script.IDLE);
    await().until(() -> begun.size() > before);
  }

  @ParameterizedTest
  @CsvSource({
    "nvmlDeviceRegisterEvents, 4, no permission",
    "nvmlDeviceRegisterEvents, 3, not supported",
    "nvmlDeviceGetSupportedEventTypes, 13, not supported",
    "nvmlDeviceGetSupportedEventTypes, 999, unknown error"
  })
  void reportsWhyAGpuIsNotSubscribedTo_andListensOnceTheDriverLetsUs(
      String function, int code, String why) {
    NvmlStub stub = NvmlStub.build(folder);
    NvmlStub.StubControl control = stub.control();
    control.stub_reset(2);
    control.stub_fail(function, 0, code);
    Nvml real = Nvml.open(stub.lib());
    watch.attend(real, 2);

    await().until(() -> refused.size() >= 2);
    assertThat(Set.copyOf(refused)).isEqualTo(Set.of(why));
    assertThat(begun).hasSize(1);
    control.stub_fail(function, 0, 0);
    await().until(() -> answered.size() == 2);
    assertThat(Set.copyOf(answered)).isEqualTo(Set.copyOf(begun));
    watch.close();
    real.close();
  }

  @Test
  void goesOnWithTheNextSession() {
    watch.attend(nvml, 8);
    awaitListeners(8);
    nvml.close();
    nvml = Nvml.open(driver);
    watch.attend(nvml, 8);

    raiseUntilHeard(5);
  }

  @Test
  void hearsNothing_whenClosed() {
    watch.attend(nvml, 8);
    awaitListeners(8);
    watch.close();
    nvml.close();
    heard.clear();

    driver.raiseXid(0, 79);

    assertThat(heard).isEmpty();
  }

  private final class RecordingListener implements EventWatch.Listener {
    @Override
    public void begins(GpuUuid gpu) {
      begun.add(gpu);
    }

    @Override
    public void ends(GpuUuid gpu) {
      ended.add(gpu);
    }

    @Override
    public void happened(DriverEvent event) {
      heard.add(event);
    }

    @Override
    public void isHeard(GpuUuid gpu) {
      answered.add(gpu);
    }

    @Override
    public void refused(GpuUuid gpu, String why) {
      refused.add(why);
    }
  }

  private void awaitListeners(int count) {
    await().until(() -> driver.listeners() == count);
  }

  private void raiseUntilHeard(int gpu) {
    GpuUuid uuid = uuid(gpu);
    await()
        .until(
            () -> {
              driver.raiseXid(gpu, 79);
              return heard.stream().anyMatch(event -> event.gpu().equals(uuid));
            });
  }

  private GpuUuid uuid(int gpu) {
    try (Nvml other = Nvml.open(driver)) {
      return value(other.uuid(value(other.handle(gpu))));
    }
  }
}
