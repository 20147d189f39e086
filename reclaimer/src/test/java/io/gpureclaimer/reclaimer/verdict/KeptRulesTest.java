package io.gpureclaimer.reclaimer.verdict;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.DEFAULTS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.LIMITS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.cluster.Reclamations;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A judge that keeps rules from one judging to the next judges as one that has never judged before,
 * whatever changes in between.
 */
class KeptRulesTest {
  private static final int SEEDS = 40;
  private static final int JUDGINGS = 120;

  @Test
  void judgmentsAreThoseOfANewJudge() {
    Set<String> verdicts = new TreeSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      var world = new ChangingWorld(seed);
      for (int i = 0; i < JUDGINGS; i++) {
        world.change();
        world.judge("seed " + seed + ", judging " + i, verdicts);
      }
    }
    // It is no proof of anything unless all of it happened.
    assertThat(verdicts)
        .contains(
            "active",
            "due",
            "not-running",
            "notified",
            "protected excluded",
            "protected namespace-unseen",
            "protected shared-gpu",
            "reported mode-report",
            "reported policy-distrusted",
            "reported kept",
            "reported " + Judge.STOPPED_ALREADY,
            "starting",
            "to-warn",
            "to-withdraw active-again",
            "unknown blind",
            "vetoed cpu",
            "warned",
            "watching",
            "restored lately",
            "some replicas");
  }

  /** A small cluster in which anything may change at any time. Confined to one test. */
  private static final class ChangingWorld {
    private static final List<String> NAMESPACES = List.of("red", "green");
    private static final List<String> MODES =
        List.of("always", "always", "on-demand", "on-demand", "notify", "report", "off", "allways");

    private final Random random;
    private final Map<String, Map<String, String>> namespaces = new TreeMap<>();
    private final Map<String, OwnerView> owners = new TreeMap<>();
    private final Map<String, OwnerView> hidden = new HashMap<>();
    private final List<Member> members = new ArrayList<>();
    private final Map<String, Reclamation> records = new TreeMap<>();
    private final List<Judge> judges = new ArrayList<>();
    private Instant now = NOW;
    private boolean areRecordsRead = true;
    private int names;

    /** A pod and what its GPU does. Confined to the world. */
    private static final class Member {
      private final String namespace;
      private final Optional<Owner> owner;
      private final Optional<String> group;
      private final Map<String, String> annotations = new HashMap<>();
      private String uid;
      private boolean isPending;
      private boolean isTerminating;
      private boolean isReady = true;
      private boolean isBusy;
      private Instant readyAt;
      private Instant observedSince;
      private Instant lastActive;
      private OptionalInt sharedWith = OptionalInt.empty();

      private Member(
          String namespace,
          Optional<Owner> owner,
          Optional<String> group,
          String uid,
          Instant start) {
        this.namespace = namespace;
        this.owner = owner;
        this.group = group;
        this.uid = uid;
        this.readyAt = start;
        this.observedSince = start;
        this.lastActive = start;
      }

      PodView view() {
        var draft = pod("pod-" + uid).namespace(namespace).uid(uid).with(annotations);
        draft.readyAt(readyAt);
        owner.ifPresent(draft::owner);
        group.ifPresent(draft::in);
        if (!isReady) {
          draft.notReady();
        }
        if (isPending) {
          draft.waiting(readyAt);
        }
        return (isTerminating ? draft.terminating() : draft).draw();
      }
    }

    private ChangingWorld(long seed) {
      random = new Random(seed);
      for (String namespace : NAMESPACES) {
        namespaces.put(
            namespace,
            new HashMap<>(
                Map.of(Annotations.MODE, MODES.get(below(4)), Annotations.PARTIAL, "true")));
        Owner web = owner(namespace, "apps/v1", "Deployment", "web", Optional.empty());
        Owner set = owner(namespace, "apps/v1", "ReplicaSet", "web-1", Optional.of(web));
        Owner job = owner(namespace, "batch/v1", "Job", "train", Optional.empty());
        add(namespace, Optional.of(set), Optional.empty());
        add(namespace, Optional.of(set), Optional.empty());
        add(namespace, Optional.of(job), Optional.empty());
        add(namespace, Optional.empty(), Optional.of("gang"));
        add(namespace, Optional.empty(), Optional.of("gang"));
        add(namespace, Optional.empty(), Optional.empty());
      }
      judges.add(judge());
      judges.add(judge());
    }

    private static Judge judge() {
      return new Judge(DEFAULTS, LIMITS);
    }

    private Owner owner(
        String namespace, String version, String kind, String name, Optional<Owner> above) {
      var owner = new Owner(version, kind, name, namespace + "/" + name);
      var details =
          new OwnerDetails(
              "1",
              Optional.of("1"),
              Map.of(),
              kind.equals("Deployment")
                  ? Map.of(
                      "/spec/replicas", "2",
                      "/metadata/generation", "1",
                      "/status/observedGeneration", "1",
                      "/status/replicas", "2",
                      "/status/updatedReplicas", "2",
                      "/status/readyReplicas", "2")
                  : Map.of(),
              Map.of(),
              Optional.of(List.of()));
      owners.put(
          owner.uid(), new OwnerView(owner, namespace, above, Map.of(), Optional.of(details)));
      return owner;
    }

    private void add(String namespace, Optional<Owner> owner, Optional<String> group) {
      members.add(new Member(namespace, owner, group, "u" + names++, now.minusSeconds(7_200)));
    }

    private int below(int bound) {
      return random.nextInt(bound);
    }

    private boolean chance(int percent) {
      return below(100) < percent;
    }

    private <T> T any(List<T> some) {
      return some.get(below(some.size()));
    }

    void change() {
      passTime();
      members.forEach(this::change);
      for (String namespace : NAMESPACES) {
        Map<String, String> annotations = namespaces.get(namespace);
        if (annotations == null) {
          namespaces.put(namespace, new HashMap<>(Map.of(Annotations.MODE, "always")));
        } else if (chance(2)) {
          namespaces.remove(namespace);
        } else if (chance(5)) {
          annotate(annotations);
        }
      }
      if (chance(6)) {
        OwnerView view = any(List.copyOf(owners.values()));
        Map<String, String> annotations = new HashMap<>(view.annotations());
        annotate(annotations);
        owners.put(view.owner().uid(), view.annotated(annotations));
      }
      if (chance(3)) {
        OwnerView view = any(List.copyOf(owners.values()));
        owners.remove(view.owner().uid());
        hidden.put(view.owner().uid(), view);
      }
      if (chance(30)) {
        owners.putAll(hidden);
        hidden.clear();
      }
      if (chance(6)) {
        record(any(List.copyOf(owners.values())));
      }
      if (chance(6) && !records.isEmpty()) {
        records.remove(any(List.copyOf(records.keySet())));
      }
      areRecordsRead = !chance(4);
      if (chance(3)) {
        judges.set(below(judges.size()), judge());
      }
    }

    private void passTime() {
      int choice = below(100);
      Duration step =
          choice < 60
              ? Duration.ofSeconds(30 + below(600))
              : choice < 90
                  ? Duration.ofMinutes(1)
                  : choice < 95 ? Duration.ofHours(20) : Duration.ofMinutes(-10);
      now = now.plus(step);
      for (Member member : members) {
        // An agent that is restarted begins to count again.
        if (choice >= 95 || chance(1)) {
          member.observedSince = now;
          member.lastActive = now;
        }
        member.lastActive = member.isBusy ? now : member.lastActive;
      }
    }

    private void change(Member member) {
      if (member.isBusy ? chance(30) : chance(3)) {
        member.isBusy = !member.isBusy;
        member.lastActive = now;
      }
      if (chance(3)) {
        annotate(member.annotations);
      }
      if (chance(2)) {
        member.annotations.clear();
      }
      member.isTerminating = member.isTerminating ? chance(50) : chance(1);
      member.isReady = !chance(2);
      member.isPending = member.isPending ? chance(60) : chance(2);
      member.sharedWith = chance(1) ? OptionalInt.of(below(members.size())) : OptionalInt.empty();
      if (chance(1)) {
        member.uid = "u" + names++;
        member.annotations.clear();
        member.readyAt = now;
        member.observedSince = now;
        member.lastActive = now;
      }
    }

    private void annotate(Map<String, String> annotations) {
      switch (below(9)) {
        case 0, 1 -> annotations.put(Annotations.MODE, any(MODES));
        case 2 -> annotations.put(Annotations.IDLE_AFTER, any(List.of("30m", "1h", "2h", "x")));
        case 3 -> annotations.put(Annotations.EXCLUDE, any(List.of("true", "false", "false")));
        case 4 -> annotations.put(Annotations.KEEP_UNTIL, now.plusSeconds(below(7_200)).toString());
        case 5 ->
            annotations.put(
                Annotations.LAST_ACTIVITY, now.plusSeconds(below(1_800) - 900).toString());
        case 6 -> annotations.put(Annotations.ACTION, any(List.of("auto", "auto", "none")));
        case 7 -> annotations.put("cluster-autoscaler.kubernetes.io/safe-to-evict", "false");
        default -> annotations.clear();
      }
    }

    private void record(OwnerView owner) {
      var change =
          new FieldChange(
              owner.ref(),
              FieldChange.SCALE,
              "/spec/replicas",
              Optional.of("2"),
              Optional.of(any(List.of("0", "1"))));
      Instant at = now.minus(Duration.ofHours(below(200)));
      Timeline times = Timeline.recorded(at, at, at);
      ReclamationState state = any(List.of(ReclamationState.values()));
      var progress =
          new ReclamationProgress(
              state,
              "scale",
              "id",
              "",
              owner.ref(),
              "1",
              List.of(),
              1,
              Optional.empty(),
              "",
              List.of(change),
              state.isFinal() ? times.ended(at) : times);
      String name = "r" + names++;
      records.put(
          name,
          new Reclamation(
              owner.namespace(), name, name, "1", RestoreRequest.NONE, Optional.of(progress)));
    }

    private ClusterView cluster() {
      Map<String, NamespaceView> seen = new HashMap<>();
      namespaces.forEach((name, its) -> seen.put(name, new NamespaceView(name, its)));
      return new ClusterView(
          members.stream().map(Member::view).toList(),
          seen,
          List.of(),
          owners,
          areRecordsRead
              ? Optional.of(new Reclamations(List.copyOf(records.values())))
              : Optional.empty());
    }

    private Observation observation() {
      if (chance(3)) {
        return new Observation.Blind("no answer");
      }
      Map<String, PodActivity> pods = new HashMap<>();
      for (Member member : members) {
        if (!member.isPending && !chance(2)) {
          pods.put(member.uid, activity(member));
        }
      }
      return new Observation.Seen(now, pods, List.of());
    }

    private PodActivity activity(Member member) {
      String gpu =
          member.sharedWith.isPresent()
              ? members.get(member.sharedWith.getAsInt()).uid
              : member.uid;
      Instant sampledAt = chance(2) ? now.minusSeconds(300) : now;
      var device =
          new DeviceActivity(
              new GpuUuid("GPU-" + gpu),
              Optional.of(member.lastActive),
              member.observedSince,
              now,
              sampledAt,
              OptionalDouble.empty());
      List<Signal> signals =
          chance(2) ? List.of(new Signal(SignalKind.CPU, 2, 1, "2 cores")) : List.of();
      return new PodActivity(member.uid, List.of(device), OptionalInt.empty(), signals);
    }

    /** Judges with those that were there before; a replica may miss a judging. */
    void judge(String when, Set<String> verdicts) {
      ClusterView cluster = cluster();
      Observation observation = observation();
      List<Judgment> expected = judge().judge(cluster, observation, now);
      expected.forEach(judgment -> note(judgment, verdicts));
      for (Judge judge : judges) {
        if (!chance(20)) {
          assertThat(judge.judge(cluster, observation, now)).as(when).isEqualTo(expected);
        }
      }
      expected.forEach(this::warn);
    }

    private static void note(Judgment judgment, Set<String> verdicts) {
      VerdictCode code = VerdictCode.of(judgment.verdict());
      verdicts.add(code.verdict());
      verdicts.add(code.verdict() + " " + code.reason());
      if (judgment.verdict().workload().isPartial()) {
        verdicts.add("some replicas");
      }
      if (judgment.policy().filter(ChangingWorld::isRestoredLately).isPresent()) {
        verdicts.add("restored lately");
      }
    }

    private static boolean isRestoredLately(EffectivePolicy policy) {
      return policy.idleAfter().origin() instanceof Origin.Clamped(_, _, var rule)
          && rule.startsWith("doubled for a week");
    }

    private void warn(Judgment judgment) {
      if (judgment.verdict() instanceof Verdict.ToWarn toWarn && chance(70)) {
        List<String> uids = toWarn.workload().pods().stream().map(pod -> pod.ref().uid()).toList();
        members.stream()
            .filter(member -> uids.contains(member.uid))
            .forEach(member -> write(member.annotations, Warning.of(toWarn, now).annotations()));
      } else if (judgment.verdict() instanceof Verdict.ToWithdraw withdraw && chance(70)) {
        List<String> uids =
            withdraw.workload().pods().stream().map(pod -> pod.ref().uid()).toList();
        members.stream()
            .filter(member -> uids.contains(member.uid))
            .forEach(member -> write(member.annotations, Warning.removal()));
      }
    }

    private static void write(
        Map<String, String> annotations, Map<String, Optional<String>> changes) {
      changes.forEach(
          (key, value) ->
              value.ifPresentOrElse(
                  text -> annotations.put(key, text), () -> annotations.remove(key)));
    }
  }
}
