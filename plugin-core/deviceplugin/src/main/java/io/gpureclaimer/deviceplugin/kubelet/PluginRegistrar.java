package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.common.retry.Backoff;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.plugin.DeviceList;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps all advertised resources registered, and checks that the kubelet has the right list.
 * Confined to one thread; never waits, but says when it wants its next turn.
 */
final class PluginRegistrar {
  private static final Logger log = LoggerFactory.getLogger(PluginRegistrar.class);

  private final RegistrarEnvironment environment;
  private final Supplier<SocketState> place;
  private final Consumer<Consumer<Allocatable>> question;
  private final KubeletTimeouts timeouts;
  private final RandomGenerator random;
  private final InstantSource clock;
  private final MonotonicClock monotonic;
  private final Map<ResourceName, Registration> registrations = new TreeMap<>();
  private SelfCheck check = SelfCheck.FRESH;
  private String checked = KubeletState.INITIAL.selfCheck();
  private @Nullable String missing;
  private ForeignSockets others = ForeignSockets.NONE;
  private long nextCheck;
  private long nextProbe;
  private boolean asking;
  private boolean over;

  /**
   * @param place looks where the kubelet's socket should be
   * @param question asks the kubelet what it believes, and gives the answer to the consumer later,
   *     on the thread that conducts
   */
  PluginRegistrar(
      RegistrarEnvironment environment,
      Supplier<SocketState> place,
      Consumer<Consumer<Allocatable>> question,
      KubeletTimeouts timeouts,
      RandomGenerator random,
      InstantSource clock,
      MonotonicClock monotonic) {
    this.environment = environment;
    this.place = place;
    this.question = question;
    this.timeouts = timeouts;
    this.random = random;
    this.clock = clock;
    this.monotonic = monotonic;
    this.nextProbe = monotonic.nanos();
    this.nextCheck = monotonic.nanos() + timeouts.selfCheck().toNanos();
  }

  /** These are offered from now on; of what is missing here, there is nothing to have. */
  void offer(Map<ResourceName, ResourceDevices> offers) {
    registrations.forEach(
        (name, registration) -> {
          if (!offers.containsKey(name)) {
            registration.withdraw();
          }
        });
    offers.forEach(this::offer);
  }

  private void offer(ResourceName name, ResourceDevices offered) {
    Optional<String> flaw = new DeviceList(offered.devices()).flaw();
    var registration =
        registrations.computeIfAbsent(
            name, _ -> begun(name, new ResourceDevices(List.of(), offered.allocator())));
    flaw.ifPresentOrElse(registration::refuse, () -> registration.offer(offered));
  }

  private Registration begun(ResourceName name, ResourceDevices offered) {
    return new Registration(
        name,
        offered,
        environment,
        timeouts,
        new Backoff(timeouts.firstRetry(), timeouts.longestRetry(), random::nextDouble),
        new ResourceTally(),
        monotonic);
  }

  /**
   * Does what there is to do now.
   *
   * @return how long until there may be more to do, if nothing happens before
   */
  Duration turn() {
    SocketState seen = place.get();
    note(seen);
    ForeignSockets sockets = probeOthers();
    Duration wait = timeouts.probe();
    for (var registration : registrations.values()) {
      Duration wanted = registration.turn(seen, sockets);
      wait = wanted.compareTo(wait) < 0 ? wanted : wait;
    }
    if (!over && !asking && monotonic.nanos() - nextCheck >= 0) {
      ask();
    }
    return wait;
  }

  /**
   * Lists the sockets of other processes. Two resources of ours may have sockets that are called
   * alike, and are no rivals.
   *
   * <p>A listener is probed once per {@code look}. A name is used once, so a socket without a
   * listener is not probed again.
   */
  private ForeignSockets probeOthers() {
    var names = new HashSet<>(environment.sockets());
    registrations.values().forEach(ours -> ours.socket().ifPresent(names::remove));
    long now = monotonic.nanos();
    boolean due = now - nextProbe >= 0;
    if (due) {
      nextProbe = now + timeouts.probe().toNanos();
    }
    var live = new HashSet<String>();
    var dead = new HashSet<String>();
    for (String name : names) {
      boolean known = others.live().contains(name) && !due;
      boolean listens = known || (!others.dead().contains(name) && environment.hasListener(name));
      (listens ? live : dead).add(name);
    }
    others = new ForeignSockets(live, dead);
    return others;
  }

  private void note(SocketState seen) {
    String why = seen instanceof SocketState.Absent(var absent) ? absent : null;
    if (why != null && !why.equals(missing)) {
      log.info("no kubelet to register with; waiting for it: {}", why);
    }
    missing = why;
  }

  private void ask() {
    asking = true;
    question.accept(this::answered);
  }

  private void answered(Allocatable believed) {
    asking = false;
    nextCheck = monotonic.nanos() + timeouts.selfCheck().toNanos();
    var sent = new HashMap<ResourceName, Set<String>>();
    registrations.forEach(
        (name, registration) ->
            registration.sentHealthyIds().ifPresent(ids -> sent.put(name, ids)));
    var comparison = check.compare(sent, believed);
    check = comparison.next();
    checked = text(believed, comparison);
    registrations.forEach(
        (name, registration) -> {
          if (comparison.wrong().contains(name)) {
            registration.disbelieved();
          }
        });
  }

  private static String text(Allocatable believed, SelfCheck.Comparison comparison) {
    var doubted =
        Stream.concat(comparison.next().strikes().keySet().stream(), comparison.wrong().stream())
            .map(ResourceName::value)
            .distinct()
            .sorted()
            .toList();
    return switch (believed) {
      case Allocatable.Known _ when doubted.isEmpty() -> "the kubelet believes what it was sent";
      case Allocatable.Known _ -> "the kubelet believes otherwise of " + String.join(", ", doubted);
      case Allocatable.Unsupported() -> "the kubelet does not offer the question";
      case Allocatable.Failed(var reason) -> reason;
    };
  }

  /** Ends everything. */
  void end() {
    over = true;
    ForeignSockets sockets = probeOthers();
    registrations.values().forEach(registration -> registration.end(sockets));
  }

  /** Whether nothing is left, since {@link #end}. */
  boolean ended() {
    return over && registrations.values().stream().allMatch(Registration::ended);
  }

  KubeletState state() {
    var states = new TreeMap<ResourceName, ResourceState>();
    registrations.forEach(
        (name, registration) -> states.put(name, registration.state(clock.instant())));
    return new KubeletState(states, missing, checked);
  }

  /**
   * Periodic comparison of the kubelet's list with the list that it was sent. One that differs may
   * just be on its way; the third in a row is not.
   *
   * @param strikes how often in a row each resource differed; those that agree are not here
   */
  record SelfCheck(Map<ResourceName, Integer> strikes) {
    private static final int TOO_MANY = 3;

    static final SelfCheck FRESH = new SelfCheck(Map.of());

    SelfCheck {
      strikes = Map.copyOf(strikes);
    }

    /**
     * Result of a comparison.
     *
     * @param next to go on with
     * @param wrong the resources that have differed too often in a row; they register again
     */
    record Comparison(SelfCheck next, Set<ResourceName> wrong) {
      Comparison {
        wrong = Set.copyOf(wrong);
      }
    }

    /**
     * Compares once more. If the kubelet does not answer, all stays as it was.
     *
     * @param sent the ids of the healthy devices of each resource whose list is being watched
     */
    Comparison compare(Map<ResourceName, Set<String>> sent, Allocatable believed) {
      return switch (believed) {
        case Allocatable.Known(var ids) -> compareIds(sent, ids);
        case Allocatable.Unsupported _, Allocatable.Failed _ -> new Comparison(this, Set.of());
      };
    }

    private Comparison compareIds(
        Map<ResourceName, Set<String>> sent, Map<String, Set<String>> believed) {
      var next = new HashMap<ResourceName, Integer>();
      var wrong = new HashSet<ResourceName>();
      sent.forEach(
          (name, ids) -> {
            if (!ids.equals(believed.getOrDefault(name.value(), Set.of()))) {
              next.merge(name, strikes.getOrDefault(name, 0) + 1, Integer::sum);
            }
          });
      next.forEach(
          (name, count) -> {
            if (count >= TOO_MANY) {
              wrong.add(name);
            }
          });
      next.keySet().removeAll(wrong);
      return new Comparison(new SelfCheck(next), wrong);
    }
  }
}
