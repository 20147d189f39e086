package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.health.device.HealthJson.InvalidHealthFile;
import io.gpureclaimer.nvml.poll.InventoryUpdate.GpuCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File with health issues, so that they survive restarts of the agent and the kubelet. A file that
 * cannot be read is set aside and costs a warning; one that cannot be written costs a warning, and
 * memory still has it. For any thread.
 */
public final class HealthFile {
  private static final Logger log = LoggerFactory.getLogger(HealthFile.class);
  private static final long MOST_BYTES = 1 << 20;
  private static final String UNKNOWN_BOOT = "";

  private final Path file;
  private final Path bootIdFile;
  private final AtomicBoolean failing = new AtomicBoolean();
  private final AtomicReference<List<Optional<GpuUuid>>> order = new AtomicReference<>(List.of());

  /** Held while writing, so that the newest state is what remains. */
  private final ReentrantLock writing = new ReentrantLock();

  /**
   * Names the file; nothing is read yet.
   *
   * @param file whose folder exists, or can be made
   * @param bootIdFile as a rule {@code /proc/sys/kernel/random/boot_id}
   */
  public HealthFile(Path file, Path bootIdFile) {
    this.file = file.toAbsolutePath();
    this.bootIdFile = bootIdFile;
  }

  /**
   * What was wrong when it was last written. If the node has booted since, every GPU has been
   * restarted.
   */
  Map<GpuUuid, GpuState> load() {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new InvalidHealthFile("must have at most " + MOST_BYTES + " bytes");
      }
      var saved = HealthJson.read(String.valueOf(file.getFileName()), Files.readString(file));
      if (!saved.bootId().equals(bootId())) {
        return afterBoot(saved.gpus());
      }
      order.set(List.copyOf(saved.order()));
      return saved.gpus();
    } catch (NoSuchFileException _) {
      return Map.of();
    } catch (IOException e) {
      log.warn("{} cannot be read; GPUs that were unhealthy before may be offered again", file, e);
    } catch (InvalidHealthFile e) {
      setAside(e);
    }
    return Map.of();
  }

  /** Who is at which index of the driver's, as was found last in this boot. */
  List<Optional<GpuUuid>> order() {
    return order.get();
  }

  /** Has the next writing use this order; says whether it is another one. */
  boolean orderIs(List<Optional<GpuUuid>> now) {
    return !order.getAndSet(now).equals(now);
  }

  /** Writes what ails; {@code gpus} is asked when it is this caller's turn. */
  void save(Supplier<Map<GpuUuid, GpuState>> gpus) {
    writing.lock();
    try {
      replace(HealthJson.write(new HealthJson.Saved(bootId(), order(), ailing(gpus.get()))));
      failing.set(false);
    } catch (IOException e) {
      if (!failing.getAndSet(true)) {
        log.warn("{} cannot be written; after a restart, unhealthy GPUs may be offered", file, e);
      }
    } finally {
      writing.unlock();
    }
  }

  /** Under a name of its own: in a rollout two agents of a node hear of the same XID at once. */
  private void replace(String text) throws IOException {
    Path folder = file.resolveSibling("");
    Files.createDirectories(folder);
    String own = Long.toHexString(ThreadLocalRandom.current().nextLong());
    Path next = folder.resolve(file.getFileName() + "." + own + ".new");
    try {
      Files.writeString(next, text);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  private static Map<GpuUuid, GpuState> ailing(Map<GpuUuid, GpuState> gpus) {
    Map<GpuUuid, GpuState> ailing = new HashMap<>(gpus);
    ailing.values().removeIf(gpu -> gpu.issues().isEmpty());
    return ailing;
  }

  private static Map<GpuUuid, GpuState> afterBoot(Map<GpuUuid, GpuState> gpus) {
    log.info("the node was rebooted, so its GPUs were restarted");
    return gpus.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                entry ->
                    GpuState.recalled(
                        entry.getValue().issues().stream().map(HealthIssue::afterReset).toList(),
                        GpuCounters.UNKNOWN)));
  }

  /** A boot without an id equals the last boot without one. */
  private String bootId() {
    try {
      return Files.readString(bootIdFile).strip();
    } catch (IOException _) {
      return UNKNOWN_BOOT;
    }
  }

  private void setAside(InvalidHealthFile why) {
    Path aside = file.resolveSibling(file.getFileName() + ".bad");
    log.warn(
        "{} is invalid: {}; it is renamed to {}, and earlier health issues are "
            + "lost: unhealthy GPUs may be offered again",
        file,
        why.getMessage(),
        aside.getFileName());
    try {
      Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      log.warn("{} cannot be renamed", file, e);
    }
  }
}
