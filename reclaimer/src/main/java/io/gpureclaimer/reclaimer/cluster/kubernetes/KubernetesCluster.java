package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.RecordAccess;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.AcceleratorNames;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.MetadataParser;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.PodParser;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster behind an API server. Safe for use by several threads.
 *
 * <p>{@link #view} reads the watches; every other method makes exactly one call, and a second one
 * to distinguish a conflict from a replacement.
 */
public final class KubernetesCluster implements Cluster, RecordAccess, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KubernetesCluster.class);

  private final ApiServer api;
  private final EvictionApi evictions;
  private final ObjectApi objects;
  private final ReclamationApi reclamations;
  private final InstantSource clock;

  /** Empty where nothing is watched. */
  private final Optional<ClusterWatches> watches;

  private final PodParser parser;
  private final AtomicBoolean eventsRefused = new AtomicBoolean();

  private KubernetesCluster(
      ApiServer api, InstantSource clock, Optional<ClusterWatches> watches, PodParser parser) {
    this.api = api;
    this.evictions = new EvictionApi(api);
    this.objects = new ObjectApi(api, new Discovery(api));
    this.reclamations = new ReclamationApi(api);
    this.clock = clock;
    this.watches = watches;
    this.parser = parser;
  }

  /**
   * Starts to watch and returns at once; until the first lists are complete, and whenever a watch
   * is broken for too long, {@link #view} throws {@link ClusterUnreachable}.
   *
   * @param client stays open when this cluster is closed; it must not retry on its own
   */
  public static KubernetesCluster start(
      KubernetesClient client, WatchTerms terms, InstantSource clock, MonotonicClock monotonic) {
    var parser = new PodParser(terms.names(), terms.untouchableNamespaces(), terms.teamLabel());
    var api = new ApiServer(client);
    return new KubernetesCluster(
        api,
        clock,
        Optional.of(ClusterWatches.start(client, api, terms, parser, monotonic)),
        parser);
  }

  /**
   * Reads and writes objects and records, but watches nothing, and so has no {@link #view}.
   *
   * @param client stays open when this cluster is closed; it must not retry on its own
   */
  public static KubernetesCluster withoutWatches(KubernetesClient client, InstantSource clock) {
    return new KubernetesCluster(
        new ApiServer(client),
        clock,
        Optional.empty(),
        new PodParser(AcceleratorNames.USUAL, Set.of(), Optional.empty()));
  }

  private ClusterWatches watches() {
    return watches.orElseThrow(() -> new IllegalStateException("nothing is watched"));
  }

  @Override
  public ClusterView view() {
    return watches().view(clock.instant());
  }

  @Override
  public Optional<PodView> lastKnown(PodRef pod) {
    return watches().lastKnown(pod);
  }

  @Override
  public Optional<PodView> fresh(PodRef pod) {
    ApiReply reply = api.get(path(pod));
    if (reply.code() == ApiReply.NOT_FOUND) {
      return Optional.empty();
    }
    if (!reply.ok()) {
      throw new ClusterUnreachable(
          "get pod " + pod, "expected a pod, got " + reply.code() + ": " + api.message(reply));
    }
    return Optional.of(read(reply)).filter(found -> found.ref().uid().equals(pod.uid()));
  }

  @Override
  public Optional<NamespaceView> freshNamespace(String name) {
    ApiReply reply = api.get("/api/v1/namespaces/" + name);
    if (reply.code() == ApiReply.NOT_FOUND) {
      return Optional.empty();
    }
    if (!reply.ok()) {
      throw new ClusterUnreachable(
          "get namespace " + name,
          "expected a namespace, got " + reply.code() + ": " + api.message(reply));
    }
    return Optional.of(
        MetadataParser.namespace(api.object(reply, Namespace.class), Optional.empty()));
  }

  @Override
  public ActionResult annotate(PodView pod, Map<String, Optional<String>> changes) {
    ApiReply reply = api.patch(path(pod.ref()), PodRequests.annotations(pod, changes));
    if (reply.ok()) {
      return new ActionResult.Done();
    }
    return switch (reply.code()) {
      case ApiReply.NOT_FOUND -> ActionResult.podGone();
      case ApiReply.CONFLICT -> changedOrGone(pod.ref());
      default -> ActionResult.refused(reply.code(), api.message(reply));
    };
  }

  @Override
  public ActionResult evict(PodView pod, boolean dryRun) {
    return evictions.evict(path(pod.ref()) + "/eviction", pod, dryRun);
  }

  @Override
  public ActionResult change(List<FieldChange> changes, String resourceVersion, boolean dryRun) {
    return objects.change(changes, resourceVersion, dryRun);
  }

  @Override
  public Optional<OwnerView> freshObject(ObjectRef object, Set<String> paths) {
    return objects.fresh(object, paths);
  }

  @Override
  public RecordResult create(Reclamation record) {
    return reclamations.create(record);
  }

  @Override
  public RecordResult update(Reclamation record) {
    return reclamations.update(record);
  }

  @Override
  public ActionResult delete(Reclamation record) {
    return reclamations.delete(record);
  }

  @Override
  public List<Reclamation> records(Optional<String> namespace) {
    return reclamations.all(namespace);
  }

  @Override
  public ActionResult requestRestore(Reclamation record, boolean dryRun) {
    return reclamations.requestRestore(record, dryRun);
  }

  @Override
  public boolean recordEvent(ObjectRef object, Notice notice) {
    ApiReply reply =
        api.post(
            "/api/v1/namespaces/" + object.namespace() + "/events",
            PodRequests.event(object, notice, clock.instant()));
    boolean refused = !reply.ok();
    if (eventsRefused.getAndSet(refused) != refused) {
      if (refused) {
        log.warn("Event on {} refused: {} {}", object, reply.code(), api.message(reply));
      } else {
        log.info("Events are accepted again");
      }
    }
    return !refused;
  }

  @Override
  public void close() {
    watches.ifPresent(ClusterWatches::close);
  }

  /** The server answers a conflict in both cases, so the pod is read again. */
  private ActionResult changedOrGone(PodRef pod) {
    return fresh(pod).isPresent() ? ActionResult.podChanged() : ActionResult.podGone();
  }

  private PodView read(ApiReply reply) {
    return watches().placed(parser.of(api.object(reply, Pod.class)));
  }

  private static String path(PodRef pod) {
    return "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name();
  }

  /**
   * What is looked for, and for how long it is believed.
   *
   * @param staleAfter how long a watch may be broken before its view is refused
   * @param untouchableNamespaces whose pods no policy may touch, in addition to the system's
   * @param ownerFields the fields to read of owners, as JSON pointers, by kind and group such as
   *     {@code Deployment.apps}; of other kinds only the metadata is asked for
   * @param teamLabel the label of pods and namespaces whose value is their team
   * @param announcements whether to read what autoscalers announce for pending pods
   */
  public record WatchTerms(
      Duration staleAfter,
      AcceleratorNames names,
      Set<String> untouchableNamespaces,
      Map<String, Set<String>> ownerFields,
      Optional<String> teamLabel,
      boolean announcements) {
    public WatchTerms {
      untouchableNamespaces = Set.copyOf(untouchableNamespaces);
      ownerFields = Map.copyOf(ownerFields);
      if (!staleAfter.isPositive()) {
        throw new IllegalArgumentException("staleAfter must be positive, was " + staleAfter);
      }
    }

    /** The usual name of GPUs, and only the namespaces of the system excluded. */
    public static WatchTerms usual(Duration staleAfter) {
      return new WatchTerms(
          staleAfter, AcceleratorNames.USUAL, Set.of(), Map.of(), Optional.empty(), true);
    }
  }
}
