package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.program.ListenAddress;
import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.reclaimer.cli.CommandLineProgram.OutputFormat.TextOrJson;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The controller: cycle after cycle, until it is stopped. */
@Command(
    name = "run",
    description = "Run the controller: judge and reclaim in cycles. Acts only while it leads.")
final class RunCommand implements Callable<Integer> {
  @Option(
      names = {"-a", "--address"},
      paramLabel = "HOST:PORT",
      converter = FlagConverters.OfAddress.class,
      description = "Where to listen; default :8080. Variable GPU_RECLAIMER_LISTEN.")
  ListenAddress address = new ListenAddress("", 8080);

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description = "Pause between two cycles; default 60s. Variable GPU_RECLAIMER_INTERVAL.")
  @Nullable Duration interval;

  @Option(
      names = "--dry-run",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOL",
      description = "Report what would be done, and write nothing. Variable GPU_RECLAIMER_DRY_RUN.")
  boolean dryRun;

  @Option(
      names = "--lease-namespace",
      paramLabel = "NAMESPACE",
      description =
          "Namespace of the Lease that elects the leader; default gpu-reclaimer."
              + " Variable GPU_RECLAIMER_LEASE_NAMESPACE.")
  @Nullable String leaseNamespace;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      description = "text (default) or json. Variable GPU_RECLAIMER_LOG_FORMAT.")
  TextOrJson logFormat = TextOrJson.text;

  @Option(
      names = "--audit-to",
      paramLabel = "WHERE",
      description =
          "Destination of decision records: log (default), off, - for standard "
              + "output, or a file. Variable GPU_RECLAIMER_AUDIT_TO.")
  @Nullable String auditTo;

  @Option(
      names = "--team-label",
      paramLabel = "NAME",
      description =
          "Label of pods, owners or namespaces whose value is the label team of metrics, or none;"
              + " default team. Variable GPU_RECLAIMER_TEAM_LABEL.")
  @Nullable String teamLabel;

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    System.setProperty("log.format", logFormat.name());
    return ExitCode.run(() -> Service.start(CommandLineProgram.version(), properties()));
  }

  /** What was given, by property name. */
  Map<String, Object> properties() {
    var properties = new HashMap<>(CommonFlags.properties(spec));
    properties.putAll(address.properties());
    properties.put("reclaimer.schedule", "true");
    properties.put("reclaimer.dry-run", Boolean.toString(dryRun));
    if (interval != null) {
      properties.put("reclaimer.interval", interval.toString());
    }
    if (leaseNamespace != null) {
      properties.put("leader.namespace", leaseNamespace);
    }
    if (auditTo != null) {
      properties.put("audit.to", auditTo);
    }
    if (teamLabel != null) {
      properties.put("reclaimer.team-label", teamLabel);
    }
    return properties;
  }
}
