package io.gpureclaimer.reclaimer.page;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpureclaimer.reclaimer.evidence.source.DebianTool;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Headless Chromium, driven over WebDriver. Whatever is looked for is awaited for ten seconds.
 * Confined to the thread of a test.
 */
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern LISTENS = Pattern.compile("started successfully on port (\\d+)");
  private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
  private static final int PATIENCE_MS = 10_000;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process driver;
  private final URI server;
  private final String session;

  /** A key, as WebDriver writes it. */
  enum KeyPress {
    TAB('\uE004'),
    ENTER('\uE007');

    private final char code;

    KeyPress(char code) {
      this.code = code;
    }
  }

  private Browser(Process driver, URI server, Path chromium) {
    this.driver = driver;
    this.server = server;
    JsonNode options =
        JSON.valueToTree(
            Map.of(
                "binary",
                chromium.toString(),
                "args",
                List.of(
                    "--headless=new",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--disable-features=BackForwardCache",
                    "--lang=en-US")));
    this.session =
        send(
                "POST",
                "/session",
                Map.of(
                    "capabilities",
                    Map.of(
                        "alwaysMatch",
                        Map.of(
                            "browserName",
                            "chrome",
                            "goog:chromeOptions",
                            options,
                            "timeouts",
                            Map.of("implicit", PATIENCE_MS, "script", PATIENCE_MS)))))
            .path("sessionId")
            .asText();
  }

  /** Skips the test where Chromium or its driver is missing. */
  static Browser start() throws IOException {
    Optional<Path> chromium = DebianTool.of("chromium", "chromium");
    Optional<Path> program = DebianTool.of("chromium-driver", "chromedriver");
    assumeTrue(
        chromium.isPresent() && program.isPresent(),
        "chromium and chromedriver are not on the PATH, where ./test puts them");
    Process driver =
        new ProcessBuilder(program.get().toString(), "--port=0").redirectErrorStream(true).start();
    return new Browser(
        driver, URI.create("http://127.0.0.1:" + port(driver.inputReader())), chromium.get());
  }

  private static String port(BufferedReader output) throws IOException {
    var lines = new ArrayList<String>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      Matcher listens = LISTENS.matcher(line);
      if (listens.find()) {
        return listens.group(1);
      }
      lines.add(line);
    }
    throw new IllegalStateException("expected that chromedriver listens, found " + lines);
  }

  void open(URI address) {
    post("/url", Map.of("url", address.toString()));
  }

  /** The address that the reader sees. */
  URI address() {
    return URI.create(get("/url").asText());
  }

  /** What a reader sees of an element. */
  String text(String selector) {
    return get("/element/" + element(selector) + "/text").asText();
  }

  void click(String selector) {
    post("/element/" + element(selector) + "/click", Map.of());
  }

  void type(KeyPress key) {
    List<Map<String, String>> strokes =
        List.of(
            Map.of("type", "keyDown", "value", String.valueOf(key.code)),
            Map.of("type", "keyUp", "value", String.valueOf(key.code)));
    post(
        "/actions",
        Map.of("actions", List.of(Map.of("type", "key", "id", "keyboard", "actions", strokes))));
  }

  /** Runs the body of a function in the page, and returns its result. */
  JsonNode run(String script) {
    return post("/execute/sync", Map.of("script", script, "args", List.of()));
  }

  /** Runs the body of an asynchronous function in the page, and awaits its result. */
  JsonNode await(String script) {
    return run("return (async () => {" + script + "})();");
  }

  /** Awaits that an expression is true in the page. */
  void awaitTrue(String expression) {
    var _ =
        await(
            "while (!("
                + expression
                + ")) { await new Promise((next) => requestAnimationFrame(next)); }");
  }

  /**
   * Shows pages to another reader.
   *
   * @param scheme {@code light} or {@code dark}
   */
  void showAs(String scheme, int width, int height) {
    var _ =
        command(
            "Emulation.setEmulatedMedia",
            Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    var _ =
        command(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** A command of Chromium's own protocol. */
  JsonNode command(String name, Map<String, ?> parameters) {
    return post("/goog/cdp/execute", Map.of("cmd", name, "params", parameters));
  }

  private String element(String selector) {
    return post("/element", Map.of("using", "css selector", "value", selector))
        .path(ELEMENT)
        .asText();
  }

  private JsonNode get(String path) {
    return send("GET", "/session/" + session + path, Map.of());
  }

  private JsonNode post(String path, Map<String, ?> body) {
    return send("POST", "/session/" + session + path, body);
  }

  private JsonNode send(String method, String path, Map<String, ?> body) {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(path))
            .method(
                method,
                method.equals("POST")
                    ? BodyPublishers.ofByteArray(bytes(body))
                    : BodyPublishers.noBody())
            .build();
    try {
      HttpResponse<String> response =
          http.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
      JsonNode value = JSON.readTree(response.body()).path("value");
      if (response.statusCode() != 200) {
        throw new AssertionError(
            method + " " + path + " " + body + ": " + value.path("message").asText());
      }
      return value;
    } catch (IOException e) {
      throw new AssertionError("chromedriver: " + method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static byte[] bytes(Map<String, ?> body) {
    try {
      return JSON.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public void close() {
    var _ = send("DELETE", "/session/" + session, Map.of());
    driver.destroy();
    try {
      if (!driver.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
        driver.destroyForcibly();
      }
    } catch (InterruptedException _) {
      driver.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
