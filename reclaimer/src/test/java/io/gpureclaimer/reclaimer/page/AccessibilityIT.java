package io.gpureclaimer.reclaimer.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cycle.SmallCluster;
import io.gpureclaimer.reclaimer.show.Reports;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each page by the rules of WCAG 2.2 A and AA, light and dark, on a narrow and a wide screen. */
class AccessibilityIT {
  private static final List<String> SCHEMES = List.of("light", "dark");
  private static final List<Integer> WIDTHS = List.of(480, 1920);

  /** The heads of narrow tables are for screen readers alone. */
  private static final String WIDER_THAN_THEIR_BOX =
      "return [...document.querySelectorAll('main :not(thead, thead *)')]"
          + ".filter((e) => e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1)"
          + ".map((e) => e.outerHTML);";

  private static Browser browser;

  @TempDir private Path folder;
  private ServedPages pages;

  @BeforeAll
  static void startBrowser() throws IOException {
    browser = Browser.start();
    var _ = browser.command("Page.addScriptToEvaluateOnNewDocument", Map.of("source", axe()));
  }

  @AfterAll
  static void closeBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void start() throws IOException {
    pages = new ServedPages(folder);
    pages.reviews.allow("root", "get", "Pod", "");
    pages.proxy.signIn("root");
  }

  @AfterEach
  void stop() {
    pages.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui",
        "/ui/workloads",
        "/ui/workloads?activity=idle",
        "/ui/workloads?namespace=ml",
        "/ui/workloads/ml/pod/warned",
        "/ui/workloads/ml/pod/nothing"
      })
  void aBusyCluster(String path) {
    pages.show(Reports.actedOn("NVIDIA-H100-80GB-HBM3"));

    assertThat(violations(path)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui",
        "/ui/workloads?namespace=research",
        "/ui/workloads/research/deployment/web"
      })
  void aReclaimedWorkload(String path) {
    pages.world.pod("web-a", 2, spec -> spec.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    pages.world.pass(SmallCluster.UNTIL_WARNED);
    pages.cycle();
    pages.world.pass(Duration.ofMinutes(20));
    pages.cycle();
    pages.world.pass(Duration.ofMinutes(5));
    pages.cycle();

    assertThat(violations(path)).isEmpty();
  }

  @Test
  void charts() {
    pages.show(Reports.acted());

    browser.open(pages.address("/ui/workloads?namespace=ml"));
    browser.awaitTrue("document.querySelector('svg.sparkline[aria-label]')");

    assertThat(violationsHere()).isEmpty();
  }

  @Test
  void aClusterWithoutWorkloads() {
    pages.show(Reports.empty());

    assertThat(violations("/ui")).isEmpty();
  }

  @Test
  void aClusterWithoutEvidence() {
    pages.show(Reports.blind());

    assertThat(violations("/ui")).isEmpty();
  }

  @Test
  void theReplyToARequest() {
    pages.show(Reports.acted());
    browser.open(pages.address("/ui/workloads/ml/pod/warned"));
    browser.click("button[value='4h']");
    browser.awaitTrue("document.querySelector('.reply')");

    assertThat(violationsHere()).isEmpty();
  }

  @Test
  void beforeTheFirstCycle() {
    assertThat(violations("/ui")).isEmpty();
  }

  private List<String> violations(String path) {
    browser.open(pages.address(path));
    return violationsHere();
  }

  private static List<String> violationsHere() {
    var found = new ArrayList<String>();
    for (String scheme : SCHEMES) {
      for (int width : WIDTHS) {
        browser.showAs(scheme, width, 900);
        for (JsonNode wide : browser.run(WIDER_THAN_THEIR_BOX)) {
          found.add(scheme + ", " + width + " px, wider than its box: " + wide.asText());
        }
        JsonNode results =
            browser.await(
                "return await axe.run({ runOnly:"
                    + " ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });");
        assertThat(results.path("passes")).as("rules that were checked").hasSizeGreaterThan(10);
        for (JsonNode violation : results.path("violations")) {
          for (JsonNode node : violation.path("nodes")) {
            found.add(
                scheme
                    + ", "
                    + width
                    + " px, "
                    + violation.path("id").asText()
                    + ": "
                    + node.path("html").asText()
                    + ": "
                    + node.path("any").path(0).path("message").asText());
          }
        }
      }
    }
    return found;
  }

  private static String axe() throws IOException {
    try (InputStream script = AccessibilityIT.class.getResourceAsStream("/axe.min.js")) {
      if (script == null) {
        throw new IllegalStateException("the class path has no axe.min.js");
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
