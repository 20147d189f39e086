package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.core.nvml.NvmlLibrary;
import io.gpureclaimer.core.nvml.binding.LibNvml;
import io.gpureclaimer.core.nvml.simulated.Profile;
import io.gpureclaimer.core.nvml.simulated.Script;
import io.gpureclaimer.core.nvml.simulated.ScriptFile;
import io.gpureclaimer.core.nvml.simulated.SimulatedDriver;
import io.gpureclaimer.exporter.activity.Ledger;
import io.gpureclaimer.exporter.attribution.HolderSource;
import io.gpureclaimer.exporter.attribution.Nobody;
import io.gpureclaimer.exporter.attribution.PodsFile;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.DriverSession;
import io.gpureclaimer.exporter.collect.DriverThread;
import io.gpureclaimer.exporter.collect.SamplingPass;
import io.gpureclaimer.exporter.collect.SamplingPass.Deadlines;
import io.gpureclaimer.exporter.config.ActivityConfig;
import io.gpureclaimer.exporter.config.AttributionConfig;
import io.gpureclaimer.exporter.config.DriverConfig;
import io.gpureclaimer.exporter.config.NodeConfig;
import io.gpureclaimer.exporter.config.SamplingConfig;
import io.gpureclaimer.exporter.config.SimulationConfig;
import io.gpureclaimer.exporter.config.Version;
import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.gpureclaimer.exporter.exposition.OwnMetrics;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Makes the rooms from the configuration. */
@Factory
final class Wiring {

  @Singleton
  Clock clock() {
    return Clock.systemUTC();
  }

  @Singleton
  DriverThread driverThread() {
    return new DriverThread();
  }

  @Singleton
  DriverSession driverSession(
      DriverThread thread,
      DriverConfig driver,
      SimulationConfig simulation,
      NodeConfig node,
      Clock clock) {
    return new DriverSession(
        library(driver, simulation, node, clock),
        thread,
        driver.deadline(),
        driver.retryAfter(),
        System::nanoTime);
  }

  @Singleton
  SamplingPass samplingPass(
      List<Collector> collectors, DriverThread thread, SamplingConfig sampling, Clock clock) {
    var deadlines =
        new Deadlines(
            sampling.turnDeadline(),
            sampling.passDeadline(),
            sampling.introduceAfter(),
            sampling.longestServed());
    return new SamplingPass(collectors, thread, deadlines, System::nanoTime, clock);
  }

  @Singleton
  HolderSource holderSource(AttributionConfig attribution) {
    var file = attribution.podsFile();
    return file == null ? new Nobody() : new PodsFile(file);
  }

  @Singleton
  Ledger ledger(ActivityConfig activity, SamplingConfig sampling) {
    return new Ledger(activity.thresholdPercent(), sampling.longestGap());
  }

  @Singleton
  OwnMetrics ownMetrics() {
    return new OwnMetrics(Version.ofThisProgram(), Runtime.version().toString());
  }

  @Singleton
  LatestSnapshot latestSnapshot(OwnMetrics own, SamplingConfig sampling) {
    return new LatestSnapshot(own, sampling.longestServed(), System::nanoTime);
  }

  @Singleton
  Pace pace(SamplingConfig sampling) {
    return new Pace(sampling.interval(), System::nanoTime);
  }

  /** The real driver's library, looked for again at each attempt; or one simulated driver. */
  private static Supplier<LibNvml> library(
      DriverConfig driver, SimulationConfig simulation, NodeConfig node, Clock clock) {
    var name = simulation.profile();
    if (name == null) {
      return () -> NvmlLibrary.load(Optional.ofNullable(driver.library()));
    }
    var profile = Profile.named(name).orElseThrow();
    var file = simulation.script();
    Supplier<Script> script =
        file == null ? () -> Script.IDLE : new ScriptFile(file, profile.gpus());
    var simulated = new SimulatedDriver(profile, node.hostname(), script, clock);
    return () -> simulated;
  }
}
