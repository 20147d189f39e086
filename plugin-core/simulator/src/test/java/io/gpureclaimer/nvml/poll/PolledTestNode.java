package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.nvml.CallCount;
import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.poll.GpuPoller.Deadlines;
import io.gpureclaimer.nvml.session.DriverSession;
import io.gpureclaimer.nvml.session.DriverThread;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A polled simulated node, with a clock that stands still until it is set. */
public final class PolledTestNode {
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration LONG = Duration.ofMinutes(1);

  private final AtomicReference<Script> script = new AtomicReference<>(Script.IDLE);
  private final AtomicReference<InventoryUpdate> update =
      new AtomicReference<>(new InventoryUpdate.DriverDown("not polled yet"));
  public final AtomicReference<Instant> clock = new AtomicReference<>(START);
  public final SimulatedDriver driver;
  public final CallCount calls;
  public final GpuPoller poller;

  public PolledTestNode(String profile, Path root) {
    driver =
        new SimulatedDriver(
            Profile.named(profile).orElseThrow(), "node-a", script::get, clock::get);
    calls = new CallCount(driver);
    var thread = new DriverThread();
    poller = poller(session(calls.library(), thread), thread, root, List.of());
    poller.subscribe(update::set);
  }

  static DriverSession session(LibNvml library, DriverThread thread) {
    return new DriverSession(() -> library, thread, LONG, Duration.ZERO, MonotonicClock.SYSTEM);
  }

  /** A poller that reads all facts in every poll. */
  static GpuPoller poller(
      DriverSession session, DriverThread thread, Path root, List<Optional<GpuUuid>> order) {
    return new GpuPoller(
        session,
        thread,
        new KernelFiles(root),
        new Deadlines(LONG, LONG, Duration.ZERO, LONG, LONG),
        Duration.ZERO,
        true,
        order,
        MonotonicClock.SYSTEM,
        Clock.systemUTC());
  }

  public void play(GpuScript... gpus) {
    script.set(Script.of(gpus));
  }

  /** Polls, and returns what the subscribers receive. */
  public InventoryUpdate poll() {
    poller.poll();
    return update.get();
  }

  public InventoryUpdate.Polled polled() {
    return (InventoryUpdate.Polled) poll();
  }

  public NodeInventory inventory() {
    return polled().inventory();
  }

  /** By the card's own number, which is its index while all are there. */
  public List<GpuUuid> uuids() {
    return inventory().gpus().stream()
        .map(gpu -> Optional.ofNullable(gpu.uuid()).orElseThrow())
        .toList();
  }
}
