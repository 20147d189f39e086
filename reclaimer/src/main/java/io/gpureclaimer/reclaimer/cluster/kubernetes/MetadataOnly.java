package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.impl.KubernetesClientImpl;

/**
 * A view of a client that asks the API server for the metadata of objects and nothing else: some
 * owners, such as Argo's Workflows, are a megabyte each, and only their names and annotations are
 * of use here.
 */
final class MetadataOnly implements Interceptor {
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
