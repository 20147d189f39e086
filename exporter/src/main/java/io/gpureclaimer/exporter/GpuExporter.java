package io.gpureclaimer.exporter;

import io.gpureclaimer.core.nvml.simulated.Profile;
import io.gpureclaimer.exporter.cli.CommandLineArguments;
import io.gpureclaimer.exporter.cli.Invocation.Print;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import io.gpureclaimer.exporter.cli.Invocation.Run;
import io.gpureclaimer.exporter.cli.LogConfiguration;
import io.gpureclaimer.exporter.config.Version;
import java.util.Map;

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
    switch (Agent.start(properties)) {
      case Agent.Running running ->
          Runtime.getRuntime().addShutdownHook(new Thread(running::close));
      case Agent.Misconfigured(var problem) -> leave(USER_ERROR, problem);
      case Agent.NotListening(var problem) -> leave(WORLD_IS_BROKEN, problem);
    }
  }

  private static void leave(int code, String line) {
    System.err.println("gpu-exporter: " + line);
    System.exit(code);
  }
}
