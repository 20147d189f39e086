package io.gpureclaimer.exporter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The status page of a running agent, also in headless Chromium where there is one. */
class StatusPageIT {
  private static final Pattern FIRST_UUID = Pattern.compile("gpu=\"0\",UUID=\"(GPU-[^\"]+)\"");

  private final AgentProcess agent = new AgentProcess();
  @TempDir Path folder;

  @BeforeEach
  void start() throws IOException {
    Path script =
        Files.writeString(
            folder.resolve("script.yml"),
            "- {gpu: 2, xids: [{code: 48, after: 0s}]}\n- {gpu: 3, fault: lost}\n");
    Path pods = Files.writeString(folder.resolve("pods.yml"), "[]\n");
    agent.start(
        folder, "", "--simulate=t4x4", "--simulate-script=" + script, "--pods-file=" + pods);
    String uuid =
        FIRST_UUID
            .matcher(agent.awaitScrape(text -> FIRST_UUID.matcher(text).find()))
            .results()
            .map(it -> it.group(1))
            .findFirst()
            .orElseThrow();
    Files.writeString(
        pods, "- {device: " + uuid + ", namespace: ml, pod: <b>train, container: main}\n");
    agent.awaitScrape(text -> text.contains("pod=\"<b>train\"") && text.contains("gpu_xids_total"));
  }

  @AfterEach
  void stop() throws InterruptedException {
    agent.stop();
  }

  @Test
  void answersJson_andHtmlToBrowsers() throws Exception {
    HttpResponse<String> json = agent.get("/status");
    assertThat(json.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(json.body())
        .contains("\"hostname\" : \"node-a\"", "\"ready\" : true")
        .containsPattern("\"version\" : \"[^\"]+\",\\s+\"uptimeSeconds\" : \\d+")
        .contains("\"busId\" : \"0000", "\"memoryTotalMib\" : ", "\"doubleBitErrors\" : 0")
        .contains("\"gpus\" : 4,", "\"gpusResponding\" : 3,", "\"pod\" : \"<b>train\"");

    String browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    HttpResponse<String> html = agent.get("/status", "Accept", browser);
    assertThat(html.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
    assertThat(html.headers().firstValue("Vary")).hasValue("Accept");
    assertThat(html.body()).contains("<script src=\"status.js\" defer></script>");
    assertThat(agent.get("/status.js").headers().firstValue("Content-Type"))
        .hasValue("text/javascript; charset=utf-8");
    assertThat(agent.get("/status.css").headers().firstValue("Content-Type"))
        .hasValue("text/css; charset=utf-8");
  }

  @Test
  void showsTheDevices_inABrowser() throws Exception {
    Optional<Path> browser = browser();
    assumeTrue(browser.isPresent(), "no chromium on PATH");

    String page = dom(browser.get());

    assertThat(page)
        .contains("<h1>gpu-exporter on node-a</h1>", "Ready. 3 of 4 GPUs responding, 1 failing.")
        .contains("<td class=\"problem\">lost: fell off the bus</td>")
        .contains("<td class=\"problem\">responding, failing: ALL: DCGM_FR_XID_ERROR</td>")
        .contains("<td>ml/&lt;b&gt;train</td><td>main</td>");
    List<String> rows =
        Pattern.compile("<tr>.*?</tr>").matcher(page).results().map(MatchResult::group).toList();
    assertThat(rows)
        .as("a lost GPU has no readings")
        .anyMatch(
            row -> row.contains("lost:") && row.contains("<td class=\"absent\">–</td>".repeat(4)));
  }

  private String dom(Path browser) throws IOException, InterruptedException {
    var chromium =
        new ProcessBuilder(
                browser.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + folder.resolve("profile"),
                "--virtual-time-budget=2000",
                "--dump-dom",
                agent.address("/status").toString())
            .redirectError(folder.resolve("browser.log").toFile())
            .start();
    String page = new String(chromium.getInputStream().readAllBytes(), UTF_8);
    assertThat(chromium.waitFor()).isZero();
    return page.replaceAll(" data-column=\"[^\"]*\"", "");
  }

  private static Optional<Path> browser() {
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .flatMap(
            name ->
                Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                    .map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
