package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.activity.Ledger;
import io.gpureclaimer.exporter.attribution.Attribution;
import io.gpureclaimer.exporter.attribution.DeviceLookup;
import io.gpureclaimer.exporter.attribution.HolderSource;
import io.gpureclaimer.exporter.attribution.HpcJobSource;
import io.gpureclaimer.exporter.attribution.process.ContainerUsageReader;
import io.gpureclaimer.exporter.collect.pass.SamplingPass;
import io.gpureclaimer.exporter.config.NodeConfig;
import io.gpureclaimer.exporter.config.SamplingConfig;
import io.gpureclaimer.exporter.counters.CurrentCounters;
import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.gpureclaimer.exporter.sample.ContainerUsage;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.gpureclaimer.nvml.poll.NodeInventory;
import io.gpureclaimer.nvml.session.DriverSession;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.annotation.PreDestroy;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Runs a sampling pass at a fixed rate and publishes what it saw. Holds no logic of its own. */
@Context
@Order(10)
@Requires(property = "roles.exporter", value = "true")
class SamplingJob {
  private final DriverSession driver;
  private final SamplingPass pass;
  private final HolderSource holders;
  private final HpcJobSource jobs;
  private final Optional<ContainerUsageReader> uses;
  private final Ledger ledger;
  private final CurrentCounters counters;
  private final SelectionCheck selection;
  private final LatestSnapshot latest;
  private final TickLimiter pace;
  private final boolean keepsLedger;
  private final String hostname;
  private final Clock clock;
  private final TransitionLogger transitions = new TransitionLogger();

  /** The container stops us from a thread of its own; a pass that hangs does not hold it up. */
  private final ReentrantLock running = new ReentrantLock();

  private NodeInventory inventory = NodeInventory.EMPTY;
  private DeviceLookup devices = DeviceLookup.EMPTY;
  private boolean stopped;

  SamplingJob(
      DriverSession driver,
      SamplingPass pass,
      HolderSource holders,
      HpcJobSource jobs,
      Optional<ContainerUsageReader> uses,
      Ledger ledger,
      CurrentCounters counters,
      SelectionCheck selection,
      LatestSnapshot latest,
      TickLimiter pace,
      SamplingConfig sampling,
      NodeConfig node,
      Clock clock) {
    this.driver = driver;
    this.pass = pass;
    this.holders = holders;
    this.jobs = jobs;
    this.uses = uses;
    this.ledger = ledger;
    this.counters = counters;
    this.selection = selection;
    this.latest = latest;
    this.pace = pace;
    this.keepsLedger = sampling.whyNoLedger().isEmpty();
    this.hostname = node.hostname();
    this.clock = clock;
  }

  /** A broken pass publishes nothing, so the old snapshot ages until it counts as stale. */
  @Scheduled(fixedRate = "${sampling.interval}")
  void tick() {
    running.lock();
    try {
      if (!stopped && pace.isDue()) {
        var inForce = counters.get();
        var at = clock.instant();
        var sweep = pass.run(inForce.wanted());
        updateDevices(sweep.inventory());
        var who = holders.now(devices);
        var seen =
            new Snapshot(at, hostname, sweep.driver(), sweep.gpus(), Map.of(), sweep.report());
        var snapshot =
            seen.withHoldings(who.holdings())
                .withUnplaced(who.unplaced())
                .withJobs(jobs.now(devices))
                .withUses(usesOf(seen, who));
        transitions.log(snapshot);
        var unmatched = selection.see(snapshot, inForce.set());
        latest.publish(
            snapshot,
            selection.shown(snapshot),
            inForce.set(),
            unmatched,
            observe(snapshot),
            who.source());
      }
    } finally {
      running.unlock();
    }
  }

  /** Closes the session with the driver, unless a pass is stuck in it. */
  @PreDestroy
  void stop() throws InterruptedException {
    if (running.tryLock(1, TimeUnit.SECONDS)) {
      try {
        stopped = true;
        driver.close();
      } finally {
        running.unlock();
      }
    }
  }

  private ContainerUsage usesOf(Snapshot seen, Attribution who) {
    return uses.isPresent()
        ? uses.get().of(seen.processes(), who.holdings(), who.pods())
        : new ContainerUsage.NotEnabled();
  }

  private List<DeviceObservation> observe(Snapshot snapshot) {
    return keepsLedger ? ledger.observe(snapshot) : List.of();
  }

  private void updateDevices(NodeInventory now) {
    if (!now.equals(inventory)) {
      inventory = now;
      devices = DeviceLookup.of(now);
    }
  }
}
