package io.gpureclaimer.reclaimer.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cycle.SmallCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people do with the pages, in a browser. */
class PagesIT {
  private static final OwnerSpec WEB = OwnerSpec.ofDeployment("web", "5d4f");
  private static final String WORKLOADS = "/ui/workloads";
  private static final String PAGE_OF_WEB = "/ui/workloads/research/deployment/web";

  /** What the timer of the page does. */
  private static final String REQUEST =
      "htmx.ajax('GET', location.pathname + location.search, { source: '#content' })";

  /** Lets the next update have content, as after a cycle. */
  private static final String WITH_CONTENT =
      "document.getElementById('content').removeAttribute('hx-headers');";

  private static final String UPDATE =
      "await new Promise((settled) => {"
          + WITH_CONTENT
          + " document.body.addEventListener('htmx:afterSettle', settled, { once: true });"
          + REQUEST
          + "; });";

  private static Browser browser;

  @TempDir private Path folder;
  private ServedPages pages;

  @BeforeAll
  static void startBrowser() throws IOException {
    browser = Browser.start();
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
    pages.world.pod("web-a", 2, spec -> spec.ownedBy(WEB));
    pages.world.pod("notebook");
    pages.world.cluster.addNamespace("vision", Map.of());
    pages.world.cluster.submit(PodSpec.bare("vision", "train", 1));
    pages.world.cluster.tick();
    pages.cycle();
    pages
        .reviews
        .allow("alice", "get", "Pod", SmallCluster.NAMESPACE)
        .allow("alice", "patch", "Deployment", SmallCluster.NAMESPACE)
        .allow("bob", "get", "Pod", SmallCluster.NAMESPACE)
        .allow("root", "get", "Pod", "");
    pages.proxy.signIn("alice");
  }

  @AfterEach
  void stop() {
    var _ = browser.command("Emulation.setScriptExecutionDisabled", Map.of("value", false));
    pages.close();
  }

  @Test
  void showsOnlyTheNamespacesOfTheReader() {
    open(WORKLOADS);
    assertThat(browser.text("main"))
        .contains("2 workloads", "research", "Only namespaces whose pods you may get are shown.")
        .doesNotContain("vision", "train");

    pages.proxy.signIn("root");
    open(WORKLOADS);
    assertThat(browser.text("main")).contains("3 workloads", "vision", "Pod/train");
  }

  @Test
  void keepsTheFilterInTheAddress() {
    pages.proxy.signIn("root");
    open(WORKLOADS);

    browser.click("select[name=namespace] option[value=vision]");
    browser.click(".filter button");
    browser.awaitTrue("location.search.includes('namespace=vision')");
    update();

    assertThat(browser.text("caption")).startsWith("1 workload,");
    assertThat(browser.text("select[name=namespace] option:checked")).isEqualTo("vision");
    open(browser.address().getPath() + "?" + browser.address().getQuery());
    assertThat(browser.text("caption")).startsWith("1 workload,");
  }

  @Test
  void keepsAWorkload() {
    open(PAGE_OF_WEB);

    browser.click("button[value='4h']");

    browser.awaitTrue("document.querySelector('.reply.accepted time')");
    assertThat(keepUntil())
        .contains(browser.run("return document.querySelector('.reply time').dateTime").asText());
    browser.awaitTrue(
        "document.getElementById('said').textContent"
            + " === document.querySelector('.reply').textContent.trim()");
    assertThat(browser.text(".reply")).startsWith("Deployment research/web is kept until ");
    assertThat(browser.address().getPath()).isEqualTo(PAGE_OF_WEB);
  }

  @Test
  void keepsAWorkload_withTheKeyboardAlone() {
    open(PAGE_OF_WEB);

    for (int i = 0; i < 12 && !focused().equals("Keep 4 h"); i++) {
      browser.type(Browser.KeyPress.TAB);
    }
    assertThat(focused()).isEqualTo("Keep 4 h");
    browser.type(Browser.KeyPress.ENTER);

    browser.awaitTrue("document.querySelector('.reply.accepted')");
    assertThat(keepUntil()).isPresent();
  }

  @Test
  void keepsAWorkload_withoutScripts() {
    var _ = browser.command("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    open(PAGE_OF_WEB);

    browser.click("button[value='4h']");

    assertThat(browser.text(".reply")).startsWith("Deployment research/web is kept until ");
    assertThat(keepUntil()).isPresent();

    browser.open(browser.address());
    assertThat(browser.address().getPath()).isEqualTo(PAGE_OF_WEB);
    assertThat(browser.text("h1")).isEqualTo("Deployment research/web");
  }

  @Test
  void keepsAWorkload_fromTheListOfANamespace() {
    open(WORKLOADS + "?namespace=research");

    browser.click("form[action='" + PAGE_OF_WEB + "/keep'] button[value='24h']");

    browser.awaitTrue("document.querySelector('.reply.accepted')");
    assertThat(keepUntil()).isPresent();
    assertThat(browser.address().getPath()).isEqualTo(PAGE_OF_WEB);
  }

  @Test
  void showsTheReply_alsoIfAnUpdateIsUnderWay() {
    open(PAGE_OF_WEB);

    var _ =
        browser.run(
            WITH_CONTENT + REQUEST + "; document.querySelector(\"button[value='4h']\").click();");

    browser.awaitTrue("document.querySelector('.reply.accepted')");
  }

  @Test
  void changesNothing_forAReaderWithoutTheRight() {
    pages.proxy.signIn("bob");
    open(PAGE_OF_WEB);

    browser.click("button[value='4h']");

    browser.awaitTrue("document.querySelector('.reply.forbidden')");
    assertThat(browser.text(".reply")).isEqualTo("bob may not change Deployment research/web.");
    assertThat(keepUntil()).isEmpty();
  }

  @Test
  void restoresAWorkload() {
    reclaim();
    open(WORKLOADS + "?namespace=research");

    browser.click("form[action='" + PAGE_OF_WEB + "/restore'] button");

    browser.awaitTrue("document.querySelector('.reply.accepted')");
    assertThat(browser.text(".reply"))
        .startsWith("Deployment research/web is restored in the next cycle.");
    pages.cycle();
    pages.world.pass(Duration.ofMinutes(1));
    pages.cycle();
    update();
    assertThat(browser.text(".badge")).isNotEqualTo("reclaimed");
    assertThat(pages.world.cluster.view().pods())
        .anyMatch(pod -> pod.ref().name().startsWith("web-") && pod.holdsGpus());
  }

  @Test
  void showsANewVerdict_withoutReload() {
    openWithFastTimers(WORKLOADS);
    var _ = browser.run("window.notReloaded = true");
    assertThat(browser.text("main")).doesNotContain("to-warn");

    pages.world.pass(SmallCluster.UNTIL_WARNED);
    pages.cycle();

    browser.awaitTrue("document.querySelector('main').textContent.includes('to-warn')");
    assertThat(browser.run("return window.notReloaded").asBoolean()).isTrue();
  }

  @Test
  void saysWhichReplicaLeads_whenTheLeaderChanges() {
    open("/ui");
    assertThat(browser.text("#content > .footnote")).contains("by replica replica-a, the leader.");

    pages.leadership.loseTo("replica-b");
    update();

    assertThat(browser.text("#content > .footnote"))
        .contains("by replica replica-a, which does not act; the leader is replica-b.");
  }

  @Test
  void asksToSignIn_whenTheSessionEndsWhileThePageIsOpen() {
    open(WORKLOADS);

    pages.proxy.signOut();
    update();
    assertThat(browser.text("main")).contains("Not signed in", "Sign in").doesNotContain("web");

    pages.proxy.signIn("alice");
    update();
    assertThat(browser.text("main")).contains("Deployment/web");
  }

  @Test
  void keepsWhatItShows_whenTheProxyAnswersWithItsOwnPage() {
    open(WORKLOADS);

    pages.proxy.answer(403, "<!DOCTYPE html><title>Sign In</title><main>Sign in</main>");
    request();
    browser.awaitTrue("document.querySelector('.said.lost')");
    assertThat(browser.text("#said")).contains("sign in again");
    assertThat(browser.text("main")).contains("Deployment/web");

    pages.proxy.redirect("http://login.invalid/");
    request();
    assertThat(browser.text("#said")).contains("sign in again");

    pages.proxy.signIn("alice");
    update();
    browser.awaitTrue("!document.querySelector('.said.lost')");
    assertThat(browser.text("#said")).isEmpty();
  }

  @Test
  void saysNothing_whileThereIsNothingNew() {
    open(WORKLOADS);
    pages.proxy.answer(403, "<!DOCTYPE html><title>Sign In</title>");
    request();
    browser.awaitTrue("document.querySelector('.said.lost')");
    pages.proxy.signIn("alice");

    request();

    assertThat(browser.run("return document.getElementById('said').className").asText())
        .isEqualTo("said");
    assertThat(browser.run("return document.getElementById('said').textContent").asText())
        .isEmpty();
    assertThat(browser.text("main")).contains("Deployment/web");
  }

  @Test
  void keepsWhatItShows_whileTheApiServerDoesNotRespond() {
    pages.proxy.signIn("carol");
    open(WORKLOADS);

    pages.proxy.signIn("alice");
    pages.reviews.down(true);
    request();
    browser.awaitTrue("document.querySelector('.said.lost')");

    assertThat(browser.text("#said")).startsWith("The API server does not respond");
    assertThat(browser.text("h1")).isEqualTo("Workloads");
  }

  @Test
  void doesNotGrow_whenItIsLeftOpen() {
    open(WORKLOADS);
    var _ = browser.await(UPDATE.repeat(5));
    int before = nodesInMemory();
    int shown = browser.run("return document.querySelectorAll('*').length").asInt();

    for (int i = 0; i < 10; i++) {
      var _ = browser.await("for (let i = 0; i < 20; i++) {" + UPDATE + "}");
    }

    assertThat(browser.run("return document.querySelectorAll('*').length").asInt())
        .isEqualTo(shown);
    assertThat(nodesInMemory()).isLessThan(before + 50);
  }

  /** Nodes that the browser holds, those that were replaced included. */
  private static int nodesInMemory() {
    var _ = browser.command("HeapProfiler.collectGarbage", Map.of());
    return browser.command("Memory.getDOMCounters", Map.of()).path("nodes").asInt();
  }

  /** The page with its own timer, which runs a hundred times as fast. */
  private void openWithFastTimers(String path) {
    String script =
        browser
            .command(
                "Page.addScriptToEvaluateOnNewDocument",
                Map.of(
                    "source",
                    "const timer = window.setTimeout;"
                        + "window.setTimeout = (run, time) => timer(run, time / 100);"))
            .path("identifier")
            .asText();
    open(path);
    var _ =
        browser.command("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
  }

  private void open(String path) {
    browser.open(pages.address(path));
  }

  private static void update() {
    var _ = browser.await(UPDATE);
  }

  /** An update that may not succeed. */
  private static void request() {
    var _ = browser.await("await " + REQUEST + ".catch(() => {});");
  }

  private static String focused() {
    return browser.run("return document.activeElement.textContent.trim()").asText();
  }

  private Optional<String> keepUntil() {
    return pages
        .world
        .cluster
        .ownerField(
            SmallCluster.NAMESPACE,
            WEB.above().orElseThrow(),
            FieldChange.annotation(Annotations.KEEP_UNTIL))
        .map(value -> value.replace("\"", ""));
  }

  private void reclaim() {
    pages.world.pass(SmallCluster.UNTIL_WARNED);
    pages.cycle();
    pages.world.pass(Duration.ofMinutes(20));
    pages.cycle();
    pages.world.pass(Duration.ofMinutes(5));
    pages.cycle();
  }
}
