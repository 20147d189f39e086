package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.common.program.ReadinessCheck;
import io.gpureclaimer.common.retry.Backoff;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.health.device.HealthChecks;
import io.gpureclaimer.deviceplugin.health.device.HealthFile;
import io.gpureclaimer.deviceplugin.health.device.HealthPolicy;
import io.gpureclaimer.deviceplugin.kubelet.KubeletTimeouts;
import io.gpureclaimer.deviceplugin.kubelet.PluginHost;
import io.gpureclaimer.deviceplugin.kubelet.PodResources;
import io.gpureclaimer.deviceplugin.labels.FeatureFile;
import io.gpureclaimer.deviceplugin.labels.MachineSurvey;
import io.gpureclaimer.deviceplugin.labels.NodeLabels;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigFolder;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigWatch;
import io.gpureclaimer.deviceplugin.nodeevents.EventPost;
import io.gpureclaimer.deviceplugin.publication.Publication;
import io.gpureclaimer.deviceplugin.publication.PublicationSink;
import io.gpureclaimer.deviceplugin.runtime.Configuration;
import io.gpureclaimer.deviceplugin.runtime.DriverComputeModes;
import io.gpureclaimer.deviceplugin.runtime.GpuExposure;
import io.gpureclaimer.deviceplugin.runtime.NodeCheck;
import io.gpureclaimer.deviceplugin.runtime.NodeEventReporter;
import io.gpureclaimer.deviceplugin.runtime.NodeLabeling;
import io.gpureclaimer.deviceplugin.runtime.NodePlugin;
import io.gpureclaimer.deviceplugin.runtime.PluginReadiness;
import io.gpureclaimer.deviceplugin.runtime.PluginStatus;
import io.gpureclaimer.deviceplugin.runtime.PluginTrigger;
import io.gpureclaimer.deviceplugin.runtime.RefreshingCache;
import io.gpureclaimer.deviceplugin.runtime.SettingsSource;
import io.gpureclaimer.deviceplugin.runtime.SettingsSource.FolderByLabel;
import io.gpureclaimer.deviceplugin.runtime.kubernetes.OwnNode;
import io.gpureclaimer.doctor.NvmlDriver;
import io.gpureclaimer.exporter.config.AttributionConfig;
import io.gpureclaimer.exporter.config.DevicePluginConfig;
import io.gpureclaimer.exporter.config.DriverConfig;
import io.gpureclaimer.exporter.config.KubernetesConfig;
import io.gpureclaimer.exporter.config.NodeConfig;
import io.gpureclaimer.exporter.exposition.LivenessCheck;
import io.gpureclaimer.nvml.poll.GpuPoller;
import io.gpureclaimer.nvml.session.DriverSession;
import io.gpureclaimer.nvml.session.DriverThread;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Beans of the device plugin, if the agent has that role. */
@Factory
@Requires(property = "device-plugin.enabled", value = "true")
final class DevicePluginBeans {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path ROOT = Path.of("/");
  private static final Duration LABELS_RECHECK = Duration.ofMinutes(10);

  /** Of the Node's condition, as node-problem-detector writes its own. */
  private static final Duration HEARTBEAT = Duration.ofMinutes(5);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  @Singleton
  PluginTrigger pluginTrigger() {
    return new PluginTrigger();
  }

  @Singleton
  DeviceHealth deviceHealth(DevicePluginConfig config, PluginTrigger trigger, Clock clock) {
    var checks =
        HealthChecks.of(
            System.getenv("DP_DISABLE_HEALTHCHECKS"), System.getenv("DP_ENABLE_HEALTHCHECKS"));
    return new DeviceHealth(
        new HealthPolicy(checks, config.quietTime(), config.quietIsEnough()),
        new HealthFile(config.healthFile(), BOOT_ID),
        clock,
        trigger::healthChanged);
  }

  @Singleton
  @Bean(preDestroy = "close")
  @Requires(condition = NeedsOwnNode.class)
  OwnNode ownNode(NodeConfig node, KubernetesConfig kubernetes) {
    return OwnNode.of(node.hostname(), kubernetes.connection());
  }

  /** In the context from the start: settings that cannot be honored stop it. */
  @Context
  Configuration configuration(DevicePluginConfig config, Optional<OwnNode> node, Clock clock) {
    return Configuration.begin(
        Objects.requireNonNull(config.options()),
        System.getenv(),
        source(config, node),
        config.configFolder() == null,
        clock.instant());
  }

  private static SettingsSource source(DevicePluginConfig config, Optional<OwnNode> node) {
    Path file = config.configFile();
    Path folder = config.configFolder();
    if (folder != null) {
      return new FolderByLabel(
          new ConfigWatch(
              node.orElseThrow().label(config.nodeLabel()),
              new ConfigFolder(folder),
              config.choice()));
    }
    return file == null ? SettingsSource.none() : SettingsSource.file(file);
  }

  @Singleton
  PluginHost pluginHost(
      Configuration configuration,
      AttributionConfig attribution,
      Clock clock,
      MonotonicClock monotonic) {
    var believed = podResources(attribution);
    return new PluginHost(
        configuration.kubeletSocket(),
        KubeletTimeouts.USUAL,
        believed::allocatable,
        clock,
        monotonic,
        RandomGenerator.getDefault());
  }

  /** Each for one thread. */
  private static PodResources podResources(AttributionConfig attribution) {
    return new PodResources(
        attribution.kubeletSocket(), attribution.deadline(), _ -> true, _ -> false);
  }

  @Singleton
  @Requires(property = "device-plugin.labels", notEquals = "none")
  NodeLabeling labeling(
      DevicePluginConfig config, Configuration configuration, Optional<OwnNode> node, Clock clock) {
    return new NodeLabeling(
        new Publication<>("labels", sink(config, configuration, node), LABELS_RECHECK, retries()),
        new MachineSurvey(ROOT),
        clock.instant(),
        Executors.newSingleThreadExecutor(
            task -> Thread.ofPlatform().daemon().name("labels").unstarted(task)));
  }

  /** The API server's client is not loaded for this alone: without it, no Event is created. */
  @Singleton
  @Requires(bean = OwnNode.class)
  NodeEventReporter announcer(
      DevicePluginConfig config,
      AttributionConfig attribution,
      DeviceHealth health,
      OwnNode node,
      Clock clock) {
    var channels =
        new NodeEventReporter.Channels(
            when(config.nodeEvents(), () -> new EventPost(node.events(), retries())),
            when(
                config.nodeCondition(),
                () -> new EventPost(node.holders(podResources(attribution)::list), retries())),
            when(
                config.nodeCondition(),
                () ->
                    new Publication<>(
                        "node condition",
                        node.health(config.nodeTaint(), clock),
                        HEARTBEAT,
                        retries())));
    return new NodeEventReporter(health, channels, threadThatGoesAway("node-events"));
  }

  private static <T> Optional<T> when(boolean wanted, Supplier<T> made) {
    return wanted ? Optional.of(made.get()) : Optional.empty();
  }

  private static Backoff retries() {
    return new Backoff(FIRST_PAUSE, LONGEST_PAUSE, () -> ThreadLocalRandom.current().nextDouble());
  }

  /** For what happens seldom. */
  private static Executor threadThatGoesAway(String name) {
    var pool =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> Thread.ofPlatform().daemon().name(name).unstarted(task));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static PublicationSink<NodeLabels> sink(
      DevicePluginConfig config, Configuration configuration, Optional<OwnNode> node) {
    return switch (config.labels()) {
      case "node" -> node.orElseThrow().labels(config.takeOverLabels());
      case "node-feature" ->
          node.orElseThrow()
              .feature(Objects.requireNonNull(config.labelNamespace()), config.takeOverLabels());
      default -> new FeatureFile(configuration.featureFile());
    };
  }

  @Singleton
  ReadinessCheck pluginReady(NodePlugin plugin, PluginHost host) {
    return new PluginReadiness(plugin::view, host::state);
  }

  @Singleton
  LivenessCheck pluginLives(NodePlugin plugin) {
    return () -> plugin.view().beyondHelp().map(why -> "device plugin: " + why);
  }

  /** With simulated GPUs there is no node that would fit them. */
  @Singleton
  @Requires(missingProperty = "simulation.profile")
  NodeCheck nodeCheck(Configuration configuration, GpuPoller poller, Clock clock) {
    return NodeCheck.of(configuration.driver(), () -> NvmlDriver.ask(poller), clock);
  }

  /** In the context from the start: a node that is not to be served stops it. */
  @Context
  @Requires(missingProperty = "simulation.profile")
  GpuExposure exposure(Configuration configuration, DevicePluginConfig config) {
    return GpuExposure.of(NodeCheck.files(configuration.driver()), config.refuseExposure());
  }

  @Singleton
  PluginStatus.StatusSource pluginStatus(
      NodePlugin plugin,
      PluginHost host,
      DeviceHealth health,
      Optional<NodeCheck> check,
      AttributionConfig attribution,
      Clock clock) {
    var kubelet = podResources(attribution);
    var held = RefreshingCache.of("held-devices", kubelet::list, attribution.refreshAfter(), clock);
    return () -> {
      var view = plugin.view();
      return new PluginStatus(
          view,
          host.state(),
          PluginStatus.conditions(view, health::condition),
          check.flatMap(NodeCheck::last),
          held.last().map(RefreshingCache.CachedValue::value),
          check.isEmpty(),
          clock.instant());
    };
  }

  @Singleton
  NodePlugin nodePlugin(
      @Named("device-plugin") ExecutorService own,
      DevicePluginConfig config,
      Configuration configuration,
      DriverSession driver,
      DriverThread thread,
      DriverConfig settings,
      DeviceHealth health,
      PluginHost host,
      AttributionConfig attribution,
      PluginTrigger trigger,
      Optional<NodeLabeling> labels,
      Optional<NodeEventReporter> announcer,
      Clock clock) {
    host.start();
    var holders = podResources(attribution);
    return NodePlugin.of(
        own,
        configuration,
        new DriverComputeModes(driver, thread, settings.deadline()),
        health,
        host,
        holders::list,
        new NodePlugin.HostPaths(config.cdiFolder(), config.mpsProgram()),
        trigger,
        labels,
        announcer,
        clock);
  }

  /** Whether the device plugin reads or writes the Node; otherwise the API server is not used. */
  static final class NeedsOwnNode implements Condition {
    @Override
    @SuppressWarnings("rawtypes") // as Micronaut declares it
    public boolean matches(ConditionContext context) {
      return context.getBean(DevicePluginConfig.class).needsNode();
    }
  }
}
