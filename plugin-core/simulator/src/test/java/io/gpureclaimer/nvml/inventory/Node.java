package io.gpureclaimer.nvml.inventory;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.CallCount;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlException;
import io.gpureclaimer.nvml.inventory.SurveyedGpu.Answered;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A simulated node under survey, with a clock that stands still until it is set. */
public final class Node {
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final AtomicReference<Script> script = new AtomicReference<>(Script.IDLE);
  public final AtomicReference<Instant> clock = new AtomicReference<>(START);
  public final SimulatedDriver driver;
  public final CallCount calls;
  public final Surveyor surveyor;
  private @Nullable Nvml session;

  public Node(String profile, Path root) {
    driver =
        new SimulatedDriver(
            Profile.named(profile).orElseThrow(), "node-a", script::get, clock::get);
    calls = new CallCount(driver);
    surveyor = new Surveyor(new KernelFiles(root), Turns.HERE);
  }

  public void play(GpuScript... gpus) {
    script.set(Script.of(gpus));
  }

  /** Empty while there is no driver. */
  public Optional<Survey> survey() {
    try {
      if (session == null) {
        session = Nvml.open(calls.library());
      }
      return Optional.of(surveyor.survey(session));
    } catch (NvmlException _) {
      session = null;
      return Optional.empty();
    }
  }

  public Inventory inventory() {
    return survey().orElseThrow().inventory();
  }

  /** By the card's own number, which is its index while all are there. */
  public List<GpuUuid> uuids() {
    return inventory().gpus().stream()
        .map(
            gpu ->
                switch (gpu) {
                  case Answered(var facts) -> facts.gpu().uuid();
                  case SurveyedGpu.Unreadable(_, var uuid, _) ->
                      Optional.ofNullable(uuid).orElseThrow();
                })
        .toList();
  }
}
