package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.core.health.XidLog;
import io.gpureclaimer.core.kubelet.PodResources;
import io.gpureclaimer.core.nvml.EventWatch;
import io.gpureclaimer.core.nvml.NvmlLibrary;
import io.gpureclaimer.core.nvml.binding.LibNvml;
import io.gpureclaimer.core.nvml.simulated.Profile;
import io.gpureclaimer.core.nvml.simulated.Script;
import io.gpureclaimer.core.nvml.simulated.ScriptFile;
import io.gpureclaimer.core.nvml.simulated.SimulatedDriver;
import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.core.vocabulary.ResourceNames;
import io.gpureclaimer.exporter.activity.Ledger;
import io.gpureclaimer.exporter.attribution.HolderSource;
import io.gpureclaimer.exporter.attribution.KubeletHolders;
import io.gpureclaimer.exporter.attribution.Nobody;
import io.gpureclaimer.exporter.attribution.PodUids;
import io.gpureclaimer.exporter.attribution.PodsFile;
import io.gpureclaimer.exporter.attribution.kubernetes.NodePods;
import io.gpureclaimer.exporter.collect.ClockEventsCollector;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.DriverSession;
import io.gpureclaimer.exporter.collect.DriverThread;
import io.gpureclaimer.exporter.collect.GpuEvents;
import io.gpureclaimer.exporter.collect.HealthCollector;
import io.gpureclaimer.exporter.collect.PeerCollector;
import io.gpureclaimer.exporter.collect.SamplingPass;
import io.gpureclaimer.exporter.collect.SamplingPass.Deadlines;
import io.gpureclaimer.exporter.collect.XidCollector;
import io.gpureclaimer.exporter.config.ActivityConfig;
import io.gpureclaimer.exporter.config.AttributionConfig;
import io.gpureclaimer.exporter.config.DriverConfig;
import io.gpureclaimer.exporter.config.EventsConfig;
import io.gpureclaimer.exporter.config.KubernetesConfig;
import io.gpureclaimer.exporter.config.NodeConfig;
import io.gpureclaimer.exporter.config.SamplingConfig;
import io.gpureclaimer.exporter.config.SimulationConfig;
import io.gpureclaimer.exporter.config.Version;
import io.gpureclaimer.exporter.config.WebConfig;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import io.gpureclaimer.exporter.counters.CurrentCounters;
import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.gpureclaimer.exporter.exposition.OwnMetrics;
import io.gpureclaimer.exporter.exposition.XidMetrics;
import io.gpureclaimer.exporter.http.DriverRelease;
import io.gpureclaimer.exporter.web.Passwords;
import io.gpureclaimer.exporter.web.WebFiles;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the rooms from the configuration. */
@Factory
final class Wiring {
  private static final Logger log = LoggerFactory.getLogger(Wiring.class);

  @Singleton
  Clock clock() {
    return Clock.systemUTC();
  }

  @Singleton
  DriverThread driverThread() {
    return new DriverThread();
  }

  @Singleton
  DriverRelease driverRelease() {
    return new DriverRelease(System::nanoTime);
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
  XidLog xidLog(EventsConfig events) {
    return new XidLog(events.xidWindow());
  }

  @Singleton
  GpuEvents gpuEvents(XidLog xids, Clock clock) {
    return new GpuEvents(xids, clock);
  }

  @Singleton
  @Bean(preDestroy = "close")
  EventWatch eventWatch(GpuEvents events, DriverConfig driver) {
    return new EventWatch(events, driver.retryAfter());
  }

  @Singleton
  XidCollector xidCollector(GpuEvents events, EventsConfig config) {
    return new XidCollector(events, config.xidWindow());
  }

  @Singleton
  ClockEventsCollector clockEventsCollector(EventsConfig config, Clock clock) {
    return new ClockEventsCollector(config.clockWindow(), clock);
  }

  @Singleton
  HealthCollector healthCollector(GpuEvents events) {
    return new HealthCollector(events, System::nanoTime);
  }

  @Singleton
  PeerCollector peerCollector() {
    return new PeerCollector(System::nanoTime);
  }

  @Singleton
  SamplingPass samplingPass(
      List<Collector> collectors,
      GpuEvents events,
      DriverThread thread,
      SamplingConfig sampling,
      Clock clock) {
    var deadlines =
        new Deadlines(
            sampling.turnDeadline(),
            sampling.passDeadline(),
            sampling.introduceAfter(),
            sampling.longestServed());
    return new SamplingPass(
        collectors, events::takeDivision, thread, deadlines, System::nanoTime, clock);
  }

  @Singleton
  @Requires(property = "attribution.kubelet", value = "true")
  @Bean(preDestroy = "close")
  PodResources podResources(AttributionConfig attribution) {
    return new PodResources(
        attribution.kubeletSocket(),
        attribution.deadline(),
        resource -> resource.startsWith(ResourceNames.PREFIX));
  }

  @Singleton
  @Requires(bean = PodResources.class)
  @Bean(typed = KubeletHolders.class)
  KubeletHolders kubeletHolders(
      PodResources kubelet, Optional<NodePods> pods, AttributionConfig attribution) {
    return new KubeletHolders(
        kubelet::list,
        pods.map(NodePods::uids).orElseGet(PodUids::none),
        attribution.staleAfter(),
        System::nanoTime);
  }

  @Singleton
  @Requires(bean = PodResources.class)
  @Requires(property = "attribution.pod-uids", value = "true")
  @Bean(preDestroy = "close")
  NodePods nodePods(KubernetesConfig kubernetes, NodeConfig node) {
    return NodePods.watch(
        kubernetes.connection(), node.hostname(), kubernetes.staleAfter(), System::nanoTime);
  }

  @Singleton
  HolderSource holderSource(AttributionConfig attribution, Optional<KubeletHolders> kubelet) {
    var file = attribution.podsFile();
    if (file != null) {
      return new PodsFile(file);
    }
    return kubelet.isPresent() ? kubelet.get() : new Nobody();
  }

  @Singleton
  Ledger ledger(ActivityConfig activity, SamplingConfig sampling) {
    if (!sampling.isCloseEnoughForLedger()) {
      log.warn(
          "sampling.interval is {} ms: no gpu_pod_* series are offered at more than 2 s, because"
              + " utilization covers the last second only and most of the time would be unseen",
          sampling.interval().toMillis());
    }
    return new Ledger(activity.asSigns(), sampling.longestGap());
  }

  @Singleton
  CurrentCounters counters(ActivityConfig activity) {
    return new CurrentCounters(ClassicCounters.set(), alwaysAsked(activity));
  }

  /** A broken file stops the start, so it is read before anything listens. */
  @Context
  @Requires(property = "web.config-file")
  WebFiles webFiles(WebConfig web) {
    return WebFiles.open(Objects.requireNonNull(web.configFile()));
  }

  @Singleton
  @Requires(bean = WebFiles.class)
  Passwords passwords(WebFiles files) {
    return new Passwords(files::users);
  }

  @Singleton
  OwnMetrics ownMetrics(XidLog xids, Clock clock) {
    return new OwnMetrics(
        Version.ofThisProgram(), Runtime.version().toString(), new XidMetrics(xids, clock));
  }

  @Singleton
  LatestSnapshot latestSnapshot(OwnMetrics own, SamplingConfig sampling) {
    return new LatestSnapshot(own, sampling.longestServed(), System::nanoTime);
  }

  @Singleton
  Pace pace(SamplingConfig sampling) {
    return new Pace(sampling.interval(), System::nanoTime);
  }

  /** What the ledger needs. */
  private static Set<DcgmField> alwaysAsked(ActivityConfig activity) {
    var fields = new HashSet<>(activity.asSigns().fields());
    fields.add(DcgmField.DEV_FB_USED);
    return fields;
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
