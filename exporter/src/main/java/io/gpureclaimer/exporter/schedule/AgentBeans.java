package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.common.program.ReadinessCheck;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.kubelet.PodResources;
import io.gpureclaimer.deviceplugin.runtime.Configuration;
import io.gpureclaimer.deviceplugin.runtime.PluginTrigger;
import io.gpureclaimer.exporter.activity.Ledger;
import io.gpureclaimer.exporter.attribution.HolderSource;
import io.gpureclaimer.exporter.attribution.HpcJobFolder;
import io.gpureclaimer.exporter.attribution.HpcJobSource;
import io.gpureclaimer.exporter.attribution.NodePods;
import io.gpureclaimer.exporter.attribution.PodLabelRule;
import io.gpureclaimer.exporter.attribution.PodResourcesCache;
import io.gpureclaimer.exporter.attribution.PodsFile;
import io.gpureclaimer.exporter.attribution.ResourceClaims;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices;
import io.gpureclaimer.exporter.attribution.kubernetes.NodeObjects;
import io.gpureclaimer.exporter.attribution.kubernetes.PodFieldSelection;
import io.gpureclaimer.exporter.attribution.process.ContainerUsageReader;
import io.gpureclaimer.exporter.attribution.process.ProcFolder;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.computed.ClockEventsCollector;
import io.gpureclaimer.exporter.collect.computed.GpuEvents;
import io.gpureclaimer.exporter.collect.computed.HealthCollector;
import io.gpureclaimer.exporter.collect.computed.InforomCollector;
import io.gpureclaimer.exporter.collect.computed.LoadCollector;
import io.gpureclaimer.exporter.collect.computed.PeerCollector;
import io.gpureclaimer.exporter.collect.computed.ProcessCollector;
import io.gpureclaimer.exporter.collect.computed.XidCollector;
import io.gpureclaimer.exporter.collect.pass.SamplingPass;
import io.gpureclaimer.exporter.config.ActivityConfig;
import io.gpureclaimer.exporter.config.AttributionConfig;
import io.gpureclaimer.exporter.config.DevicePluginConfig;
import io.gpureclaimer.exporter.config.DriverConfig;
import io.gpureclaimer.exporter.config.EventsConfig;
import io.gpureclaimer.exporter.config.ExporterWebConfig;
import io.gpureclaimer.exporter.config.KubernetesConfig;
import io.gpureclaimer.exporter.config.LabelsConfig;
import io.gpureclaimer.exporter.config.NodeConfig;
import io.gpureclaimer.exporter.config.SamplingConfig;
import io.gpureclaimer.exporter.config.SimulationConfig;
import io.gpureclaimer.exporter.config.Version;
import io.gpureclaimer.exporter.exposition.EventSubscriptionStatus;
import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.gpureclaimer.exporter.exposition.own.XidMetrics;
import io.gpureclaimer.exporter.exposition.text.HolderStyle;
import io.gpureclaimer.exporter.exposition.text.LabelStyle;
import io.gpureclaimer.exporter.exposition.text.SeriesStyle;
import io.gpureclaimer.exporter.web.Passwords;
import io.gpureclaimer.exporter.web.WebConfigFiles;
import io.gpureclaimer.nvml.EventWatch;
import io.gpureclaimer.nvml.InstalledLibrary;
import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.poll.GpuPoller;
import io.gpureclaimer.nvml.poll.KernelFiles;
import io.gpureclaimer.nvml.session.DriverSession;
import io.gpureclaimer.nvml.session.DriverThread;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.ScriptFile;
import io.gpureclaimer.simulator.SimulatedDriver;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Beans of the agent. */
@Factory
final class AgentBeans {
  private static final Logger log = LoggerFactory.getLogger(AgentBeans.class);
  private static final Path ROOT = Path.of("/");

  /** Where no device plugin says otherwise. */
  private static final Duration REFRESH_AFTER = Duration.ofSeconds(10);

  @Singleton
  Clock clock() {
    return Clock.systemUTC();
  }

  @Singleton
  MonotonicClock monotonicClock() {
    return MonotonicClock.SYSTEM;
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
      Optional<Configuration> plugin,
      Clock clock,
      MonotonicClock monotonic) {
    return new DriverSession(
        library(driver, simulation, node, plugin, clock),
        thread,
        driver.deadline(),
        driver.retryAfter(),
        monotonic);
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
  EventSubscriptionStatus hearing(GpuEvents events) {
    return events::whyUnheard;
  }

  /** The only part of the program that enumerates GPUs. */
  @Singleton
  @Bean(preDestroy = "close")
  GpuPoller gpuPoller(
      DriverSession session,
      DriverThread thread,
      DriverConfig driver,
      SamplingConfig sampling,
      DevicePluginConfig plugin,
      GpuEvents events,
      Optional<DeviceHealth> health,
      Optional<PluginTrigger> trigger,
      Clock clock,
      MonotonicClock monotonic) {
    var refreshAfter = plugin.enabled() ? plugin.surveyAfter() : REFRESH_AFTER;
    var deadlines =
        new GpuPoller.Deadlines(
            sampling.turnDeadline(),
            sampling.passDeadline(),
            plugin.enabled()
                ? shorter(sampling.introduceAfter(), refreshAfter)
                : sampling.introduceAfter(),
            sampling.longestServed(),
            driver.deadline());
    var poller =
        new GpuPoller(
            session,
            thread,
            new KernelFiles(ROOT),
            deadlines,
            refreshAfter,
            plugin.enabled(),
            health.map(DeviceHealth::order).orElse(List.of()),
            monotonic,
            clock);
    var listeners = new ArrayList<EventWatch.Listener>(List.of(events));
    health.ifPresent(listeners::add);
    poller.watchEvents(listeners, driver.retryAfter());
    trigger.ifPresent(it -> poller.subscribe(it::polled));
    return poller;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
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
  HealthCollector healthCollector(GpuEvents events, MonotonicClock monotonic) {
    return new HealthCollector(events, monotonic);
  }

  @Singleton
  PeerCollector peerCollector(MonotonicClock monotonic) {
    return new PeerCollector(monotonic);
  }

  @Singleton
  InforomCollector inforomCollector(MonotonicClock monotonic) {
    return new InforomCollector(
        monotonic, task -> Thread.ofPlatform().daemon().name("inforom").start(task));
  }

  @Singleton
  LoadCollector loadCollector(MonotonicClock monotonic) {
    return new LoadCollector(monotonic);
  }

  @Singleton
  @Requires(bean = PodResources.class)
  ProcessCollector processCollector(MonotonicClock monotonic) {
    return new ProcessCollector(monotonic);
  }

  @Singleton
  @Requires(bean = PodResources.class)
  ContainerUsageReader containerUses(AttributionConfig attribution) {
    return new ContainerUsageReader(new ProcFolder(attribution.procFolder()));
  }

  @Singleton
  SamplingPass samplingPass(
      List<Collector> collectors, GpuPoller poller, MonotonicClock monotonic) {
    return new SamplingPass(collectors, poller, monotonic);
  }

  @Singleton
  @Requires(property = "attribution.kubelet", value = "true")
  @Bean(preDestroy = "close")
  PodResources podResources(AttributionConfig attribution) {
    return new PodResources(
        attribution.kubeletSocket(),
        attribution.deadline(),
        attribution::counts,
        driver -> attribution.dra() && driver.equals(ResourceSliceDevices.DRIVER));
  }

  @Singleton
  @Requires(bean = PodResources.class)
  @Bean(typed = PodResourcesCache.class)
  PodResourcesCache podResourcesCache(
      PodResources kubelet,
      Optional<NodeObjects> objects,
      AttributionConfig attribution,
      MonotonicClock monotonic) {
    return new PodResourcesCache(
        kubelet::list,
        objects.map(NodeObjects::pods).orElseGet(NodePods::none),
        objects.map(NodeObjects::devices).orElseGet(ResourceSliceDevices::none),
        objects.map(NodeObjects::claims).orElseGet(ResourceClaims::none),
        attribution.staleAfter(),
        monotonic);
  }

  @Singleton
  @Requires(bean = PodResources.class)
  @Requires(condition = ApiServerCondition.class)
  @Bean(preDestroy = "close")
  NodeObjects nodeObjects(
      KubernetesConfig kubernetes,
      AttributionConfig attribution,
      NodeConfig node,
      MonotonicClock monotonic) {
    var labels =
        attribution.podLabels()
            ? Optional.of(
                new PodLabelRule(attribution.allowedPodLabels(), attribution.podLabelLimit()))
            : Optional.<PodLabelRule>empty();
    var pods =
        attribution.asksForPods()
            ? Optional.of(new PodFieldSelection(labels, true))
            : Optional.<PodFieldSelection>empty();
    return NodeObjects.watch(
        kubernetes.connection(),
        new NodeObjects.WatchOptions(pods, attribution.dra()),
        node.hostname(),
        kubernetes.staleAfter(),
        monotonic);
  }

  @Singleton
  @Requires(property = "attribution.hpc-job-mapping-dir")
  @Bean(typed = HpcJobFolder.class)
  HpcJobFolder jobFolder(AttributionConfig attribution) {
    return new HpcJobFolder(Objects.requireNonNull(attribution.hpcJobMappingDir()));
  }

  @Singleton
  HpcJobSource jobSource(Optional<HpcJobFolder> folder) {
    return folder.isPresent() ? folder.get() : HpcJobSource.none();
  }

  @Singleton
  @Requires(property = "attribution.pods-file")
  @Bean(typed = PodsFile.class)
  PodsFile podsFile(AttributionConfig attribution) {
    return new PodsFile(Objects.requireNonNull(attribution.podsFile()));
  }

  @Singleton
  HolderSource holderSource(Optional<PodsFile> file, Optional<PodResourcesCache> kubelet) {
    if (file.isPresent()) {
      return file.get();
    }
    return kubelet.isPresent() ? kubelet.get() : HolderSource.none();
  }

  @Singleton
  Ledger ledger(ActivityConfig activity, SamplingConfig sampling) {
    sampling
        .whyNoLedger()
        .ifPresent(why -> log.warn("ledger disabled, no gpu_pod_* series: {}", why));
    return new Ledger(activity.asSigns(), sampling.longestGap());
  }

  /** A broken file stops the start, so it is read before anything listens. */
  @Context
  @Requires(property = "web.config-file")
  WebConfigFiles webFiles(ExporterWebConfig web) {
    return WebConfigFiles.open(Objects.requireNonNull(web.configFile()));
  }

  @Singleton
  @Requires(bean = WebConfigFiles.class)
  Passwords passwords(WebConfigFiles files) {
    return new Passwords(files::users);
  }

  @Singleton
  OwnMetrics ownMetrics(XidLog xids, Clock clock) {
    return new OwnMetrics(
        Version.ofThisProgram(), Runtime.version().toString(), new XidMetrics(xids, clock));
  }

  @Singleton
  LatestSnapshot latestSnapshot(
      OwnMetrics own,
      SamplingConfig sampling,
      AttributionConfig attribution,
      LabelsConfig labels,
      MonotonicClock monotonic) {
    var style =
        new SeriesStyle(
            new LabelStyle(
                labels.oldNamespace(), labels.hostnameLabel(), labels.replaceBlanksInModelName()),
            new HolderStyle(attribution.virtualGpus(), attribution.podUids()));
    return new LatestSnapshot(own, sampling.longestServed(), style, monotonic);
  }

  @Singleton
  @Requires(property = "roles.exporter", value = "true")
  ReadinessCheck samplingReady(LatestSnapshot latest) {
    return latest::readiness;
  }

  @Singleton
  TickLimiter pace(SamplingConfig sampling, MonotonicClock monotonic) {
    return new TickLimiter(sampling.interval(), monotonic);
  }

  /** The real driver's library, looked for again at each attempt; or one simulated driver. */
  private static Supplier<LibNvml> library(
      DriverConfig driver,
      SimulationConfig simulation,
      NodeConfig node,
      Optional<Configuration> plugin,
      Clock clock) {
    var name = simulation.profile();
    if (name == null) {
      var root = plugin.map(it -> it.driver().rootInContainer());
      return InstalledLibrary.of(Optional.ofNullable(driver.library()), root);
    }
    var profile = Profile.named(name).orElseThrow();
    var file = simulation.script();
    Supplier<Script> script =
        file == null ? () -> Script.IDLE : new ScriptFile(file, profile.gpus());
    var simulated = new SimulatedDriver(profile, node.hostname(), script, clock);
    return () -> simulated;
  }
}
