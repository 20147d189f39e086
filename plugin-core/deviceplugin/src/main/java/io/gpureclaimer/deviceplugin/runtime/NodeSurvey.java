package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.mps.ComputeModes;
import io.gpureclaimer.nvml.EventWatch;
import io.gpureclaimer.nvml.inventory.KernelFiles;
import io.gpureclaimer.nvml.inventory.Survey;
import io.gpureclaimer.nvml.inventory.Surveyor;
import io.gpureclaimer.nvml.session.DriverSession;
import io.gpureclaimer.nvml.session.DriverSession.Open;
import io.gpureclaimer.nvml.session.DriverSession.Visit;
import io.gpureclaimer.nvml.session.DriverThread;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Visits the driver for the device plugin. */
public final class NodeSurvey implements Supplier<Visit<Survey>> {
  private static final Path ROOT = Path.of("/");

  /** Many times what a GPU takes that has answered before. */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final DriverSession driver;
  private final DriverThread thread;
  private final Duration deadline;
  private final EventWatch events;
  private final Surveyor surveyor;

  /**
   * @param deadline for one GPU's answers, after which it is given up
   * @param events heard from the first visit on
   * @param order who was at which index before this program started; empty if that is not known
   */
  public NodeSurvey(
      DriverSession driver,
      DriverThread thread,
      Duration deadline,
      EventWatch events,
      List<Optional<GpuUuid>> order) {
    this(driver, thread, PATIENCE, deadline, events, order);
  }

  NodeSurvey(
      DriverSession driver,
      DriverThread thread,
      Duration patience,
      Duration deadline,
      EventWatch events,
      List<Optional<GpuUuid>> order) {
    this.driver = driver;
    this.thread = thread;
    this.deadline = deadline;
    this.events = events;
    this.surveyor =
        new Surveyor(
            new KernelFiles(ROOT),
            new SurveyTurns(thread, patience, deadline, System::nanoTime),
            order);
  }

  @Override
  public Visit<Survey> get() {
    return driver.visit(this::look);
  }

  private Survey look(Open session) {
    events.attend(session.nvml(), session.devices());
    return surveyor.survey(session.nvml());
  }

  ComputeModes computeModes() {
    return new DriverComputeModes(driver, thread, deadline);
  }
}
