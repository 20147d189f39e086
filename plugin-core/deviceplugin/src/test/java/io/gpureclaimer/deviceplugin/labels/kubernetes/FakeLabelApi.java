package io.gpureclaimer.deviceplugin.labels.kubernetes;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * An API server with one object that carries labels, which answers a server-side apply as the real
 * one does: by the rules of ownership that are kept in {@code managedFields}.
 */
final class FakeLabelApi implements AutoCloseable {
  private final KubernetesSerialization json = new KubernetesSerialization();
  private final KubernetesMockServer server =
      new KubernetesMockServer(
          new Context(), new MockWebServer(), new HashMap<>(), new LabelApiBehavior(), false);
  private final String path;
  private final List<String> way;
  private final List<String> writes = new CopyOnWriteArrayList<>();
  private final Map<String, String> labels = new TreeMap<>();
  private final Map<String, Set<String>> owners = new TreeMap<>();
  private boolean exists;
  private @Nullable MockResponse forced;
  private String lastBody = "";

  /**
   * @param path of the object
   * @param way to its labels
   */
  FakeLabelApi(String path, List<String> way) {
    this.path = path;
    this.way = way;
    server.start();
  }

  KubernetesClient connect() {
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(Config.empty())
                .withMasterUrl(server.url("/"))
                .withRequestRetryBackoffLimit(0)
                .build())
        .build();
  }

  /** The object is there, without labels. */
  void create() {
    exists = true;
  }

  /** Another manager sets a label, whichever manager owned it. */
  void set(String manager, String key, String value) {
    labels.put(key, value);
    owners.values().forEach(keys -> keys.remove(key));
    owners.computeIfAbsent(manager, _ -> new TreeSet<>()).add(key);
  }

  /** Answers everything so from now on. */
  void refuse(int code, String message) {
    forced = refusal(code, message);
  }

  Map<String, String> labels() {
    return Map.copyOf(labels);
  }

  /** The keys that a manager owns. */
  Set<String> owned(String manager) {
    return owners.getOrDefault(manager, Set.of());
  }

  /** Each write so far, as method, path and query. */
  List<String> writes() {
    return List.copyOf(writes);
  }

  /** What the last write sent. */
  Map<String, Object> lastWrite() {
    return tree(lastBody);
  }

  /** Goes away. */
  void cutOff() {
    server.shutdown();
  }

  @Override
  public void close() {
    server.shutdown();
  }

  private final class LabelApiBehavior extends Dispatcher {
    @Override
    public MockResponse dispatch(RecordedRequest request) {
      MockResponse answer = forced;
      if (answer != null) {
        return answer;
      }
      boolean read = Objects.equals(request.getMethod(), "GET");
      if (read) {
        return exists && path.equals(request.getPath())
            ? object()
            : refusal(404, request.getPath() + " not found");
      }
      writes.add(request.getMethod() + " " + request.getPath());
      lastBody = request.getUtf8Body();
      return apply(String.valueOf(request.getPath()), tree(lastBody));
    }
  }

  private MockResponse apply(String call, Map<String, Object> manifest) {
    String manager = call.replaceAll(".*[?&]fieldManager=([^&]*).*", "$1");
    boolean force = call.contains("force=true");
    Map<String, String> wanted = texts(at(manifest, way));
    List<String> conflicts = new ArrayList<>();
    owners.forEach(
        (other, keys) -> {
          if (!other.equals(manager)) {
            keys.stream()
                .filter(key -> wanted.containsKey(key))
                .filter(key -> !Objects.equals(labels.get(key), wanted.get(key)))
                .forEach(key -> conflicts.add(other + " has " + key));
          }
        });
    if (!conflicts.isEmpty() && !force) {
      return refusal(409, "Apply failed with conflicts: " + conflicts);
    }
    exists = true;
    Set<String> before = owners.getOrDefault(manager, Set.of());
    owners.remove(manager);
    wanted.forEach(
        (key, value) -> {
          if (!Objects.equals(labels.put(key, value), value)) {
            owners.values().forEach(keys -> keys.remove(key));
          }
        });
    before.stream()
        .filter(key -> !wanted.containsKey(key))
        .filter(key -> owners.values().stream().noneMatch(keys -> keys.contains(key)))
        .forEach(labels::remove);
    if (!wanted.isEmpty()) {
      owners.put(manager, new TreeSet<>(wanted.keySet()));
    }
    return object();
  }

  private MockResponse object() {
    List<Map<String, Object>> entries = new ArrayList<>();
    owners.forEach(
        (manager, keys) -> {
          Map<String, Object> fields = new TreeMap<>();
          keys.forEach(key -> fields.put("f:" + key, Map.of()));
          entries.add(
              Map.of(
                  "manager",
                  manager,
                  "operation",
                  manager.startsWith("gpu-reclaimer") ? "Apply" : "Update",
                  "fieldsType",
                  "FieldsV1",
                  "fieldsV1",
                  Map.of(way.getFirst(), Map.of(way.getLast(), fields))));
        });
    Map<String, Object> object = new TreeMap<>();
    object.put("apiVersion", "v1");
    object.put("kind", "Node");
    Map<String, Object> metadata = new TreeMap<>();
    metadata.put("name", path.substring(path.lastIndexOf('/') + 1));
    metadata.put("uid", "uid-1");
    metadata.put("managedFields", entries);
    object.put("metadata", metadata);
    if (way.getFirst().equals("f:metadata")) {
      metadata.put("labels", labels);
    } else {
      object.put("spec", Map.of("labels", labels));
    }
    return new MockResponse().setResponseCode(200).setBody(json.asJson(object));
  }

  private MockResponse refusal(int code, String message) {
    var status = new StatusBuilder().withCode(code).withMessage(message).build();
    return new MockResponse().setResponseCode(code).setBody(json.asJson(status));
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> tree(String text) {
    return json.unmarshal(text, Map.class);
  }

  private static @Nullable Object at(Map<String, Object> tree, List<String> way) {
    @Nullable Object at = tree;
    for (String step : way) {
      at = at instanceof Map<?, ?> map ? map.get(step.substring(2)) : null;
    }
    return at;
  }

  private static Map<String, String> texts(@Nullable Object tree) {
    Map<String, String> texts = new TreeMap<>();
    if (tree instanceof Map<?, ?> map) {
      map.forEach((key, value) -> texts.put(String.valueOf(key), String.valueOf(value)));
    }
    return texts;
  }
}
