package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.impl.KubernetesClientImpl;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.MetadataParser;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Starts to watch kinds that own pods. Confined to the thread that resolves them. */
final class OwnerKinds {
  private final KubernetesClient whole;
  private final KubernetesClient client;
  private final Map<String, Set<String>> fields;
  private final Discovery discovery;
  private final Duration staleAfter;
  private final MonotonicClock monotonic;

  /**
   * @param fields what to read of owners in addition to their metadata, by kind and group
   */
  OwnerKinds(
      KubernetesClient client,
      Map<String, Set<String>> fields,
      Discovery discovery,
      Duration staleAfter,
      MonotonicClock monotonic) {
    this.whole = client;
    this.client = MetadataOnly.of(client);
    this.fields = Map.copyOf(fields);
    this.discovery = discovery;
    this.staleAfter = staleAfter;
    this.monotonic = monotonic;
  }

  /**
   * Finds out how the kind is served, and starts to watch it.
   *
   * @throws io.gpureclaimer.reclaimer.cluster.ClusterUnreachable if that cannot be found out
   */
  ObjectWatch<OwnerView> watch(ObjectKind kind) {
    ResourceDefinitionContext context = discovery.find(kind);
    Optional<Set<String>> wanted = Optional.ofNullable(fields.get(kind.qualified()));
    var all = (wanted.isPresent() ? whole : client).genericKubernetesResources(context);
    return ObjectWatch.start(
        context.getPlural(),
        context.isNamespaceScoped() ? all.inAnyNamespace() : all,
        new ViewStore<>(
            GenericKubernetesResource::new,
            object ->
                Optional.of(MetadataParser.owner(object, kind.apiVersion(), kind.name(), wanted))),
        staleAfter,
        monotonic);
  }

  /**
   * A view of a client that asks the API server for the metadata of objects and nothing else: some
   * owners, such as Argo's Workflows, are a megabyte each, and only their names and annotations are
   * of use here.
   */
  static final class MetadataOnly implements Interceptor {
    private static final String LIST =
        "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    private static final String WATCH =
        "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

    /** For servers in between that do not know how to leave out the rest. */
    private static final String OR_ALL = ",application/json";

    private MetadataOnly() {}

    /** Shares the connections of the client, and is closed with it. */
    static KubernetesClient of(KubernetesClient client) {
      HttpClient http =
          client
              .getHttpClient()
              .newBuilder()
              .addOrReplaceInterceptor(MetadataOnly.class.getName(), new MetadataOnly())
              .build();
      return new KubernetesClientImpl(http, client.getConfiguration());
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      boolean watch =
          request.uri().getQuery() != null && request.uri().getQuery().contains("watch=true");
      builder.setHeader("Accept", (watch ? WATCH : LIST) + OR_ALL);
    }
  }
}
