package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.core.program.Causes;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cycle.ReclaimCycle;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.BeanContextException;
import io.micronaut.context.exceptions.ConfigurationException;
import java.time.Duration;
import java.util.HashMap;
import java.util.function.ToIntFunction;

/** Looks once, without a server and without ever writing, and hands the report on. */
final class OneLook {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private OneLook() {}

  /**
   * Looks and prints.
   *
   * @param print gives the exit code
   */
  static int with(Settings settings, ToIntFunction<CycleReport> print) {
    System.setProperty("log.level", "warn");
    var properties = new HashMap<>(settings.properties());
    properties.put("reclaimer.schedule", "false");
    try (var context =
        ApplicationContext.builder()
            .properties(properties)
            .deduceEnvironment(false)
            .banner(false)
            .start()) {
      return print.applyAsInt(patiently(context.getBean(ReclaimCycle.class)));
    } catch (BeanContextException | ConfigurationException e) {
      return ExitCode.userError(Causes.ruleOf(e));
    } catch (ClusterUnreachable e) {
      return ExitCode.worldIsBroken(String.valueOf(e.getMessage()));
    }
  }

  /** The watches need a moment to fill. */
  private static CycleReport patiently(ReclaimCycle cycle) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return cycle.look();
      } catch (ClusterUnreachable e) {
        if (System.nanoTime() > deadline || !paused()) {
          throw e;
        }
      }
    }
  }

  private static boolean paused() {
    try {
      Thread.sleep(PAUSE);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
