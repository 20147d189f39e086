package io.gpureclaimer.exporter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program whose counters file changes while somebody scrapes all the time. */
@Timeout(120)
class ReloadIT {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
  private static final Pattern LISTENS = Pattern.compile("listens on 127\\.0\\.0\\.1:(\\d+)");
  private static final String WARMTH = "DCGM_FI_DEV_GPU_TEMP, gauge, Warmth\n";
  private static final String POWER = "DCGM_FI_DEV_POWER_USAGE, gauge, Power\n";
  private static final String GOOD = "gpu_exporter_config_last_reload_successful 1.0";
  private static final String BAD = "gpu_exporter_config_last_reload_successful 0.0";

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
  private final AtomicInteger scrapes = new AtomicInteger();
  private final Queue<String> incomplete = new ConcurrentLinkedQueue<>();

  @TempDir Path folder;
  private Path file;
  private @Nullable Process agent;
  private @Nullable Thread scraper;
  private int port;

  @BeforeEach
  void prepare() throws IOException {
    file = Files.writeString(folder.resolve("counters.csv"), WARMTH);
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (scraper != null) {
      scraper.interrupt();
      scraper.join();
    }
    if (agent != null) {
      agent.destroy();
      assertThat(agent.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void takesUpAnotherFile_withoutAnEmptyScrape() throws Exception {
    start("1s");
    replace(POWER);

    String scrape = awaitScrape(text -> text.contains("DCGM_FI_DEV_POWER_USAGE{"));

    assertThat(scrape).contains(GOOD).doesNotContain("DCGM_FI_DEV_GPU_TEMP");
    noScrapeWasIncomplete();
  }

  @Test
  void takesUpAnotherFile_whenALinkIsSwappedAsTheKubeletDoes() throws Exception {
    Path first = Files.createDirectory(folder.resolve("..2026_1"));
    Path second = Files.createDirectory(folder.resolve("..2026_2"));
    Files.writeString(first.resolve("metrics"), WARMTH);
    Files.writeString(second.resolve("metrics"), POWER);
    Files.createSymbolicLink(folder.resolve("..data"), first.getFileName());
    file = Files.createSymbolicLink(folder.resolve("metrics"), Path.of("..data", "metrics"));
    start("200ms");
    Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), second.getFileName());
    Files.move(next, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);

    assertThat(awaitScrape(text -> text.contains("DCGM_FI_DEV_POWER_USAGE{")))
        .doesNotContain("DCGM_FI_DEV_GPU_TEMP");
    noScrapeWasIncomplete();
  }

  @Test
  void keepsTheLastGoodFile_whenItTurnsBad() throws Exception {
    start("200ms");
    replace(POWER + "DCGM_FI_DEV_GPU_TMP, gauge, Warmth\n");

    assertThat(awaitScrape(text -> text.contains(BAD)))
        .contains("DCGM_FI_DEV_GPU_TEMP{")
        .doesNotContain("DCGM_FI_DEV_POWER_USAGE");
    assertThat(log)
        .filteredOn(line -> line.contains(" WARN "))
        .singleElement()
        .asString()
        .endsWith(
            "counters file "
                + file
                + " is refused: line 2, column 1: no field is called \"DCGM_FI_DEV_GPU_TMP\"; did"
                + " you mean DCGM_FI_DEV_GPU_TEMP?; what it last said stays in force");
    Files.delete(file);
    replace(POWER);
    assertThat(awaitScrape(text -> text.contains(GOOD) && !text.contains("GPU_TEMP{")))
        .contains("DCGM_FI_DEV_POWER_USAGE{");
    noScrapeWasIncomplete();
  }

  @Test
  void judgesTheFileAtOnce_whenHungUpOn_andGoesOn() throws Exception {
    start("2s");
    hangUp();
    awaitLog("counters file " + file, 2);
    replace("nonsense");
    hangUp();
    assertThat(awaitScrape(text -> text.contains(BAD))).contains("DCGM_FI_DEV_GPU_TEMP{");
    replace(POWER);
    hangUp();

    awaitScrape(text -> text.contains("DCGM_FI_DEV_POWER_USAGE{"));
    noScrapeWasIncomplete();
  }

  @Test
  void doesNotStart_whenTheFileIsBad() throws Exception {
    Files.writeString(file, "\nDCGM_FI_DEV_GPU_TEMP, gauge, Warmth, in C\n");
    var process = process("1s");
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);

    assertThat(err)
        .isEqualTo(
            "gpu-exporter: counters file "
                + file
                + " is refused: line 2, column 1: expected field, type and help, found 4 columns; a"
                + " help text with a comma stands in quotes\n");
    assertThat(process.waitFor()).isEqualTo(2);
  }

  private void replace(String text) throws IOException {
    Path next = Files.writeString(folder.resolve("next"), text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void hangUp() throws IOException, InterruptedException {
    long pid = Optional.ofNullable(agent).orElseThrow().pid();
    var kill = new ProcessBuilder("kill", "-HUP", Long.toString(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }

  private void start(String refreshAfter) throws IOException, InterruptedException {
    var started = process(refreshAfter);
    agent = started;
    Thread.ofVirtual().start(() -> read(started));
    port = await().until(this::portInLog, found -> found > 0);
    awaitScrape(text -> text.contains("DCGM_FI_DEV_GPU_TEMP{"));
    scraper = Thread.ofVirtual().start(this::scrapeAllTheTime);
  }

  private Process process(String refreshAfter) throws IOException {
    Path config = folder.resolve("application.yml");
    Files.writeString(
        config,
        "sampling: {interval: 100ms}\ncounters: {file: '"
            + file
            + "', refresh-after: "
            + refreshAfter
            + "}\n");
    var builder =
        new ProcessBuilder(
            // A JVM that is born deaf to hang-ups, below nohup for one, stays so.
            "env",
            "--default-signal=HUP",
            JAVA.toString(),
            "@src/main/jvm/jvm.options",
            "-Dmicronaut.config.files=" + config,
            "-jar",
            "target/gpu-exporter.jar",
            "--simulate=t4x4",
            "-a=127.0.0.1:0");
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("DCGM_") || name.startsWith("GPU_EXPORTER_"));
    return builder.start();
  }

  private void scrapeAllTheTime() {
    try {
      while (true) {
        String scrape = scrape();
        scrapes.incrementAndGet();
        if (!tellsOfAllGpus(scrape)) {
          incomplete.add(scrape);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      incomplete.add("failed: " + e);
    }
  }

  private void noScrapeWasIncomplete() {
    assertThat(scrapes).hasValueGreaterThan(10);
    assertThat(incomplete).isEmpty();
  }

  private static boolean tellsOfAllGpus(String scrape) {
    return scrape.lines().filter(line -> line.startsWith("DCGM_FI_DEV_")).count() == 4;
  }

  private void read(Process started) {
    try (var err = new BufferedReader(new InputStreamReader(started.getErrorStream(), UTF_8))) {
      for (String line = err.readLine(); line != null; line = err.readLine()) {
        log.add(line);
      }
    } catch (IOException e) {
      // The stream closes under us when the process is stopped.
      log.add("the log ends: " + e);
    }
  }

  private void awaitLog(String part, int times) {
    await()
        .untilAsserted(
            () ->
                assertThat(log)
                    .as("the log of the agent, alive: %s", agent != null && agent.isAlive())
                    .filteredOn(line -> line.contains(part))
                    .hasSizeGreaterThanOrEqualTo(times));
  }

  private int portInLog() {
    return log.stream()
        .flatMap(line -> LISTENS.matcher(line).results())
        .mapToInt(found -> Integer.parseInt(found.group(1)))
        .findFirst()
        .orElse(0);
  }

  private String awaitScrape(Predicate<String> wanted) {
    return await().atMost(Duration.ofSeconds(30)).until(this::scrape, wanted);
  }

  private String scrape() throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
            .timeout(Duration.ofSeconds(5));
    return client.send(request.build(), BodyHandlers.ofString()).body();
  }
}
