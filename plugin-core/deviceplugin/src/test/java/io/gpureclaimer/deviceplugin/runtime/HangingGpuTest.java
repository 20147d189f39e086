package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.health.device.HealthChecks;
import io.gpureclaimer.deviceplugin.health.device.HealthFile;
import io.gpureclaimer.deviceplugin.health.device.HealthPolicy;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import io.gpureclaimer.nvml.poll.GpuPoller;
import io.gpureclaimer.nvml.poll.KernelFiles;
import io.gpureclaimer.nvml.session.DriverSession;
import io.gpureclaimer.nvml.session.DriverThread;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.ScriptedXid;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One GPU does not come back from a call, with the threads of the program. */
@Timeout(60)
class HangingGpuTest {
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");

  /** Longer than any caller may wait. */
  private static final Duration DEADLINE = Duration.ofHours(1);

  @TempDir Path folder;
  private final AtomicReference<Script> script = new AtomicReference<>(Script.IDLE);
  private final AtomicLong healthy = new AtomicLong();
  private final AtomicBoolean polling = new AtomicBoolean();
  private final ExecutorService poll = Executors.newSingleThreadExecutor();
  private final ExecutorService own = Executors.newSingleThreadExecutor();
  private final PluginTrigger trigger = new PluginTrigger();
  private final DriverThread thread = new DriverThread();

  @SuppressWarnings("NullAway.Init") // each test begins with it
  private GpuPoller poller;

  private DeviceHealth health;

  @BeforeEach
  void make() {
    health =
        new DeviceHealth(
            new HealthPolicy(HealthChecks.ALL, Duration.ofMinutes(1), false),
            new HealthFile(folder.resolve("health.json"), folder.resolve("boot_id")),
            Clock.systemUTC(),
            trigger::healthChanged);
  }

  @AfterEach
  void end() {
    script.set(Script.IDLE);
    own.shutdown();
    poller.close();
    poll.shutdown();
    thread.close();
  }

  @Test
  void theKubeletLearnsOfAnXidOfAnother_whileThePollWaitsForIt() {
    begin(DEADLINE);
    script.set(Script.of(GpuScript.broken(3, Fault.HANG)));
    poll.execute(
        () -> {
          polling.set(true);
          poller.poll();
          polling.set(false);
        });
    inTime().untilTrue(polling);

    script.set(
        Script.of(
            GpuScript.broken(3, Fault.HANG),
            GpuScript.idle(5).raising(new ScriptedXid(79, Duration.ZERO, OptionalInt.empty()))));

    inTime().until(() -> healthy.get() == 7);
    assertThat(polling).isTrue();
  }

  @Test
  void theKubeletLearnsWhatThePollFindsOfAnother_whileTheLateOneStaysAsItWas() {
    begin(Duration.ofMillis(200));
    script.set(Script.of(GpuScript.broken(3, Fault.HANG), GpuScript.broken(5, Fault.LOST)));
    poll.execute(poller::poll);

    inTime().until(() -> healthy.get() == 7);
    assertThat(thread.hasHungCall()).isTrue();
  }

  private void begin(Duration patience) {
    var lib =
        new SimulatedDriver(
            Profile.named("h100x8").orElseThrow(), "node-a", script::get, Clock.systemUTC());
    var session =
        new DriverSession(
            () -> lib, thread, DEADLINE, Duration.ofSeconds(3), MonotonicClock.SYSTEM);
    poller =
        new GpuPoller(
            session,
            thread,
            new KernelFiles(folder),
            new GpuPoller.Deadlines(patience, DEADLINE, DEADLINE, DEADLINE, DEADLINE),
            Duration.ZERO,
            true,
            List.of(),
            MonotonicClock.SYSTEM,
            Clock.systemUTC());
    poller.watchEvents(List.of(health), Duration.ofSeconds(5));
    poller.subscribe(trigger::polled);
    var plugin =
        new NodePlugin(
            Configuration.begin(
                Map.of(), Map.of(), SettingsSource.none(), true, Clock.systemUTC().instant()),
            health,
            this::reported,
            new Publications(folder.resolve("cdi"), "amd64"),
            new MpsSharing(
                new MpsSupervision(
                    "/nothing", new InMemoryComputeModes(), Clock.systemUTC(), own, () -> {})),
            new StaleAllocations(PodResourcesListing.Unsupported::new, own, own),
            Optional.empty(),
            Optional.empty(),
            Clock.systemUTC());
    trigger.bind(own, plugin);
    own.execute(plugin::tick);
    poll.execute(poller::poll);
    inTime().until(() -> healthy.get() == 8);
  }

  private static ConditionFactory inTime() {
    return await().atMost(Duration.ofSeconds(30));
  }

  private void reported(Map<ResourceName, ResourceDevices> offers) {
    ResourceDevices offered = offers.get(GPU);
    if (offered != null) {
      healthy.set(offered.devices().stream().filter(ListedDevice::healthy).count());
    }
  }
}
