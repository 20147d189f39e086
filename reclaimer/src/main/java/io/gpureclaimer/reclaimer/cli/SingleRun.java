package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.program.Causes;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cycle.StartupWait;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.exceptions.BeanContextException;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.order.OrderUtil;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Model.CommandSpec;

/** Runs one command without a server and without a Lease. */
final class SingleRun {
  /** An address without a listener, for commands that need no evidence. */
  private static final String NO_LISTENER = "http://127.0.0.1:9/";

  private SingleRun() {}

  /** The properties of a command that needs no evidence. */
  static Map<String, Object> withoutEvidence(CommandSpec command) {
    Map<String, Object> properties = new HashMap<>(CommonFlags.properties(command));
    if (!properties.containsKey("prometheus.url")) {
      properties.putIfAbsent("direct.agents", List.of(NO_LISTENER));
    }
    return properties;
  }

  /** Plans once and prints the report; {@code print} returns the exit code. */
  static int with(CommandSpec command, ToIntFunction<CycleReport> print) {
    return in(
        CommonFlags.properties(command),
        context -> print.applyAsInt(context.getBean(StartupWait.class).plan()));
  }

  /** Runs a function with the beans of the program; it returns the exit code. */
  static int in(Map<String, Object> given, ToIntFunction<ApplicationContext> run) {
    System.setProperty("log.level", "warn");
    var properties = new HashMap<>(given);
    properties.put("reclaimer.schedule", "false");
    try (var context =
        ApplicationContext.builder()
            .properties(properties)
            .deduceEnvironment(false)
            .banner(false)
            // With them comes a thread that fails, and says so, where the context is closed first.
            .eagerBeansEnabled(false)
            .start()) {
      begin(context);
      return run.applyAsInt(context);
    } catch (BeanContextException | ConfigurationException e) {
      return ExitCode.userError(Causes.ruleOf(e));
    } catch (ClusterUnreachable e) {
      return ExitCode.worldIsBroken(String.valueOf(e.getMessage()));
    }
  }

  /** Creates the beans in the order of Micronaut, so the first mistake is the same. */
  private static void begin(ApplicationContext context) {
    context.getBeanDefinitions(Qualifiers.<Object>byStereotype(Context.class)).stream()
        .sorted(OrderUtil.COMPARATOR)
        .forEach(context::getBean);
  }
}
