package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.Placement.NodeTerm;
import io.gpureclaimer.reclaimer.cluster.Placement.Toleration;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.AgentSignal;
import io.gpureclaimer.reclaimer.evidence.Evidence.Unknown;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore.SignalHistory;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
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
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A cluster in which anything may be so or otherwise, with a leaning towards what leads far: whole
 * GPUs that were watched and did nothing.
 */
final class RandomDecisionInputs {
  private final Random random;
  private final Map<String, OwnerView> owners = new HashMap<>();
  private final Map<String, Instant> idle = new HashMap<>();

  private RandomDecisionInputs(long seed) {
    random = new Random(seed);
  }

  /** What was seen, and of what. */
  record DrawnInputs(ClusterView cluster, Observation observation) {}

  static DrawnInputs of(long seed) {
    return new RandomDecisionInputs(seed).draw();
  }

  private DrawnInputs draw() {
    var namespaces = new HashMap<String, NamespaceView>();
    for (String name : List.of("ml", "lab")) {
      if (mostly()) {
        namespaces.put(name, new NamespaceView(name, annotations(true)));
      }
    }
    List<PodView> pods =
        IntStream.range(0, 1 + random.nextInt(6)).mapToObj(index -> pod("pod-" + index)).toList();
    return new DrawnInputs(new ClusterView(pods, namespaces, List.of(), owners), observation(pods));
  }

  private PodView pod(String name) {
    PodPhase phase = mostly() ? PodPhase.RUNNING : PodPhase.PENDING;
    String namespace = random.nextBoolean() ? "ml" : "lab";
    return new PodView(
        new PodRef(namespace, name, "uid-" + name),
        Integer.toString(random.nextInt(1000)),
        phase,
        seldom(),
        phase == PodPhase.RUNNING ? Optional.of("node-1") : Optional.empty(),
        accelerators(),
        rather(() -> owner(namespace)),
        warned(annotations(false), idleSince("uid-" + name)),
        random.nextInt(3) - 1,
        hardly(() -> "it is a static pod"),
        hardly(() -> new Waiting(before(300), "0/3 nodes are available")),
        placement(),
        sometimes(() -> before(mostly() ? 20_000 : 300)),
        sometimes(() -> before(20_000)),
        sometimes(() -> Duration.ofSeconds(random.nextInt(5_000))),
        traits(),
        Optional.empty(),
        Optional.empty(),
        Map.of());
  }

  private Accelerators accelerators() {
    if (seldom()) {
      return Accelerators.whole(0).sharing(Map.of("nvidia.com/gpu.shared", 1 + random.nextInt(2)));
    }
    if (seldom()) {
      return Accelerators.whole(2).onDividedGpus("1g.10gb");
    }
    int gpus = mostly() ? 1 + random.nextInt(3) : 0;
    return new Accelerators(gpus, seldom() ? Map.of("1g.10gb", 2) : Map.of(), claimed(), seldom());
  }

  private Claimed claimed() {
    if (mostly()) {
      return Claimed.NOTHING;
    }
    return seldom() ? new Claimed.Unread("unknown") : new Claimed.Devices(random.nextInt(3));
  }

  /** One of two in each namespace; half of them are controlled in turn. */
  private Owner owner(String namespace) {
    String name = namespace + "-" + (random.nextBoolean() ? "web" : "train");
    var owner = new Owner("apps/v1", "ReplicaSet", name, "uid-" + name);
    var above = new Owner("apps/v1", "Deployment", name, "uid-above-" + name);
    if (mostly()) {
      Optional<Owner> controller = sometimes(() -> above);
      owners.put(owner.uid(), new OwnerView(owner, namespace, controller, annotations(false)));
      owners.put(above.uid(), new OwnerView(above, namespace, Optional.empty(), Map.of()));
    }
    return owner;
  }

  private Placement placement() {
    return new Placement(
        seldom() ? Map.of("pool", "a100") : Map.of(),
        seldom() ? List.of(new Toleration("gpu", true, "", "NoSchedule")) : List.of(),
        hardly(
            () ->
                List.of(
                    new NodeTerm(
                        List.of(new LabelRequirement("zone", "In", Set.of("a"))), List.of()))),
        seldom());
  }

  private PodTraits traits() {
    return new PodTraits(
        seldom() ? Map.of("app", "jupyter") : Map.of(),
        seldom(),
        seldom() ? List.of("cache", "data") : List.of(),
        hardly(() -> new Group("kueue.x-k8s.io/queue-name", "q")),
        hardly(() -> "port 8000 (http)"));
  }

  private Map<String, String> annotations(boolean ofNamespace) {
    var annotations = new HashMap<String, String>();
    maybe(annotations, "gpu-reclaimer.io/mode", ofNamespace ? 1 : 4, modes());
    maybe(annotations, "gpu-reclaimer.io/idle-after", 3, "10m", "1h", "7200", "90d");
    maybe(annotations, "gpu-reclaimer.io/warn-before", 3, "10s", "5m", "30m");
    maybe(annotations, "gpu-reclaimer.io/exclude", 20, "true", "false", "yes");
    maybe(annotations, "gpu-reclaimer.io/exlude", 40, "true");
    maybe(annotations, "gpu-reclaimer.io/startup-grace", 30, "0s", "20m");
    maybe(annotations, "gpu-reclaimer.io/class", 9, "batch", "serving", "interactive");
    maybe(annotations, "gpu-reclaimer.io/action", 20, "evict", "none", "scale");
    maybe(annotations, "gpu-reclaimer.io/keep-until", 20, "2026-03-03", "2026-03-01T00:00:00Z");
    maybe(annotations, "gpu-reclaimer.io/protected-hours", 20, "Mon-Fri 09:00-18:00 Europe/Berlin");
    maybe(annotations, "gpu-reclaimer.io/last-activity", 20, before(700).toString());
    maybe(annotations, "gpu-reclaimer.io/notify", 9, "ml-team");
    maybe(annotations, "karpenter.sh/do-not-disrupt", 40, "true");
    maybe(annotations, "example.com/token", 2, "s3cret");
    return annotations;
  }

  /** Mostly about this idle period. */
  private Map<String, String> warned(Map<String, String> annotations, Instant idleSince) {
    if (random.nextBoolean()) {
      Instant about = mostly() ? idleSince : before(1234);
      annotations.put("gpu-reclaimer.io/idle-since", about.toString());
      annotations.put("gpu-reclaimer.io/warned-at", before(random.nextInt(2400)).toString());
      maybe(annotations, "gpu-reclaimer.io/act-not-before", 3, "never", before(60).toString(), "x");
      annotations.put("gpu-reclaimer.io/warned-mode", "always");
      maybe(annotations, "gpu-reclaimer.io/warned-mode", 9, "on-demand", "notify", "x");
    }
    return annotations;
  }

  private Instant idleSince(String uid) {
    return idle.computeIfAbsent(uid, _ -> before(600L * (1 + random.nextInt(18))));
  }

  private String[] modes() {
    return new String[] {
      "off", "report", "notify", "on-demand", "always", "always", "always", "allways"
    };
  }

  private void maybe(Map<String, String> annotations, String key, int oneOf, String... values) {
    if (random.nextInt(oneOf) == 0) {
      annotations.put(key, values[random.nextInt(values.length)]);
    }
  }

  private Observation observation(List<PodView> pods) {
    if (random.nextInt(30) == 0) {
      return new Observation.Blind("no answer");
    }
    var seen = new HashMap<String, PodActivity>();
    for (PodView pod : pods) {
      if (mostly()) {
        seen.put(pod.ref().uid(), activity(pod));
      }
    }
    seen.put(
        "uid-stranger",
        new PodActivity("uid-stranger", List.of(device("GPU-of-stranger", before(60)))));
    Instant at = JudgeScenario.NOW.minusMillis(seldom() ? 40_000 : random.nextInt(2000));
    return new Observation.Seen(at, seen, List.of("something odd"));
  }

  private PodActivity activity(PodView pod) {
    var devices = new ArrayList<DeviceActivity>();
    for (int i = 0; i < pod.gpus(); i++) {
      String own = "GPU-" + pod.ref().uid() + "-" + i;
      devices.add(
          device(random.nextInt(20) == 0 ? "GPU-of-stranger" : own, idleSince(pod.ref().uid())));
    }
    if (seldom()) {
      devices.add(device("GPU-one-too-many", before(60)));
    }
    var name = new PodName(pod.ref().namespace(), pod.ref().name());
    return new PodActivity(
        pod.ref().uid(),
        sometimes(() -> name),
        devices,
        seldom() ? OptionalInt.of(devices.size()) : OptionalInt.empty(),
        seldom() ? List.of(signal()) : List.of(),
        rather(this::heard),
        hardly(() -> new Unknown(UnknownCause.IMPOSSIBLE, "its record contradicts itself")),
        hardly(() -> random.nextBoolean() ? LeftOut.RECORD : LeftOut.RECORD_AND_SIGNALS));
  }

  private SignalHistory heard() {
    Instant since = before(random.nextInt(20_000));
    return new SignalHistory(
        since, rather(() -> Map.of(Signal.SignalKind.CPU, before(600))).orElseGet(() -> Map.of()));
  }

  private Signal signal() {
    Signal.SignalKind[] kinds = Signal.SignalKind.values();
    double value = random.nextInt(5) == 0 ? Double.NaN : 300 * random.nextDouble();
    return new Signal(kinds[random.nextInt(kinds.length)], value, 100, "power in W");
  }

  private DeviceActivity device(String name, Instant idleSince) {
    return new DeviceActivity(
        seldom() ? Entity.instance(new GpuUuid(name), 3) : Entity.whole(new GpuUuid(name)),
        rather(() -> before(3))
            .filter(_ -> random.nextInt(4) == 0)
            .or(() -> Optional.of(idleSince)),
        mostly() ? before(100_000) : idleSince,
        before(random.nextInt(3)),
        before(mostly() ? 5 : 300),
        seldom() ? OptionalDouble.of(random.nextInt(2) * 12.5) : OptionalDouble.empty(),
        rather(
            () ->
                new AgentSignal(
                    before(random.nextInt(100_000)),
                    sometimes(() -> SignalKind.PCIE),
                    Set.of(SignalKind.POWER, SignalKind.PCIE))));
  }

  private static Instant before(long seconds) {
    return JudgeScenario.NOW.minus(Duration.ofSeconds(seconds));
  }

  private boolean mostly() {
    return random.nextInt(10) != 0;
  }

  private boolean seldom() {
    return random.nextInt(24) == 0;
  }

  private <T> Optional<T> sometimes(Supplier<T> value) {
    return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
  }

  private <T> Optional<T> rather(Supplier<T> value) {
    return random.nextInt(3) == 0 ? Optional.of(value.get()) : Optional.empty();
  }

  private <T> Optional<T> hardly(Supplier<T> value) {
    return seldom() ? Optional.of(value.get()) : Optional.empty();
  }
}
