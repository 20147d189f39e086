package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.kubernetes.ConnectionOptions;
import io.gpureclaimer.common.kubernetes.KubernetesConnection;
import io.gpureclaimer.common.kubernetes.RegisteredKinds;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.AccessReviews;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.UserRequests;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import io.gpureclaimer.reclaimer.cluster.kubernetes.lease.LeaseLeadership;
import io.gpureclaimer.reclaimer.cluster.kubernetes.lease.LeaseTerms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * One client of the API server, and what is built on it; closing it ends all of it, newest first.
 * Confined to the thread that starts and stops the program.
 */
public final class KubernetesAccess implements AutoCloseable {
  private final KubernetesClient client;
  private final InstantSource clock;
  private final MonotonicClock monotonic;
  private final Deque<Runnable> closers = new ArrayDeque<>();

  private KubernetesAccess(KubernetesClient client, InstantSource clock, MonotonicClock monotonic) {
    this.client = client;
    this.clock = clock;
    this.monotonic = monotonic;
  }

  /**
   * Finds the API server; no call is made yet.
   *
   * @throws io.gpureclaimer.common.kubernetes.ClusterNotConfigured if nothing says where it is
   */
  public static KubernetesAccess open(
      ConnectionOptions options, InstantSource clock, MonotonicClock monotonic) {
    return new KubernetesAccess(
        KubernetesConnection.ofThisProcess().open("gpu-reclaimer", options, RegisteredKinds.ALL),
        clock,
        monotonic);
  }

  /** Starts to watch, see {@link KubernetesCluster#start}. */
  public Cluster watch(WatchTerms terms) {
    KubernetesCluster cluster = KubernetesCluster.start(client, terms, clock, monotonic);
    closers.push(cluster::close);
    return cluster;
  }

  /** Reads and writes without watching, see {@link KubernetesCluster#withoutWatches}. */
  public KubernetesCluster withoutWatches() {
    return KubernetesCluster.withoutWatches(client, clock);
  }

  /** Requests with the credentials of people, and never with ours. */
  public UserRequests personal() {
    return new UserClient(client.getConfiguration());
  }

  /** Reviews of tokens and of access. */
  public AccessReviews reviews() {
    return new ReviewApi(new ApiServer(client));
  }

  /** Starts to campaign, see {@link LeaseLeadership#campaign}. */
  public Leadership campaign(LeaseTerms terms) {
    LeaseLeadership leadership = LeaseLeadership.campaign(client, terms, clock, monotonic);
    closers.push(leadership::close);
    return leadership;
  }

  @Override
  public void close() {
    closers.forEach(Runnable::run);
    client.close();
  }

  /** The namespace that this process runs in. */
  public static final class OwnNamespace {
    private static final Path OF_THE_SERVICE_ACCOUNT =
        Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

    private OwnNamespace() {}

    /** The namespace of the pod that this is; empty outside of a cluster. */
    public static Optional<String> inAPod() {
      return in(OF_THE_SERVICE_ACCOUNT);
    }

    static Optional<String> in(Path file) {
      if (!Files.isReadable(file)) {
        return Optional.empty();
      }
      try {
        return Optional.of(Files.readString(file).strip()).filter(name -> !name.isEmpty());
      } catch (IOException e) {
        throw new UncheckedIOException("read " + file, e);
      }
    }
  }
}
