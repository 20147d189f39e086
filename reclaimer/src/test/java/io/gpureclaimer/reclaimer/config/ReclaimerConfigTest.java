package io.gpureclaimer.reclaimer.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.common.program.Causes;
import io.gpureclaimer.common.vocabulary.IdlePower;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.AcceleratorNames;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every record: its defaults, its properties, and every rule that stops the start. */
class ReclaimerConfigTest {
  private static final String PROMETHEUS = "http://prometheus:9090";
  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      clusters: [{name: here, cluster: {server: "http://127.0.0.1:9"}}]
      contexts: [{name: here, context: {cluster: here, user: me}}]
      users: [{name: me, user: {}}]
      current-context: here
      """;

  @TempDir static Path folder;

  private static Path kubeconfig = Path.of("kubeconfig");

  @BeforeAll
  static void writeTheKubeconfig() throws IOException {
    kubeconfig = Files.writeString(folder.resolve("kubeconfig"), KUBECONFIG);
  }

  @Test
  void defaults() {
    assertThat(bound(Map.of(), ReclaimerConfig.class))
        .isEqualTo(new ReclaimerConfig(minutes(1), "false", false, "team", "kubernetes"));
    assertThat(bound(Map.of(), PolicyConfig.class))
        .isEqualTo(
            new PolicyConfig(
                "by-class",
                minutes(10),
                Duration.ofDays(30),
                minutes(15),
                minutes(5),
                Duration.ofDays(1),
                minutes(15),
                Duration.ofDays(7),
                List.of("power", "memory", "pcie", "nvlink", "cpu", "requests", "jupyter"),
                List.of("last-activity", "notebook")));
    assertThat(bound(Map.of(), ClassesConfig.class))
        .isEqualTo(
            new ClassesConfig(minutes(60), minutes(120), minutes(90), minutes(60), minutes(240)));
    assertThat(bound(Map.of(), EvidenceConfig.class))
        .isEqualTo(new EvidenceConfig(minutes(2), seconds(30), seconds(30), Duration.ofDays(7)));
    assertThat(bound(Map.of(), PlanConfig.class))
        .isEqualTo(
            new PlanConfig(
                "0.4%",
                "6%",
                2,
                10,
                3,
                0.1,
                seconds(30),
                minutes(5),
                false,
                minutes(10),
                List.of(),
                "auto"));
    assertThat(bound(Map.of(), BreakerConfig.class))
        .isEqualTo(new BreakerConfig(0.95, 0.2, 5, minutes(30), minutes(5), minutes(5)));
    assertThat(bound(Map.of(), PrometheusConfig.class))
        .isEqualTo(
            new PrometheusConfig(
                URI.create(PROMETHEUS),
                null,
                null,
                null,
                null,
                null,
                seconds(60),
                "auto",
                "auto",
                1000));
    assertThat(bound(Map.of(), DirectConfig.class)).isEqualTo(new DirectConfig(null, seconds(5)));
    assertThat(bound(Map.of(), KubernetesApiConfig.class))
        .isEqualTo(
            new KubernetesApiConfig(
                kubeconfig,
                null,
                seconds(10),
                seconds(10),
                seconds(30),
                minutes(2),
                List.of("nvidia.com/gpu"),
                List.of("gpu-reclaimer", "gpu-exporter", "gpu-operator", "monitoring")));
    assertThat(bound(Map.of(), AuditConfig.class)).isEqualTo(new AuditConfig("log"));
    assertThat(bound(Map.of(), NotifyConfig.class))
        .isEqualTo(new NotifyConfig(null, seconds(5), seconds(10)));
    assertThat(bound(Map.of(), LeaderConfig.class))
        .isEqualTo(
            new LeaderConfig(
                "gpu-reclaimer", "gpu-reclaimer", null, seconds(30), seconds(15), seconds(5)));
  }

  @Test
  void everyPropertyOfTheReclaimerIsBound() {
    assertThat(
            bound(
                Map.of(
                    "reclaimer.interval", "10s",
                    "reclaimer.dry-run", "true",
                    "reclaimer.schedule", "false",
                    "reclaimer.team-label", "example.com/team",
                    "reclaimer.cluster", "embedded"),
                ReclaimerConfig.class))
        .isEqualTo(new ReclaimerConfig(seconds(10), "true", false, "example.com/team", "embedded"))
        .matches(ReclaimerConfig::isDryRun);
  }

  @Test
  void noTeamIsReported_withNoneAsItsLabel() {
    assertThat(
            bound(Map.of("reclaimer.team-label", "none"), ReclaimerConfig.class).teamLabelIfAny())
        .isEmpty();
  }

  @Test
  void everyPropertyOfThePolicyIsBound() {
    assertThat(
            bound(
                Map.of(
                    "policy.idle-after", "20m",
                    "policy.min-idle-after", "11m",
                    "policy.max-idle-after", "10d",
                    "policy.warn-before", "6m",
                    "policy.min-warn-before", "4m",
                    "policy.max-warn-before", "2d",
                    "policy.startup-grace", "0s",
                    "policy.max-keep", "1d",
                    "policy.vetoes", "power,cpu",
                    "policy.heartbeats", "notebook"),
                PolicyConfig.class))
        .isEqualTo(
            new PolicyConfig(
                "20m",
                minutes(11),
                Duration.ofDays(10),
                minutes(6),
                minutes(4),
                Duration.ofDays(2),
                Duration.ZERO,
                Duration.ofDays(1),
                List.of("power", "cpu"),
                List.of("notebook")));
    assertThat(
            bound(
                Map.of(
                    "policy.classes.interactive", "11m",
                    "policy.classes.serving", "12m",
                    "policy.classes.batch", "13m",
                    "policy.classes.elastic", "14m",
                    "policy.classes.other", "15m"),
                ClassesConfig.class))
        .isEqualTo(
            new ClassesConfig(minutes(11), minutes(12), minutes(13), minutes(14), minutes(15)));
  }

  @Test
  void everyPropertyOfTheEvidenceIsBound() {
    assertThat(
            bound(
                Map.of(
                    "evidence.max-age", "3m",
                    "evidence.max-age-to-act", "1m",
                    "evidence.max-skew", "5s",
                    "evidence.past", "2d"),
                EvidenceConfig.class))
        .isEqualTo(new EvidenceConfig(minutes(3), minutes(1), seconds(5), Duration.ofDays(2)));
  }

  @Test
  void everyPropertyOfTheSignalsIsBound() {
    SignalsConfig config =
        bound(
            Map.of(
                "evidence.signals.kinds", List.of("power", "memory"),
                "evidence.signals.power-limits", List.of("NVIDIA L4=42"),
                "evidence.signals.memory-mebibytes", "1",
                "evidence.signals.pcie-bytes-per-second", "2",
                "evidence.signals.nvlink-bytes-per-second", "3",
                "evidence.signals.cores-per-gpu", "4",
                "evidence.signals.request-counters", List.of("my:requests_total")),
            SignalsConfig.class);

    assertThat(config)
        .isEqualTo(
            new SignalsConfig(
                List.of("power", "memory"),
                List.of("NVIDIA L4=42"),
                1,
                2,
                3,
                4,
                List.of("my:requests_total")));
    assertThat(config.limits())
        .isEqualTo(
            new SignalLimits(
                Set.of(Signal.SignalKind.POWER, Signal.SignalKind.MEMORY),
                new IdlePower(Map.of("NVIDIA L4", 42.0)),
                1,
                2,
                3,
                4,
                List.of("my:requests_total"),
                true));
  }

  /** The defaults are those by which agents judge. */
  @Test
  void signalsOfBoards_areJudgedByAgents_unlessALimitIsAnother() {
    assertThat(bound(Map.of(), SignalsConfig.class).limits().judgedByAgents())
        .containsExactlyInAnyOrder(
            SignalKind.POWER, SignalKind.MEMORY, SignalKind.PCIE, SignalKind.NVLINK);
    assertThat(
            bound(
                    Map.of(
                        "evidence.signals.memory-mebibytes",
                        "1",
                        "evidence.signals.power-limits",
                        List.of("NVIDIA L4=42")),
                    SignalsConfig.class)
                .limits()
                .judgedByAgents())
        .containsExactlyInAnyOrder(SignalKind.PCIE, SignalKind.NVLINK);
  }

  @Test
  void queriesNoSignal_whenNoneIsEnabled() {
    assertThat(
            bound(Map.of("evidence.signals.kinds", "none"), SignalsConfig.class).limits().kinds())
        .isEmpty();
  }

  @Test
  void everyPropertyOfThePlanIsBound() {
    assertThat(
            bound(
                Map.ofEntries(
                    Map.entry("plan.max-evictions", "7"),
                    Map.entry("plan.max-evictions-per-hour", "8"),
                    Map.entry("plan.max-namespace-evictions", "3"),
                    Map.entry("plan.max-namespace-evictions-per-hour", "4"),
                    Map.entry("plan.max-owner-evictions-per-day", "5"),
                    Map.entry("plan.max-gpu-share-per-hour", "0.5"),
                    Map.entry("plan.pending-grace", "0s"),
                    Map.entry("plan.nomination", "1m"),
                    Map.entry("plan.nominate-nodes", "true"),
                    Map.entry("plan.wait-for-others", "2m"),
                    Map.entry("plan.keep-free", "8xH100,2x8xA100"),
                    Map.entry("plan.max-need-probability", "0.4")),
                PlanConfig.class))
        .isEqualTo(
            new PlanConfig(
                "7",
                "8",
                3,
                4,
                5,
                0.5,
                Duration.ZERO,
                minutes(1),
                true,
                minutes(2),
                List.of("8xH100", "2x8xA100"),
                "0.4"));
  }

  @Test
  void everyPropertyOfTheBreakerIsBound() {
    assertThat(
            bound(
                Map.of(
                    "breaker.min-coverage", "0.5",
                    "breaker.max-idle-jump", "1",
                    "breaker.jump-workloads", "9",
                    "breaker.jump-settles", "1m",
                    "breaker.source-settles", "2m",
                    "breaker.settle-after-start", "3m"),
                BreakerConfig.class))
        .isEqualTo(new BreakerConfig(0.5, 1, 9, minutes(1), minutes(2), minutes(3)));
  }

  @Test
  void everyPropertyOfThePrometheusIsBound() {
    assertThat(
            bound(
                Map.of(
                    "prometheus.url", "https://thanos/prefix",
                    "prometheus.username", "user",
                    "prometheus.password-file", "/password",
                    "prometheus.ca-file", "/ca.pem",
                    "prometheus.tenant", "team-a",
                    "prometheus.timeout", "7s",
                    "prometheus.form", "series",
                    "prometheus.labels", "exported",
                    "prometheus.selective-from", "5"),
                PrometheusConfig.class))
        .isEqualTo(
            new PrometheusConfig(
                URI.create("https://thanos/prefix"),
                null,
                "user",
                Path.of("/password"),
                Path.of("/ca.pem"),
                "team-a",
                seconds(7),
                "series",
                "exported",
                5));
    assertThat(
            bound(Map.of("prometheus.bearer-token-file", "/token"), PrometheusConfig.class)
                .bearerTokenFile())
        .isEqualTo(Path.of("/token"));
  }

  @Test
  void everyPropertyOfTheDirectSourceIsBound() {
    assertThat(
            bound(
                Map.of(
                    "prometheus.url", "",
                    "direct.agents", List.of("http://node-1:9400/metrics", "http://node-2:9400"),
                    "direct.deadline", "3s"),
                DirectConfig.class))
        .isEqualTo(
            new DirectConfig(
                List.of(URI.create("http://node-1:9400/metrics"), URI.create("http://node-2:9400")),
                seconds(3)));
  }

  @Test
  void everyPropertyOfKubernetesIsBound() {
    assertThat(
            bound(
                Map.of(
                    "kubernetes.context", "here",
                    "kubernetes.connect-timeout", "1s",
                    "kubernetes.request-timeout", "2s",
                    "kubernetes.heartbeat", "3s",
                    "kubernetes.stale-after", "4s",
                    "kubernetes.gpu-resources", List.of("nvidia.com/gpu", "example.com/h100"),
                    "kubernetes.untouchable-namespaces", List.of("ops")),
                KubernetesApiConfig.class))
        .isEqualTo(
            new KubernetesApiConfig(
                kubeconfig,
                "here",
                seconds(1),
                seconds(2),
                seconds(3),
                seconds(4),
                List.of("nvidia.com/gpu", "example.com/h100"),
                List.of("ops")));
  }

  @Test
  void watchesWhatIsConfigured_andSparesItsOwnNamespace() {
    assertThat(
            bound(Map.of(), KubernetesApiConfig.class)
                .terms(Optional.of("tools"), Map.of(), Optional.of("team"), true))
        .isEqualTo(
            new WatchTerms(
                minutes(2),
                AcceleratorNames.USUAL,
                Set.of("gpu-reclaimer", "gpu-exporter", "gpu-operator", "monitoring", "tools"),
                Map.of(),
                Optional.of("team"),
                true));
  }

  @Test
  void everyPropertyOfCheckpointsIsBound() {
    assertThat(bound(Map.of(), CheckpointConfig.class))
        .isEqualTo(new CheckpointConfig(List.of(), seconds(30), 8, null));
    assertThat(
            bound(
                Map.of(
                    "checkpoint.allowed",
                        List.of(".svc.cluster.local", "https://hooks.example.com/"),
                    "checkpoint.timeout", "2m",
                    "checkpoint.attempts", "3",
                    "checkpoint.ca-file", "/ca.pem"),
                CheckpointConfig.class))
        .isEqualTo(
            new CheckpointConfig(
                List.of(".svc.cluster.local", "https://hooks.example.com/"),
                minutes(2),
                3,
                Path.of("/ca.pem")));
  }

  @Test
  void theAuditGoesWhereItIsConfigured() {
    assertThat(destination("off")).isEqualTo(new AuditConfig.Destination.Off());
    assertThat(destination("log")).isEqualTo(new AuditConfig.Destination.Log());
    assertThat(destination("-")).isEqualTo(new AuditConfig.Destination.StandardOutput());
    assertThat(destination("/var/log/audit.jsonl"))
        .isEqualTo(new AuditConfig.Destination.OneFile(Path.of("/var/log/audit.jsonl")));
  }

  @Test
  void everyPropertyOfTheNotificationsIsBound(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("notify.yaml"), "receivers: []\n");
    assertThat(
            bound(
                Map.of(
                    "notify.file",
                    file.toString(),
                    "notify.timeout",
                    "2s",
                    "notify.patience",
                    "3s"),
                NotifyConfig.class))
        .isEqualTo(new NotifyConfig(file, seconds(2), seconds(3)));
  }

  private static AuditConfig.Destination destination(String to) {
    return bound(Map.of("audit.to", to), AuditConfig.class).destination();
  }

  @Test
  void everyPropertyOfTheLeaseIsBound() {
    assertThat(
            bound(
                Map.of(
                    "leader.namespace", "a",
                    "leader.name", "b",
                    "leader.identity", "c",
                    "leader.duration", "30s",
                    "leader.renew-deadline", "20s",
                    "leader.retry-period", "5s"),
                LeaderConfig.class))
        .isEqualTo(new LeaderConfig("a", "b", "c", seconds(30), seconds(20), seconds(5)));
  }

  @ParameterizedTest
  @CsvSource({
    "reclaimer.interval, 999ms, reclaimer.interval must be at least 1s",
    "reclaimer.dry-run, ture, 'reclaimer.dry-run must be true or false, was ture'",
    "web.prices[0], Tesla T4, 'web.prices must be like NVIDIA H100 80GB HBM3=2.5, was Tesla T4'",
    "web.prices[0], Tesla T4=-1, 'web.prices must be like NVIDIA H100 80GB HBM3=2.5, was Tesla"
        + " T4=-1'",
    "reclaimer.cluster, docker, 'reclaimer.cluster must be kubernetes or embedded, was docker'",
    "policy.min-idle-after, 0s, 'policy.min-idle-after must be positive, was 0s'",
    "policy.idle-after, 9m, 'policy.idle-after must be at least policy.min-idle-after, which is"
        + " 10m, was 9m'",
    "policy.idle-after, 31d, 'policy.idle-after must be at most policy.max-idle-after, which is"
        + " 30d, was 31d'",
    "policy.min-warn-before, 0s, 'policy.min-warn-before must be positive, was 0s'",
    "policy.warn-before, 4m, 'policy.warn-before must be at least policy.min-warn-before, which is"
        + " 5m, was 4m'",
    "policy.warn-before, 25h, 'policy.warn-before must be at most policy.max-warn-before, which is"
        + " 1d, was 1d 1h'",
    "policy.idle-after, 14m, 'policy.warn-before must be at most policy.idle-after, which is 14m,"
        + " was 15m'",
    "policy.min-idle-after, 31d, 'policy.min-idle-after must be at most policy.max-idle-after,"
        + " which is 30d, was 31d'",
    "policy.startup-grace, -1s, 'policy.startup-grace must not be negative, was PT-1S'",
    "policy.max-keep, -1s, 'policy.max-keep must not be negative, was PT-1S'",
    "policy.vetoes, heat, 'policy.vetoes must be none or some of power, memory, pcie, nvlink, cpu,"
        + " requests, jupyter, was heat'",
    "policy.heartbeats, jupyter, 'policy.heartbeats must be none or some of last-activity,"
        + " notebook, was jupyter'",
    "policy.classes.serving, 0s, 'policy.classes.serving must be positive, was 0s'",
    "policy.max-warn-before, 31d, 'policy.max-warn-before must be at most policy.max-idle-after,"
        + " which is 30d, was 31d'",
    "checkpoint.timeout, 0s, 'checkpoint.timeout must be positive, was 0s'",
    "checkpoint.timeout, 11m, 'checkpoint.timeout must be at most 10m, was 11m'",
    "checkpoint.attempts, 0, 'checkpoint.attempts must be from 1 to 20, was 0'",
    "checkpoint.allowed, *, 'an allowed checkpoint hook must be a URL like"
        + " https://hooks.example.com/gpu/ or a suffix of hosts like .svc.cluster.local, was *'",
    "evidence.max-age, 0s, 'evidence.max-age must be positive, was 0s'",
    "evidence.max-age-to-act, 0s, 'evidence.max-age-to-act must be positive, was 0s'",
    "evidence.max-age-to-act, 3m, 'evidence.max-age-to-act must be at most evidence.max-age, which"
        + " is 2m, was 3m'",
    "evidence.max-skew, 0s, 'evidence.max-skew must be positive, was 0s'",
    "evidence.past, 1h, 'evidence.past (--past) must be at least 1d, was 1h'",
    "evidence.past, 31d, 'evidence.past (--past) must be at most 30d, was 31d'",
    "evidence.signals.kinds, heat, 'evidence.signals.kinds must be none or some of power, memory,"
        + " pcie, nvlink, cpu, requests, jupyter, was heat'",
    "evidence.signals.power-limits, L4, 'evidence.signals.power-limits must be like NVIDIA L4=42,"
        + " was L4'",
    "evidence.signals.cores-per-gpu, -1, 'evidence.signals.cores-per-gpu must be a number and not"
        + " negative, was -1.0'",
    "evidence.signals.request-counters, up{}, 'evidence.signals.request-counters must be names of"
        + " metrics, was up{}'",
    "direct.deadline, 21s, 'direct.deadline must be at most 20s, was 21s'",
    "prometheus.form, dcgm, 'prometheus.form must be one of auto, ledger, rules, series, was dcgm'",
    "prometheus.labels, new, 'prometheus.labels must be one of auto, plain, exported, old, was"
        + " new'",
    "plan.max-evictions, -1, 'plan.max-evictions (--max-evictions) must be a number such as 2, or a"
        + " share of the cluster''s GPUs such as 0.4%, was -1'",
    "plan.max-evictions-per-hour, 101%, 'plan.max-evictions-per-hour (--max-evictions-per-hour) must"
        + " be a number such as 2, or a share of the cluster''s GPUs such as 0.4%, was 101%'",
    "plan.max-namespace-evictions, -1, 'plan.max-namespace-evictions must not be negative, was -1'",
    "plan.max-namespace-evictions-per-hour, -1, 'plan.max-namespace-evictions-per-hour must not be"
        + " negative, was -1'",
    "plan.max-owner-evictions-per-day, -1, 'plan.max-owner-evictions-per-day must not be negative,"
        + " was -1'",
    "plan.max-gpu-share-per-hour, 0, 'plan.max-gpu-share-per-hour must be above 0 and at most 1,"
        + " was 0.0'",
    "plan.max-gpu-share-per-hour, NaN, 'plan.max-gpu-share-per-hour must be above 0 and at most 1,"
        + " was NaN'",
    "plan.max-need-probability, 0.0, 'plan.max-need-probability (--max-need-probability) must be"
        + " auto, or a number such as 0.1 above 0 and at most 1, was 0.0'",
    "plan.max-need-probability, 1.5, 'plan.max-need-probability (--max-need-probability) must be"
        + " auto, or a number such as 0.1 above 0 and at most 1, was 1.5'",
    "plan.max-need-probability, many, 'plan.max-need-probability (--max-need-probability) must be"
        + " auto, or a number such as 0.1 above 0 and at most 1, was many'",
    "policy.idle-after, 1h30, 'policy.idle-after must be by-class or a duration like 90s, 10m, 2h,"
        + " 1h30m, 1d or 1w, was 1h30'",
    "plan.pending-grace, PT-1S, 'plan.pending-grace must not be negative, was PT-1S'",
    "plan.nomination, PT-1S, 'plan.nomination must not be negative, was PT-1S'",
    "plan.wait-for-others, PT-1S, 'plan.wait-for-others must not be negative, was PT-1S'",
    "plan.keep-free, 8H100, 'plan.keep-free (--keep-free) must be"
        + " [BLOCKSx]GPUSxMODEL[:RESOURCE] with numbers from 1 to 9999, such as 8xH100, 2x8xH100,"
        + " 4xH100:mig-1g.10gb, or without BLOCKS 4xH100:gpu.shared, was 8H100'",
    "plan.keep-free, 0xH100, 'plan.keep-free (--keep-free) must be"
        + " [BLOCKSx]GPUSxMODEL[:RESOURCE] with numbers from 1 to 9999, such as 8xH100, 2x8xH100,"
        + " 4xH100:mig-1g.10gb, or without BLOCKS 4xH100:gpu.shared, was 0xH100'",
    "plan.keep-free, '8xH100,2x4xh100', 'plan.keep-free (--keep-free) must name each model,"
        + " with each resource, once, was 8xH100,2x4xh100'",
    "breaker.min-coverage, 95, 'breaker.min-coverage must be from 0 to 1, was 95.0'",
    "breaker.max-idle-jump, -0.1, 'breaker.max-idle-jump must be from 0 to 1, was -0.1'",
    "breaker.jump-workloads, 0, 'breaker.jump-workloads must be at least 1, was 0'",
    "breaker.jump-settles, PT-1S, 'breaker.jump-settles must not be negative, was PT-1S'",
    "breaker.source-settles, PT-1S, 'breaker.source-settles must not be negative, was PT-1S'",
    "breaker.settle-after-start, PT-1S, 'breaker.settle-after-start must not be negative, was"
        + " PT-1S'",
    "prometheus.url, prometheus:9090, 'prometheus.url must begin with http:// or https://, its"
        + " scheme was prometheus'",
    "prometheus.url, prometheus, 'prometheus.url must begin with http:// or https://, it had no"
        + " scheme'",
    "prometheus.url, http:///x, 'prometheus.url must name a host, it named none'",
    "prometheus.url, http://me:secret@host, 'prometheus.url must not hold a user or password, the"
        + " one with host host does'",
    "prometheus.url, http://host/?a=b, 'prometheus.url must have no query and no fragment, the one"
        + " with host host has'",
    "prometheus.timeout, 0s, 'prometheus.timeout must be positive, was 0s'",
    "prometheus.tenant, a b, 'prometheus.tenant must be printable ASCII without spaces, was a b'",
    "prometheus.username, me, 'prometheus.username and prometheus.password-file go together, was"
        + " only prometheus.username'",
    "prometheus.password-file, /p, 'prometheus.username and prometheus.password-file go together,"
        + " was only prometheus.password-file'",
    "direct.agents, node-1:9400, 'direct.agents must begin with http:// or https://, its scheme was"
        + " node-1'",
    "direct.deadline, 0s, 'direct.deadline must be positive, was 0s'",
    "kubernetes.connect-timeout, 0s, 'kubernetes.connect-timeout must be positive, was 0s'",
    "kubernetes.request-timeout, 0s, 'kubernetes.request-timeout must be positive, was 0s'",
    "kubernetes.heartbeat, 0s, 'kubernetes.heartbeat must be positive, was 0s'",
    "kubernetes.stale-after, 0s, 'kubernetes.stale-after must be positive, was 0s'",
    "kubernetes.gpu-resources, nvidia.com/gpu.shared, 'kubernetes.gpu-resources: expected the name"
        + " of an extended resource that is whole GPUs, such as nvidia.com/gpu, was"
        + " nvidia.com/gpu.shared'",
    "leader.namespace, ' ', 'leader.namespace must not be blank, was \" \"'",
    "leader.name, ' ', 'leader.name must not be blank, was \" \"'",
    "leader.identity, ' ', 'leader.identity must not be blank, was \" \"'",
    "leader.duration, 15500ms, 'leader.duration must be whole seconds, was PT15.5S'",
    "leader.retry-period, 0s, 'leader.retry-period must be positive, was 0s'",
    "leader.retry-period, 15s, 'leader.retry-period must be shorter than leader.renew-deadline,"
        + " which is 15s, was 15s'",
    "leader.renew-deadline, 30s, 'leader.renew-deadline must be shorter than leader.duration, which"
        + " is 30s, was 30s'"
  })
  void refusesToStart_whenARuleIsBroken(String property, String value, String problem) {
    assertThat(problemOf(Map.of(property, value))).startsWith(problem);
  }

  @Test
  void refusesToStart_whenAWriteCouldOutliveTheLease() {
    assertThat(problemOf(Map.of("kubernetes.request-timeout", "16s")))
        .isEqualTo(
            "kubernetes.request-timeout must be at most leader.duration - leader.renew-deadline,"
                + " which is 15s, was 16s");
  }

  @Test
  void refusesToStart_whenThereAreTwoWaysToSignIn() {
    assertThat(
            problemOf(
                Map.of(
                    "prometheus.username", "me",
                    "prometheus.password-file", "/p",
                    "prometheus.bearer-token-file", "/t")))
        .isEqualTo(
            "prometheus.bearer-token-file and prometheus.username must not both be set, but they are");
  }

  @Test
  void refusesToStart_whenAUserHasAColon() {
    assertThat(problemOf(Map.of("prometheus.username", "a:b", "prometheus.password-file", "/p")))
        .isEqualTo("prometheus.username must not contain a colon, was a:b");
  }

  @Test
  void refusesToStart_whenThereIsNoSource() {
    assertThat(problemOf(Map.of("prometheus.url", "")))
        .isEqualTo("exactly one of prometheus.url and direct.agents must be set, was none");
  }

  @Test
  void refusesToStart_whenThereAreTwoSources() {
    assertThat(problemOf(Map.of("direct.agents", "http://node-1:9400/metrics")))
        .isEqualTo("exactly one of prometheus.url and direct.agents must be set, was both");
  }

  @ParameterizedTest
  @CsvSource({
    "1h30m, PT1H30M",
    "1w, P7D",
    "90s, PT1M30S",
    "5400000ms, PT1H30M",
    "PT90M, PT1H30M",
    "P1D, P1D"
  })
  void readsDurations_asInAnnotationsAndAsMicronautDoes(String text, Duration expected) {
    assertThat(bound(Map.of("policy.max-keep", text), PolicyConfig.class).maxKeep())
        .isEqualTo(expected);
  }

  @Test
  void refusesToStart_whenThereIsNoCluster() {
    assertThat(problemOf(Map.of("kubernetes.kubeconfig", "/nowhere")))
        .isEqualTo("kubeconfig /nowhere does not exist or is not readable");
  }

  @ParameterizedTest
  @CsvSource({
    "policy.max-keep, 1h30, 'policy.max-keep must be a duration like 90s, 10m, 2h, 1h30m, 1d or 1w,"
        + " was 1h30'",
    "plan.max-namespace-evictions, many, 'plan.max-namespace-evictions must be a whole number, was"
        + " many'"
  })
  void refusesToStart_whenAValueCannotBeRead(String property, String value, String problem) {
    assertThat(problemOf(Map.of(property, value))).isEqualTo(problem);
  }

  @ParameterizedTest
  @CsvSource({
    "reclaimer.dryrun, reclaimer.dry-run",
    "policy.idle-affter, policy.idle-after",
    "evidence.maxage, evidence.max-age",
    "plan.max-eviction, plan.max-evictions",
    "prometheus.uri, prometheus.url",
    "direct.agent, direct.agents",
    "kubernetes.kube-config, kubernetes.kubeconfig",
    "leader.renewDeadlin, leader.renew-deadline"
  })
  void refusesToStart_whenAKeyUnderOurPrefixesIsUnknown(String key, String nearest) {
    assertThat(problemOf(Map.of(key, "1")))
        .startsWith("unknown property " + key + " in ")
        .endsWith("; did you mean " + nearest + "?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"policies.idle", "micronaut.server.idle-timeout", "reclaim"})
  void acceptsKeysOfOthers(String key) {
    assertThat(bound(Map.of(key, "5m"), PlanConfig.class)).isNotNull();
  }

  private static <C extends Record> C bound(Map<String, Object> properties, Class<C> config) {
    try (var context = context(properties)) {
      return context.getBean(config);
    }
  }

  /** The one line that a user would read. */
  private static String problemOf(Map<String, Object> properties) {
    var problem = new String[] {""};
    assertThatThrownBy(() -> context(properties).close())
        .satisfies(thrown -> problem[0] = Causes.ruleOf(thrown));
    return problem[0];
  }

  private static ApplicationContext context(Map<String, Object> properties) {
    var all = new HashMap<String, Object>();
    all.put("prometheus.url", PROMETHEUS);
    all.put("kubernetes.kubeconfig", kubeconfig.toString());
    all.putAll(properties);
    return ApplicationContext.builder().deduceEnvironment(false).properties(all).start();
  }

  private static Duration minutes(long count) {
    return Duration.ofMinutes(count);
  }

  private static Duration seconds(long count) {
    return Duration.ofSeconds(count);
  }
}
