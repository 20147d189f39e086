package io.gpureclaimer.deviceplugin.mps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an MPS daemon running for each resource that is shared through MPS. GPUs are what they were
 * when their daemon has ended, also where an earlier run was killed. Confined to one thread that
 * may wait, but for how it stands.
 */
public final class MpsSupervisor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MpsSupervisor.class);

  private final MpsSettings settings;
  private final MpsControl control;
  private final ComputeModes modes;
  private final InstantSource clock;
  private final Map<String, SupervisedDaemon> daemons = new TreeMap<>();
  private final AtomicReference<Map<String, MpsState>> states = new AtomicReference<>(Map.of());

  /**
   * @param settings where MPS is
   * @param modes the GPUs' compute modes, for the thread that this is confined to
   * @param clock decides when something is tried again
   */
  public MpsSupervisor(MpsSettings settings, ComputeModes modes, InstantSource clock) {
    this(settings, new MpsControlBinary(settings.program(), settings.deadline()), modes, clock);
  }

  MpsSupervisor(MpsSettings settings, MpsControl control, ComputeModes modes, InstantSource clock) {
    this.settings = settings;
    this.control = control;
    this.modes = modes;
    this.clock = clock;
  }

  /** From now on these resources are shared, and no others; what earlier runs left is put away. */
  public void share(List<MpsShare> shares) {
    Map<String, MpsShare> wanted =
        shares.stream().collect(Collectors.toMap(MpsShare::resource, share -> share));
    for (var daemon : List.copyOf(daemons.entrySet())) {
      MpsShare share = wanted.get(daemon.getKey());
      if (share == null || !daemon.getValue().canServe(share)) {
        daemon.getValue().stop();
        daemons.remove(daemon.getKey());
      }
    }
    endLeftovers(wanted);
    for (MpsShare share : shares) {
      SupervisedDaemon daemon = daemons.get(share.resource());
      if (daemon == null) {
        daemons.put(share.resource(), new SupervisedDaemon(daemon(share.resource()), share));
      } else if (!daemon.share().equals(share)) {
        daemon.serve(share, clock.instant());
      }
    }
    publish();
  }

  /** Asks each daemon whether it is well, and starts those that are not and whose time has come. */
  public void poll() {
    Instant now = clock.instant();
    Optional<String> blocker =
        daemons.isEmpty()
            ? Optional.empty()
            : SharedMemory.problem(settings.ownShm(), settings.root().resolve("shm"));
    daemons.values().forEach(daemon -> daemon.poll(now, blocker));
    publish();
  }

  /** How the daemon of each shared resource is. For any thread. */
  public Map<String, MpsState> states() {
    return states.get();
  }

  /** Ends all daemons, and with them what their clients do. */
  @Override
  public void close() {
    daemons.values().forEach(SupervisedDaemon::stop);
    daemons.clear();
    publish();
  }

  private MpsDaemon daemon(String resource) {
    var home = new MpsPaths(settings.root(), resource);
    return new MpsDaemon(home, control, new ExclusiveUse(modes, new ComputeModeFile(home.modes())));
  }

  private void endLeftovers(Map<String, MpsShare> wanted) {
    for (String resource : resourcesWithMemory()) {
      if (!wanted.containsKey(resource)) {
        log.warn(
            "GPUs of {} are still in the compute mode of an earlier MPS run; it is " + "reset",
            resource);
        daemon(resource).stop().forEach(problem -> log.error("MPS of {}: {}", resource, problem));
      }
    }
  }

  /** Resources whose GPUs may not be what they were. */
  private List<String> resourcesWithMemory() {
    if (!Files.isDirectory(settings.root())) {
      return List.of();
    }
    var resources = new ArrayList<String>();
    try (Stream<Path> files = Files.find(settings.root(), 3, (file, _) -> isMemory(file))) {
      files
          .sorted()
          .forEach(
              file ->
                  resources.add(settings.root().relativize(file.resolveSibling("")).toString()));
    } catch (IOException | UncheckedIOException e) {
      log.error("state of earlier MPS runs cannot be read", e);
    }
    return resources;
  }

  private static boolean isMemory(Path file) {
    return file.endsWith(MpsPaths.MODES);
  }

  private void publish() {
    states.set(
        daemons.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, entry -> entry.getValue().state())));
  }

  /** Shared memory of MPS clients and server. Mounting it is the deployment's part. */
  static final class SharedMemory {
    private SharedMemory() {}

    /**
     * What is wrong with it; empty if nothing.
     *
     * @param ours where the daemon has it: {@code /dev/shm}
     * @param clients what containers get as their {@code /dev/shm}
     */
    static Optional<String> problem(Path ours, Path clients) {
      try {
        if (!Files.isDirectory(clients)) {
          return Optional.of(clients + " is missing. " + remedy(ours, clients));
        }
        return Files.isSameFile(ours, clients)
            ? Optional.empty()
            : Optional.of(clients + " and " + ours + " are two. " + remedy(ours, clients));
      } catch (IOException e) {
        return Optional.of(
            clients + " cannot be read (" + e.getMessage() + "). " + remedy(ours, clients));
      }
    }

    private static String remedy(Path ours, Path clients) {
      return "MPS clients and the daemon need the same memory: mount one tmpfs at both "
          + clients
          + " and "
          + ours
          + " of this container";
    }
  }
}
