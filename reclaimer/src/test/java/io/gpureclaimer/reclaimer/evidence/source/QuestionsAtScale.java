package io.gpureclaimer.reclaimer.evidence.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits.IdlePower;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Prints what each question costs a real Prometheus that has scraped {@link SeriesAtScale}: the
 * source puts its questions once in each form, then each of them is put again and measured alone.
 * Arguments: how many GPUs, a folder, for how many minutes to scrape before.
 */
final class QuestionsAtScale {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long MEBIBYTE = 1 << 20;
  private static final SignalLimits SIGNALS =
      new SignalLimits(
          EnumSet.allOf(SignalKind.class),
          new IdlePower(Map.of()),
          64,
          5e7,
          5e7,
          0.5,
          List.of("vllm:request_success_total"));

  private final PrometheusProcess prometheus;
  private final Path queryLog;
  private final HttpClient client = HttpClient.newHttpClient();

  private QuestionsAtScale(PrometheusProcess prometheus, Path queryLog) {
    this.prometheus = prometheus;
    this.queryLog = queryLog;
  }

  public static void main(String... arguments) throws IOException, InterruptedException {
    int gpus = Integer.parseInt(arguments[0]);
    Path folder = Path.of(arguments[1]).toAbsolutePath();
    Path queryLog = folder.resolve("queries.json");
    Clock clock = Clock.systemUTC();
    try (var series = new SeriesAtScale(gpus, clock.instant().getEpochSecond());
        var prometheus =
            PrometheusProcess.start(
                folder,
                series.configuration("30s", queryLog.toString()),
                "",
                "--query.timeout=" + PATIENCE.toSeconds() + "s")) {
      TimeUnit.MINUTES.sleep(Long.parseLong(arguments[2]));
      new QuestionsAtScale(prometheus, queryLog).measure(clock);
    }
  }

  private void measure(Clock clock) throws IOException, InterruptedException {
    System.out.println(resident("VmRSS") + " MiB resident before the first question");
    System.out.println(
        "| question | samples | at once | rows | answer, MB | wall | CPU | resident at most |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    for (String form : List.of("ledger", "rules", "series")) {
      Set<String> before = texts();
      var source =
          new PrometheusSource(
              PrometheusConnection.to(prometheus.base(), PATIENCE),
              clock,
              new Options(Optional.of(form), Optional.of("plain"), SIGNALS));
      long start = System.nanoTime();
      var observation = source.fetchAll();
      System.out.println("| " + form + ": the look itself | | | | | " + since(start) + " | | |");
      if (observation instanceof Seen seen) {
        seen.pods().values().stream().findFirst().ifPresent(source::fetchPod);
      } else {
        System.out.println("| " + observation + " |");
      }
      Set<String> texts = texts();
      texts.removeAll(before);
      for (String text : texts) {
        row(form, text);
      }
    }
  }

  private void row(String form, String query) throws IOException, InterruptedException {
    Files.writeString(Path.of("/proc/" + prometheus.pid() + "/clear_refs"), "5");
    Duration cpu = prometheus.cpu();
    long start = System.nanoTime();
    String answer = asked(query);
    String wall = since(start);
    Duration used = prometheus.cpu().minus(cpu);
    JsonNode samples = new ObjectMapper().readTree(answer).at("/data/stats/samples");
    System.out.println(
        "| "
            + form
            + ": "
            + query.substring(0, Math.min(60, query.length())).replace("|", "\\|")
            + " | "
            + samples.path("totalQueryableSamples").asInt()
            + " | "
            + samples.path("peakSamples").asInt()
            + " | "
            + (answer.split("\"metric\"", -1).length - 1)
            + " | "
            + Math.round(answer.length() / 1e5) / 10.0
            + " | "
            + wall
            + " | "
            + used.toMillis()
            + " ms | "
            + resident("VmHWM")
            + " MiB |");
  }

  private String asked(String query) throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(prometheus.base() + "/api/v1/query"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("stats=1&query=" + URLEncoder.encode(query, UTF_8)))
                .build(),
            BodyHandlers.ofString())
        .body();
  }

  /** The questions that were put so far. */
  private Set<String> texts() throws IOException {
    Set<String> texts = new LinkedHashSet<>();
    for (String line : Files.readAllLines(queryLog)) {
      texts.add(new ObjectMapper().readTree(line).at("/params/query").asText());
    }
    return texts;
  }

  private long resident(String which) throws IOException {
    String line =
        Files.readAllLines(Path.of("/proc/" + prometheus.pid() + "/status")).stream()
            .filter(each -> each.startsWith(which))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", "")) * 1_024 / MEBIBYTE;
  }

  private static String since(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms";
  }
}
