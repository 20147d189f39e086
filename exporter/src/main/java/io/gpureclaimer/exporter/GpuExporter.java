package io.gpureclaimer.exporter;

import io.gpureclaimer.core.nvml.simulated.Profile;
import io.gpureclaimer.exporter.cli.CommandLineArguments;
import io.gpureclaimer.exporter.cli.Invocation.Print;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import io.gpureclaimer.exporter.cli.Invocation.Run;
import io.gpureclaimer.exporter.cli.LogConfiguration;
import io.gpureclaimer.exporter.config.Version;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The agent's entry point. */
public final class GpuExporter {
  private static final int WORLD_IS_BROKEN = 1;
  private static final int USER_ERROR = 2;

  private GpuExporter() {}

  /** Starts the agent, or says in one line why not. */
  public static void main(String[] args) {
    var arguments =
        new CommandLineArguments(System.getenv(), Profile.names(), Version.ofThisProgram());
    switch (arguments.parse(args)) {
      case Print(var text) -> System.out.print(text);
      case Refused(var problem) -> leave(USER_ERROR, problem + " (see --help)");
      case Run(var properties, var logFormat) -> run(properties, logFormat);
    }
  }

  private static void run(Map<String, Object> properties, String logFormat) {
    System.setProperty(LogConfiguration.FORMAT, logFormat);
    var agent = new AtomicReference<@Nullable Agent>();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(agent.get())));
    var started = Agent.start(properties);
    agent.set(started);
    switch (started) {
      case Agent.Running _ -> {}
      case Agent.Misconfigured(var problem) -> leave(USER_ERROR, problem);
      case Agent.NotListening(var problem) -> leave(WORLD_IS_BROKEN, problem);
    }
  }

  /** Told to stop while it starts, the program just ends. */
  private static void close(@Nullable Agent agent) {
    if (agent instanceof Agent.Running running) {
      running.close();
    }
  }

  private static void leave(int code, String line) {
    System.err.println("gpu-exporter: " + line);
    System.exit(code);
  }
}
