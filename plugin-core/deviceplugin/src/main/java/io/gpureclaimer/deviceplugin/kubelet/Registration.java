package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.common.retry.Backoff;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.Endpoint;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.RegisterAnswer;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.RegisterAnswer.Accepted;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.RegisterAnswer.Rejected;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart.Impossible;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart.Opened;
import io.gpureclaimer.deviceplugin.kubelet.RegistrationPhase.Draining;
import io.gpureclaimer.deviceplugin.kubelet.RegistrationPhase.Registering;
import io.gpureclaimer.deviceplugin.kubelet.RegistrationPhase.Unwatched;
import io.gpureclaimer.deviceplugin.kubelet.RegistrationPhase.Waiting;
import io.gpureclaimer.deviceplugin.kubelet.RegistrationPhase.Watched;
import io.gpureclaimer.deviceplugin.kubelet.SocketState.Absent;
import io.gpureclaimer.deviceplugin.kubelet.SocketState.FileIdentity;
import io.gpureclaimer.deviceplugin.kubelet.SocketState.Present;
import io.gpureclaimer.deviceplugin.plugin.DeviceList;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one resource registered with the current kubelet. Confined to the thread that conducts the
 * device plugin; never waits.
 *
 * <p>Each attempt has a server of its own, and begins only when no client is connected to the one
 * before: when the kubelet (1.36) sees an old stream end, it disconnects the endpoint that is
 * registered under the name by then.
 */
final class Registration {
  private static final Logger log = LoggerFactory.getLogger(Registration.class);
  private static final Duration WHILE_DRAINING = Duration.ofMillis(10);

  private final ResourceName name;
  private final RegistrarEnvironment environment;
  private final KubeletTimeouts timeouts;
  private final Backoff backoff;
  private final ResourceTally tally;
  private final MonotonicClock monotonic;
  private ResourceDevices offered;
  private DeviceList list;
  private RegistrationPhase phase;
  private @Nullable FileIdentity kubelet;
  private @Nullable String complaint;
  private @Nullable String refused;
  private @Nullable Long goneSince;
  private ForeignSockets rivals = ForeignSockets.NONE;
  private long openedAt;
  private boolean over;

  Registration(
      ResourceName name,
      ResourceDevices offered,
      RegistrarEnvironment environment,
      KubeletTimeouts timeouts,
      Backoff backoff,
      ResourceTally tally,
      MonotonicClock monotonic) {
    this.name = name;
    this.offered = offered;
    this.list = new DeviceList(offered.devices());
    this.environment = environment;
    this.timeouts = timeouts;
    this.backoff = backoff;
    this.tally = tally;
    this.monotonic = monotonic;
    this.phase = new Waiting(monotonic.nanos());
  }

  /** This is offered from now on. */
  void offer(ResourceDevices next) {
    offered = next;
    list = new DeviceList(next.devices());
    refused = null;
    endpoint().ifPresent(endpoint -> endpoint.offer(next));
  }

  /** State of the registration. */
  ResourceState state(Instant now) {
    var socket = socket().orElse(null);
    return switch (phase) {
      case Watched(_, var since) ->
          tally.state(list, socket, true, now.minusNanos(monotonic.nanos() - since));
      case Unwatched _ -> tally.state(list, socket, true, null);
      case Waiting _, Registering _, Draining _ -> tally.state(list, socket, false, null);
    };
  }

  /** The ids that the kubelet should believe in; empty if it does not watch the list. */
  Optional<Set<String>> sentHealthyIds() {
    return phase instanceof Watched ? Optional.of(tally.sentHealthyIds()) : Optional.empty();
  }

  /** The name of its socket; empty while there is none. */
  Optional<String> socket() {
    return endpoint().map(Endpoint::name);
  }

  private Optional<Endpoint> endpoint() {
    return switch (phase) {
      case Registering(var endpoint) -> Optional.of(endpoint);
      case Unwatched(var endpoint, _) -> Optional.of(endpoint);
      case Watched(var endpoint, _) -> Optional.of(endpoint);
      case Waiting _, Draining _ -> Optional.empty();
    };
  }

  /** There are no devices left. */
  void withdraw() {
    offer(new ResourceDevices(List.of(), offered.allocator()));
  }

  /** This cannot be offered; what was offered before stays. */
  void refuse(String flaw) {
    if (!flaw.equals(refused)) {
      refused = flaw;
      log.error("{}: device list refused: {}; the previous list stays in effect", name, flaw);
    }
    tally.wentWrong(flaw);
  }

  /** Registers again, although nothing is known to be wrong with the connection. */
  void disbelieved() {
    String why = "the kubelet has another device list than the one that it was sent";
    tally.mismatched();
    complain(why + "; maybe another device plugin on this node offers the same");
    endpoint().ifPresent(endpoint -> drain(endpoint, timeouts.settle(), why));
  }

  /**
   * Ends for good. If another process offers the same, a new socket stays until that process has
   * seen it: the kubelet may know this socket alone, and its removal makes the other register
   * again.
   *
   * @param sockets other processes' sockets of our kind in the folder
   */
  void end(ForeignSockets sockets) {
    over = true;
    endpoint().ifPresentOrElse(endpoint -> end(endpoint, sockets), this::hurry);
  }

  private void end(Endpoint endpoint, ForeignSockets sockets) {
    if (rivals(endpoint, sockets).live().isEmpty() || lingers() <= 0) {
      drain(endpoint, timeouts.settle(), "the program ends");
    }
  }

  /** How long the socket still has to stay for another process to see it, in nanoseconds. */
  private long lingers() {
    return openedAt + timeouts.probe().multipliedBy(2).toNanos() - monotonic.nanos();
  }

  /** Whether nothing is left, and the kubelet has had time to see it, since {@link #end}. */
  boolean ended() {
    return over && phase instanceof Waiting(var until) && until - monotonic.nanos() <= 0;
  }

  /**
   * Does what there is to do now.
   *
   * @param place what a look at the kubelet's socket has just shown
   * @param sockets other processes' sockets of our kind in the folder
   * @return how long until there may be more to do, if nothing happens before
   */
  Duration turn(SocketState place, ForeignSockets sockets) {
    if (place instanceof Present(var identity) && !identity.equals(kubelet)) {
      anotherKubelet(identity);
    }
    if (over && endpoint().isPresent()) {
      end(endpoint().get(), sockets);
      return WHILE_DRAINING;
    }
    return switch (phase) {
      case Waiting(var until) -> waiting(until, place, sockets);
      case Registering(var endpoint) -> registering(endpoint);
      case Unwatched(var endpoint, var until) -> unwatched(endpoint, until, place, sockets);
      case Watched(var endpoint, var since) -> watched(endpoint, since, place, sockets);
      case Draining draining -> draining(draining);
    };
  }

  /** It knows nothing of the former registration, so there is nothing for it to forget. */
  private void anotherKubelet(FileIdentity identity) {
    kubelet = identity;
    backoff.reset();
    endpoint()
        .ifPresentOrElse(
            endpoint -> drain(endpoint, Duration.ZERO, "the kubelet has a new socket"),
            this::hurry);
  }

  private void hurry() {
    phase =
        switch (phase) {
          case Waiting _ -> new Waiting(monotonic.nanos());
          case Draining(var endpoint, var cut, _) -> new Draining(endpoint, cut, 0);
          case Registering _, Unwatched _, Watched _ -> phase;
        };
  }

  private Duration waiting(long until, SocketState place, ForeignSockets sockets) {
    long left = until - monotonic.nanos();
    if (left > 0) {
      return Duration.ofNanos(left);
    }
    return over || place instanceof Absent ? timeouts.probe() : attempt(sockets);
  }

  private Duration attempt(ForeignSockets sockets) {
    switch (environment.open(name, offered, tally)) {
      case Opened(var endpoint) -> {
        phase = new Registering(endpoint);
        openedAt = monotonic.nanos();
        rivals = rivals(endpoint, sockets);
        environment.register(name, endpoint, answer -> answered(endpoint, answer));
      }
      case Impossible(var why) -> {
        tally.registered(RegistrationOutcome.NO_SOCKET);
        complain(why);
        phase = new Waiting(monotonic.nanos() + backoff.next().toNanos());
      }
    }
    return timeouts.probe();
  }

  /** An answer that comes late is about a server that no longer exists. */
  private void answered(Endpoint endpoint, RegisterAnswer answer) {
    if (!phase.equals(new Registering(endpoint))) {
      return;
    }
    switch (answer) {
      case Accepted() ->
          phase = new Unwatched(endpoint, monotonic.nanos() + timeouts.stream().toNanos());
      case Rejected(var outcome, var reason) -> {
        tally.registered(outcome);
        complain(reason);
        drain(endpoint, backoff.next(), "it is not registered");
      }
    }
  }

  private Duration registering(Endpoint endpoint) {
    if (!endpoint.inPlace()) {
      drain(endpoint, settledPause(), "its socket is gone");
      return WHILE_DRAINING;
    }
    return timeouts.probe();
  }

  private Duration unwatched(
      Endpoint endpoint, long until, SocketState place, ForeignSockets sockets) {
    long now = monotonic.nanos();
    if (endpoint.streams() > 0) {
      tally.registered(RegistrationOutcome.WATCHED);
      log.info("{}: registered, the kubelet watches it at {}", name, endpoint.name());
      complaint = null;
      phase = new Watched(endpoint, now);
      return watched(endpoint, now, place, sockets);
    }
    if (until - now <= 0 || !endpoint.connected()) {
      tally.registered(RegistrationOutcome.NOT_WATCHED);
      complain("the kubelet has accepted the registration, and does not watch the list");
      drain(endpoint, settledPause(), endpoint.connected() ? "not watched" : "no client");
      return WHILE_DRAINING;
    }
    return shorter(Duration.ofNanos(until - now), registering(endpoint));
  }

  private Duration watched(
      Endpoint endpoint, long since, SocketState place, ForeignSockets sockets) {
    boolean stable = monotonic.nanos() - since >= timeouts.stable().toNanos();
    if (stable) {
      backoff.reset();
    }
    if (endpoint.streams() == 0) {
      tally.wentWrong("the kubelet has hung up");
      drain(endpoint, stable ? timeouts.settle() : settledPause(), "the kubelet has hung up");
    } else if (place instanceof Absent) {
      // There is no kubelet to register with, and what the kubelet has open still works.
      return timeouts.probe();
    } else if (isGone(endpoint)) {
      tally.wentWrong("its socket is gone");
      drain(endpoint, settledPause(), "its socket is gone");
    } else if (rivalIsGone(endpoint, sockets)) {
      drain(endpoint, timeouts.settle(), "another process has ended, maybe with our registration");
    } else {
      return goneSince == null ? timeouts.probe() : shorter(timeouts.probe(), timeouts.settle());
    }
    return WHILE_DRAINING;
  }

  /** A program that empties the folder may delete the kubelet's socket in the next moment. */
  private boolean isGone(Endpoint endpoint) {
    long now = monotonic.nanos();
    if (endpoint.inPlace()) {
      goneSince = null;
    } else if (goneSince == null) {
      goneSince = now;
    }
    return goneSince != null && now - goneSince >= timeouts.settle().toNanos();
  }

  /**
   * Of two processes that overlap, the kubelet knows the one that came last. If that is the one
   * that ends, the other still has its stream, and no devices. A process that was killed leaves its
   * socket behind, and may have come and gone between two looks.
   */
  private boolean rivalIsGone(Endpoint endpoint, ForeignSockets sockets) {
    ForeignSockets before = rivals;
    rivals = rivals(endpoint, sockets);
    return !rivals.live().containsAll(before.live()) || !before.dead().containsAll(rivals.dead());
  }

  private static ForeignSockets rivals(Endpoint endpoint, ForeignSockets sockets) {
    return sockets.filter(
        name -> !name.equals(endpoint.name()) && SocketName.alike(name, endpoint.name()));
  }

  private Duration draining(Draining draining) {
    long now = monotonic.nanos();
    if (draining.endpoint().gone()) {
      phase = new Waiting(now + draining.pause());
      return Duration.ofNanos(draining.pause());
    }
    if (draining.cut() - now <= 0) {
      draining.endpoint().cut();
    }
    return WHILE_DRAINING;
  }

  private void drain(Endpoint endpoint, Duration pause, String why) {
    log.info("{}: {} ends: {}", name, endpoint.name(), why);
    endpoint.drain();
    long cut = monotonic.nanos() + timeouts.drain().toNanos();
    phase = new Draining(endpoint, cut, pause.toNanos());
  }

  private Duration settledPause() {
    Duration pause = backoff.next();
    return pause.compareTo(timeouts.settle()) > 0 ? pause : timeouts.settle();
  }

  private void complain(String wrong) {
    tally.wentWrong(wrong);
    if (!wrong.equals(complaint)) {
      complaint = wrong;
      log.warn("{}: {}; trying again", name, wrong);
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
