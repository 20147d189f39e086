package io.gpureclaimer.verification.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.DcgmField;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every metric in a dashboard, rule, manifest or runbook is served by a program. */
class MetricNamesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern METRIC =
      Pattern.compile(
          "\\b(?:DCGM_(?:FI|EXP)_[A-Z0-9_]*[A-Z0-9]"
              + "|gpu_(?:exporter|reclaimer|pod|device_plugin|xid|xids|last_xid)_[a-z0-9_]*[a-z0-9]"
              + "|gpu_reclaimer:[a-z0-9_:]+"
              + "|kube_[a-z]+_[a-z0-9_]*[a-z0-9]"
              + "|(?:process|scrape|container)_[a-z0-9]+_[a-z0-9_]*[a-z0-9])\\b");
  private static final Pattern OF_A_HISTOGRAM = Pattern.compile("_(?:bucket|sum|count)$");
  private static final Pattern IN_A_REFERENCE = Pattern.compile("(?m)^\\| `([a-z_:]+)` \\|");
  private static final Pattern RECORDED = Pattern.compile("- record: (\\S+)");

  /** Metrics of Prometheus itself, of cAdvisor and of kube-state-metrics. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "scrape_duration_seconds",
          "scrape_samples_scraped",
          "container_cpu_usage_seconds_total",
          "kube_node_status_allocatable");

  /** Why rows of dcgm-exporter's own file are on no dashboard. */
  private static final Map<String, String> SHOWN_NOWHERE =
      Map.of(
          "DCGM_FI_DEV_VGPU_LICENSE_STATUS", "reported on virtual GPUs only",
          "DCGM_FI_DRIVER_VERSION", "is a label of all series");

  @Test
  void areAllThere() throws IOException {
    Set<String> known = known();

    assertThat(
            named(
                "grafana",
                "deploy/rules",
                "deploy/counters",
                "deploy/examples",
                "docs/runbooks",
                "docs/guide"))
        .hasSizeGreaterThan(60)
        .allSatisfy(name -> assertThat(known).contains(name));
  }

  @Test
  void areAllServed_withTheCountersFileThatTheDashboardsAskFor() throws IOException {
    Set<String> served = named("deploy/counters");

    assertThat(named("grafana/dashboards", "deploy/rules/alerts.yaml"))
        .filteredOn(name -> name.startsWith("DCGM_"))
        .isSubsetOf(served);
    assertThat(served).containsAll(servedByDefault());
  }

  /** Nothing is served only to be stored. */
  @Test
  void areAllShown_thatTheCountersFileOfTheDashboardsServes() throws IOException {
    var shown = new TreeSet<>(named("grafana/dashboards", "deploy/rules/alerts.yaml"));
    shown.addAll(SHOWN_NOWHERE.keySet());

    assertThat(shown).containsAll(named("deploy/counters"));
  }

  private static Set<String> known() throws IOException {
    var known = new TreeSet<>(OF_OTHERS);
    DcgmField.all().stream().flatMap(field -> field.names().stream()).forEach(known::add);
    for (String page : List.of("exporter-metrics.md", "reclaimer-metrics.md")) {
      known.addAll(found(IN_A_REFERENCE, ROOT.resolve("docs/reference").resolve(page)));
    }
    known.addAll(found(IN_A_REFERENCE, ROOT.resolve("docs/device-plugin/metrics.md")));
    known.addAll(found(RECORDED, ROOT.resolve("deploy/rules/recording.yaml")));
    known.addAll(found(RECORDED, ROOT.resolve("deploy/rules/README.md")));
    return known;
  }

  private static List<String> servedByDefault() throws IOException {
    Pattern row = Pattern.compile("(?m)^(DCGM_\\w+),");
    return found(
        row,
        ROOT.resolve(
            "exporter/src/main/resources/io/gpureclaimer/exporter/counters/classic-counters.csv"));
  }

  private static Set<String> named(String... places) {
    return Stream.of(places)
        .flatMap(MetricNamesTest::files)
        .flatMap(file -> names(file).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<Path> files(String place) {
    try (Stream<Path> files = Files.walk(ROOT.resolve(place))) {
      return files.filter(Files::isRegularFile).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> names(Path file) {
    try {
      return METRIC
          .matcher(Files.readString(file))
          .results()
          .map(MatchResult::group)
          .map(MetricNamesTest::family)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The parts of histograms and summaries have the name of the whole. */
  private static String family(String name) {
    return name.endsWith("_device_count") ? name : OF_A_HISTOGRAM.matcher(name).replaceFirst("");
  }

  private static List<String> found(Pattern pattern, Path file) throws IOException {
    return pattern.matcher(Files.readString(file)).results().map(match -> match.group(1)).toList();
  }
}
