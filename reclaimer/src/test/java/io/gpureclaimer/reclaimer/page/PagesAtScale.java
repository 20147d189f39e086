package io.gpureclaimer.reclaimer.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.management.OperatingSystemMXBean;
import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.reclaimer.show.Reports;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Measures pages over HTTP: time to the first byte, size as browsers get it, and CPU time of each;
 * and in Chromium, until they can be used and until everything is loaded. Arguments: how many
 * workloads, how many requests to warm up and to measure.
 */
final class PagesAtScale {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final int VISITS = 11;
  private static final String UNCHANGED = "/ui/workloads (unchanged)";

  private static final Map<String, String> PAGES = pages();

  private static final Set<String> BROWSED = Set.of("cluster", "workloads", "workloads-all");

  private PagesAtScale() {}

  private static Map<String, String> pages() {
    var pages = new LinkedHashMap<String, String>();
    pages.put("unchanged", UNCHANGED);
    pages.put("cluster", "/ui");
    pages.put("workloads", "/ui/workloads");
    pages.put("workloads-all", "/ui/workloads?all=true");
    pages.put("namespace", "/ui/workloads?namespace=team-7");
    pages.put("workload", "/ui/workloads/team-7/statefulset/notebook-7");
    pages.put("csv", "/api/v1/workloads?format=csv");
    return pages;
  }

  /** One answer: nanoseconds until its first byte and in CPU, and its bytes. */
  private record MeasuredResponse(List<Double> firstByte, double cpu, int bytes) {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    CycleReport report = Reports.of(Integer.parseInt(arguments[0]));
    Service.Running service =
        switch (Service.start(
            "gpu-reclaimer",
            Map.of(
                "micronaut.server.host",
                "127.0.0.1",
                "micronaut.server.port",
                0,
                "reclaimer.cluster",
                "embedded",
                "direct.agents",
                List.of("http://127.0.0.1:9/metrics")),
            new SimulatedCluster(Clock.systemUTC()),
            SimulatedLeadership.alone("test"))) {
          case Service.Running running -> running;
          case Service.Misconfigured(String problem) -> throw new IllegalStateException(problem);
          case Service.NotListening(String problem) -> throw new IllegalStateException(problem);
        };
    service.part(LatestReport.class).publish(report);
    PrintStream out = System.out;
    for (var page : PAGES.entrySet()) {
      measure(service.port(), page.getValue(), Integer.parseInt(arguments[1]));
      MeasuredResponse found =
          measure(service.port(), page.getValue(), Integer.parseInt(arguments[2]));
      List<Double> sorted = found.firstByte().stream().sorted().toList();
      print(out, page.getKey() + ".first-byte.median", sorted.get(sorted.size() / 2) / 1e6, "ms");
      print(out, page.getKey() + ".first-byte.slowest", sorted.getLast() / 1e6, "ms");
      print(out, page.getKey() + ".compressed", found.bytes() / 1e3, "kB");
      print(out, page.getKey() + ".cpu", found.cpu() / 1e6, "ms");
    }
    measureInChromium(service.port(), out);
    service.close();
  }

  /** By the clock of the browser, from the click on. Nothing is kept from the last time. */
  private static void measureInChromium(int port, PrintStream out) throws IOException {
    try (Browser browser = Browser.start()) {
      var _ = browser.command("Network.setCacheDisabled", Map.of("cacheDisabled", true));
      for (var page : PAGES.entrySet()) {
        String name = page.getKey();
        if (!BROWSED.contains(name)) {
          continue;
        }
        var interactive = new ArrayList<Double>();
        var loaded = new ArrayList<Double>();
        for (int i = 0; i < VISITS; i++) {
          browser.open(address(port, page.getValue()));
          JsonNode times = browser.run("return performance.getEntriesByType('navigation')[0]");
          interactive.add(times.required("domInteractive").doubleValue());
          loaded.add(times.required("loadEventEnd").doubleValue());
        }
        Collections.sort(interactive);
        Collections.sort(loaded);
        print(out, name + ".interactive.median", interactive.get(VISITS / 2), "ms");
        print(out, name + ".interactive.slowest", interactive.getLast(), "ms");
        print(out, name + ".loaded.median", loaded.get(VISITS / 2), "ms");
        print(out, name + ".loaded.slowest", loaded.getLast(), "ms");
      }
    }
  }

  private static void print(PrintStream out, String name, double value, String unit) {
    out.printf(Locale.ROOT, "%s %.1f %s%n", name, value, unit);
  }

  private static MeasuredResponse measure(int port, String path, int requests)
      throws IOException, InterruptedException {
    try (HttpClient client =
        HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build()) {
      String version = path.equals(UNCHANGED) ? version(client, port) : "";
      var firstByte = new ArrayList<Double>();
      int bytes = 0;
      long before = SYSTEM.getProcessCpuTime();
      for (int i = 0; i < requests; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(address(port, path))
                .header("Accept-Encoding", "gzip")
                .header("X-Shown", version)
                .build();
        long start = System.nanoTime();
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
          int first = body.read();
          firstByte.add((double) (System.nanoTime() - start));
          bytes = (first < 0 ? 0 : 1) + body.readAllBytes().length;
        }
        if (response.statusCode() != (version.isEmpty() ? 200 : 204)) {
          throw new IllegalStateException(path + ": " + response.statusCode());
        }
      }
      return new MeasuredResponse(
          firstByte, (double) (SYSTEM.getProcessCpuTime() - before) / requests, bytes);
    }
  }

  private static URI address(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path.replace(" (unchanged)", ""));
  }

  private static String version(HttpClient client, int port)
      throws IOException, InterruptedException {
    HttpResponse<String> page =
        client.send(
            HttpRequest.newBuilder(address(port, UNCHANGED)).build(), BodyHandlers.ofString());
    return page.body().replaceAll("(?s).*X-Shown\":\"([^\"]+).*", "$1");
  }
}
