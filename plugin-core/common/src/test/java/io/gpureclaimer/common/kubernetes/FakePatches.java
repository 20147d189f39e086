package io.gpureclaimer.common.kubernetes;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.crud.KubernetesCrudDispatcherException;
import io.fabric8.kubernetes.client.server.mock.crud.PutHandler;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.mockwebserver.http.MockResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Merge patches as the API server answers them: with the UID and the resource version as
 * preconditions, dry runs, the scale subresource, and fields that a kind does not know; deletions
 * have the same preconditions.
 */
final class FakePatches {
  private static final String SCALE = "/scale";
  private static final String STATUS = "/status";

  private final KubernetesCrudDispatcher objects;
  private final KubernetesSerialization json;
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();

  FakePatches(KubernetesCrudDispatcher objects, KubernetesSerialization json) {
    this.objects = objects;
    this.json = json;
  }

  /** Drops a field of {@code spec} or {@code status} without an error from now on. */
  void drop(String field) {
    unknown.add(field);
  }

  MockResponse patch(String call, String body) {
    String path = call.replaceAll("\\?.*", "");
    boolean scale = path.endsWith(SCALE);
    String target = scale ? path.substring(0, path.length() - SCALE.length()) : path;
    MockResponse found = objects.handleGet(target.replaceAll(STATUS + "$", ""));
    if (found.code() == 404) {
      return refusal(404, target + " not found");
    }
    Map<String, Object> current = read(found.getBody().readUtf8());
    Map<String, Object> patch = read(body);
    Optional<MockResponse> conflict = conflict(object(patch, "metadata"), current);
    if (conflict.isPresent()) {
      return conflict.get();
    }
    object(patch, "spec").keySet().removeAll(unknown);
    object(patch, "status").keySet().removeAll(unknown);
    Map<String, Object> wanted = merged(current, patch);
    // The mock server's own merge appends to lists.
    Map<String, Object> after =
        call.contains("dryRun=All") ? wanted : stored(target, json.asJson(wanted));
    return new MockResponse()
        .setResponseCode(200)
        .setBody(json.asJson(scale ? scale(after) : after));
  }

  /** The answer to a deletion whose preconditions do not hold. */
  Optional<MockResponse> objection(String path, String options) {
    MockResponse found = objects.handleGet(path);
    return found.code() == 404 || options.isEmpty()
        ? Optional.empty()
        : conflict(object(read(options), "preconditions"), read(found.getBody().readUtf8()));
  }

  private Optional<MockResponse> conflict(
      Map<String, Object> preconditions, Map<String, Object> current) {
    return Stream.of("uid", "resourceVersion")
        .filter(preconditions::containsKey)
        .filter(
            key -> !Objects.equals(preconditions.get(key), object(current, "metadata").get(key)))
        .findFirst()
        .map(key -> refusal(409, "the object has been modified: " + key));
  }

  private Map<String, Object> stored(String path, String object) {
    try {
      return read(
          new PutHandler(objects).handle(path, "application/json", object).getBody().readUtf8());
    } catch (KubernetesCrudDispatcherException e) {
      throw new IllegalStateException(path, e);
    }
  }

  /** Zero replicas are left out. */
  private static Map<String, Object> scale(Map<String, Object> object) {
    Map<String, Object> spec = new LinkedHashMap<>();
    Object replicas = object(object, "spec").get("replicas");
    if (replicas != null && !replicas.equals(0)) {
      spec.put("replicas", replicas);
    }
    return Map.of(
        "apiVersion",
        "autoscaling/v1",
        "kind",
        "Scale",
        "metadata",
        object(object, "metadata"),
        "spec",
        spec);
  }

  private static Map<String, Object> merged(Map<String, Object> before, Map<String, Object> patch) {
    Map<String, Object> after = new LinkedHashMap<>(before);
    patch.forEach(
        (key, value) -> {
          if (value == null) {
            after.remove(key);
          } else if (value instanceof Map<?, ?>) {
            after.put(key, merged(object(after, key), object(patch, key)));
          } else {
            after.put(key, value);
          }
        });
    return after;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Map<String, Object> parent, String key) {
    return parent.get(key) instanceof Map<?, ?> found
        ? (Map<String, Object>) found
        : new LinkedHashMap<>();
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> read(String text) {
    return json.unmarshal(text, Map.class);
  }

  private MockResponse refusal(int code, String message) {
    return new MockResponse()
        .setResponseCode(code)
        .setBody(json.asJson(new StatusBuilder().withCode(code).withMessage(message).build()));
  }
}
