package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.action.Actions;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.Placement.NodeTerm;
import io.gpureclaimer.reclaimer.cluster.Placement.Toleration;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.BudgetView;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.cluster.Reclamations;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.AgentSignal;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule.EvidenceLimits;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore.SignalHistory;
import io.gpureclaimer.reclaimer.json.ShapedSerde;
import io.gpureclaimer.reclaimer.policy.CheckpointTargets;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.ClassLimits;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings.ActivityAnnotation;
import io.gpureclaimer.reclaimer.workload.Workload.WorkloadSummary;
import io.micronaut.serde.annotation.SerdeImport;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * JSON of the inputs of verdicts: most types by their components, the others by a record that has
 * the shape of the JSON.
 */
@SerdeImport(Evidence.Unknown.class)
@SerdeImport(EvidenceLimits.class)
@SerdeImport(Group.class)
@SerdeImport(NamespaceView.class)
@SerdeImport(Owner.class)
@SerdeImport(Autoscaler.class)
@SerdeImport(BudgetView.class)
@SerdeImport(ObjectRef.class)
@SerdeImport(OwnerDetails.class)
@SerdeImport(OwnerView.class)
@SerdeImport(LabelRequirement.class)
@SerdeImport(NodeTerm.class)
@SerdeImport(Placement.class)
@SerdeImport(PodName.class)
@SerdeImport(PodRef.class)
@SerdeImport(PodTraits.class)
@SerdeImport(PodView.class)
@SerdeImport(Signal.class)
@SerdeImport(WorkloadSummary.class)
@SerdeImport(Toleration.class)
@SerdeImport(Waiting.class)
final class RecordSerdes {
  private RecordSerdes() {}

  @Singleton
  static final class OfObservation extends ShapedSerde<Observation, ObservationJson> {
    OfObservation() {
      super(ObservationJson.class, ObservationJson::of, ObservationJson::observation);
    }
  }

  @Serdeable
  record ObservationJson(
      Optional<String> blind, Optional<Instant> at, Optional<List<PodActivity>> pods) {
    static ObservationJson of(Observation observation) {
      return switch (observation) {
        case Observation.Blind(var reason) ->
            new ObservationJson(Optional.of(reason), Optional.empty(), Optional.empty());
        case Observation.Seen seen ->
            new ObservationJson(
                Optional.empty(),
                Optional.of(seen.at()),
                Optional.of(sorted(seen.pods().values(), PodActivity::uid)));
      };
    }

    Observation observation() {
      return blind
          .<Observation>map(Observation.Blind::new)
          .orElseGet(
              () ->
                  new Observation.Seen(
                      at.orElseThrow(() -> missing("observation.at")),
                      byKey(pods.orElseThrow(() -> missing("observation.pods")), PodActivity::uid),
                      List.of()));
    }

    private static IllegalArgumentException missing(String member) {
      return new IllegalArgumentException(member + ": expected a value, found none");
    }
  }

  @Singleton
  static final class OfActivity extends ShapedSerde<PodActivity, ActivityJson> {
    OfActivity() {
      super(ActivityJson.class, ActivityJson::of, ActivityJson::activity);
    }
  }

  @Serdeable
  record ActivityJson(
      String uid,
      Optional<PodName> name,
      List<DeviceActivity> devices,
      OptionalInt deviceCount,
      List<Signal> signals,
      Optional<SignalHistory> heard,
      Optional<Evidence.Unknown> doubt,
      Optional<String> leftOut) {
    static ActivityJson of(PodActivity pod) {
      return new ActivityJson(
          pod.uid(),
          pod.name(),
          pod.devices(),
          pod.deviceCount(),
          pod.signals(),
          pod.signalHistory(),
          pod.doubt(),
          pod.leftOut().map(LeftOut::code));
    }

    PodActivity activity() {
      return new PodActivity(
          uid, name, devices, deviceCount, signals, heard, doubt, leftOut.map(this::leftOut));
    }

    private LeftOut leftOut(String code) {
      return coded(LeftOut.values(), LeftOut::code, Set.of(code)).stream()
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "leftOut: expected what was left out, found " + code));
    }
  }

  @Singleton
  static final class OfDevice extends ShapedSerde<DeviceActivity, DeviceJson> {
    OfDevice() {
      super(DeviceJson.class, DeviceJson::of, DeviceJson::device);
    }
  }

  @Serdeable
  record DeviceJson(
      String gpu,
      Optional<Integer> instance,
      Optional<Instant> lastActive,
      Instant observedSince,
      Instant observedUntil,
      Instant sampledAt,
      OptionalDouble recentUtilization,
      Optional<AgentSignalJson> signal) {
    static DeviceJson of(DeviceActivity device) {
      return new DeviceJson(
          device.device().gpu().value(),
          device.device().instanceId(),
          device.lastActive(),
          device.observedSince(),
          device.observedUntil(),
          device.sampledAt(),
          device.recentUtilization(),
          device.signal().map(AgentSignalJson::of));
    }

    DeviceActivity device() {
      var uuid = new GpuUuid(gpu);
      return new DeviceActivity(
          instance.map(id -> Entity.instance(uuid, id)).orElseGet(() -> Entity.whole(uuid)),
          lastActive,
          observedSince,
          observedUntil,
          sampledAt,
          recentUtilization,
          signal.map(AgentSignalJson::signal));
    }
  }

  @Serdeable
  record AgentSignalJson(
      Instant at, Optional<Signal.SignalKind> kind, List<Signal.SignalKind> watched) {
    static AgentSignalJson of(AgentSignal signal) {
      return new AgentSignalJson(
          signal.at(), signal.kind(), signal.watched().stream().sorted().toList());
    }

    AgentSignal signal() {
      return new AgentSignal(at, kind, Set.copyOf(watched));
    }
  }

  @Singleton
  static final class OfSignalKind extends ShapedSerde<Signal.SignalKind, String> {
    OfSignalKind() {
      super(String.class, Signal.SignalKind::code, OfSignalKind::kind);
    }

    static Signal.SignalKind kind(String code) {
      return coded(Signal.SignalKind.values(), Signal.SignalKind::code, Set.of(code)).stream()
          .findFirst()
          .orElseThrow(
              () -> new IllegalArgumentException("kind: expected a signal, found " + code));
    }
  }

  @Singleton
  static final class OfHistory extends ShapedSerde<SignalHistory, HistoryJson> {
    OfHistory() {
      super(
          HistoryJson.class,
          heard -> new HistoryJson(heard.since(), heard.workByCode()),
          HistoryJson::heard);
    }
  }

  @Serdeable
  record HistoryJson(Instant since, Map<String, Instant> work) {
    SignalHistory heard() {
      return new SignalHistory(
          since,
          work.entrySet().stream()
              .collect(
                  Collectors.toMap(
                      entry -> OfSignalKind.kind(entry.getKey()), Map.Entry::getValue)));
    }
  }

  @Singleton
  static final class OfCluster extends ShapedSerde<ClusterView, ClusterJson> {
    OfCluster() {
      super(ClusterJson.class, ClusterJson::of, ClusterJson::cluster);
    }
  }

  /**
   * Without nodes, on which no verdict depends; of records of actions only when an owner was
   * restored, and which one runs without its idle replicas, which records from before actions on
   * owners existed do not have.
   */
  @Serdeable
  record ClusterJson(
      List<PodView> pods,
      List<NamespaceView> namespaces,
      List<OwnerView> owners,
      Optional<List<RestoredJson>> restored,
      Optional<List<ObjectRef>> scaledDown) {
    static ClusterJson of(ClusterView cluster) {
      return new ClusterJson(
          cluster.pods(),
          sorted(cluster.namespaces().values(), NamespaceView::name),
          sorted(cluster.owners().values(), view -> view.owner().uid()),
          cluster
              .reclamations()
              .map(records -> records.stream().flatMap(RestoredJson::of).toList())
              .filter(restored -> !restored.isEmpty()),
          cluster
              .reclamations()
              .map(
                  records ->
                      records.stream()
                          .filter(Reclamation::hasScaledDown)
                          .map(record -> record.status().orElseThrow().owner())
                          .toList())
              .filter(owners -> !owners.isEmpty()));
    }

    ClusterView cluster() {
      return new ClusterView(
          pods,
          byKey(namespaces, NamespaceView::name),
          List.of(),
          byKey(owners, view -> view.owner().uid()),
          restored.isPresent() || scaledDown.isPresent()
              ? Optional.of(
                  new Reclamations(
                      Stream.concat(
                              restored.stream().flatMap(List::stream).map(RestoredJson::record),
                              scaledDown.stream()
                                  .flatMap(List::stream)
                                  .map(ClusterJson::scaledDown))
                          .toList()))
              : Optional.empty());
    }

    /** A record of which only the owner is known, and that replicas of it are left. */
    private static Reclamation scaledDown(ObjectRef owner) {
      return record(
          ReclamationState.RECLAIMED,
          owner,
          List.of(
              new FieldChange(
                  owner, FieldChange.SCALE, "/spec/replicas", Optional.empty(), Optional.of("1"))),
          Timeline.recorded(Instant.EPOCH, Instant.EPOCH, Instant.EPOCH));
    }

    static Reclamation record(
        ReclamationState state, ObjectRef owner, List<FieldChange> changes, Timeline times) {
      var progress =
          new ReclamationProgress(
              state, "", "", "", owner, "", List.of(), 0, Optional.empty(), "", changes, times);
      return new Reclamation(
          owner.namespace(), "", "", "", RestoreRequest.NONE, Optional.of(progress));
    }
  }

  /** When an owner was restored. */
  @Serdeable
  record RestoredJson(ObjectRef owner, Instant at) {
    static Stream<RestoredJson> of(Reclamation record) {
      return record
          .restoredAt()
          .map(at -> new RestoredJson(record.status().orElseThrow().owner(), at))
          .stream();
    }

    Reclamation record() {
      return ClusterJson.record(
          ReclamationState.RESTORED, owner, List.of(), Timeline.recorded(at, at, at).ended(at));
    }
  }

  @Singleton
  static final class OfAccelerators extends ShapedSerde<Accelerators, AcceleratorsJson> {
    OfAccelerators() {
      super(AcceleratorsJson.class, AcceleratorsJson::of, AcceleratorsJson::accelerators);
    }
  }

  /** What verdicts depend on: not by which claims and containers a pod requests it. */
  @Serdeable
  record AcceleratorsJson(
      int gpus,
      Map<String, Integer> slices,
      Optional<Boolean> slicesNamedGpus,
      int claimed,
      Optional<String> claimsUnread,
      Optional<Map<String, Integer>> replicas,
      boolean others) {
    static AcceleratorsJson of(Accelerators accelerators) {
      return new AcceleratorsJson(
          accelerators.gpus(),
          accelerators.slices(),
          Optional.of(accelerators.slicesNamedGpus()).filter(isSo -> isSo),
          accelerators.claimedDevices(),
          switch (accelerators.claimed()) {
            case Claimed.Devices _ -> Optional.empty();
            case Claimed.Unread(var why) -> Optional.of(why);
          },
          Optional.of(accelerators.replicas()).filter(replicas -> !replicas.isEmpty()),
          accelerators.others());
    }

    Accelerators accelerators() {
      return new Accelerators(
          gpus,
          slices,
          slicesNamedGpus.orElse(false),
          claimsUnread
              .<Claimed>map(Claimed.Unread::new)
              .orElseGet(() -> new Claimed.Devices(claimed)),
          Map.of(),
          replicas.orElse(Map.of()),
          others);
    }
  }

  @Singleton
  static final class OfTerms extends ShapedSerde<JudgmentTerms, TermsJson> {
    OfTerms() {
      super(TermsJson.class, TermsJson::of, TermsJson::terms);
    }
  }

  /** Records from before actions on owners existed have none: only eviction was possible. */
  @Serdeable
  record TermsJson(PolicyDefaults defaults, EvidenceLimits limits, Optional<ActionsJson> actions) {
    static TermsJson of(JudgmentTerms terms) {
      return new TermsJson(
          terms.defaults(),
          terms.limits(),
          Optional.of(
              new ActionsJson(
                  terms.actions().enabled().stream().sorted().toList(),
                  terms.actions().scalable())));
    }

    JudgmentTerms terms() {
      ActionsJson known = actions.orElse(new ActionsJson(List.of("evict"), List.of()));
      return new JudgmentTerms(
          defaults, limits, new Actions(Set.copyOf(known.enabled()), known.scalable()));
    }
  }

  @Serdeable
  record ActionsJson(List<String> enabled, List<String> scalable) {}

  @Singleton
  static final class OfDefaults extends ShapedSerde<PolicyDefaults, DefaultsJson> {
    OfDefaults() {
      super(DefaultsJson.class, DefaultsJson::of, DefaultsJson::defaults);
    }
  }

  /**
   * Vetoes that no longer exist are ignored; records from before heartbeats could be chosen have
   * none, and all counted. Checkpoint hooks are left out where none is allowed.
   */
  @Serdeable
  record DefaultsJson(
      String mode,
      Optional<Duration> idleAfter,
      Duration minIdleAfter,
      Duration maxIdleAfter,
      Duration warnBefore,
      Duration minWarnBefore,
      Duration maxWarnBefore,
      ClassesJson classes,
      Duration startupGrace,
      Duration maxKeep,
      List<String> vetoes,
      Optional<List<String>> heartbeats,
      Optional<List<String>> receivers,
      Optional<List<String>> checkpoints) {
    static DefaultsJson of(PolicyDefaults defaults) {
      return new DefaultsJson(
          defaults.mode().text(),
          defaults.idleAfter(),
          defaults.minIdleAfter(),
          defaults.maxIdleAfter(),
          defaults.warnBefore(),
          defaults.minWarnBefore(),
          defaults.maxWarnBefore(),
          ClassesJson.of(defaults.classes()),
          defaults.startupGrace(),
          defaults.maxKeep(),
          defaults.vetoSettings().signals().stream().sorted().map(Signal.SignalKind::code).toList(),
          Optional.of(
              defaults.vetoSettings().heartbeats().stream()
                  .sorted()
                  .map(ActivityAnnotation::code)
                  .toList()),
          defaults.receivers().map(names -> sorted(names, name -> name)),
          Optional.of(defaults.checkpoints().entries()).filter(entries -> !entries.isEmpty()));
    }

    PolicyDefaults defaults() {
      return new PolicyDefaults(
          Mode.of(mode)
              .orElseThrow(
                  () -> new IllegalArgumentException("mode: expected a mode, found " + mode)),
          idleAfter.filter(_ -> classes.other().isPresent()),
          minIdleAfter,
          maxIdleAfter,
          warnBefore,
          minWarnBefore,
          maxWarnBefore,
          classes.limits(idleAfter),
          startupGrace,
          maxKeep,
          new VetoSettings(
              coded(Signal.SignalKind.values(), Signal.SignalKind::code, vetoes),
              heartbeats
                  .map(codes -> coded(ActivityAnnotation.values(), ActivityAnnotation::code, codes))
                  .orElse(Set.of(ActivityAnnotation.values()))),
          receivers.map(Set::copyOf),
          checkpoints.map(CheckpointTargets::of).orElse(CheckpointTargets.NONE));
    }
  }

  /** Older records have no {@code other}: {@code idleAfter} was that of the class other then. */
  @Serdeable
  record ClassesJson(
      Duration interactive,
      Duration serving,
      Duration batch,
      Duration elastic,
      Optional<Duration> other) {
    static ClassesJson of(ClassLimits limits) {
      return new ClassesJson(
          limits.interactive(),
          limits.serving(),
          limits.batch(),
          limits.elastic(),
          Optional.of(limits.other()));
    }

    ClassLimits limits(Optional<Duration> idleAfter) {
      Duration ofOther =
          other
              .or(() -> idleAfter)
              .orElseThrow(
                  () -> new IllegalArgumentException("other: expected a duration, found none"));
      return new ClassLimits(interactive, serving, batch, elastic, ofOther);
    }
  }

  private static <T> List<T> sorted(Collection<T> some, Function<T, String> key) {
    return some.stream().sorted(Comparator.comparing(key)).toList();
  }

  private static <T> Map<String, T> byKey(List<T> some, Function<T, String> key) {
    return some.stream().collect(Collectors.toMap(key, each -> each));
  }

  private static <T> Set<T> coded(T[] all, Function<T, String> code, Collection<String> codes) {
    return Arrays.stream(all)
        .filter(each -> codes.contains(code.apply(each)))
        .collect(Collectors.toSet());
  }
}
