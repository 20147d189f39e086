package io.gpureclaimer.verification.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpureclaimer.verification.dashboards.PanelSource.LabelColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every dashboard. */
class DashboardsTest {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([a-z_]+)");
  private static final Set<String> OF_GRAFANA =
      Set.of("__all", "__rate_interval", "__range", "__range_s", "__value", "datasource");

  static Stream<String> names() {
    return DashboardSource.NAMES.stream();
  }

  @Test
  void haveAddressesOfTheirOwn() throws IOException {
    var uids = new ArrayList<String>();
    for (String name : DashboardSource.NAMES) {
      uids.add(DashboardSource.read(name).uid());
    }

    assertThat(uids)
        .containsExactly(
            "gpu-fleet",
            "gpu-node",
            "gpu-node-datacenter",
            "gpu-node-details",
            "gpu-namespace",
            "gpu-reclaimer",
            "gpu-exporter");
  }

  @ParameterizedTest
  @MethodSource("names")
  void explainEveryPanel_withUnits(String name) throws IOException {
    assertThat(DashboardSource.read(name).panels())
        .allSatisfy(
            panel -> {
              assertThat(panel.about()).as(panel.title()).endsWith(".").hasSizeGreaterThan(15);
              if (panel.kind() == PanelSource.PanelKind.table) {
                assertThat(panel.queries()).allSatisfy(q -> assertThat(q.column()).isNotBlank());
                assertThat(panel.labels()).isNotEmpty();
              } else {
                assertThat(panel.unit() != null || panel.states() != null)
                    .as(panel.title() + " has a unit or words for its values")
                    .isTrue();
              }
              if (panel.kind() == PanelSource.PanelKind.timeseries && panel.queries().size() > 1) {
                assertThat(panel.queries()).allSatisfy(q -> assertThat(q.legend()).isNotBlank());
              }
            });
  }

  @ParameterizedTest
  @MethodSource("names")
  void leadToRunbooksAndDashboardsThatAreThere(String name) throws IOException {
    for (PanelSource panel : DashboardSource.read(name).panels()) {
      if (panel.runbook() != null) {
        assertThat(RepositoryFiles.RUNBOOKS.resolve(panel.runbook() + ".md")).exists();
      }
      for (LabelColumn column : panel.labels() == null ? List.<LabelColumn>of() : panel.labels()) {
        if (column.to() != null) {
          assertThat(withUid(column.to()).variables()).contains(column.as());
        }
      }
    }
  }

  private static DashboardSource withUid(String uid) throws IOException {
    for (String name : DashboardSource.NAMES) {
      DashboardSource dashboard = DashboardSource.read(name);
      if (dashboard.uid().equals(uid)) {
        return dashboard;
      }
    }
    throw new AssertionError("no dashboard has the uid " + uid);
  }

  @ParameterizedTest
  @MethodSource("names")
  void haveTheVariablesThatTheyUse_andNoOthers(String name) throws IOException {
    var used = new TreeSet<String>();
    String text = Files.readString(RepositoryFiles.DASHBOARDS.resolve(name + ".json"));
    VARIABLE.matcher(text).results().map(found -> found.group(1)).forEach(used::add);
    used.removeAll(OF_GRAFANA);

    assertThat(used).isEqualTo(new TreeSet<>(DashboardSource.read(name).variables()));
  }

  @ParameterizedTest
  @MethodSource("names")
  void placePanelsBesideEachOther_notOverEachOther(String name) throws IOException {
    JsonNode dashboard =
        new ObjectMapper().readTree(RepositoryFiles.DASHBOARDS.resolve(name + ".json").toFile());
    var ids = new HashSet<Integer>();
    var cells = new HashSet<String>();
    for (JsonNode panel : dashboard.path("panels")) {
      JsonNode place = panel.path("gridPos");
      assertThat(ids.add(panel.path("id").asInt())).isTrue();
      for (int x = 0; x < place.path("w").asInt(); x++) {
        for (int y = 0; y < place.path("h").asInt(); y++) {
          int column = place.path("x").asInt() + x;
          assertThat(column).isLessThan(24);
          assertThat(cells.add(column + "," + (place.path("y").asInt() + y)))
              .as(panel.path("title").asText())
              .isTrue();
        }
      }
    }
  }
}
