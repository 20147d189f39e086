package io.gpureclaimer.verification.scenario.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Reclaimers that run as processes of this machine, with the rights of service accounts of the
 * cluster. All of them end with the test. Confined to the thread of the test.
 */
public final class Replicas implements AutoCloseable {
  /** Limit of the container in MiB, of which the heap gets the share that the image gives it. */
  public static final int MEMORY = Integer.getInteger("reclaimer.memory", 1_024);

  private static final Path PROGRAM = Path.of("../reclaimer/target/gpu-reclaimer.jar");

  private static final Manifest NAMESPACE =
      new Manifest("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: gpu-reclaimer\n");

  private final TestCluster cluster;
  private final Path folder;
  private final List<Replica> replicas = new ArrayList<>();
  private final List<StubPrometheus> prometheuses = new ArrayList<>();
  private boolean shippedIsThere;

  /**
   * @param folder for the logs
   */
  Replicas(TestCluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  /** A Prometheus for reclaimers to ask. */
  public StubPrometheus prometheus() {
    var prometheus = new StubPrometheus();
    prometheuses.add(prometheus);
    return prometheus;
  }

  /** Starts one under the account gpu-reclaimer in the namespace gpu-reclaimer, as shipped. */
  public Replica start(String name, StubPrometheus prometheus, ShortIntervals pace) {
    return startAsShipped(name, prometheus, pace);
  }

  /**
   * The same with more settings.
   *
   * @param properties as {@code plan.max-evictions=50}
   */
  public Replica startAsShipped(
      String name, StubPrometheus prometheus, ShortIntervals pace, String... properties) {
    if (!shippedIsThere) {
      cluster.apply(NAMESPACE);
      cluster.applyKept(Manifest.shipped("00-reclamations.yaml"));
      cluster.apply(Manifest.shipped("reclaimer-rbac.yaml"));
      cluster.apply(Manifest.shipped("reclaimer-verbs.yaml"));
      cluster.apply(Manifest.shipped("reclaimer-owners.yaml"));
      shippedIsThere = true;
    }
    return start(name, prometheus, pace, "gpu-reclaimer", "gpu-reclaimer", properties);
  }

  /**
   * Starts one.
   *
   * @param namespace of the account and of the Lease
   * @param properties more settings, as {@code actions.enabled=evict}
   */
  public Replica start(
      String name,
      StubPrometheus prometheus,
      ShortIntervals pace,
      String namespace,
      String account,
      String... properties) {
    String kubeconfig = cluster.kubeconfig(namespace, account);
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-XX:MaxRAM=" + MEMORY + "m", "-XX:MaxRAMPercentage=60"));
    command.addAll(pace.properties());
    for (String property : properties) {
      command.add("-D" + property);
    }
    command.addAll(List.of("-jar", PROGRAM.toString(), "run", "--address=127.0.0.1:0"));
    Path access = write(name + ".kubeconfig", kubeconfig);
    access.toFile().deleteOnExit();
    command.add("--kubeconfig=" + access);
    command.add("--prometheus-url=" + prometheus.address());
    command.add("--lease-namespace=" + namespace);
    command.addAll(pace.flags());
    Path log = write(name + ".log", "");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      var replica = new Replica(name, log, credential(kubeconfig), process);
      replicas.add(replica);
      return replica;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The identity of the token, as the API server notes it in its audit log. */
  private static String credential(String kubeconfig) {
    String token = kubeconfig.replaceAll("(?s).*token: ([^}\\s]+).*", "$1");
    String claims =
        new String(
            Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]), StandardCharsets.UTF_8);
    try {
      return "JTI=" + new ObjectMapper().readTree(claims).required("jti").textValue();
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path write(String name, String text) {
    try {
      Files.createDirectories(folder);
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    // First, because a reclaimer waits for its answer before it ends.
    prometheuses.forEach(StubPrometheus::close);
    replicas.forEach(Replica::stop);
    replicas.forEach(Replica::awaitEnd);
  }
}
