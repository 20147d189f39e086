package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.config.PluginSettings.DriverSettings;
import io.gpureclaimer.deviceplugin.runtime.RefreshingCache.CachedValue;
import io.gpureclaimer.doctor.Diagnosis;
import io.gpureclaimer.doctor.Doctor;
import io.gpureclaimer.doctor.DriverPort;
import io.gpureclaimer.doctor.NodeFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Diagnosis of this node by {@code doctor}, repeated in the background when it is read and old.
 * Safe for several threads.
 */
public final class NodeCheck {
  private static final Duration FRESH = Duration.ofSeconds(30);
  private static final Path ROOT = Path.of("/");

  private final RefreshingCache<Diagnosis> looks;

  NodeCheck(Supplier<Diagnosis> doctor, Executor aside, InstantSource clock) {
    this.looks = new RefreshingCache<>(doctor, FRESH, aside, clock);
  }

  /**
   * Examines the node on threads of its own.
   *
   * @param where as far as this program sees the node
   */
  public static NodeCheck of(DriverSettings where, DriverPort driver, InstantSource clock) {
    var doctor = new Doctor(files(where), driver);
    return new NodeCheck(
        doctor::examine, look -> Thread.ofVirtual().name("node-check").start(look), clock);
  }

  /** All of the node's, if its root is the driver's and mounted here; otherwise our own. */
  public static NodeFiles files(DriverSettings where) {
    Path mounted = where.rootInContainer();
    return where.root().equals(ROOT) && Files.isDirectory(mounted)
        ? new NodeFiles(mounted)
        : NodeFiles.ofContainer(ROOT);
  }

  /** The last diagnosis; empty if the first one is still being made. */
  public Optional<CachedValue<Diagnosis>> last() {
    return looks.last();
  }
}
