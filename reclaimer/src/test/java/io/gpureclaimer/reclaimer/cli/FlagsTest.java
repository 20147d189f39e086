package io.gpureclaimer.reclaimer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Every flag sets its property, and so does its variable. */
class FlagsTest {

  /**
   * One flag.
   *
   * @param name the flag
   * @param value as people write it
   * @param property what it sets
   * @param meaning as the property gets it
   */
  record TestedFlag(String name, String value, String property, Object meaning) {
    static TestedFlag of(String name, String value, String property) {
      return new TestedFlag(name, value, property, value);
    }

    String variable() {
      return name.equals("--address")
          ? "GPU_RECLAIMER_LISTEN"
          : "GPU_RECLAIMER_" + name.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
    }
  }

  static Stream<TestedFlag> flags() {
    return Stream.of(
        new TestedFlag("--address", ":9090", "micronaut.server.port", 9090),
        new TestedFlag("--interval", "1h30m", "reclaimer.interval", "PT1H30M"),
        TestedFlag.of("--dry-run", "true", "reclaimer.dry-run"),
        TestedFlag.of("--lease-namespace", "infra", "leader.namespace"),
        TestedFlag.of("--notify-file", "/etc/notify.yaml", "notify.file"),
        TestedFlag.of("--audit-to", "/var/log/audit.jsonl", "audit.to"),
        TestedFlag.of("--team-label", "example.com/team", "reclaimer.team-label"),
        TestedFlag.of("--prometheus-url", "http://prometheus:9090", "prometheus.url"),
        TestedFlag.of("--prometheus-bearer-token-file", "/token", "prometheus.bearer-token-file"),
        TestedFlag.of("--prometheus-username", "me", "prometheus.username"),
        TestedFlag.of("--prometheus-password-file", "/password", "prometheus.password-file"),
        TestedFlag.of("--prometheus-ca-file", "/ca.pem", "prometheus.ca-file"),
        TestedFlag.of("--prometheus-tenant", "team-a", "prometheus.tenant"),
        new TestedFlag("--prometheus-timeout", "7s", "prometheus.timeout", "PT7S"),
        TestedFlag.of("--prometheus-form", "rules", "prometheus.form"),
        TestedFlag.of("--prometheus-labels", "exported", "prometheus.labels"),
        new TestedFlag("--signals", "power,cpu", "evidence.signals.kinds", List.of("power", "cpu")),
        new TestedFlag(
            "--agents",
            "http://a:9400/metrics,http://b:9400/metrics",
            "direct.agents",
            List.of("http://a:9400/metrics", "http://b:9400/metrics")),
        TestedFlag.of("--kubeconfig", "/kube/config", "kubernetes.kubeconfig"),
        TestedFlag.of("--context", "prod", "kubernetes.context"),
        new TestedFlag(
            "--gpu-resources",
            "nvidia.com/gpu,example.com/h100",
            "kubernetes.gpu-resources",
            List.of("nvidia.com/gpu", "example.com/h100")),
        new TestedFlag(
            "--untouchable-namespaces",
            "ops,tools",
            "kubernetes.untouchable-namespaces",
            List.of("ops", "tools")),
        new TestedFlag("--idle-after", "2h", "policy.idle-after", "PT2H"),
        new TestedFlag("--startup-grace", "5m", "policy.startup-grace", "PT5M"),
        new TestedFlag("--min-idle-after", "20m", "policy.min-idle-after", "PT20M"),
        new TestedFlag("--warn-before", "30m", "policy.warn-before", "PT30M"),
        new TestedFlag("--min-warn-before", "90s", "policy.min-warn-before", "PT1M30S"),
        TestedFlag.of("--max-evictions", "5", "plan.max-evictions"),
        TestedFlag.of("--max-evictions-per-hour", "6", "plan.max-evictions-per-hour"),
        TestedFlag.of("--max-namespace-evictions", "3", "plan.max-namespace-evictions"),
        TestedFlag.of(
            "--max-namespace-evictions-per-hour", "4", "plan.max-namespace-evictions-per-hour"),
        TestedFlag.of("--max-owner-evictions-per-day", "7", "plan.max-owner-evictions-per-day"),
        TestedFlag.of("--max-gpu-share-per-hour", "0.2", "plan.max-gpu-share-per-hour"),
        TestedFlag.of("--min-coverage", "0.9", "breaker.min-coverage"),
        TestedFlag.of("--max-idle-jump", "0.3", "breaker.max-idle-jump"),
        new TestedFlag("--settle-after-start", "2m", "breaker.settle-after-start", "PT2M"),
        TestedFlag.of("--max-need-probability", "0.5", "plan.max-need-probability"),
        new TestedFlag("--past", "2d", "evidence.past", "PT48H"),
        new TestedFlag("--pending-grace", "1m", "plan.pending-grace", "PT1M"),
        TestedFlag.of("--nominate-nodes", "true", "plan.nominate-nodes"),
        new TestedFlag("--wait-for-others", "0s", "plan.wait-for-others", "PT0S"),
        new TestedFlag(
            "--keep-free", "8xH100,2x8xA100", "plan.keep-free", List.of("8xH100", "2x8xA100")));
  }

  static Stream<TestedFlag> flagsWithAVariable() {
    return flags()
        .filter(flag -> !flag.name().equals("--kubeconfig") && !flag.name().equals("--context"));
  }

  @ParameterizedTest
  @MethodSource("flags")
  void setsItsProperty(TestedFlag flag) {
    assertThat(properties(Map.of(), flag.name() + "=" + flag.value()))
        .isEqualTo(with(flag.property(), flag.meaning()));
  }

  @ParameterizedTest
  @MethodSource("flagsWithAVariable")
  void setsItsPropertyByItsVariable(TestedFlag flag) {
    assertThat(properties(Map.of(flag.variable(), flag.value())))
        .isEqualTo(with(flag.property(), flag.meaning()));
  }

  @ParameterizedTest
  @MethodSource("flagsWithAVariable")
  void namesItsVariable(TestedFlag flag) {
    OptionSpec option = run(Map.of()).getCommandSpec().findOption(flag.name());

    assertThat(String.join("", option.description())).endsWith(" " + flag.variable() + ".");
  }

  @Test
  void everyFlagIsTestedHere() {
    var tested = new TreeSet<>(flags().map(TestedFlag::name).toList());
    tested.addAll(List.of("--help", "--version", "--log-format"));

    assertThat(
            run(Map.of()).getCommandSpec().options().stream().map(OptionSpec::longestName).toList())
        .containsExactlyInAnyOrderElementsOf(tested);
  }

  @Test
  void commandsThatLookKnowTheSameFlags_exceptThoseOfTheController() {
    var shared = new ArrayList<>(flags().map(TestedFlag::name).toList());
    shared.removeAll(List.of("--address", "--interval", "--dry-run", "--lease-namespace"));
    shared.removeAll(List.of("--audit-to", "--team-label"));
    shared.addAll(List.of("--help", "--version", "--output"));

    for (String command : List.of("plan", "explain", "backtest", "simulate")) {
      var expected = new ArrayList<>(shared);
      if (command.equals("backtest")) {
        expected.addAll(
            List.of(
                "--since",
                "--until",
                "--step",
                "--namespace",
                "--as-if",
                "--limit",
                "--resume",
                "--html"));
      }
      if (command.equals("simulate")) {
        expected.addAll(
            List.of(
                "--nodes",
                "--node-list",
                "--pod-list",
                "--workloads",
                "--sacct",
                "--job-activity",
                "--notebook-partitions",
                "--priorities",
                "--prometheus",
                "--duty-cycles",
                "--from",
                "--to",
                "--skip-invalid",
                "--length",
                "--interval",
                "--seed",
                "--seeds",
                "--autoscale",
                "--node-startup",
                "--node-idle",
                "--policies",
                "--html"));
      }
      if (command.equals("plan")) {
        expected.addAll(List.of("--namespace", "--defrag"));
      }
      if (command.equals("explain")) {
        expected.add("--record");
      }
      assertThat(
              command(Map.of(), command).getCommandSpec().options().stream()
                  .map(OptionSpec::longestName)
                  .toList())
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void aFlagWinsOverItsVariable() {
    Map<String, String> environment =
        Map.of("GPU_RECLAIMER_DRY_RUN", "false", "GPU_RECLAIMER_IDLE_AFTER", "3h");

    assertThat(properties(environment, "--dry-run", "--idle-after=2h"))
        .containsEntry("reclaimer.dry-run", "true")
        .containsEntry("policy.idle-after", "PT2H");
  }

  @Test
  void aDryRunStaysOne_whenTheVariableSaysSoToo() {
    assertThat(properties(Map.of("GPU_RECLAIMER_DRY_RUN", "true"), "--dry-run"))
        .containsEntry("reclaimer.dry-run", "true");
  }

  @Test
  void anEmptyVariableIsNone() {
    assertThat(
            properties(
                Map.of("GPU_RECLAIMER_PROMETHEUS_URL", "", "GPU_RECLAIMER_MAX_EVICTIONS", " ")))
        .isEqualTo(defaults());
  }

  @Test
  void setsNothingButWhatTheCommandItselfNeeds_whenNoFlagIsGiven() {
    assertThat(properties(Map.of())).isEqualTo(defaults());
  }

  @Test
  void listensOnOneAddress_whenAHostIsGiven() {
    assertThat(properties(Map.of(), "-a", "[::1]:9090"))
        .containsEntry("micronaut.server.host", "::1")
        .containsEntry("micronaut.server.port", 9090);
  }

  @Test
  void takesBothFormatsOfTheLog() {
    for (String format : List.of("text", "json")) {
      assertThat(parsed(Map.of(), "--log-format", format).logFormat.name()).isEqualTo(format);
    }
  }

  private static Map<String, Object> defaults() {
    return Map.of(
        "micronaut.server.port", 8080,
        "reclaimer.schedule", "true",
        "reclaimer.dry-run", "false");
  }

  private static Map<String, Object> with(String property, Object value) {
    var properties = new HashMap<>(defaults());
    properties.put(property, value);
    return properties;
  }

  private static Map<String, Object> properties(Map<String, String> environment, String... args) {
    return parsed(environment, args).properties();
  }

  private static RunCommand parsed(Map<String, String> environment, String... args) {
    String[] all = Stream.concat(Stream.of("run"), Stream.of(args)).toArray(String[]::new);
    return CommandLineProgram.parser(environment)
        .parseArgs(all)
        .subcommand()
        .commandSpec()
        .commandLine()
        .getCommand();
  }

  private static CommandLine run(Map<String, String> environment) {
    return command(environment, "run");
  }

  private static CommandLine command(Map<String, String> environment, String name) {
    CommandLine found = CommandLineProgram.parser(environment).getSubcommands().get(name);
    if (found == null) {
      throw new AssertionError("no command " + name);
    }
    return found;
  }
}
