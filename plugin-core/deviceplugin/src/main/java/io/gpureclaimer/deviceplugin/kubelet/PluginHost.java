package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Serves and registers all advertised resources, on one thread. For any thread.
 *
 * <p>All decisions are made on one thread of its own, which checks the sockets once a second; what
 * happens in between comes to it as a message. A resource that was offered once is offered until
 * the end, empty at last, because the kubelet would keep its capacity otherwise.
 */
public final class PluginHost implements AutoCloseable {
  private final KubeletTimeouts timeouts;
  private final BlockingQueue<Runnable> mailbox = new LinkedBlockingQueue<>();
  private final AtomicReference<KubeletState> state = new AtomicReference<>(KubeletState.INITIAL);
  private final AtomicReference<@Nullable Map<ResourceName, ResourceDevices>> newest =
      new AtomicReference<>();
  private final NodeSockets sockets;
  private final FolderWatch watch;
  private final Supplier<Allocatable> believed;
  private final PluginRegistrar registrar;
  private final Thread thread =
      Thread.ofPlatform().name("device-plugin").daemon().unstarted(this::run);
  private volatile boolean stopping;

  /**
   * Begins nothing yet.
   *
   * @param kubelet its socket, usually {@code /var/lib/kubelet/device-plugins/kubelet.sock}; ours
   *     go beside it
   * @param believed asks the kubelet which devices it would give to containers; may take a while,
   *     and is asked by one thread at a time
   * @param monotonic monotonic clock
   */
  public PluginHost(
      Path kubelet,
      KubeletTimeouts timeouts,
      Supplier<Allocatable> believed,
      InstantSource clock,
      MonotonicClock monotonic,
      RandomGenerator random) {
    this(
        kubelet,
        timeouts,
        believed,
        clock,
        monotonic,
        random,
        () -> FileSystems.getDefault().newWatchService());
  }

  PluginHost(
      Path kubelet,
      KubeletTimeouts timeouts,
      Supplier<Allocatable> believed,
      InstantSource clock,
      MonotonicClock monotonic,
      RandomGenerator random,
      FolderWatch.WatchOpener watches) {
    Path socket = kubelet.toAbsolutePath();
    this.timeouts = timeouts;
    this.believed = believed;
    this.sockets = new NodeSockets(socket, timeouts, mailbox::add, random, monotonic);
    this.watch = new FolderWatch(socket.resolveSibling(""), watches, this::nudge);
    this.registrar =
        new PluginRegistrar(
            sockets, () -> SocketState.of(socket), this::ask, timeouts, random, clock, monotonic);
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  /**
   * These are offered from now on, and nothing else.
   *
   * <p>A list that the kubelet cannot take is not sent: what was offered before stays, and {@link
   * #state} says why.
   */
  public void offer(Map<ResourceName, ResourceDevices> offers) {
    if (newest.getAndSet(Map.copyOf(offers)) == null) {
      mailbox.add(this::takeNewest);
    }
  }

  /** Those that came in quick succession are one. */
  private void takeNewest() {
    Map<ResourceName, ResourceDevices> offers = newest.getAndSet(null);
    if (offers != null) {
      registrar.offer(offers);
    }
  }

  /** How it stood a moment ago. */
  public KubeletState state() {
    return state.get();
  }

  /** Whether the thread that decides is there; it ends with {@link #close} only. */
  public boolean running() {
    return thread.isAlive();
  }

  /** Ends the streams, lets calls end that are under way, and removes our sockets. */
  @Override
  public void close() {
    stopping = true;
    nudge();
    try {
      if (thread.isAlive()) {
        thread.join(timeouts.drain().multipliedBy(2));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sockets.close();
  }

  private void nudge() {
    mailbox.add(() -> {});
  }

  private void ask(Consumer<Allocatable> then) {
    sockets
        .calls()
        .execute(
            () -> {
              Allocatable answer = believed.get();
              mailbox.add(() -> then.accept(answer));
            });
  }

  private void run() {
    try {
      while (!stopping) {
        watch.keep();
        step(registrar.turn());
      }
      registrar.end();
      while (!registrar.ended()) {
        step(registrar.turn());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      watch.close();
    }
  }

  /** Reports its state, then waits for a message, and handles all that are there. */
  private void step(Duration wait) throws InterruptedException {
    state.set(registrar.state());
    var first = mailbox.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
    if (first != null) {
      first.run();
      var others = new ArrayList<Runnable>();
      mailbox.drainTo(others);
      others.forEach(Runnable::run);
    }
  }
}
