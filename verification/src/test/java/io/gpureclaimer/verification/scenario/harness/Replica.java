package io.gpureclaimer.verification.scenario.harness;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One running reclaimer: a process of this machine with a log file. */
public final class Replica {
  private static final Pattern ADDRESS = Pattern.compile("listens on (127\\.0\\.0\\.1:\\d+)");
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final long STOPS_WITHIN_SECONDS = 20;

  private final String name;
  private final Path log;
  private final String credential;
  private final Process process;

  /** Where it listens; empty until its log says so. A log may have hundreds of megabytes. */
  private String address = "";

  Replica(String name, Path log, String credential, Process process) {
    this.name = name;
    this.log = log;
    this.credential = credential;
    this.process = process;
  }

  public String name() {
    return name;
  }

  /** What distinguishes it in the audit log from other replicas of the same account. */
  public String credential() {
    return credential;
  }

  /** What it has logged so far. */
  public List<String> lines() {
    try {
      return Files.readAllLines(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it has logged a line with all of these words, and answers the first such line. */
  public String awaitLine(String... words) {
    return await(name + " logs " + String.join(" … ", words))
        .atMost(PATIENCE)
        .until(() -> linesWith(words), found -> !found.isEmpty())
        .getFirst();
  }

  /** The lines it has logged so far that have all of these words. */
  public List<String> linesWith(String... words) {
    return lines().stream()
        .filter(line -> List.of(words).stream().allMatch(line::contains))
        .toList();
  }

  /** Waits until it has started, whatever it has done so far. */
  public void awaitStarted() {
    awaitLine("listens on");
  }

  /** Waits until a cycle has finished. */
  public void awaitReady() {
    await(name + " is ready").atMost(PATIENCE).until(() -> get("/ready").statusCode() == 200);
  }

  /** Its own metrics, as a scrape gets them. */
  public String metrics() {
    return get("/metrics").body();
  }

  /** What it answers on one of its paths. */
  public HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(), path);
  }

  /** What it answers to a request to one of its paths. */
  public HttpResponse<String> send(HttpRequest.Builder request, String path) {
    try {
      return HTTP.send(
          request.uri(URI.create("http://" + address() + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private String address() {
    if (address.isEmpty()) {
      Matcher line = ADDRESS.matcher(awaitLine("listens on"));
      if (!line.find()) {
        throw new IllegalStateException("no address in the log of " + name);
      }
      address = line.group(1);
    }
    return address;
  }

  /** CPU time that it has used so far. */
  public Duration cpuTime() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  /** The most memory that was resident so far, in MiB. */
  public long peakResidentMebibytes() {
    try (var lines = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1_024)
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** It is gone at once, as if its machine had lost power. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** It stands still, whatever it was about to do. */
  public void freeze() {
    signal("-STOP");
  }

  /** It goes on as if nothing had happened. */
  public void thaw() {
    signal("-CONT");
  }

  /** It is asked to end. */
  void stop() {
    thaw();
    process.destroy();
  }

  /** Waits until it has ended. */
  void awaitEnd() {
    try {
      if (!process.waitFor(STOPS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(name + " does not stop");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void signal(String signal) {
    if (process.isAlive()) {
      CommandRunner.run(new ProcessBuilder("kill", signal, String.valueOf(process.pid())));
    }
  }
}
