package io.gpureclaimer.exporter;

import io.gpureclaimer.common.kubernetes.ClusterNotConfigured;
import io.gpureclaimer.common.kubernetes.ConnectionOptions;
import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.deviceplugin.runtime.kubernetes.LabelRemoval;
import io.gpureclaimer.doctor.Diagnosis;
import io.gpureclaimer.doctor.DiagnosisJson;
import io.gpureclaimer.doctor.DiagnosisText;
import io.gpureclaimer.doctor.Doctor;
import io.gpureclaimer.doctor.NodeFiles;
import io.gpureclaimer.doctor.NvmlDriver;
import io.gpureclaimer.exporter.cli.CommandLineArguments;
import io.gpureclaimer.exporter.cli.Invocation.Examine;
import io.gpureclaimer.exporter.cli.Invocation.Print;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import io.gpureclaimer.exporter.cli.Invocation.RemoveLabels;
import io.gpureclaimer.exporter.cli.Invocation.Run;
import io.gpureclaimer.exporter.cli.LogConfiguration;
import io.gpureclaimer.exporter.config.SettingNames;
import io.gpureclaimer.exporter.config.Version;
import io.gpureclaimer.exporter.schedule.SelectionCheck;
import io.gpureclaimer.simulator.Profile;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The agent's entry point. */
public final class GpuExporter {
  private static final int WORLD_IS_BROKEN = 1;
  private static final int USER_ERROR = 2;

  /** Longer than opening the driver and a pass may take. */
  private static final Duration FIRST_PASS = Duration.ofSeconds(20);

  /** How long a command waits for the API server to accept a connection, and for an answer. */
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private static final Duration REQUEST = Duration.ofSeconds(30);

  /** Whether the program ends by itself, with an exit status of its own. */
  private static final AtomicBoolean LEAVING = new AtomicBoolean();

  private GpuExporter() {}

  /** Starts the agent, or says in one line why not. */
  public static void main(String[] args) {
    var arguments =
        new CommandLineArguments(System.getenv(), Profile.names(), Version.ofThisProgram());
    switch (arguments.parse(args)) {
      case Print(var text) -> System.out.print(text);
      case Refused(var problem) -> leave(USER_ERROR, problem + " (see --help)");
      case Examine examine -> examine(examine);
      case RemoveLabels _ -> removeLabels();
      case Run run -> run(run, problem -> arguments.inFlags(problem, args));
    }
  }

  private static void examine(Examine asked) {
    Diagnosis diagnosis =
        new Doctor(new NodeFiles(asked.root()), new NvmlDriver(asked.library(), asked.root()))
            .examine();
    System.out.print(asked.json() ? DiagnosisJson.of(diagnosis) : DiagnosisText.of(diagnosis));
    System.exit(diagnosis.exitCode());
  }

  private static void removeLabels() {
    logAs("text", false);
    try {
      var removal =
          LabelRemoval.run(
              new ConnectionOptions(Optional.empty(), Optional.empty(), CONNECT, REQUEST, REQUEST));
      removal.nodes().forEach(node -> System.out.println("labels removed from Node " + node));
      removal.problems().forEach(problem -> System.err.println("gpu-exporter: " + problem));
      System.exit(removal.problems().isEmpty() ? 0 : WORLD_IS_BROKEN);
    } catch (ClusterNotConfigured e) {
      leave(USER_ERROR, String.valueOf(e.getMessage()));
    }
  }

  private static void run(Run run, UnaryOperator<String> inFlags) {
    logAs(run.logFormat(), run.debug());
    if (!run.ignored().isEmpty()) {
      // Not before: the format of the log is decided when the first logger is made.
      LoggerFactory.getLogger(GpuExporter.class)
          .warn("accepted, but without effect here: {}", String.join(", ", run.ignored()));
    }
    var agent = new AtomicReference<@Nullable Service>();
    var main = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(main, agent.get())));
    var started =
        Service.start(
            "gpu-exporter " + Version.ofThisProgram(), run.properties(), new SettingNames(inFlags));
    agent.set(started);
    switch (started) {
      case Service.Running running ->
          running
              .part(SelectionCheck.class)
              .problemAtStart(FIRST_PASS)
              .ifPresent(problem -> leave(USER_ERROR, problem));
      case Service.Misconfigured(var problem) -> leave(USER_ERROR, inFlags.apply(problem));
      case Service.NotListening(var problem) -> leave(WORLD_IS_BROKEN, problem);
    }
  }

  /** Before the first logger is made. */
  private static void logAs(String format, boolean debug) {
    System.setProperty(LogConfiguration.FORMAT, format);
    System.setProperty(LogConfiguration.DEBUG, Boolean.toString(debug));
  }

  /**
   * Closes the agent, unless it still starts. An end by a signal is exit status 0, as that of
   * dcgm-exporter; a JVM that is left to itself returns 128 and the signal's number.
   */
  private static void end(Thread main, @Nullable Service agent) {
    boolean isSignaled = main.isAlive();
    if (agent instanceof Service.Running running) {
      isSignaled = true;
      running.close();
    }
    if (isSignaled && !LEAVING.get()) {
      Runtime.getRuntime().halt(0);
    }
  }

  private static void leave(int code, String line) {
    LEAVING.set(true);
    System.err.println("gpu-exporter: " + line);
    System.exit(code);
  }
}
