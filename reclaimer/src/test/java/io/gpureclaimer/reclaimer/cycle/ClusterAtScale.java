package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.Neighbors;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.Placement.Toleration;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodRules;
import io.gpureclaimer.reclaimer.cluster.PodRules.HostPort;
import io.gpureclaimer.reclaimer.cluster.PodRules.PodTerm;
import io.gpureclaimer.reclaimer.cluster.PodRules.Spread;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupId;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize.Minimum;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A large cluster, the same in every process: nodes of eight GPUs, all of them held by four pods on
 * average; one pod in eight is due, half of the others belong to an owner, and some pods wait.
 */
final class ClusterAtScale {
  static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");

  private static final int NAMESPACES = 2_000;
  private static final int SETS = 4;
  static final int WAITING = 500;

  private static final int ONE_IN_THAT_MANY_IS_A_GANG = 5;
  private static final int GANG = 4;
  private static final int MODELS = 5;
  private static final int APPS = 200;
  private static final int SHARED_NAMESPACES = 20;
  private static final int ZONES = 20;
  private static final String HOST = "kubernetes.io/hostname";
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final int ONE_IN_THAT_MANY_IS_DUE = 8;

  /** The pods of ten nodes: forty. */
  private static final int[][] SIZES = {
    {8},
    {1, 1, 1, 1, 1, 1, 1, 1},
    {4, 4},
    {2, 2, 1, 1, 1, 1},
    {4, 2, 2},
    {2, 2, 2, 1, 1},
    {4, 2, 1, 1},
    {2, 2, 2, 2},
    {4, 2, 1, 1},
    {4, 2, 2}
  };

  /** In thousandths. */
  private static final long GIBIBYTES_32 = 32_000L << 30;

  private final int nodes;

  ClusterAtScale(int nodes) {
    this.nodes = nodes;
  }

  /** What happens to a pod, by its number. */
  private enum Fate {
    DUE,
    IDLE,
    ACTIVE;

    static Fate of(int pod) {
      if (pod % ONE_IN_THAT_MANY_IS_DUE == 0) {
        return DUE;
      }
      return pod % 3 == 0 ? IDLE : ACTIVE;
    }
  }

  private interface Visitor<E extends Exception> {
    void pod(int number, int node, int firstGpu, int gpus) throws E;
  }

  ClusterView view() {
    var pods = new ArrayList<PodView>();
    forEachPod((number, node, _, gpus) -> pods.add(running(number, node, gpus)));
    for (int i = 0; i < WAITING; i++) {
      pods.add(waiting(i).view());
    }
    var namespaces = new HashMap<String, NamespaceView>();
    for (int i = 0; i < NAMESPACES; i++) {
      Map<String, String> annotations =
          Map.of(Annotations.MODE, "on-demand", Annotations.IDLE_AFTER, "1h", "team", "team-" + i);
      namespaces.put("namespace-" + i, new NamespaceView("namespace-" + i, annotations));
    }
    var views = new ArrayList<NodeView>();
    for (int i = 0; i < nodes; i++) {
      views.add(node(i));
    }
    return new ClusterView(pods, namespaces, views, owners());
  }

  /** The same cluster, where every fifth of the pending pods has become a gang of four. */
  static ClusterView withGangs(ClusterView view) {
    var pods = new ArrayList<>(view.pods());
    var sizes = new HashMap<GroupId, GroupSize>();
    for (int i = 0; i < WAITING; i += ONE_IN_THAT_MANY_IS_A_GANG) {
      pods.remove(waiting(i).view());
      List<PodView> members = gang(i);
      pods.addAll(members);
      sizes.put(
          GroupId.of(members.getFirst()).orElseThrow(),
          GroupSize.of(new Minimum.Known(GANG), members));
    }
    return new ClusterView(
        pods,
        view.namespaces(),
        view.nodes(),
        view.owners(),
        view.records(),
        view.scheduling().with(sizes));
  }

  /**
   * The same cluster, where all pending pods have rules about other pods: to be apart from those of
   * their application, near one of them, spread over zones, or alone with a host port. Beside each
   * pod with GPUs runs one without, and one pod in ten keeps its application away from its node.
   */
  static ClusterView withRules(ClusterView view) {
    var neighbors = new ArrayList<Neighbor>();
    for (int i = 0; i < view.pods().size(); i++) {
      PodView pod = view.pods().get(i);
      String app = "app-" + i % APPS;
      String namespace = "namespace-" + i % SHARED_NAMESPACES;
      PodRules rules =
          pod.node().isPresent() ? rulesOfRunning(i, app, namespace) : rulesOf(i, app, namespace);
      Map<String, String> labels = Map.of("app", app, "team", "team-" + i % 50);
      neighbors.add(new Neighbor(pod.ref().uid(), namespace, labels, pod.node(), rules));
      if (pod.node().isPresent()) {
        neighbors.add(
            new Neighbor(pod.ref().uid() + "-0", namespace, labels, pod.node(), PodRules.NONE));
      }
    }
    return new ClusterView(
        view.pods(),
        view.namespaces(),
        view.nodes(),
        view.owners(),
        view.records(),
        view.scheduling().with(Neighbors.of(neighbors, view.nodes(), Map.of())));
  }

  private static PodRules rulesOfRunning(int number, String app, String namespace) {
    return number % 10 == 0 ? rules(List.of(), List.of(term(app, namespace, HOST))) : PodRules.NONE;
  }

  private static PodRules rulesOf(int number, String app, String namespace) {
    return switch (number % 4) {
      case 0 -> rules(List.of(), List.of(term(app, namespace, HOST)));
      case 1 -> rules(List.of(term(app, namespace, ZONE)), List.of());
      case 2 ->
          new PodRules(
              List.of(),
              List.of(),
              List.of(
                  new Spread(1, ZONE, Optional.of(selector(app)), Optional.empty(), true, false),
                  new Spread(2, HOST, Optional.of(selector(app)), Optional.empty(), true, false)),
              List.of(),
              Optional.empty());
      default ->
          new PodRules(
              List.of(),
              List.of(),
              List.of(),
              List.of(new HostPort("", "TCP", 9_000 + number % 8)),
              Optional.empty());
    };
  }

  private static PodRules rules(List<PodTerm> affinity, List<PodTerm> antiAffinity) {
    return new PodRules(affinity, antiAffinity, List.of(), List.of(), Optional.empty());
  }

  private static PodTerm term(String app, String namespace, String key) {
    return new PodTerm(Optional.of(selector(app)), Set.of(namespace), Optional.empty(), key);
  }

  private static List<LabelRequirement> selector(String app) {
    return List.of(new LabelRequirement("app", "In", Set.of(app)));
  }

  private static List<PodView> gang(int number) {
    var group = new Group("pod-group", "gang-" + number);
    var members = new ArrayList<PodView>();
    for (int i = 0; i < GANG; i++) {
      PodViewDraft member = waiting(number);
      String namespace = member.ref.namespace();
      int id = 2_000_000 + number * GANG + i;
      member.ref = new PodRef(namespace, "pod-" + id, uid("pod", id));
      member.traits = new PodTraits(Map.of(), false, List.of(), Optional.of(group));
      members.add(member.view());
    }
    return members;
  }

  /** Everything that agents say of the pods, as Prometheus answers it; returns how many samples. */
  int answer(Writer into) throws IOException {
    into.write("{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[");
    int[] samples = {0};
    forEachPod(
        (number, node, firstGpu, gpus) -> {
          for (int gpu = firstGpu; gpu < firstGpu + gpus; gpu++) {
            device(into, number, node, gpu, samples);
          }
        });
    into.write("]}}");
    return samples[0];
  }

  private static void device(Writer into, int pod, int node, int gpu, int[] samples)
      throws IOException {
    Duration idle =
        switch (Fate.of(pod)) {
          case DUE -> Duration.ofHours(2 + pod % 90);
          case IDLE -> Duration.ofMinutes(1 + pod % 40);
          case ACTIVE -> Duration.ofSeconds(1);
        };
    String labels = labels(pod, node, gpu);
    Instant until = NOW.minusSeconds(5);
    String[] series = {
      LedgerMetrics.LAST_ACTIVE, LedgerMetrics.OBSERVED_SINCE, LedgerMetrics.OBSERVED_UNTIL, ""
    };
    Instant[] values = {until.minus(idle), NOW.minus(Duration.ofDays(9)), until, until};
    for (int i = 0; i < series.length; i++) {
      into.write(samples[0]++ == 0 ? "{\"metric\":{" : ",{\"metric\":{");
      into.write(
          series[i].isEmpty()
              ? "\"_kind\":\"sampled_at\","
              : "\"__name__\":\"" + series[i] + "\",");
      into.write(labels);
      into.write("},\"value\":[" + seconds(NOW) + ",\"" + seconds(values[i]) + "\"]}");
    }
  }

  /** As many labels as a scrape of a Kubernetes cluster usually adds. */
  private static String labels(int pod, int node, int gpu) {
    return "\"Hostname\":\"node-"
        + node
        + "\",\"UUID\":\""
        + gpuUuid(node, gpu)
        + "\",\"container\":\"main\",\"device\":\"nvidia"
        + gpu
        + "\",\"endpoint\":\"metrics\",\"gpu\":\""
        + gpu
        + "\",\"instance\":\"10.0.0.1:9400\",\"job\":\"gpu-exporter\",\"modelName\":\"NVIDIA H100"
        + " 80GB HBM3\",\"namespace\":\"namespace-"
        + pod % NAMESPACES
        + "\",\"pod\":\"pod-"
        + pod
        + "\",\"pod_uid\":\""
        + uid("pod", pod)
        + "\"";
  }

  private <E extends Exception> void forEachPod(Visitor<E> visitor) throws E {
    int number = 0;
    for (int node = 0; node < nodes; node++) {
      int gpu = 0;
      for (int gpus : SIZES[node % SIZES.length]) {
        visitor.pod(number++, node, gpu, gpus);
        gpu += gpus;
      }
    }
  }

  private static PodView running(int number, int node, int gpus) {
    boolean due = Fate.of(number) == Fate.DUE;
    boolean owned = !due && number % 2 == 1;
    Instant idleSince = NOW.minusSeconds(5).minus(Duration.ofHours(2 + number % 90));
    Map<String, String> annotations =
        due
            ? Map.of(
                Annotations.WARNED_AT, NOW.minus(Duration.ofMinutes(40)).toString(),
                Annotations.IDLE_SINCE, idleSince.toString(),
                Annotations.ACT_NOT_BEFORE, NOW.minus(Duration.ofMinutes(20)).toString(),
                Annotations.WARNED_MODE, "always")
            : Map.of("note", "a user's");
    return pod(number, PodPhase.RUNNING, Optional.of("node-" + node), gpus, annotations)
        .owner(
            owned
                ? Optional.of(owner(number % NAMESPACES * SETS + number / NAMESPACES % SETS))
                : Optional.empty())
        .view();
  }

  private static PodViewDraft waiting(int number) {
    PodViewDraft draft =
        pod(1_000_000 + number, PodPhase.PENDING, Optional.empty(), 1 << number % 4, Map.of());
    draft.waiting =
        Optional.of(
            new Waiting(
                NOW.minusSeconds(60 + number),
                "0/10000 nodes are available: 10000 Insufficient nvidia.com/gpu."));
    draft.placement =
        new Placement(
            Map.of("gpu.model", "model-" + number % MODELS),
            List.of(new Toleration("nvidia.com/gpu", true, "", "")),
            false);
    draft.priority = number % 3;
    return draft;
  }

  private static Owner owner(int number) {
    return new Owner("apps/v1", "ReplicaSet", "set-" + number, uid("set", number));
  }

  /** Each owner of pods belongs to a Deployment, as most do. */
  private static Map<String, OwnerView> owners() {
    var owners = new HashMap<String, OwnerView>();
    for (int i = 0; i < NAMESPACES * SETS; i++) {
      String namespace = "namespace-" + i / SETS;
      Owner set = owner(i);
      Owner top = new Owner("apps/v1", "Deployment", "deployment-" + i, uid("deployment", i));
      owners.put(set.uid(), new OwnerView(set, namespace, Optional.of(top), Map.of()));
      owners.put(top.uid(), new OwnerView(top, namespace, Optional.empty(), Map.of("a", "b")));
    }
    return owners;
  }

  private static NodeView node(int number) {
    var labels = new HashMap<String, String>();
    for (int i = 0; i < 30; i++) {
      labels.put("example.com/label-" + i, "value-" + (number + i) % 7);
    }
    labels.put("gpu.model", "model-" + number % MODELS);
    labels.put(HOST, "node-" + number);
    labels.put(ZONE, "zone-" + number % ZONES);
    return new NodeView(
        "node-" + number,
        Map.of(ResourceNames.GPU, 8),
        Map.of("cpu", 104_000L, "memory", 40 * GIBIBYTES_32, "pods", 110_000L),
        labels,
        List.of(new Taint("nvidia.com/gpu", "present", "NoSchedule")),
        true,
        false);
  }

  private static PodViewDraft pod(
      int number,
      PodPhase phase,
      Optional<String> node,
      int gpus,
      Map<String, String> annotations) {
    var draft = new PodViewDraft();
    String namespace = "namespace-" + number % NAMESPACES;
    draft.ref = new PodRef(namespace, "pod-" + number, uid("pod", number));
    draft.phase = phase;
    draft.node = node;
    draft.gpus = gpus;
    draft.annotations = annotations;
    return draft;
  }

  /** What a pod view is made of. */
  private static final class PodViewDraft {
    private PodRef ref = new PodRef("", "", "");
    private PodPhase phase = PodPhase.RUNNING;
    private Optional<String> node = Optional.empty();
    private Optional<Owner> owner = Optional.empty();
    private Optional<Waiting> waiting = Optional.empty();
    private Placement placement = Placement.ANYWHERE;
    private PodTraits traits = PodTraits.NONE;
    private Map<String, String> annotations = Map.of();
    private int gpus;
    private int priority;

    PodViewDraft owner(Optional<Owner> value) {
      owner = value;
      return this;
    }

    PodView view() {
      Optional<Instant> started =
          node.isPresent() ? Optional.of(NOW.minus(Duration.ofDays(8))) : Optional.empty();
      return new PodView(
          ref,
          "1",
          phase,
          false,
          node,
          Accelerators.whole(gpus),
          owner,
          annotations,
          priority,
          Optional.empty(),
          waiting,
          placement,
          started,
          started,
          started.map(_ -> Duration.ofMinutes(2)),
          traits,
          Optional.empty(),
          Optional.empty(),
          requests());
    }

    /** 10 cores for each GPU that runs, and 8 to 15 for each that is wanted. */
    private Map<String, Long> requests() {
      long cores = node.isPresent() ? 10 : 8 + Math.floorMod(ref.uid().hashCode(), 8);
      return Map.of("cpu", cores * gpus * 1_000, "memory", gpus * GIBIBYTES_32, "pods", 1_000L);
    }
  }

  private static String gpuUuid(int node, int gpu) {
    return "GPU-" + uid("gpu", node * 8 + gpu);
  }

  private static String uid(String kind, int number) {
    return new UUID(kind.hashCode() * 0x9E3779B97F4A7C15L, number * 0xBF58476D1CE4E5B9L).toString();
  }

  private static String seconds(Instant instant) {
    return instant.getEpochSecond() + ".000";
  }
}
