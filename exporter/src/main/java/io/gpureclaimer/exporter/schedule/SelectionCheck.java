package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.config.CountersConfig;
import io.gpureclaimer.exporter.config.DevicesConfig;
import io.gpureclaimer.exporter.config.SettingNames;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.devices.MigValuePlacement;
import io.gpureclaimer.exporter.devices.SelectedDevices;
import io.gpureclaimer.exporter.devices.Selection;
import io.gpureclaimer.exporter.exposition.own.UnmatchedConfig;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.Snapshot;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reports selected devices and rows that do not exist on this node: those of the start to the
 * program, changes to the log. Used by the sampling job, except {@link #problemAtStart}, which the
 * thread that starts the program calls.
 */
@Singleton
public final class SelectionCheck {
  private static final Logger log = LoggerFactory.getLogger(SelectionCheck.class);

  private final Selection selection;
  private final MigValuePlacement division;
  private final boolean mayBeMissing;
  private final String setting;
  private final CounterRowCheck rows;
  private final CompletableFuture<Optional<String>> firstLook = new CompletableFuture<>();

  /** Confined to the sampling job. */
  private Selection unmatched = Selection.NOTHING;

  private Optional<String> line = Optional.empty();

  SelectionCheck(DevicesConfig devices, CountersConfig counters, Optional<SettingNames> names) {
    this.selection = devices.selection();
    this.division = devices.division();
    this.mayBeMissing = devices.mayBeMissing();
    var inFlags = names.orElse(SettingNames.OF_PROPERTIES).inFlags();
    this.setting = inFlags.apply("devices.gpus");
    this.rows = rowCheck(counters, inFlags);
  }

  /** Rows that no user selected are no reason for a warning. */
  private static CounterRowCheck rowCheck(CountersConfig counters, UnaryOperator<String> inFlags) {
    if (counters.configMap() != null) {
      return new CounterRowCheck(inFlags.apply("counters.config-map"), Level.WARN);
    }
    return counters.file() == null
        ? new CounterRowCheck("built-in counters", Level.INFO)
        : new CounterRowCheck(inFlags.apply("counters.file"), Level.WARN);
  }

  /** What of a pass is served. */
  Snapshot shown(Snapshot all) {
    return SelectedDevices.of(selection, division, all);
  }

  /** Selections that match nothing; a driver that is down changes nothing. */
  UnmatchedConfig see(Snapshot all, CounterSet inForce) {
    if (all.driver() instanceof DriverState.Down) {
      firstLook.complete(Optional.empty());
    } else {
      seeDevices(all);
    }
    return new UnmatchedConfig(
        unmatched.gpus().text('g'), unmatched.instances().text('i'), line, rows.see(inForce, all));
  }

  private void seeDevices(Snapshot all) {
    var before = unmatched;
    unmatched = SelectedDevices.unmatched(selection, before, all);
    line =
        unmatched.equals(Selection.NOTHING)
            ? Optional.empty()
            : Optional.of(setting + ": " + SelectedDevices.describe(unmatched, all));
    if (firstLook.complete(line.filter(_ -> stopsTheStart())) && stopsTheStart()) {
      return;
    }
    var back = before.minus(unmatched);
    if (!unmatched.minus(before).equals(Selection.NOTHING)) {
      line.ifPresent(log::warn);
    } else if (!back.equals(Selection.NOTHING)) {
      log.info("{}: {} matches again", setting, back.text());
    }
  }

  /** Instances may be absent where GPUs are selected too, so that one selection suits all nodes. */
  private boolean stopsTheStart() {
    return !mayBeMissing
        && (!unmatched.gpus().some().isEmpty()
            || !unmatched.instances().some().isEmpty()
            || (unmatched.instances().all() && !selection.gpus().selectsAny()));
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
        .join();
  }
}
