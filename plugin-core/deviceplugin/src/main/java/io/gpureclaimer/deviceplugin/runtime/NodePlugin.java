package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.allocation.NodeEnvironment;
import io.gpureclaimer.deviceplugin.allocation.Obstacle;
import io.gpureclaimer.deviceplugin.allocation.Offer;
import io.gpureclaimer.deviceplugin.allocation.ResourceAllocator;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.cdi.CdiReport;
import io.gpureclaimer.deviceplugin.config.PluginSettings;
import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.kubelet.Listing;
import io.gpureclaimer.deviceplugin.kubelet.PluginHost;
import io.gpureclaimer.deviceplugin.plugin.Offered;
import io.gpureclaimer.nvml.inventory.Change;
import io.gpureclaimer.nvml.inventory.Changes;
import io.gpureclaimer.nvml.inventory.Inventory;
import io.gpureclaimer.nvml.inventory.Survey;
import io.gpureclaimer.nvml.session.DriverSession.Visit;
import io.gpureclaimer.nvml.session.DriverSession.Visit.Closed;
import io.gpureclaimer.nvml.session.DriverSession.Visit.Seen;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the node and offers the kubelet what there is: a survey now and then, and an offer
 * whenever devices, their health or the settings have changed. Confined to one thread, {@link
 * #view} aside. That thread never waits for the driver: a survey that meets a GPU which hangs must
 * not keep from the kubelet what is heard of the others.
 */
public final class NodePlugin implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodePlugin.class);

  private final Configuration configuration;
  private final AsideSurvey survey;
  private final DeviceHealth health;
  private final Consumer<Map<ResourceName, Offered>> kubelet;
  private final Publications publications;
  private final SharedByMps mps;
  private final FormerHolders holders;
  private final Optional<Labeling> labels;
  private final Optional<Announcer> announcer;
  private final Duration surveyAfter;
  private final Clock clock;
  private final AtomicReference<PluginView> view = new AtomicReference<>(PluginView.NOTHING);

  private @Nullable Inventory inventory;
  private @Nullable String driverDown = PluginView.NOTHING.driverDown();
  private Offer offer = Offer.NOTHING;
  private CdiReport cdi = PluginView.NOTHING.cdi();
  private Instant nextSurvey = Instant.MIN;

  /**
   * Where things are on the node.
   *
   * @param cdi the folder of specifications
   * @param mpsProgram the control program of MPS
   */
  public record Places(Path cdi, String mpsProgram) {}

  /**
   * Offers nothing yet.
   *
   * @param own the thread of the device plugin
   * @param host already running
   * @param held asks the kubelet who holds which device
   * @param wakeUp woken when an MPS daemon goes up or down
   * @param surveyAfter time between two surveys
   */
  public static NodePlugin of(
      Executor own,
      Configuration configuration,
      NodeSurvey survey,
      DeviceHealth health,
      PluginHost host,
      Supplier<Listing> held,
      Places places,
      WakeUp wakeUp,
      Optional<Labeling> labels,
      Optional<Announcer> announcer,
      Duration surveyAfter,
      Clock clock) {
    var mps =
        new MpsCare(
            places.mpsProgram(),
            survey.computeModes(),
            clock,
            oneThread("mps"),
            wakeUp::healthChanged);
    return new NodePlugin(
        configuration,
        new AsideSurvey(survey, oneThread("survey"), own),
        health,
        host::offer,
        new Publications(places.cdi(), System.getProperty("os.arch")),
        new SharedByMps(mps),
        new FormerHolders(held, task -> Thread.ofVirtual().name("former-holders").start(task), own),
        labels,
        announcer,
        surveyAfter,
        clock);
  }

  private static ExecutorService oneThread(String name) {
    return Executors.newSingleThreadExecutor(
        task -> Thread.ofPlatform().daemon().name(name).unstarted(task));
  }

  NodePlugin(
      Configuration configuration,
      AsideSurvey survey,
      DeviceHealth health,
      Consumer<Map<ResourceName, Offered>> kubelet,
      Publications publications,
      SharedByMps mps,
      FormerHolders holders,
      Optional<Labeling> labels,
      Optional<Announcer> announcer,
      Duration surveyAfter,
      Clock clock) {
    this.configuration = configuration;
    this.survey = survey;
    this.health = health;
    this.kubelet = kubelet;
    this.publications = publications;
    this.mps = mps;
    this.holders = holders;
    this.labels = labels;
    this.announcer = announcer;
    this.surveyAfter = surveyAfter;
    this.clock = clock;
  }

  /**
   * Looks whether the settings have changed, and has the devices looked at if that is due; what
   * comes of it is offered when it is known.
   *
   * @param now whether not to wait until it is: an event told of a change
   */
  public void look(boolean now) {
    Instant at = clock.instant();
    boolean changed = configuration.look(at);
    if (changed) {
      renew(at);
    } else {
      view.set(view.get().under(configuration.standing()));
    }
    if (now || !at.isBefore(nextSurvey)) {
      nextSurvey = at.plus(surveyAfter);
      survey.ask(this::take);
    }
    announcer.ifPresent(it -> it.tick(configuration.standing(), at));
  }

  /** Offers the same devices again, as healthy as they are now. */
  public void healthChanged() {
    offer(false);
  }

  /** What the last look came to; for any thread. */
  public PluginView view() {
    return view.get();
  }

  private void take(Visit<Survey> visit) {
    switch (visit) {
      case Seen<Survey>(_, var seen) -> {
        Inventory before = inventory;
        inventory = seen.inventory();
        if (driverDown != null) {
          int gpus = inventory.gpus().size();
          log.info("device plugin: the driver tells of {} GPU{}", gpus, gpus == 1 ? "" : "s");
        }
        driverDown = null;
        health.surveyed(seen);
        if (!seen.awaited().isEmpty()) {
          // Whoever comes back, or has not for too long, is told soon.
          nextSurvey = Instant.MIN;
        }
        if (before != null) {
          Changes.between(before, seen.inventory()).forEach(NodePlugin::tell);
        }
      }
      case Closed<Survey>(var reason, _) -> {
        if (!reason.equals(driverDown)) {
          log.warn(
              "device plugin: no container can be given a GPU, the driver is down: {}", reason);
        }
        driverDown = reason;
        health.driverGone();
        // A driver that comes is seen at once: the session says when it may be tried again.
        nextSurvey = Instant.MIN;
      }
    }
    renew(clock.instant());
  }

  private void renew(Instant at) {
    publish(at);
    offer(true);
    label(at);
  }

  private void publish(Instant at) {
    Inventory known = inventory;
    if (known != null && driverDown == null) {
      configuration
          .settings()
          .ifPresent(settings -> cdi = publications.publish(known, settings, at));
    }
  }

  private void label(Instant at) {
    Inventory known = inventory;
    if (known != null && driverDown == null) {
      configuration
          .settings()
          .ifPresent(
              settings -> labels.ifPresent(labeling -> labeling.keep(known, settings, offer, at)));
    }
  }

  private void offer(boolean lookForHolders) {
    Inventory known = inventory;
    Optional<PluginSettings> settings = configuration.settings();
    if (known == null || settings.isEmpty()) {
      show(Map.of());
      return;
    }
    List<String> before = offer.problems();
    offer = Offer.of(known, settings.get().offer(), health::isHealthy, offer);
    offer.problems().stream()
        .filter(problem -> !before.contains(problem))
        .forEach(problem -> log.warn("device plugin: {}", problem));
    mps.keep(offer, known, settings.get().allocation().response().mpsRoot());
    if (holders.wereAskedFor()) {
      show(offerToKubelet(known, settings.get()));
    }
    if (lookForHolders) {
      holders.look(offer, () -> offer(false));
    }
  }

  /** Says why devices are held back, by their UUIDs. */
  private Map<String, Obstacle> offerToKubelet(Inventory known, PluginSettings settings) {
    var there =
        new NodeEnvironment(
            file -> NodeDevices.has(settings.driver(), file),
            Set.copyOf(cdi.devices()),
            mps::down,
            holders.devices(offer),
            holders.unaccounted(offer));
    var obstacles = new TreeMap<String, Obstacle>();
    var offers = new HashMap<ResourceName, Offered>();
    offer
        .resources()
        .forEach(
            (name, resource) -> {
              var allocator =
                  new ResourceAllocator(resource, known.topology(), settings.allocation(), there);
              obstacles.putAll(allocator.obstacles());
              offers.put(name, new Offered(allocator.devices(), allocator));
            });
    kubelet.accept(offers);
    return obstacles;
  }

  private void show(Map<String, Obstacle> obstacles) {
    var seen =
        new PluginView(
            configuration.standing(), driverDown, offer, cdi, publications.writes(), obstacles);
    view.set(seen);
    Inventory known = inventory;
    if (known != null && configuration.settings().isPresent()) {
      // Before, nothing is offered of which it could be told that it is well.
      announcer.ifPresent(it -> it.offered(seen, known, clock.instant()));
    }
  }

  private static void tell(Change change) {
    switch (change) {
      case Change.Appeared(var gpu) -> log.info("GPU {} is there", gpu);
      case Change.Vanished(var gpu) -> log.warn("GPU {} is gone", gpu);
      case Change.Silenced(var gpu, var reason) ->
          log.warn("GPU {} cannot be read: {}", gpu, reason);
      case Change.Answers(var gpu) -> log.info("GPU {} can be read again", gpu);
      case Change.Divided(var gpu, var profiles) ->
          log.info("GPU {} is divided into {}", gpu, profiles);
      case Change.ActionChanged(var gpu, var action) ->
          log.warn(
              "GPU {}: the driver wants {}",
              gpu,
              Objects.requireNonNullElse(action, "nothing it tells"));
      case Change.DriverChanged(var before, var now) ->
          log.info("the driver is {} now, and was {}", now, before);
    }
  }

  /** MPS ends, and what was wrong is remembered. The kubelet has to be told before. */
  @Override
  public void close() {
    survey.close();
    mps.close();
    health.save();
  }
}
