package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.config.DevicesConfig;
import io.gpureclaimer.exporter.devices.Division;
import io.gpureclaimer.exporter.devices.Selected;
import io.gpureclaimer.exporter.devices.Selection;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.Snapshot;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says whether the devices that are selected by number are there: to the program at its start, to
 * the log later. Told by the sampling job, asked by the thread that starts the program.
 */
@Singleton
public final class SelectionCheck {
  private static final Logger log = LoggerFactory.getLogger(SelectionCheck.class);

  private final Selection selection;
  private final Division division;
  private final boolean mayBeMissing;
  private final CompletableFuture<Optional<String>> firstLook = new CompletableFuture<>();

  /** Confined to the sampling job. */
  private Optional<String> said = Optional.empty();

  SelectionCheck(DevicesConfig devices) {
    this.selection = devices.selection();
    this.division = devices.division();
    this.mayBeMissing = devices.mayBeMissing();
  }

  /** What of a pass is served. */
  Snapshot shown(Snapshot all) {
    return Selected.of(selection, division, all);
  }

  /** What the driver had in a pass; a driver that is down has nothing to say. */
  void see(Snapshot all) {
    if (all.driver() instanceof DriverState.Down) {
      firstLook.complete(Optional.empty());
      return;
    }
    var missing = Selected.missing(selection, all);
    if (!mayBeMissing && firstLook.complete(missing)) {
      said = missing;
    } else if (!missing.equals(said)) {
      said = missing;
      missing.ifPresent(line -> log.warn("devices.gpus: {}", line));
    }
  }

  /**
   * What the first pass found missing, if that is to stop the start; waits for that pass, but not
   * longer than {@code patience}, and not at all if nothing is selected by number.
   */
  public Optional<String> problemAtStart(Duration patience) {
    if (mayBeMissing
        || (selection.gpus().some().isEmpty() && !selection.instances().selectsAny())) {
      return Optional.empty();
    }
    return firstLook
        .copy()
        .completeOnTimeout(Optional.empty(), patience.toMillis(), TimeUnit.MILLISECONDS)
        .join()
        .map(line -> "devices.gpus: " + line);
  }
}
