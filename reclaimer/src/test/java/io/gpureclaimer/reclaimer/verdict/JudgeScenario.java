package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule.EvidenceLimits;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.policy.ActionChoice;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.NamespaceCaps;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.ClassLimits;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings.ActivityAnnotation;
import io.gpureclaimer.reclaimer.policy.RestoreChoice;
import io.gpureclaimer.reclaimer.policy.WorkloadClass;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.gpureclaimer.reclaimer.workload.Workloads;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the tests of the judgment play with: one moment, the usual limits, and words for records.
 */
public final class JudgeScenario {
  public static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");

  public static final Duration IDLE_AFTER = Duration.ofHours(1);

  public static final PolicyDefaults DEFAULTS =
      new PolicyDefaults(
          Mode.REPORT,
          Optional.of(IDLE_AFTER),
          Duration.ofMinutes(10),
          Duration.ofDays(30),
          Duration.ofMinutes(15),
          Duration.ofMinutes(5),
          Duration.ofHours(24),
          new ClassLimits(IDLE_AFTER, IDLE_AFTER, IDLE_AFTER, IDLE_AFTER, IDLE_AFTER),
          Duration.ZERO,
          Duration.ofDays(7),
          new VetoSettings(
              EnumSet.allOf(Signal.SignalKind.class), EnumSet.allOf(ActivityAnnotation.class)),
          Optional.empty());

  public static final EvidenceLimits LIMITS =
      new EvidenceLimits(Duration.ofMinutes(2), Duration.ofSeconds(30), Duration.ofSeconds(30));

  private JudgeScenario() {}

  /** The defaults, where other things than the GPUs count. */
  public static PolicyDefaults heeding(VetoSettings vetoSettings) {
    return new PolicyDefaults(
        DEFAULTS.mode(),
        DEFAULTS.idleAfter(),
        DEFAULTS.minIdleAfter(),
        DEFAULTS.maxIdleAfter(),
        DEFAULTS.warnBefore(),
        DEFAULTS.minWarnBefore(),
        DEFAULTS.maxWarnBefore(),
        DEFAULTS.classes(),
        DEFAULTS.startupGrace(),
        DEFAULTS.maxKeep(),
        vetoSettings,
        DEFAULTS.receivers());
  }

  /** The policy where nothing but these says anything. */
  public static EffectivePolicy plain(
      Setting<Mode> mode,
      Setting<Duration> idleAfter,
      Setting<Duration> warnBefore,
      Optional<String> excludedBy,
      List<Remark> remarks,
      Optional<Remark> distrusted) {
    var byDefault = new Origin.Defaults();
    return new EffectivePolicy(
        mode,
        idleAfter,
        idleAfter.value().compareTo(IDLE_AFTER) > 0,
        warnBefore,
        new Setting<>(Duration.ZERO, byDefault),
        new Setting<>(WorkloadClass.OTHER, byDefault),
        new Setting<>(ActionChoice.AUTO, byDefault),
        new Setting<>(RestoreChoice.MANUAL, byDefault),
        new Setting<>(false, byDefault),
        new Setting<>(DEFAULTS.maxKeep(), byDefault),
        List.of(),
        List.of(),
        Optional.empty(),
        NamespaceCaps.NONE,
        List.of(),
        excludedBy,
        remarks,
        distrusted);
  }

  /** A point in time before {@link #NOW}, for example {@code ago("1h30m")}. */
  public static Instant ago(String duration) {
    return NOW.minus(time(duration));
  }

  /** A duration as people write it in annotations. */
  public static Duration time(String duration) {
    return Durations.parse(duration).orElseThrow();
  }

  public static NamespaceView namespace(String name, String... annotations) {
    return new NamespaceView(name, map(annotations));
  }

  /** Annotations under our prefix: key, value, key, value. */
  public static Map<String, String> map(String... annotations) {
    return IntStream.range(0, annotations.length / 2)
        .boxed()
        .collect(
            Collectors.toMap(
                at -> "gpu-reclaimer.io/" + annotations[2 * at], at -> annotations[2 * at + 1]));
  }

  public static NodeView node(String name, int gpus) {
    return node(name, gpus, Map.of());
  }

  /** The same with further resources, in thousandths. */
  public static NodeView node(String name, int gpus, Map<String, Long> allocatable) {
    return new NodeView(
        name, Map.of(ResourceNames.GPU, gpus), allocatable, Map.of(), List.of(), true, false);
  }

  /** A cluster of one namespace and no nodes; what controls a pod is controlled by nothing. */
  public static ClusterView cluster(NamespaceView namespace, PodView... pods) {
    return new ClusterView(
        List.of(pods), Map.of(namespace.name(), namespace), List.of(), owners(pods));
  }

  /** What controls the pods, by UID, controlled by nothing and without annotations. */
  public static Map<String, OwnerView> owners(PodView... pods) {
    return Arrays.stream(pods)
        .flatMap(pod -> pod.owner().stream())
        .distinct()
        .collect(
            Collectors.toMap(
                Owner::uid, owner -> new OwnerView(owner, "ml", Optional.empty(), Map.of())));
  }

  /** The workload of pods that belong together. */
  public static Workload workload(PodView... pods) {
    return Workloads.of(List.of(pods), owners(pods));
  }

  /** What was seen at {@link #NOW}. */
  public static Observation.Seen seen(PodActivity... pods) {
    return new Observation.Seen(
        NOW,
        Arrays.stream(pods).collect(Collectors.toMap(PodActivity::uid, pod -> pod)),
        List.of());
  }

  /** A pod and its devices; each device is given by the time it has been idle. */
  public static PodActivity idle(PodView pod, String... idleFor) {
    return new PodActivity(
        pod.ref().uid(),
        IntStream.range(0, idleFor.length)
            .mapToObj(index -> device(pod.ref().uid() + "-" + index, idleFor[index]))
            .toList());
  }

  /** The same, with the raw utilization of a second look. */
  public static PodActivity idleAgain(PodView pod, double utilization, String... idleFor) {
    return new PodActivity(
        pod.ref().uid(),
        idle(pod, idleFor).devices().stream().map(each -> used(each, utilization)).toList());
  }

  /** A device that was watched for thirty days and has been idle this long. */
  public static DeviceActivity device(String name, String idleFor) {
    return new DeviceActivity(
        new GpuUuid("GPU-" + name),
        Optional.of(ago(idleFor)),
        ago("30d"),
        NOW,
        NOW,
        OptionalDouble.empty());
  }

  public static DeviceActivity used(DeviceActivity device, double utilization) {
    return new DeviceActivity(
        device.device(),
        device.lastActive(),
        device.observedSince(),
        device.observedUntil(),
        device.sampledAt(),
        OptionalDouble.of(utilization));
  }

  /** The annotations of a warning of any act, given some time ago about an idle period. */
  public static String[] warned(String ago, String idleFor) {
    return new String[] {
      "warned-at", ago(ago).toString(),
      "idle-since", ago(idleFor).toString(),
      "warned-mode", "always"
    };
  }
}
