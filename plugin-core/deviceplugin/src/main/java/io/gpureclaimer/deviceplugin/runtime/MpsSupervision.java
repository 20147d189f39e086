package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.mps.ComputeModes;
import io.gpureclaimer.deviceplugin.mps.MpsSettings;
import io.gpureclaimer.deviceplugin.mps.MpsShare;
import io.gpureclaimer.deviceplugin.mps.MpsState;
import io.gpureclaimer.deviceplugin.mps.MpsSupervisor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supervises MPS daemons on a thread of its own because their control program may hang. Safe for
 * several threads.
 */
final class MpsSupervision implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MpsSupervision.class);
  private static final Path OWN_SHARED_MEMORY = Path.of("/dev/shm");
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final Duration LONGEST_END = Duration.ofSeconds(25);

  private final String program;
  private final ComputeModes modes;
  private final InstantSource clock;
  private final ExecutorService thread;
  private final Runnable changed;
  private final AtomicReference<WantedShares> latest = new AtomicReference<>(WantedShares.NOTHING);
  private final AtomicReference<DaemonStatus> standing =
      new AtomicReference<>(DaemonStatus.NOTHING);
  private final CoalescingTask<WantedShares> task;

  /** Confined to the thread of its own, as is its root. */
  private @Nullable MpsSupervisor supervisor;

  private @Nullable Path root;

  /**
   * @param program NVIDIA's control program
   * @param thread one, used for nothing else, and ended with this
   * @param changed run on that thread after a daemon went up or down
   */
  MpsSupervision(
      String program,
      ComputeModes modes,
      InstantSource clock,
      ExecutorService thread,
      Runnable changed) {
    this.program = program;
    this.modes = modes;
    this.clock = clock;
    this.thread = thread;
    this.changed = changed;
    this.task = CoalescingTask.newest(thread, this::round);
  }

  /** What is to be shared; nothing without a root. */
  private record WantedShares(@Nullable Path root, List<MpsShare> shares) {
    static final WantedShares NOTHING = new WantedShares(null, List.of());
  }

  /** Of the daemons below a root, why they are down; empty for one that is up. */
  private record DaemonStatus(@Nullable Path root, Map<String, Optional<String>> down) {
    static final DaemonStatus NOTHING = new DaemonStatus(null, Map.of());
  }

  /** From now on these resources are shared, and no others; also has all daemons checked. */
  void want(@Nullable Path mpsRoot, List<MpsShare> shares) {
    var wanted = new WantedShares(mpsRoot, List.copyOf(shares));
    latest.set(wanted);
    task.submit(wanted);
  }

  /** Why the daemon of a resource is down; empty if it is up. */
  Optional<String> down(String resource) {
    DaemonStatus now = standing.get();
    Path wanted = latest.get().root();
    return wanted != null && wanted.equals(now.root()) && now.down().containsKey(resource)
        ? now.down().getOrDefault(resource, Optional.empty())
        : Optional.of("the MPS daemon of " + resource + " was not started yet");
  }

  private void round(WantedShares wanted) {
    Path at = wanted.root();
    if (at == null || !at.equals(root)) {
      end();
    }
    if (at != null) {
      keep(at, wanted.shares());
    }
    DaemonStatus now = new DaemonStatus(at, states());
    if (!now.equals(standing.getAndSet(now))) {
      changed.run();
    }
  }

  private void keep(Path at, List<MpsShare> shares) {
    var daemons = supervisor;
    if (daemons == null) {
      daemons =
          new MpsSupervisor(
              new MpsSettings(program, at, OWN_SHARED_MEMORY, DEADLINE), modes, clock);
      supervisor = daemons;
      root = at;
    }
    daemons.share(shares);
    daemons.poll();
  }

  private Map<String, Optional<String>> states() {
    return supervisor == null
        ? Map.of()
        : supervisor.states().entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> down(entry.getValue())));
  }

  private static Optional<String> down(MpsState state) {
    return switch (state) {
      case MpsState.Ready _ -> Optional.empty();
      case MpsState.Down(var reason, _) -> Optional.of(reason);
    };
  }

  private void end() {
    if (supervisor != null) {
      supervisor.close();
      supervisor = null;
      root = null;
    }
  }

  /** Ends the daemons; GPUs are what they were before. Waits for it for a limited time. */
  @Override
  public void close() {
    if (thread.isShutdown()) {
      return;
    }
    thread.execute(this::end);
    thread.shutdown();
    try {
      if (!thread.awaitTermination(LONGEST_END.toSeconds(), TimeUnit.SECONDS)) {
        log.error(
            "MPS did not stop within {} s; the next start cleans up", LONGEST_END.toSeconds());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
