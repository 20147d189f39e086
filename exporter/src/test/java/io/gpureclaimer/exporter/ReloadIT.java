package io.gpureclaimer.exporter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Change of the counters file during continuous scrapes. */
@Timeout(120)
class ReloadIT {
  private static final String WARMTH = "DCGM_FI_DEV_GPU_TEMP, gauge, Warmth\n";
  private static final String POWER = "DCGM_FI_DEV_POWER_USAGE, gauge, Power\n";
  private static final String GOOD = "gpu_exporter_config_last_reload_successful 1.0";
  private static final String BAD = "gpu_exporter_config_last_reload_successful 0.0";

  private final AtomicInteger scrapes = new AtomicInteger();
  private final Queue<String> incomplete = new ConcurrentLinkedQueue<>();

  private final AgentProcess agent = new AgentProcess();

  @TempDir Path folder;
  private Path file;
  private @Nullable Thread scraper;

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
    agent.stop();
  }

  @Test
  void takesUpAnotherFile_withoutAnEmptyScrape() throws Exception {
    start("1s");
    replace(POWER);

    String scrape = agent.awaitScrape(text -> text.contains("DCGM_FI_DEV_POWER_USAGE{"));

    assertThat(scrape).contains(GOOD).doesNotContain("DCGM_FI_DEV_GPU_TEMP");
    noScrapeWasIncomplete();
  }

  /** With the default settings. */
  @Test
  void takesUpAnotherFile_whenALinkIsSwappedAsTheKubeletDoes() throws Exception {
    Path first = Files.createDirectory(folder.resolve("..2026_1"));
    Path second = Files.createDirectory(folder.resolve("..2026_2"));
    Files.writeString(first.resolve("metrics"), WARMTH);
    Files.writeString(second.resolve("metrics"), POWER);
    Files.createSymbolicLink(folder.resolve("..data"), first.getFileName());
    file = Files.createSymbolicLink(folder.resolve("metrics"), Path.of("..data", "metrics"));
    startWith("counters: {file: '" + file + "'}\n");
    Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), second.getFileName());
    Files.move(next, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);

    assertThat(agent.awaitScrape(text -> text.contains("DCGM_FI_DEV_POWER_USAGE{")))
        .doesNotContain("DCGM_FI_DEV_GPU_TEMP");
    noScrapeWasIncomplete();
  }

  @Test
  void keepsTheLastGoodFile_whenItTurnsBad() throws Exception {
    start("200ms");
    replace(POWER + "DCGM_FI_DEV_GPU_TMP, gauge, Warmth\n");

    assertThat(agent.awaitScrape(text -> text.contains(BAD)))
        .contains("DCGM_FI_DEV_GPU_TEMP{")
        .doesNotContain("DCGM_FI_DEV_POWER_USAGE");
    assertThat(agent.log())
        .filteredOn(line -> line.contains(" WARN "))
        .singleElement()
        .asString()
        .endsWith(
            "counters file "
                + file
                + ": line 2, column 1: no field is called \"DCGM_FI_DEV_GPU_TMP\"; did"
                + " you mean DCGM_FI_DEV_GPU_TEMP?; the last valid content stays in use");
    Files.delete(file);
    replace(POWER);
    assertThat(agent.awaitScrape(text -> text.contains(GOOD) && !text.contains("GPU_TEMP{")))
        .contains("DCGM_FI_DEV_POWER_USAGE{");
    noScrapeWasIncomplete();
  }

  @Test
  void judgesTheFileAtOnce_whenHungUpOn_andGoesOn() throws Exception {
    start("2s");
    agent.hangUp();
    awaitLog("counters file " + file, 2);
    replace("nonsense");
    agent.hangUp();
    assertThat(agent.awaitScrape(text -> text.contains(BAD))).contains("DCGM_FI_DEV_GPU_TEMP{");
    replace(POWER);
    agent.hangUp();

    agent.awaitScrape(text -> text.contains("DCGM_FI_DEV_POWER_USAGE{"));
    noScrapeWasIncomplete();
  }

  @Test
  void doesNotStart_whenTheFileIsBad() throws Exception {
    Files.writeString(file, "\nDCGM_FI_DEV_GPU_TEMP, gauge, Warmth, in C\n");
    Process process = AgentProcess.launch(folder, settings("1s"), "--simulate=t4x4");
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);

    assertThat(err)
        .isEqualTo(
            "gpu-exporter: counters file "
                + file
                + ": line 2, column 1: expected field, type and help, found 4 "
                + "columns; put a help text with a comma in quotes\n");
    assertThat(process.waitFor()).isEqualTo(2);
  }

  private void replace(String text) throws IOException {
    Path next = Files.writeString(folder.resolve("next"), text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void start(String refreshAfter) throws IOException {
    startWith(settings(refreshAfter));
  }

  private void startWith(String settings) throws IOException {
    agent.start(folder, settings, "--simulate=t4x4");
    agent.awaitScrape(text -> text.contains("DCGM_FI_DEV_GPU_TEMP{"));
    scraper = Thread.ofVirtual().start(this::scrapeAllTheTime);
  }

  private String settings(String refreshAfter) {
    return "sampling: {interval: 100ms}\ncounters: {file: '"
        + file
        + "', refresh-after: "
        + refreshAfter
        + "}\n";
  }

  private void scrapeAllTheTime() {
    try {
      while (true) {
        String scrape = agent.scrape();
        scrapes.incrementAndGet();
        if (!reportsAllGpus(scrape)) {
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

  private static boolean reportsAllGpus(String scrape) {
    return scrape.lines().filter(line -> line.startsWith("DCGM_FI_DEV_")).count() == 4;
  }

  private void awaitLog(String part, int times) {
    await()
        .untilAsserted(
            () ->
                assertThat(agent.log())
                    .as("the log of the agent, alive: %s", agent.isAlive())
                    .filteredOn(line -> line.contains(part))
                    .hasSizeGreaterThanOrEqualTo(times));
  }
}
