package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.FailingCalls;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.LastKnown;
import io.gpureclaimer.exporter.sample.PassReport.CallError;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.gpureclaimer.exporter.sample.UtilizationSamples;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs changes from one pass to the next. Confined to the sampling job. */
final class TransitionLogger {
  private static final Logger log = LoggerFactory.getLogger(TransitionLogger.class);

  private final RefusedSamples samples = new RefusedSamples();
  private final CallChanges calls = new CallChanges();
  private @Nullable DriverState driver;
  private List<GpuSample> gpus = List.of();

  void log(Snapshot snapshot) {
    if (!snapshot.driver().equals(driver)) {
      driver = snapshot.driver();
      logDriver(driver, snapshot.gpus().size());
    }
    for (GpuSample sample : snapshot.gpus()) {
      var before = gpus.stream().filter(it -> isSameGpu(it, sample)).findFirst().orElse(null);
      if (!sameState(before, sample)) {
        logGpu(before, sample);
      } else if (before != null && before.index() != sample.index()) {
        log.info("GPU {} ({}) is now GPU {}", before.index(), uuid(sample), sample.index());
      }
    }
    if (driver instanceof DriverState.Up) {
      gpus.stream()
          .filter(before -> snapshot.gpus().stream().noneMatch(now -> isSameGpu(before, now)))
          .forEach(TransitionLogger::logRemoved);
    }
    gpus = snapshot.gpus();
    samples.log(snapshot);
    calls.log(FailingCalls.in(snapshot));
  }

  private static void logDriver(DriverState state, int devices) {
    switch (state) {
      case DriverState.Up up ->
          log.info(
              "driver {} is up, with {} GPU{}",
              up.version().orElse("unknown"),
              devices,
              devices == 1 ? "" : "s");
      case DriverState.Down(var reason) -> log.error("the driver is down: {}", reason);
    }
  }

  /** Indexes move up when the driver drops a GPU, so they identify only a GPU of unknown UUID. */
  private static boolean isSameGpu(GpuSample before, GpuSample now) {
    return (before.gpu().isPresent() && now.gpu().isPresent())
        ? uuid(before).equals(uuid(now))
        : before.index() == now.index();
  }

  private static String uuid(GpuSample sample) {
    return sample.gpu().map(gpu -> gpu.uuid().value()).orElse("unknown");
  }

  private static void logRemoved(GpuSample before) {
    log.error(
        "GPU {} ({}) is no longer listed by the driver; its series end",
        before.index(),
        uuid(before));
  }

  private static boolean sameState(@Nullable GpuSample before, GpuSample now) {
    if (before == null || before.getClass() != now.getClass()) {
      return false;
    }
    return switch (now) {
      case GpuSample.Failed failed ->
          failed
              .with(LastKnown.NOTHING)
              .equals(((GpuSample.Failed) before).with(LastKnown.NOTHING));
      case GpuSample.Answered _, GpuSample.Lost _, GpuSample.Hung _ ->
          now.gpu().isPresent() == before.gpu().isPresent();
    };
  }

  private static void logGpu(@Nullable GpuSample before, GpuSample now) {
    String uuid = uuid(now);
    switch (now) {
      case GpuSample.Answered(var gpu, _, _, _, _, _, _, _) ->
          log.info(
              "GPU {} ({}) {}: {}{}",
              now.index(),
              uuid,
              before == null ? "found" : "answers again",
              gpu.modelName(),
              gpu.pciBusId() == null ? "" : " at " + gpu.pciBusId());
      case GpuSample.Lost _ ->
          log.error("GPU {} ({}) is lost: it has fallen off the bus", now.index(), uuid);
      case GpuSample.Hung _ ->
          log.error("GPU {} ({}) hangs: a driver call has not returned", now.index(), uuid);
      case GpuSample.Failed(_, _, var reason, _) ->
          log.warn("GPU {} ({}) does not respond: {}", now.index(), uuid, reason);
    }
  }

  /**
   * Logs once that a call begins to fail, and once that it has succeeded for a while; one line for
   * all GPUs with which it does so in a pass. Confined to the sampling job.
   */
  static final class CallChanges {
    private static final Logger log = LoggerFactory.getLogger(CallChanges.class);

    /** Fewer passes without a failure do not end it, so that a flapping call is not logged. */
    private static final int PASSES = 10;

    /** Passes since the last failure of each call that is failing. */
    private final Map<CallError, Integer> failing = new HashMap<>();

    void log(Set<CallError> now) {
      var begun = now.stream().filter(error -> !failing.containsKey(error)).toList();
      failing.replaceAll((_, passes) -> passes + 1);
      now.forEach(error -> failing.put(error, 0));
      var ended =
          failing.entrySet().stream()
              .filter(it -> it.getValue() >= PASSES)
              .map(Map.Entry::getKey)
              .toList();
      ended.forEach(failing::remove);
      FailingCalls.gpusByCall(begun)
          .forEach(
              (call, gpus) ->
                  log.warn(
                      "driver call {} fails, GPU {}; its readings are missing until it succeeds",
                      call,
                      gpus));
      FailingCalls.gpusByCall(ended)
          .forEach((call, gpus) -> log.info("driver call {} no longer fails, GPU {}", call, gpus));
    }
  }

  /**
   * Logs once that the driver repeatedly fails to report a GPU's samples, without which its holders
   * are not observed; and once that it reports them again. Confined to the sampling job.
   */
  static final class RefusedSamples {
    private static final Logger log = LoggerFactory.getLogger(RefusedSamples.class);

    /** Fewer are a hiccup, through which an observation goes on. */
    private static final int PASSES = 5;

    /** How many passes in a row, by the driver's index. */
    private Map<Integer, Integer> failed = new HashMap<>();

    void log(Snapshot snapshot) {
      var now = new HashMap<Integer, Integer>();
      for (GpuSample sample : snapshot.gpus()) {
        if (sample instanceof Answered gpu) {
          see(gpu, now);
        }
      }
      failed = now;
    }

    private void see(Answered gpu, Map<Integer, Integer> now) {
      int before = failed.getOrDefault(gpu.index(), 0);
      if (gpu.load() instanceof UtilizationSamples.Failed(var reason)) {
        now.put(gpu.index(), Math.min(before + 1, PASSES));
        if (before == PASSES - 1) {
          log.warn(
              "GPU {} ({}): the driver returns no utilization samples: {}; pods "
                  + "whose activity depends on them are not observed",
              gpu.index(),
              gpu.device().uuid(),
              reason);
        }
      } else if (before == PASSES) {
        log.info(
            "GPU {} ({}): the driver returns utilization samples again",
            gpu.index(),
            gpu.device().uuid());
      }
    }
  }
}
