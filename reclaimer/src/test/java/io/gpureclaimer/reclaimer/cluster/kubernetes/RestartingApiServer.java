package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import io.gpureclaimer.common.time.MonotonicClock;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * An API server of pods, nodes and namespaces that lists in pages, resumes watches from its history
 * of events, forgets that history and restarts on the same port.
 *
 * <p>Synchronized: the server's threads read what the test changes, and an event must reach a watch
 * that is just being opened exactly once.
 */
final class RestartingApiServer extends Dispatcher implements AutoCloseable {
  private static final Map<String, String> KINDS =
      Map.of("pods", "Pod", "nodes", "Node", "namespaces", "Namespace");

  private final Map<String, Map<String, String>> objects = new HashMap<>();
  private final List<Event> history = new ArrayList<>();
  private final Map<WebSocket, String> watches = new LinkedHashMap<>();
  private final List<Call> calls = new ArrayList<>();
  private final Map<String, Integer> refused = new HashMap<>();
  private MockWebServer server = new MockWebServer();
  private long version = 100;
  private long forgotten;

  RestartingApiServer() {
    listen(0);
  }

  private record Event(String plural, long version, String text) {}

  /** A request: {@code LIST pods}, {@code LIST pods 500} with an offset, {@code WATCH pods 101}. */
  record Call(String text, Duration at) {}

  URI address() {
    return URI.create(server.url("/").toString());
  }

  /** Writes an object. */
  synchronized void put(String plural, String name) {
    version++;
    String text = object(plural, name);
    boolean known = named(plural).put(name, text) != null;
    send(plural, known ? "MODIFIED" : "ADDED", text);
  }

  /** Deletes an object. */
  synchronized void delete(String plural, String name) {
    version++;
    named(plural).remove(name);
    send(plural, "DELETED", object(plural, name));
  }

  /** Sends the present version, which is new, to the watches of a kind; returns it. */
  synchronized long bookmark(String plural) {
    version++;
    send(plural, "BOOKMARK", object(plural, ""));
    return version;
  }

  private Map<String, String> named(String plural) {
    return objects.computeIfAbsent(plural, _ -> new TreeMap<>());
  }

  private void send(String plural, String type, String object) {
    var event = new Event(plural, version, event(type, object));
    history.add(event);
    watches.forEach(
        (watch, watched) -> {
          if (watched.equals(plural)) {
            watch.send(event.text());
          }
        });
  }

  /** Watches that ask for what happened before now are expired from now on. */
  synchronized void forgetEvents() {
    version++;
    forgotten = version;
  }

  /** Ends the watches of a kind as after their timeout. */
  synchronized void endWatches(String plural) {
    watches.forEach(
        (watch, watched) -> {
          if (watched.equals(plural)) {
            watch.close(1000, "");
          }
        });
    watches.values().removeIf(plural::equals);
  }

  /** Answers requests whose text begins like this with a code from now on. */
  synchronized void refuse(String call, int code) {
    refused.put(call, code);
  }

  /** Answers all requests from now on. */
  synchronized void relent() {
    refused.clear();
  }

  /** The requests, but for those that were forgotten. */
  synchronized List<Call> calls() {
    return List.copyOf(calls);
  }

  /** Forgets the requests so far. */
  synchronized void forgetCalls() {
    calls.clear();
  }

  /** How many requests begin like this. */
  synchronized long count(String beginning) {
    return calls.stream().filter(call -> call.text().startsWith(beginning)).count();
  }

  /** Breaks all connections and refuses new ones until it is started again. */
  void stop() {
    server.shutdown();
    synchronized (this) {
      watches.clear();
    }
  }

  /** Listens again, where it did. */
  void restart() {
    int port = server.getPort();
    server = new MockWebServer();
    listen(port);
  }

  private void listen(int port) {
    server.setDispatcher(this);
    server.start(port);
  }

  @Override
  public void close() {
    server.shutdown();
  }

  @Override
  public synchronized MockResponse dispatch(RecordedRequest request) {
    URI uri = URI.create(request.getPath());
    String plural = uri.getPath().replaceFirst("^/api/v1/", "");
    if (!KINDS.containsKey(plural)) {
      return refusal(404);
    }
    Map<String, String> query = query(uri);
    boolean watch = query.containsKey("watch");
    String from = query.getOrDefault(watch ? "resourceVersion" : "continue", "");
    String call = ((watch ? "WATCH " : "LIST ") + plural + " " + from).strip();
    calls.add(new Call(call, Duration.ofNanos(MonotonicClock.SYSTEM.nanos())));
    return refused.entrySet().stream()
        .filter(refusal -> call.startsWith(refusal.getKey()))
        .findFirst()
        .map(refusal -> refusal(refusal.getValue()))
        .orElseGet(
            () ->
                watch
                    ? new MockResponse()
                        .withWebSocketUpgrade(new Watch(plural, Long.parseLong(from)))
                    : list(plural, query));
  }

  private MockResponse list(String plural, Map<String, String> query) {
    List<String> all = List.copyOf(named(plural).values());
    int from = Integer.parseInt(query.getOrDefault("continue", "0"));
    int limit = Integer.parseInt(query.getOrDefault("limit", "" + all.size()));
    int to = Math.min(from + limit, all.size());
    String next = to < all.size() ? "" + to : "";
    return new MockResponse()
        .setResponseCode(200)
        .setBody(
            String.format(
                Locale.ROOT,
                """
                {"kind": "%sList", "apiVersion": "v1",
                 "metadata": {"resourceVersion": "%d", "continue": "%s"}, "items": [%s]}
                """,
                KINDS.get(plural),
                version,
                next,
                String.join(",", all.subList(from, to))));
  }

  private String object(String plural, String name) {
    return String.format(
        Locale.ROOT,
        """
        {"kind": "%s", "apiVersion": "v1",
         "metadata": {%s "name": "%s", "uid": "%s-%s", "resourceVersion": "%d"},
         "spec": {"containers": [
           {"name": "main", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}}
        """,
        KINDS.get(plural),
        plural.equals("pods") ? "\"namespace\": \"ml\"," : "",
        name,
        plural,
        name,
        version);
  }

  private static String event(String type, String object) {
    return String.format(Locale.ROOT, "{\"type\": \"%s\", \"object\": %s}", type, object);
  }

  private static MockResponse refusal(int code) {
    return new MockResponse().setResponseCode(code).setBody(status(code));
  }

  private static String status(int code) {
    return String.format(
        Locale.ROOT,
        "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"status\": \"Failure\", \"code\": %d}",
        code);
  }

  private static Map<String, String> query(URI uri) {
    return Arrays.stream(uri.getRawQuery().split("&", -1))
        .map(each -> URLDecoder.decode(each, UTF_8).split("=", 2))
        .collect(toMap(each -> each[0], each -> each[1]));
  }

  private synchronized void opened(WebSocket socket, Watch watch) {
    if (watch.from < forgotten) {
      socket.send(event("ERROR", status(410)));
      socket.close(1000, "");
      return;
    }
    history.stream()
        .filter(event -> event.plural().equals(watch.plural) && event.version() > watch.from)
        .forEach(event -> socket.send(event.text()));
    watches.put(socket, watch.plural);
  }

  private final class Watch extends WebSocketListener {
    private final String plural;
    private final long from;

    Watch(String plural, long from) {
      this.plural = plural;
      this.from = from;
    }

    @Override
    public void onOpen(WebSocket socket, Response response) {
      opened(socket, this);
    }

    @Override
    public void onClosing(WebSocket socket, int code, String reason) {
      socket.close(code, reason);
    }
  }
}
