package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.core.program.Causes;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cycle.FirstLook;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.BeanContextException;
import io.micronaut.context.exceptions.ConfigurationException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Looks once, without a server and without ever writing, and hands the report on. */
final class OneLook {
  private OneLook() {}

  /**
   * Looks and prints.
   *
   * @param print gives the exit code
   */
  static int with(Settings settings, ToIntFunction<CycleReport> print) {
    return in(
        settings.properties(),
        context -> print.applyAsInt(context.getBean(FirstLook.class).look()));
  }

  /**
   * Runs something with the parts of the program.
   *
   * @param run gives the exit code
   */
  static int in(Map<String, Object> given, ToIntFunction<ApplicationContext> run) {
    System.setProperty("log.level", "warn");
    var properties = new HashMap<>(given);
    properties.put("reclaimer.schedule", "false");
    try (var context =
        ApplicationContext.builder()
            .properties(properties)
            .deduceEnvironment(false)
            .banner(false)
            .start()) {
      return run.applyAsInt(context);
    } catch (BeanContextException | ConfigurationException e) {
      return ExitCode.userError(Causes.ruleOf(e));
    } catch (ClusterUnreachable e) {
      return ExitCode.worldIsBroken(String.valueOf(e.getMessage()));
    }
  }
}
