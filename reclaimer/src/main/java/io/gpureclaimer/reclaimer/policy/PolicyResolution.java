package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotationValues;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotationValues.PolicyLayers;
import io.gpureclaimer.reclaimer.policy.Clamps.Bounds;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.KeepRequest;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.NamespaceCaps;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings.ActivityAnnotation;
import io.gpureclaimer.reclaimer.policy.PolicyKeys.ScratchData;
import io.gpureclaimer.reclaimer.workload.OwnerChain;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Turns what a pod, its owners and its namespace ask for into what holds. The whole order of
 * precedence is here:
 *
 * <ol>
 *   <li>The nearest wins: pod, then its owners from the nearest to the top, then namespace, then
 *       what its class is given, then defaults.
 *   <li>The namespace belongs to the administrator, so its mode is the ceiling: a pod may ask for
 *       less, never for more. In a namespace that says nothing the ceiling is the default mode,
 *       which only reports.
 *   <li>Durations are the user's choice inside the bounds of the namespace, which are inside those
 *       of the cluster, in both directions; what lies outside is moved to the bound.
 *   <li>{@code exclude: "true"} and {@code keep-until} on any of them hold, whatever the others
 *       say.
 *   <li>Anything that cannot be understood, on any of them, makes the mode report at most: it may
 *       have meant to protect.
 *   <li>Volumes that die with the pod make the mode notify at most, unless they are disposable.
 *   <li>A workload is never due before its warning could have run out, so idle-after is at least
 *       warn-before.
 * </ol>
 *
 * <p>Confined to one resolution.
 */
final class PolicyResolution {
  private static final Bounds STARTUP_GRACE = Bounds.ofCluster(Duration.ZERO, Duration.ofHours(24));
  private static final Duration CLOCKS_DIFFER_BY = Duration.ofSeconds(30);

  private final PolicyDefaults defaults;
  private final PolicyLayers layers;
  private final Setting<WorkloadClass> detected;
  private final List<String> scratch;
  private final Instant now;
  private final Clamps clamps = new Clamps();

  private PolicyResolution(
      PolicyDefaults defaults,
      PolicyLayers layers,
      Setting<WorkloadClass> detected,
      List<String> scratch,
      Instant now) {
    this.defaults = defaults;
    this.layers = layers;
    this.detected = detected;
    this.scratch = scratch;
    this.now = now;
  }

  /** What holds for one pod. */
  static EffectivePolicy of(
      PolicyDefaults defaults, PolicyLayers layers, PodView pod, OwnerChain lineage, Instant now) {
    return new PolicyResolution(
            defaults, layers, ClassRule.of(pod, lineage), pod.traits().scratch(), now)
        .resolve();
  }

  /** What holds for a pod of which nothing is known but what is asked for it. */
  static EffectivePolicy of(PolicyDefaults defaults, PolicyLayers layers, Instant now) {
    var other = new Setting<>(WorkloadClass.OTHER, new Origin.Defaults());
    return new PolicyResolution(defaults, layers, other, List.of(), now).resolve();
  }

  private EffectivePolicy resolve() {
    List<Remark> notUnderstood = notUnderstood();
    Optional<Remark> distrusted = notUnderstood.stream().findFirst();
    Setting<Mode> asked = withoutLoss(mode());
    Setting<Mode> mode = distrusted.map(remark -> reportAtMost(asked, remark)).orElse(asked);
    Setting<Duration> warnBefore = warnBefore();
    Setting<WorkloadClass> workloadClass = layers.nearest(PolicyKeys.CLASS).orElse(detected);
    Setting<Duration> idleAfter =
        clamps.atLeast(
            Annotations.IDLE_AFTER,
            idleAfter(workloadClass.value()),
            warnBefore.value(),
            "warn-before");
    Setting<Duration> maxKeep = maxKeep();
    return new EffectivePolicy(
        mode,
        idleAfter,
        isSparedIfNeededSoon(workloadClass.value(), idleAfter.value()),
        warnBefore,
        startupGrace(),
        workloadClass,
        layers.nearest(PolicyKeys.ACTION).orElse(byDefault(ActionChoice.AUTO)),
        layers.nearest(PolicyKeys.RESTORE).orElse(byDefault(RestoreChoice.MANUAL)),
        layers.nearest(PolicyKeys.PARTIAL).orElse(byDefault(false)),
        maxKeep,
        keeps(maxKeep.value()),
        layers.nearest(PolicyKeys.PROTECTED_HOURS).stream().toList(),
        lastActivity(),
        caps(),
        receivers(),
        excludedBy(),
        Stream.of(notUnderstood, ignored(), clamps.remarks()).flatMap(List::stream).toList(),
        distrusted);
  }

  /** The administrator's first. */
  private List<Remark> notUnderstood() {
    var remarks = new ArrayList<>(layers.namespace().notUnderstood());
    for (AnnotationValues annotations : layers.near()) {
      remarks.addAll(annotations.notUnderstood());
    }
    remarks.removeIf(defaults.vetoSettings()::ignores);
    for (ActivityAnnotation heartbeat : defaults.vetoSettings().heartbeats()) {
      layers.near().forEach(of -> inTheFuture(heartbeat, of).ifPresent(remarks::add));
    }
    layers
        .all()
        .forEach(annotations -> remarks.addAll(ReceiverNames.strangers(annotations, defaults)));
    return List.copyOf(remarks);
  }

  private List<Remark> ignored() {
    List<Remark> remarks = new ArrayList<>();
    for (AnnotationValues annotations : layers.near()) {
      defaults.checkpoints().ignored(annotations, layers.namespaceName()).ifPresent(remarks::add);
    }
    return remarks;
  }

  private Setting<Mode> mode() {
    Setting<Mode> ceiling =
        layers.namespace().setting(PolicyKeys.MODE).orElse(byDefault(defaults.mode()));
    return layers.near().stream()
        .filter(annotations -> annotations.of(PolicyKeys.MODE).isPresent())
        .findFirst()
        .map(annotations -> below(ceiling, annotations))
        .orElse(ceiling);
  }

  private Setting<Mode> below(Setting<Mode> ceiling, AnnotationValues annotations) {
    Setting<Mode> setting = annotations.setting(PolicyKeys.MODE).orElseThrow();
    if (!setting.value().exceeds(ceiling.value())) {
      return setting;
    }
    String rule =
        "may not go further than "
            + layers.namespace().object()
            + ", which has "
            + ceiling.value().text();
    return clamps.clamped(
        ceiling.value(), annotations.object(), Annotations.MODE, setting.value().text(), rule);
  }

  private Setting<Mode> withoutLoss(Setting<Mode> mode) {
    boolean disposable =
        layers
            .nearest(PolicyKeys.SCRATCH)
            .filter(of -> of.value() == ScratchData.DISPOSABLE)
            .isPresent();
    return mode.value().acts() && !scratch.isEmpty() && !disposable
        ? new Setting<>(
            Mode.NOTIFY,
            new Origin.Clamped(
                layers.near().getFirst().object(),
                mode.value().text(),
                "the data in its volume "
                    + scratch.getFirst()
                    + " would be lost, and is not marked "
                    + Annotations.SCRATCH
                    + ": disposable"))
        : mode;
  }

  private static Setting<Mode> reportAtMost(Setting<Mode> mode, Remark remark) {
    return mode.value().exceeds(Mode.REPORT)
        ? new Setting<>(
            Mode.REPORT,
            new Origin.Clamped(
                remark.object(), mode.value().text(), remark.key() + " cannot be understood"))
        : mode;
  }

  private Setting<Duration> idleAfter(WorkloadClass workloadClass) {
    Bounds cluster = Bounds.ofCluster(defaults.minIdleAfter(), defaults.maxIdleAfter());
    Bounds bounds =
        Bounds.narrowed(
            cluster,
            layers.namespace(),
            PolicyKeys.MIN_IDLE_AFTER,
            PolicyKeys.MAX_IDLE_AFTER,
            clamps);
    Setting<Duration> setting =
        layers.nearest(PolicyKeys.IDLE_AFTER).orElseGet(() -> ofClass(workloadClass));
    return clamps.within(Annotations.IDLE_AFTER, bounds, setting);
  }

  /** A longer idle time than that of the class asks for more care, not for less. */
  private boolean isSparedIfNeededSoon(WorkloadClass workloadClass, Duration idleAfter) {
    boolean isSet =
        layers.nearest(PolicyKeys.IDLE_AFTER).isPresent() || defaults.idleAfter().isPresent();
    return !isSet || idleAfter.compareTo(defaults.classes().of(workloadClass)) > 0;
  }

  private Setting<Duration> ofClass(WorkloadClass workloadClass) {
    return defaults
        .idleAfter()
        .map(PolicyResolution::byDefault)
        .orElseGet(
            () ->
                new Setting<>(
                    defaults.classes().of(workloadClass), new Origin.ByClass(workloadClass)));
  }

  private Setting<Duration> warnBefore() {
    Setting<Duration> setting =
        layers.nearest(PolicyKeys.WARN_BEFORE).orElse(byDefault(defaults.warnBefore()));
    Bounds bounds = Bounds.ofCluster(defaults.minWarnBefore(), defaults.maxWarnBefore());
    return clamps.within(Annotations.WARN_BEFORE, bounds, setting);
  }

  private Setting<Duration> startupGrace() {
    Setting<Duration> setting =
        layers.nearest(PolicyKeys.STARTUP_GRACE).orElse(byDefault(defaults.startupGrace()));
    return clamps.within(Annotations.STARTUP_GRACE, STARTUP_GRACE, setting);
  }

  private Setting<Duration> maxKeep() {
    Bounds bounds = Bounds.ofCluster(Duration.ZERO, defaults.maxKeep());
    return layers
        .namespace()
        .setting(PolicyKeys.MAX_KEEP)
        .map(setting -> clamps.within(Annotations.MAX_KEEP, bounds, setting))
        .orElse(byDefault(defaults.maxKeep()));
  }

  private List<Setting<KeepRequest>> keeps(Duration atMost) {
    List<Setting<KeepRequest>> keeps = new ArrayList<>();
    layers.near().forEach(of -> keep(of, Optional.of(atMost)).ifPresent(keeps::add));
    keep(layers.namespace(), Optional.empty()).ifPresent(keeps::add);
    return keeps;
  }

  private static Optional<Setting<KeepRequest>> keep(
      AnnotationValues annotations, Optional<Duration> atMost) {
    return annotations
        .setting(PolicyKeys.KEEP_UNTIL)
        .map(until -> new Setting<>(new KeepRequest(until.value(), atMost), until.origin()));
  }

  private Optional<Setting<Instant>> lastActivity() {
    List<Setting<Instant>> heartbeats = new ArrayList<>();
    for (ActivityAnnotation heartbeat : defaults.vetoSettings().heartbeats()) {
      layers.near().forEach(of -> of.setting(heartbeat.key()).ifPresent(heartbeats::add));
    }
    return heartbeats.isEmpty()
        ? Optional.empty()
        : Optional.of(Collections.max(heartbeats, Comparator.comparing(Setting::value)));
  }

  private Optional<Remark> inTheFuture(ActivityAnnotation heartbeat, AnnotationValues annotations) {
    return annotations
        .of(heartbeat.key())
        .filter(at -> isInTheFuture(at, now))
        .map(
            at ->
                new Remark(
                    annotations.object(),
                    heartbeat.key().name(),
                    at.toString(),
                    "must not be in the future; " + Remark.UNTIL_THEN));
  }

  static boolean isInTheFuture(Instant heartbeat, Instant now) {
    return heartbeat.isAfter(now.plus(CLOCKS_DIFFER_BY));
  }

  private NamespaceCaps caps() {
    AnnotationValues namespace = layers.namespace();
    return new NamespaceCaps(
        namespace.setting(PolicyKeys.MAX_PER_RUN),
        namespace.setting(PolicyKeys.MAX_PER_HOUR),
        namespace.setting(PolicyKeys.VICTIM_PRIORITY_MAX));
  }

  private List<Setting<String>> receivers() {
    return layers
        .nearest(PolicyKeys.NOTIFY)
        .map(
            of ->
                of.value().names().stream().map(name -> new Setting<>(name, of.origin())).toList())
        .orElse(List.of());
  }

  private Optional<String> excludedBy() {
    for (AnnotationValues annotations : layers.all()) {
      if (annotations.of(PolicyKeys.EXCLUDE).orElse(false)) {
        return Optional.of(annotations.object());
      }
    }
    return Optional.empty();
  }

  private static <T> Setting<T> byDefault(T value) {
    return new Setting<>(value, new Origin.Defaults());
  }
}
