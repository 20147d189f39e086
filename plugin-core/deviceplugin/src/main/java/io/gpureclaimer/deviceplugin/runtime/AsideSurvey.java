package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.nvml.inventory.Survey;
import io.gpureclaimer.nvml.session.DriverSession.Visit;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has the driver visited on a thread that may wait for it, and brings what came of it back to the
 * thread that asked, to which this is confined. Who asks while a survey is under way gets another
 * one after it, which has seen what there was when it was asked for.
 */
final class AsideSurvey implements AutoCloseable {
  private final Supplier<Visit<Survey>> survey;
  private final ExecutorService aside;
  private final Executor own;
  private boolean underWay;
  private boolean again;

  /**
   * @param survey may take as long as a GPU that hangs
   * @param aside used for nothing else, and ended with this
   * @param own the thread that asks
   */
  AsideSurvey(Supplier<Visit<Survey>> survey, ExecutorService aside, Executor own) {
    this.survey = survey;
    this.aside = aside;
    this.own = own;
  }

  /** Tells what a survey that begins now, or soon, brings. */
  void ask(Consumer<Visit<Survey>> then) {
    if (underWay) {
      again = true;
      return;
    }
    underWay = true;
    try {
      aside.execute(() -> visit(then));
    } catch (RejectedExecutionException _) {
      // The program is being stopped: nobody is offered anything any more.
      underWay = false;
    }
  }

  private void visit(Consumer<Visit<Survey>> then) {
    @Nullable Visit<Survey> seen = null;
    try {
      seen = survey.get();
    } finally {
      back(seen, then);
    }
  }

  private void back(@Nullable Visit<Survey> seen, Consumer<Visit<Survey>> then) {
    try {
      own.execute(() -> end(seen, then));
    } catch (RejectedExecutionException _) {
      // As above: nobody waits for it any more.
      aside.shutdown();
    }
  }

  private void end(@Nullable Visit<Survey> seen, Consumer<Visit<Survey>> then) {
    underWay = false;
    boolean another = again;
    again = false;
    if (seen != null) {
      then.accept(seen);
    }
    if (another) {
      ask(then);
    }
  }

  @Override
  public void close() {
    aside.shutdown();
  }
}
