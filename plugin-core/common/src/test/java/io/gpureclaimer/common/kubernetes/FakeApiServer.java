package io.gpureclaimer.common.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/** fabric8's mock server, and what it lacks: preconditions, subresources and refusals. */
public final class FakeApiServer implements AutoCloseable {
  /** What a pod says its node in here: the mock server selects by labels only. */
  public static final String NODE_LABEL = "fake-api-server/node";

  private static final String EVICTION = "/eviction";
  private static final String BY_NODE = "fieldSelector=spec.nodeName%3D";
  private static final String BY_NODE_LABEL = "labelSelector=fake-api-server%2Fnode%3D";

  /** Selectors of fields that the mock server does not know: it answers with all objects. */
  private static final Pattern BY_OTHER_FIELD =
      Pattern.compile("fieldSelector=(involvedObject|spec\\.driver)[^&]*&");

  private final KubernetesSerialization json = new KubernetesSerialization();
  private final KubernetesCrudDispatcher objects = new KubernetesCrudDispatcher();
  private final FakePatches patches = new FakePatches(objects, json);
  private final Map<String, MockResponse> forced = new ConcurrentHashMap<>();
  private final AtomicReference<Optional<MockResponse>> budget =
      new AtomicReference<>(Optional.empty());
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final KubernetesMockServer server =
      new KubernetesMockServer(
          new Context(), new MockWebServer(), new HashMap<>(), new ApiServerBehavior(), false);
  private final KubernetesClient admin;

  public FakeApiServer() {
    server.start();
    admin = server.createClient();
  }

  /** Writes to the server as everybody else does. */
  public KubernetesClient admin() {
    return admin;
  }

  /** A client that makes every call once, as the program's own. */
  public KubernetesClient connect() {
    return connect(address());
  }

  /** The same, by another way to this server. */
  public static KubernetesClient connect(URI address) {
    return connect(address, RegisteredKinds.ALL);
  }

  /** The same, which reads some kinds only. */
  public static KubernetesClient connect(URI address, RegisteredKinds kinds) {
    return new KubernetesClientBuilder()
        .withKubernetesSerialization(kinds.serialization())
        .withConfig(
            new ConfigBuilder(Config.empty())
                .withMasterUrl(address.toString())
                .withRequestRetryBackoffLimit(0)
                .build())
        .build();
  }

  public URI address() {
    return URI.create(server.url("/"));
  }

  /** Every request so far, as method and path. */
  public List<String> calls() {
    return List.copyOf(calls);
  }

  /** Answers a method on a path with a status of this code and message from now on. */
  public void force(String method, String path, int code, String message) {
    forced.put(method + " " + path, refusal(code, message));
  }

  /** Answers a method on a path as it should from now on. */
  public void relent(String method, String path) {
    forced.remove(method + " " + path);
  }

  /** Answers a method on a path with success and this text from now on. */
  public void forceText(String method, String path, String text) {
    forced.put(method + " " + path, new MockResponse().setResponseCode(200).setBody(text));
  }

  /** Answers a method on a path with a success that has no end from now on. */
  public void forceSilence(String method, String path) {
    var endless = new MockResponse().setResponseCode(200).setBody("{}");
    forced.put(method + " " + path, endless.setBodyDelay(Duration.ofDays(1)));
  }

  /** Serves a namespaced kind of a group of its own, whose status is a subresource. */
  public void serve(String group, String version, String kind, String plural) {
    objects.expectCustomResource(
        new CustomResourceDefinitionContext.Builder()
            .withGroup(group)
            .withVersion(version)
            .withKind(kind)
            .withPlural(plural)
            .withScope("Namespaced")
            .withStatusSubresource(true)
            .build());
    forceText(
        "GET",
        "/apis/" + group + "/" + version,
        """
        {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "%s/%s", "resources": [
          {"name": "%s", "namespaced": true, "kind": "%s", "verbs": ["list"]}]}
        """
            .formatted(group, version, plural, kind));
  }

  /** Drops a field of {@code spec} or {@code status} in patches without an error from now on. */
  public void dropField(String field) {
    patches.drop(field);
  }

  /** Lets no pod be evicted from now on. */
  public void objectToEvictions(String cause, Optional<String> retryAfter) {
    Status status =
        new StatusBuilder()
            .withCode(429)
            .withReason("TooManyRequests")
            .withMessage("Cannot evict pod as it would violate the pod's disruption budget.")
            .withNewDetails()
            .addNewCause(null, cause, "DisruptionBudget")
            .endDetails()
            .build();
    MockResponse response = new MockResponse().setResponseCode(429).setBody(json.asJson(status));
    retryAfter.ifPresent(seconds -> response.addHeader("Retry-After", seconds));
    budget.set(Optional.of(response));
  }

  /** Goes away, for everybody. */
  public void cutOff() {
    server.shutdown();
  }

  @Override
  public void close() {
    admin.close();
    server.shutdown();
  }

  private MockResponse refusal(int code, String message) {
    Status status = new StatusBuilder().withCode(code).withMessage(message).build();
    return new MockResponse().setResponseCode(code).setBody(json.asJson(status));
  }

  private MockResponse evict(String path, Eviction eviction) {
    MockResponse found = objects.handleGet(path);
    if (found.code() == 404) {
      return refusal(404, "pods not found");
    }
    Pod pod = json.unmarshal(found.getBody().readUtf8(), Pod.class);
    var wanted = eviction.getDeleteOptions().getPreconditions();
    if (budget.get().isPresent()) {
      return budget.get().get();
    }
    if (!wanted.getUid().equals(pod.getMetadata().getUid())) {
      return refusal(409, "Precondition failed: UID");
    }
    if (!wanted.getResourceVersion().equals(pod.getMetadata().getResourceVersion())) {
      return refusal(409, "Precondition failed: ResourceVersion");
    }
    if (eviction.getDeleteOptions().getDryRun().isEmpty()) {
      objects.handleDelete(path);
    }
    return new MockResponse()
        .setResponseCode(201)
        .setBody(json.asJson(new StatusBuilder().withStatus("Success").build()));
  }

  private final class ApiServerBehavior extends Dispatcher {
    @Override
    public MockResponse dispatch(RecordedRequest request) {
      String path = request.getPath();
      String call = request.getMethod() + " " + path;
      calls.add(call);
      if (forced.containsKey(call)) {
        return forced.get(call);
      }
      if (path.contains(BY_NODE)) {
        String selected = path.replace(BY_NODE, BY_NODE_LABEL);
        return path.contains("watch=true")
            ? objects.handleWatch(selected)
            : objects.handleGet(selected);
      }
      if (BY_OTHER_FIELD.matcher(path).find()) {
        String all = BY_OTHER_FIELD.matcher(path).replaceFirst("");
        return path.contains("watch=true") ? objects.handleWatch(all) : objects.handleGet(all);
      }
      if (path.endsWith(EVICTION)) {
        return evict(
            path.substring(0, path.length() - EVICTION.length()),
            json.unmarshal(request.getUtf8Body(), Eviction.class));
      }
      if (request.getMethod().equals("DELETE")) {
        Optional<MockResponse> objection = patches.objection(path, request.getUtf8Body());
        if (objection.isPresent()) {
          return objection.get();
        }
      }
      if (request.getMethod().equals("PATCH")
          && (path.contains("fieldManager=") || path.endsWith("/status"))) {
        return patches.patch(path, request.getUtf8Body());
      }
      MockResponse answer = objects.dispatch(request);
      return answer.code() == 404 ? refusal(404, path + " not found") : answer;
    }

    @Override
    public void shutdown() {
      objects.shutdown();
    }
  }
}
