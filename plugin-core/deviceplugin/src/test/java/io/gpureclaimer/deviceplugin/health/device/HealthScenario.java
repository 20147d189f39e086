package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.DriverEvent.DoubleBitError;
import io.gpureclaimer.nvml.DriverEvent.Xid;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuFacts.MigMode;
import io.gpureclaimer.nvml.poll.GpuFacts.RecoveryAction;
import io.gpureclaimer.nvml.poll.GpuStatus;
import io.gpureclaimer.nvml.poll.InventoryUpdate.GpuCounters;
import io.gpureclaimer.nvml.poll.InventoryUpdate.Polled;
import io.gpureclaimer.nvml.poll.MigFacts;
import io.gpureclaimer.nvml.poll.NodeInventory;
import io.gpureclaimer.nvml.poll.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Some GPUs, what they report to a survey, and the health that follows from it. */
final class HealthScenario {
  static final Duration QUIET = Duration.ofSeconds(60);
  static final Duration STEP = Duration.ofSeconds(10);
  static final HealthPolicy POLICY = new HealthPolicy(HealthChecks.ALL, QUIET, false);
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  final AtomicReference<Instant> clock = new AtomicReference<>(START);
  final AtomicInteger changes = new AtomicInteger();
  private final HealthFile file;
  private final HealthPolicy policy;
  DeviceHealth health;

  /** What a GPU is like now. */
  static final class ScenarioGpu {
    boolean present = true;
    boolean readable = true;
    boolean awaited;
    @Nullable RecoveryAction action = RecoveryAction.NONE;
    Map<Integer, String> instances = new HashMap<>();
    @Nullable ComputeCapability capability;
    @Nullable Long millijoules = 1_000L;
  }

  final List<ScenarioGpu> cards = new ArrayList<>();

  HealthScenario(Path folder, int count) {
    this(folder, count, POLICY);
  }

  HealthScenario(Path folder, int count, HealthPolicy policy) {
    this.policy = policy;
    this.file = new HealthFile(folder.resolve("health.json"), folder.resolve("boot_id"));
    for (int i = 0; i < count; i++) {
      cards.add(new ScenarioGpu());
    }
    health = new DeviceHealth(policy, file, clock::get, changes::incrementAndGet);
    listen();
    survey();
  }

  static GpuUuid uuid(int gpu) {
    return new GpuUuid("GPU-" + gpu);
  }

  static Entity whole(int gpu) {
    return Entity.whole(uuid(gpu));
  }

  static Entity part(int gpu, int instance) {
    return Entity.instance(uuid(gpu), instance);
  }

  /** The program ends and starts again; what it remembers is in the file. */
  void restart() {
    health = new DeviceHealth(policy, file, clock::get, changes::incrementAndGet);
    listen();
    survey();
  }

  void listen() {
    for (int i = 0; i < cards.size(); i++) {
      health.begins(uuid(i));
    }
  }

  void xid(int gpu, int code) {
    health.happened(new Xid(uuid(gpu), code, OptionalInt.empty()));
  }

  void xid(int gpu, int code, int instance) {
    health.happened(new Xid(uuid(gpu), code, OptionalInt.of(instance)));
  }

  void doubleBitError(int gpu) {
    health.happened(new DoubleBitError(uuid(gpu)));
  }

  void reset(int gpu) {
    cards.get(gpu).millijoules = 0L;
  }

  void survey() {
    health.polled(brought());
  }

  /** A survey every ten seconds. */
  void pass(Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minus(STEP)) {
      clock.updateAndGet(now -> now.plus(STEP));
      for (ScenarioGpu card : cards) {
        card.millijoules = card.millijoules == null ? null : card.millijoules + 100;
      }
      survey();
    }
  }

  private Polled brought() {
    List<GpuStatus> gpus = new ArrayList<>();
    Map<GpuUuid, GpuCounters> counters = new HashMap<>();
    for (int i = 0; i < cards.size(); i++) {
      ScenarioGpu card = cards.get(i);
      if (card.present && card.readable && card.awaited) {
        gpus.add(new GpuStatus.Late(facts(i, card)));
      } else if (card.present && card.readable) {
        gpus.add(new GpuStatus.Responding(facts(i, card)));
        counters.put(uuid(i), new GpuCounters(card.millijoules, null));
      } else if (card.present) {
        gpus.add(
            new GpuStatus.Unavailable(
                i, uuid(i), null, GpuStatus.GpuFault.REFUSED, "its name cannot be read"));
      }
    }
    return new Polled(new NodeInventory("1.2", null, gpus, Topology.UNKNOWN), List.of(), counters);
  }

  private static GpuFacts facts(int i, ScenarioGpu card) {
    List<MigFacts> instances =
        card.instances.entrySet().stream()
            .map(one -> new MigFacts(one.getValue(), one.getKey(), 0, "1g.10gb", null, null, null))
            .toList();
    return new GpuFacts(
        new Gpu(i, uuid(i), "00000000:1" + i + ":00.0", "GPU"),
        i,
        null,
        null,
        card.capability,
        instances.isEmpty() ? MigMode.OFF : MigMode.ON,
        instances,
        null,
        card.action,
        null);
  }
}
