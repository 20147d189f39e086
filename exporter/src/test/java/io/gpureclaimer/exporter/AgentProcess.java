package io.gpureclaimer.exporter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The agent as it runs on a node: the executable jar in a process of its own. */
final class AgentProcess {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
  private static final Pattern LISTENS = Pattern.compile("listens on 127\\.0\\.0\\.1:(\\d+)");
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(3);

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final Queue<String> log = new ConcurrentLinkedQueue<>();
  private @Nullable Process process;
  private int port;

  /**
   * Starts it, and waits until it listens.
   *
   * @param settings the text of its configuration file, which is written to the folder
   * @param flags in addition to the address
   */
  void start(Path folder, String settings, String... flags) throws IOException {
    Process started = launch(folder, settings, flags);
    process = started;
    Thread.ofVirtual().start(() -> read(started.errorReader(UTF_8)));
    Thread.ofVirtual().start(() -> read(started.inputReader(UTF_8)));
    port = await().atMost(LONGEST_WAIT).until(this::portInLog, found -> found > 0);
  }

  /** The same for an agent that is not going to listen, since something is wrong. */
  static Process launch(Path folder, String settings, String... flags) throws IOException {
    Path config = Files.writeString(folder.resolve("application.yml"), settings);
    var command =
        new ArrayList<>(
            List.of(
                // A JVM that is born deaf to hang-ups, below nohup for one, stays so.
                "env",
                "--default-signal=HUP",
                JAVA.toString(),
                "@src/main/jvm/jvm.options",
                "-XX:ErrorFile=" + folder.resolve("hs_err.log"),
                "-Dmicronaut.config.files=" + config,
                "-jar",
                "target/gpu-exporter.jar",
                "-a=127.0.0.1:0"));
    command.addAll(List.of(flags));
    var builder = new ProcessBuilder(command);
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("DCGM_") || name.startsWith("GPU_EXPORTER_"));
    builder.environment().put("NODE_NAME", "node-a");
    return builder.start();
  }

  /** Settings with which it finds the API server there. */
  static String askingAt(URI server, Path folder) throws IOException {
    Path file = folder.resolve("kubeconfig");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: here
        clusters: [{name: here, cluster: {server: 'ADDRESS'}}]
        users: [{name: me, user: {}}]
        contexts: [{name: here, context: {cluster: here, user: me}}]
        """
            .replace("ADDRESS", server.toString()));
    return "kubernetes: {kubeconfig: " + file + "}\n";
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Sends the signal to read the files again. */
  void hangUp() throws IOException, InterruptedException {
    long pid = Objects.requireNonNull(process, "it was not started").pid();
    var kill = new ProcessBuilder("kill", "-HUP", Long.toString(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** All that it has said so far. */
  List<String> log() {
    return List.copyOf(log);
  }

  URI address(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(address(path)).timeout(LONGEST_WAIT);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  String scrape() throws IOException, InterruptedException {
    return get("/metrics").body();
  }

  String awaitScrape(Predicate<String> wanted) {
    return await().atMost(LONGEST_WAIT).until(this::scrape, wanted);
  }

  /** Exit status of an agent that ends by itself. */
  int awaitExit() throws InterruptedException {
    var ending = Objects.requireNonNull(process, "it was not started");
    assertThat(ending.waitFor(LONGEST_WAIT)).isTrue();
    return ending.exitValue();
  }

  /** Ends it, if it was started. */
  void stop() throws InterruptedException {
    if (process != null) {
      process.destroy();
      assertThat(process.waitFor(Duration.ofSeconds(30))).isTrue();
    }
  }

  private void read(BufferedReader stream) {
    try (stream) {
      stream.lines().forEach(log::add);
    } catch (IOException | UncheckedIOException e) {
      // The stream closes under us when the process is stopped.
      log.add("the log ends: " + e);
    }
  }

  private int portInLog() {
    return log.stream()
        .flatMap(line -> LISTENS.matcher(line).results())
        .mapToInt(found -> Integer.parseInt(found.group(1)))
        .findFirst()
        .orElse(0);
  }
}
