package io.gpureclaimer.reclaimer.evidence.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpureclaimer.common.vocabulary.IdlePower;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Prints what each question costs a real Prometheus that has scraped {@link SeriesAtScale}: the
 * source puts its questions once in each form, then each of them is put again and measured alone.
 * Arguments: how many GPUs, a folder, for how many minutes to scrape before, and {@code selective}
 * to leave out what is not read in parts.
 */
final class QuestionsAtScale {
  private static final Duration PATIENCE = Duration.ofMinutes(20);
  private static final int MINUTES_OF_A_RECORD = 5;
  private static final long MEBIBYTE = 1 << 20;
  private static final int KILOBYTE = 1_000;
  private static final String QUERY_LOG = "queries.json";
  private static final SignalLimits SIGNALS =
      new SignalLimits(
          EnumSet.allOf(SignalKind.class),
          new IdlePower(Map.of()),
          64,
          5e7,
          5e7,
          0.5,
          List.of("vllm:request_success_total"),
          true);

  private final PrometheusProcess prometheus;
  private final Path queryLog;
  private final Path log;

  private final HttpClient client = HttpClient.newHttpClient();

  /** The first fetches read the cluster in parts. */
  private static final int FIRST_PARTS = 6;

  private static final int LATER_READS = 4;

  /** A collection in the trace of a Go program: seconds after its start, milliseconds it took. */
  private static final Pattern COLLECTION =
      Pattern.compile("gc \\d+ @([\\d.]+)s \\d+%: ([\\d.]+)\\+([\\d.]+)\\+([\\d.]+) ms clock.*");

  private QuestionsAtScale(PrometheusProcess prometheus, Path folder) {
    this.prometheus = prometheus;
    this.queryLog = folder.resolve(QUERY_LOG);
    this.log = folder.resolve("prometheus.log");
  }

  public static void main(String... arguments) throws IOException, InterruptedException {
    int gpus = Integer.parseInt(arguments[0]);
    Path folder = Path.of(arguments[1]).toAbsolutePath();
    Clock clock = Clock.systemUTC();
    try (var series = new SeriesAtScale(gpus, clock.instant().getEpochSecond());
        var prometheus =
            PrometheusProcess.start(
                folder,
                series.configuration("30s", folder.resolve(QUERY_LOG).toString()),
                "",
                "--query.timeout=" + PATIENCE.toSeconds() + "s")) {
      TimeUnit.MINUTES.sleep(Long.parseLong(arguments[2]));
      var questions = new QuestionsAtScale(prometheus, folder);
      questions.measureSelective(clock, series.pods(), series.leavable());
      if (arguments.length > 3) {
        return;
      }
      questions.measure(clock);
    }
  }

  /**
   * The first fetch of a large cluster, in which most pods work; later ones, while every idle pod
   * may be warned; and others, while nothing can follow yet from four of five idle pods. Their
   * records are spread over five minutes, as they are where pods become idle one by one.
   */
  private void measureSelective(Clock clock, List<PodIdentity> pods, Map<String, LeftOut> leavable)
      throws IOException, InterruptedException {
    var source =
        new PrometheusSource(
            PrometheusConnection.to(prometheus.base(), PATIENCE),
            clock,
            new Options(Optional.of("ledger"), Optional.of("plain"), SIGNALS, 0));
    measureScraping();
    var fetches = new ArrayList<MeasuredFetch>();
    Instant next = clock.instant();
    for (int part = 1; part <= FIRST_PARTS; part++) {
      next = sleepUntil(next);
      fetches.add(measureFetch("first-" + part, source, pods, Map.of()));
    }
    for (int minute = 1; minute <= LATER_READS; minute++) {
      next = sleepUntil(next);
      fetches.add(measureFetch("later-" + minute, source, pods, Map.of()));
    }
    for (int minute = 1; minute <= LATER_READS; minute++) {
      Map<String, LeftOut> some = new HashMap<>(leavable);
      int of = minute % MINUTES_OF_A_RECORD;
      some.keySet().removeIf(uid -> Math.floorMod(uid.hashCode(), MINUTES_OF_A_RECORD) == of);
      next = sleepUntil(next);
      fetches.add(measureFetch("far-" + minute, source, pods, some));
    }
    for (MeasuredFetch each : fetches) {
      print(each.name() + ".collecting", millisCollecting(each.began(), each.ended()), "ms");
      measureAll(each.name(), each.queries());
    }
  }

  /** Fetches are a minute apart, as cycles are; returns when the next one is due. */
  private static Instant sleepUntil(Instant due) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(Math.max(0, Duration.between(Instant.now(), due).toMillis()));
    return due.plus(Duration.ofMinutes(1));
  }

  /** A fetch, and what it asked: that is measured when no other fetch can be disturbed. */
  private record MeasuredFetch(String name, Instant began, Instant ended, List<String> queries) {}

  /** What the server takes without a query, and this process to be scraped; to be subtracted. */
  private void measureScraping() throws InterruptedException {
    Duration cpu = prometheus.cpu();
    Duration own = ownCpu();
    TimeUnit.SECONDS.sleep(60);
    print("scraping.cpu", prometheus.cpu().minus(cpu).toMillis() / 60, "ms/s");
    print("scraping.own", ownCpu().minus(own).toMillis() / 60, "ms/s");
  }

  private MeasuredFetch measureFetch(
      String fetch, PrometheusSource source, List<PodIdentity> pods, Map<String, LeftOut> leavable)
      throws IOException, InterruptedException {
    int before = questions().size();
    Duration cpu = prometheus.cpu();
    Duration own = ownCpu();
    Instant began = Instant.now();
    long start = System.nanoTime();
    Observation observation = source.fetchAll(pods, leavable);
    String name = "selective." + fetch;
    print(name + ".wall", millis(start), "ms");
    print(name + ".cpu", prometheus.cpu().minus(cpu).toMillis(), "ms");
    print(name + ".own", ownCpu().minus(own).toMillis(), "ms");
    Instant ended = Instant.now();
    if (!(observation instanceof Seen seen) || seen.pods().size() != pods.size()) {
      throw new IllegalStateException("expected evidence of all pods, found " + observation);
    }
    print(
        name + ".left-out",
        seen.pods().values().stream().filter(pod -> pod.leftOut().isPresent()).count(),
        "pods");
    List<String> questions = questions();
    return new MeasuredFetch(
        name, began, ended, List.copyOf(questions.subList(before, questions.size())));
  }

  /**
   * How long the server collected garbage within this time, if {@code GODEBUG=gctrace=1} is set.
   */
  private long millisCollecting(Instant from, Instant to) throws IOException {
    double sum = 0;
    for (String line : Files.readAllLines(log)) {
      Matcher collection = COLLECTION.matcher(line);
      if (collection.matches()) {
        double begin = Double.parseDouble(collection.group(1)) * 1_000;
        double end = begin;
        for (int part = 2; part <= 4; part++) {
          end += Double.parseDouble(collection.group(part));
        }
        double first =
            Math.max(begin, (double) Duration.between(prometheus.started(), from).toMillis());
        double last = Math.min(end, (double) Duration.between(prometheus.started(), to).toMillis());
        sum += Math.max(0, last - first);
      }
    }
    return Math.round(sum);
  }

  private static Duration ownCpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
  }

  private void measureAll(String name, List<String> queries)
      throws IOException, InterruptedException {
    long samples = 0;
    long bytes = 0;
    long compressed = 0;
    SortedMap<String, Long> samplesByKind = new TreeMap<>();
    SortedMap<String, Long> bytesByKind = new TreeMap<>();
    for (String query : queries) {
      Answer reply = asked(query);
      String answer = reply.text();
      compressed += reply.compressed();
      bytesByKind.merge(kindOfPart(query), (long) answer.length(), (one, more) -> one + more);
      samplesByKind.merge(kindOfPart(query), samples(answer), (one, more) -> one + more);
      samples += samples(answer);
      bytes += answer.length();
    }
    print(name + ".queries", queries.size(), "queries");
    print(name + ".samples", samples, "samples");
    print(name + ".answer", bytes / KILOBYTE, "kB");
    print(name + ".compressed", compressed / KILOBYTE, "kB");
    samplesByKind.forEach((kind, of) -> print(name + "." + kind + ".samples", of, "samples"));
    bytesByKind.forEach((kind, of) -> print(name + "." + kind + ".answer", of / KILOBYTE, "kB"));
  }

  private static String kindOfPart(String query) {
    if (query.contains("process_start_time_seconds")) {
      return "recent";
    }
    if (query.contains("DCGM_FI_")) {
      return "boards";
    }
    if (query.contains("container_cpu")) {
      return "pods";
    }
    return query.contains("pod_uid=~\"(") || query.contains("pod_uid=~\".") ? "turns" : "records";
  }

  private static long samples(String answer) throws IOException {
    return new ObjectMapper()
        .readTree(answer)
        .required("data")
        .required("stats")
        .required("samples")
        .required("totalQueryableSamples")
        .longValue();
  }

  private void measure(Clock clock) throws IOException, InterruptedException {
    print("resident", resident("VmRSS"), "MiB");
    for (String form : List.of("ledger", "rules", "series")) {
      Set<String> before = texts();
      var source =
          new PrometheusSource(
              PrometheusConnection.to(prometheus.base(), PATIENCE),
              clock,
              new Options(Optional.of(form), Optional.of("plain"), SIGNALS));
      long start = System.nanoTime();
      Observation observation = source.fetchAll();
      if (!(observation instanceof Seen seen)) {
        throw new IllegalStateException(form + ": expected evidence, found " + observation);
      }
      print(form + ".total", millis(start), "ms");
      Set<String> ofAll = texts();
      seen.pods().values().stream().findFirst().ifPresent(source::fetchPod);
      Set<String> ofOnePod = texts();
      ofOnePod.removeAll(ofAll);
      ofAll.removeAll(before);
      for (String query : ofAll) {
        measure(form + "." + kind(query), query);
      }
      for (String query : ofOnePod) {
        measure(form + ".one-pod", query);
      }
    }
  }

  /** Signals are queried alike in each form: the first one has them. */
  private static String kind(String query) {
    if (query.startsWith("label_replace(count(")) {
      return "detection";
    }
    if (query.startsWith("label_replace(max by (UUID, GPU_I_ID) (")) {
      return "boards";
    }
    return query.startsWith("label_replace(sum by (namespace, pod) (") ? "pods" : "evidence";
  }

  private void measure(String name, String query) throws IOException, InterruptedException {
    Files.writeString(Path.of("/proc/" + prometheus.pid() + "/clear_refs"), "5");
    Duration cpu = prometheus.cpu();
    long start = System.nanoTime();
    Answer reply = asked(query);
    String answer = reply.text();
    print(name + ".wall", millis(start), "ms");
    print(name + ".cpu", prometheus.cpu().minus(cpu).toMillis(), "ms");
    print(name + ".samples", samples(answer), "samples");
    print(name + ".rows", answer.split("\"metric\"", -1).length - 1L, "rows");
    print(name + ".answer", answer.length() / KILOBYTE, "kB");
    print(name + ".compressed", reply.compressed() / KILOBYTE, "kB");
    print(name + ".resident", resident("VmHWM"), "MiB");
  }

  private static void print(String name, long value, String unit) {
    System.out.println(name + " " + value + " " + unit);
  }

  /**
   * An answer of the server.
   *
   * @param compressed how many bytes it took on the network
   */
  private record Answer(String text, long compressed) {}

  private Answer asked(String query) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        client.send(
            HttpRequest.newBuilder(URI.create(prometheus.base() + "/api/v1/query"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept-Encoding", "gzip")
                .POST(BodyPublishers.ofString("stats=1&query=" + URLEncoder.encode(query, UTF_8)))
                .build(),
            BodyHandlers.ofByteArray());
    byte[] body = response.body();
    boolean isCompressed =
        response.headers().firstValue("Content-Encoding").filter("gzip"::equals).isPresent();
    try (InputStream in =
        isCompressed
            ? new GZIPInputStream(new ByteArrayInputStream(body))
            : new ByteArrayInputStream(body)) {
      return new Answer(new String(in.readAllBytes(), UTF_8), body.length);
    }
  }

  /** The questions that were put so far. */
  private Set<String> texts() throws IOException {
    return new LinkedHashSet<>(questions());
  }

  /** The same in their order, each as often as it was put. */
  private List<String> questions() throws IOException {
    List<String> questions = new ArrayList<>();
    for (String line : Files.readAllLines(queryLog)) {
      questions.add(new ObjectMapper().readTree(line).at("/params/query").asText());
    }
    return questions;
  }

  private long resident(String which) throws IOException {
    String line =
        Files.readAllLines(Path.of("/proc/" + prometheus.pid() + "/status")).stream()
            .filter(each -> each.startsWith(which))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", "")) * 1_024 / MEBIBYTE;
  }

  private static long millis(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }
}
