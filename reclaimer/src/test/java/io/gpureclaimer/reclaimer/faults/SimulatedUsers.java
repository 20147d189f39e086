package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.Placement.Toleration;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.GpuHolder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** The people who use the cluster: they bring pods that live, and come back. */
final class SimulatedUsers {
  static final String ALWAYS = "always";
  static final String ON_DEMAND = "on-demand";
  static final String REPORT = "report";

  /** Where pods have replicas of GPUs. */
  static final String SHARED_NODE = "node-4";

  private static final List<WorkPattern> SHAPES =
      List.of(
          WorkPattern.TRAINING,
          WorkPattern.SERVING,
          WorkPattern.NOTEBOOK,
          WorkPattern.TEASING,
          WorkPattern.LOADING,
          WorkPattern.ANSWERING,
          WorkPattern.FORGOTTEN,
          WorkPattern.FORGOTTEN,
          WorkPattern.FORGOTTEN,
          WorkPattern.NEVER,
          WorkPattern.LOADED_ONCE,
          WorkPattern.ANSWERED_ONCE);

  private final SkewedClocks time;
  private final SimulatedCluster cluster;
  private final Random random;
  private final Random ownersRandom = new Random(1);
  private final Map<String, ActualWork> lives = new HashMap<>();
  private final Map<String, Submitted> submitted = new HashMap<>();
  private final List<Submitted> waitingForTheirName = new ArrayList<>();
  private final Set<PodRef> staying = new HashSet<>();
  private int names;

  /** A pod and what it does. */
  private record Submitted(PodSpec spec, WorkPattern shape, Parts parts) {}

  /** Which GPUs of a pod take part. */
  private enum Parts {
    ALL,
    ONLY_ONE,
    ALL_BUT_ONE
  }

  SimulatedUsers(SkewedClocks time, SimulatedCluster cluster, Random random) {
    this.time = time;
    this.cluster = cluster;
    this.random = random;
    for (String mode : List.of(ALWAYS, ON_DEMAND, REPORT)) {
      cluster.addNamespace(
          mode,
          Map.of(
              Annotations.MODE, mode,
              Annotations.IDLE_AFTER, "10m",
              Annotations.WARN_BEFORE, "5m"));
    }
  }

  Optional<ActualWork> lifeOf(PodRef pod) {
    return Optional.ofNullable(lives.get(pod.uid()));
  }

  boolean isForgotten(PodRef pod) {
    Submitted known = submitted.get(pod.uid());
    return known != null && known.shape().isForgotten();
  }

  /**
   * The first day: wide pods of both kinds, a gang with one rank at work, some whose work no GPU
   * shows, and all sorts.
   */
  void moveIn() {
    submit(PodSpec.bare(ALWAYS, "wide", 8), WorkPattern.TRAINING, Parts.ALL_BUT_ONE);
    submit(PodSpec.bare(ALWAYS, "narrow", 4), any(SHAPES.subList(0, 4)), Parts.ONLY_ONE);
    for (int rank = 0; rank < 3; rank++) {
      submit(
          PodSpec.bare(ALWAYS, "gang-" + rank, 1).ownedBy(OwnerSpec.OwnerType.STATEFUL_SET, "gang"),
          rank == 0 ? WorkPattern.TRAINING : WorkPattern.NEVER,
          Parts.ALL);
    }
    submit(PodSpec.bare(ALWAYS, "forgotten", 1), WorkPattern.FORGOTTEN, Parts.ALL);
    submit(PodSpec.bare(ALWAYS, "never", 2), WorkPattern.NEVER, Parts.ALL);
    submit(PodSpec.bare(ALWAYS, "loading", 1), WorkPattern.LOADING, Parts.ALL);
    submit(PodSpec.bare(ALWAYS, "answering", 1), WorkPattern.ANSWERING, Parts.ALL);
    submit(PodSpec.bare(REPORT, "reported", 1), WorkPattern.NEVER, Parts.ALL);
    submit(
        PodSpec.bare(ALWAYS, "static", 1).untouchableFor("it is a static pod"),
        WorkPattern.NEVER,
        Parts.ALL);
    submit(
        PodSpec.bare(ALWAYS, "opted-out", 1)
            .withAnnotations(Map.of("karpenter.sh/do-not-disrupt", "true")),
        WorkPattern.NEVER,
        Parts.ALL);
    submit(
        PodSpec.bare(ALWAYS, "excluded", 1).withAnnotations(Map.of(Annotations.EXCLUDE, "true")),
        WorkPattern.NEVER,
        Parts.ALL);
    for (int i = 0; i < 5; i++) {
      comeAndGo(100);
    }
    moveInOwners();
    share("idle", WorkPattern.FORGOTTEN);
    share("busy", WorkPattern.TRAINING);
  }

  /** Two pods with a replica of one GPU each: what the GPU does may be the work of either one. */
  private void share(String name, WorkPattern shape) {
    ActualWork life = shape.live(ownersRandom, time.now(), 1);
    var placement =
        new Placement(
            Map.of("nvidia.com/gpu.replicas", "2"),
            List.of(new Toleration("shared", true, "", "")),
            Optional.empty(),
            false);
    for (String each : List.of("-a", "-b")) {
      PodRef pod =
          cluster.submit(PodSpec.bare(ALWAYS, "shared-" + name + each, 1).withPlacement(placement));
      lives.put(pod.uid(), life);
      staying.add(pod);
    }
  }

  /**
   * Owners that only need to be noticed, one of which a single pod works and stays, and a
   * Deployment that loads data.
   */
  private void moveInOwners() {
    OwnerSpec web = OwnerSpec.ofDeployment("idle-web", "1");
    submit(server("idle-web-a").ownedBy(web), WorkPattern.FORGOTTEN);
    submit(server("idle-web-b").ownedBy(web), WorkPattern.NEVER);
    OwnerSpec half = OwnerSpec.ofDeployment("half-web", "1");
    submit(server("half-web-a").ownedBy(half), WorkPattern.NEVER);
    submit(server("half-web-b").ownedBy(half), WorkPattern.TRAINING);
    submit(
        PodSpec.bare(ALWAYS, "loader-a", 1).ownedBy(OwnerSpec.ofDeployment("loader", "1")),
        WorkPattern.LOADING);
    cluster.annotateOwner(
        ALWAYS,
        new OwnerSpec(OwnerSpec.OwnerType.DEPLOYMENT, "half-web"),
        Map.of(Annotations.PARTIAL, Optional.of("true")));
    submit(
        PodSpec.bare(ALWAYS, "job-a", 1).ownedBy(OwnerSpec.OwnerType.JOB, "job"),
        WorkPattern.FORGOTTEN);
  }

  private static PodSpec server(String name) {
    return PodSpec.bare(ALWAYS, name, 1).withTraits(PodTraits.NONE.withEndpoint("port 8000"));
  }

  /** Its own chance, so that the others live as they do without owners. */
  private void submit(PodSpec spec, WorkPattern shape) {
    PodRef pod = cluster.submit(spec);
    lives.put(pod.uid(), shape.live(ownersRandom, time.now(), spec.gpus()));
  }

  private void requestRestore() {
    List<Reclamation> records = cluster.view().reclamations().orElse(List.of());
    if (!records.isEmpty() && ownersRandom.nextInt(100) < 2) {
      Reclamation record = records.get(ownersRandom.nextInt(records.size()));
      cluster.requestRestore(record.namespace(), record.name());
    }
  }

  /** The pod of two GPUs that would do nothing works on both as given, and does not end. */
  PodRef insteadOfNever(List<ActualWork.WorkPeriod> work) {
    return insteadOfNever(new ActualWork(List.of(work, work)));
  }

  /** The same pod lives like that. */
  PodRef insteadOfNever(ActualWork life) {
    PodRef pod =
        cluster.view().pods().stream()
            .map(PodView::ref)
            .filter(ref -> ref.name().equals("never"))
            .findFirst()
            .orElseThrow();
    lives.put(pod.uid(), life);
    staying.add(pod);
    return pod;
  }

  /** Some come, some go, some come back under the name they had. */
  void live(boolean reuseNames) {
    requestRestore();
    comeAndGo(3);
    if (chance(reuseNames ? 20 : 2)) {
      bare().stream().skip(random.nextInt(8)).findFirst().ifPresent(this::replace);
    }
    if (chance(1)) {
      bare().stream()
          .skip(random.nextInt(8))
          .findFirst()
          .ifPresent(view -> cluster.delete(view.ref()));
    }
    List.copyOf(waitingForTheirName).forEach(this::tryToReturn);
  }

  /** The owner writes another policy on a pod. */
  void changePolicy() {
    List<PodView> pods = bare();
    if (!pods.isEmpty()) {
      PodView pod = pods.get(random.nextInt(pods.size()));
      String key = chance(50) ? Annotations.EXCLUDE : Annotations.MODE;
      String value =
          key.equals(Annotations.EXCLUDE)
              ? any(List.of("true", "false"))
              : any(List.of("off", ALWAYS));
      var _ = cluster.annotate(pod, Map.of(key, Optional.of(value)));
    }
  }

  /** The owner of a namespace has it spared, or wants longer idle times, or thinks better of it. */
  void changeNamespacePolicy() {
    String namespace = any(List.of(ALWAYS, ON_DEMAND));
    boolean mode = chance(50);
    cluster.annotateNamespace(
        namespace,
        mode
            ? Map.of(Annotations.MODE, Optional.of(any(List.of(REPORT, "off", namespace))))
            : Map.of(Annotations.IDLE_AFTER, Optional.of(any(List.of("10m", "25m", "nonsense")))));
  }

  void restoreNamespacePolicies() {
    for (String namespace : List.of(ALWAYS, ON_DEMAND)) {
      cluster.annotateNamespace(
          namespace,
          Map.of(
              Annotations.MODE, Optional.of(namespace),
              Annotations.IDLE_AFTER, Optional.of("10m")));
    }
  }

  /** A user who lost a pod submits it again at once. */
  void recreate(PodRef evicted) {
    Submitted before = submitted.get(evicted.uid());
    if (before != null) {
      waitingForTheirName.add(
          new Submitted(before.spec(), chance(50) ? before.shape() : any(SHAPES), before.parts()));
    }
  }

  /** Where each GPU of a node is held, and what for. */
  List<SimulatedAgent.SampledHolder> heldOn(String node) {
    Map<PodRef, Integer> indexes = new HashMap<>();
    var held = new ArrayList<SimulatedAgent.SampledHolder>();
    for (GpuHolder holder : cluster.holders()) {
      int index = indexes.merge(holder.pod(), 1, Integer::sum) - 1;
      if (holder.node().equals(node)) {
        held.add(
            new SimulatedAgent.SampledHolder(
                holder.pod(), holder.device(), index, life(holder.pod())));
      }
    }
    return held;
  }

  /** A pod that its owner recreated does nothing more. */
  private ActualWork life(PodRef pod) {
    return lives.computeIfAbsent(pod.uid(), _ -> WorkPattern.NEVER.live(random, time.now(), 8));
  }

  private void comeAndGo(int percent) {
    if (chance(percent) && cluster.view().pods().size() < 31) {
      String namespace = chance(70) ? ALWAYS : ON_DEMAND;
      submit(
          PodSpec.bare(namespace, "pod-" + names++, 1 + random.nextInt(2)),
          any(SHAPES),
          chance(20) ? Parts.ONLY_ONE : Parts.ALL);
    }
  }

  private void replace(PodView pod) {
    Submitted before = submitted.get(pod.ref().uid());
    if (before != null && pod.untouchable().isEmpty()) {
      cluster.delete(pod.ref());
      waitingForTheirName.add(new Submitted(before.spec(), any(SHAPES), before.parts()));
    }
  }

  private void tryToReturn(Submitted pod) {
    boolean taken =
        cluster.view().pods().stream()
            .anyMatch(
                view ->
                    view.ref().namespace().equals(pod.spec().namespace())
                        && view.ref().name().equals(pod.spec().name()));
    if (!taken) {
      waitingForTheirName.remove(pod);
      submit(pod.spec(), pod.shape(), pod.parts());
    }
  }

  private void submit(PodSpec spec, WorkPattern shape, Parts parts) {
    PodRef pod = cluster.submit(spec);
    ActualWork life =
        switch (parts) {
          case ALL -> shape.live(random, time.now(), spec.gpus());
          case ONLY_ONE -> shape.liveOnOneOf(random, time.now(), spec.gpus());
          case ALL_BUT_ONE -> shape.liveOnAllButOneOf(random, time.now(), spec.gpus());
        };
    lives.put(pod.uid(), life);
    submitted.put(pod.uid(), new Submitted(spec, shape, parts));
  }

  private List<PodView> bare() {
    return cluster.view().pods().stream()
        .filter(pod -> pod.owner().isEmpty() && !pod.terminating())
        .filter(pod -> !staying.contains(pod.ref()))
        .toList();
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T any(List<T> options) {
    return options.get(random.nextInt(options.size()));
  }
}
