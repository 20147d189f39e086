package io.gpureclaimer.verification.scenario.harness;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A real Prometheus in a pod, which finds the agents as deploy/examples/prometheus.yaml says, but
 * scrapes them every second. Questions to it go through the API server, so that the test need not
 * be in the cluster's network.
 */
public final class Prometheus {
  private static final int PORT = 19090;
  private static final String NAME = "prometheus";
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final TestCluster cluster;
  private final String namespace;

  private Prometheus(TestCluster cluster, String namespace) {
    this.cluster = cluster;
    this.namespace = namespace;
  }

  /**
   * One element of an instant vector.
   *
   * @param labels all of them, with {@code __name__} if the query left it there
   */
  public record ResultSeries(Map<String, String> labels, double value) {
    public ResultSeries {
      labels = Map.copyOf(labels);
    }
  }

  /** The sample configuration that we ship, scraping every second. */
  public static Manifest configuration() {
    return Manifest.example("prometheus.yaml")
        .replacing("scrape_interval: 15s", "scrape_interval: 1s");
  }

  /** Starts one, and waits until it answers. */
  public static Prometheus start(TestCluster cluster, Manifest configuration) {
    var prometheus = new Prometheus(cluster, cluster.namespace(NAME, Map.of()));
    prometheus.start(configuration);
    return prometheus;
  }

  /** Restarts it without its data. */
  public void start(Manifest configuration) {
    cluster.apply(
        Manifest.beside(Prometheus.class, "prometheus.yaml")
            .with("namespace", namespace)
            .with("agents", InstalledAgents.NAMESPACE)
            .with("port", PORT)
            .with("configuration", configuration.text().replace("\n", "\n    ")));
    cluster.awaitReady(namespace, NAME);
  }

  /** Takes its pod away. */
  public void stop() {
    var pod = cluster.client().pods().inNamespace(namespace).withName(NAME);
    pod.delete();
    pod.waitUntilCondition(Objects::isNull, PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Where pods of the cluster reach it, now and after a new start. */
  public URI address() {
    String node =
        cluster
            .client()
            .nodes()
            .withName(cluster.node())
            .require()
            .getStatus()
            .getAddresses()
            .stream()
            .filter(address -> "InternalIP".equals(address.getType()))
            .map(NodeAddress::getAddress)
            .findFirst()
            .orElseThrow();
    return URI.create("http://" + node + ":" + PORT);
  }

  /** What the instant query answers, in no order. */
  public List<ResultSeries> ask(String query) {
    String answer =
        new PodProxy(cluster.client(), namespace, NAME, PORT)
            .get("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
            .orElseThrow();
    var series = new ArrayList<ResultSeries>();
    for (JsonNode one :
        Serialization.unmarshal(answer, JsonNode.class).path("data").path("result")) {
      var labels = new HashMap<String, String>();
      one.get("metric").properties().forEach(e -> labels.put(e.getKey(), e.getValue().asText()));
      series.add(new ResultSeries(labels, one.path("value").path(1).asDouble()));
    }
    return List.copyOf(series);
  }
}
