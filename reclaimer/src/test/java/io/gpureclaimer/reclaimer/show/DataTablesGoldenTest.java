package io.gpureclaimer.reclaimer.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.api.DataTable;
import io.gpureclaimer.reclaimer.api.DataTables;
import io.gpureclaimer.reclaimer.api.OpenApi;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables for programs, whole. */
class DataTablesGoldenTest {

  @Test
  void everyTableAsCsv() {
    Golden.assertThatTextIs(
        "tables.csv",
        DataTables.ALL.stream()
            .map(table -> table.name() + "\n" + csv(table))
            .collect(Collectors.joining("\n")));
  }

  @Test
  void workloadsAsJson() {
    Golden.assertThatTextIs(
        "workloads.json",
        DataTables.named("workloads")
            .orElseThrow()
            .json(Reports.acted(), Map.of("verdict", "due"))
            .orElseThrow());
  }

  @Test
  void quotesCells() {
    assertThat(csv(DataTables.named("workloads").orElseThrow())).contains("\"", "\r\n");
  }

  @Test
  void describesItself() {
    Golden.assertThatTextIs("openapi.json", OpenApi.document());
  }

  private static String csv(DataTable<?> table) {
    return table.csv(Reports.acted(), Map.of()).orElse("cannot be read\n");
  }
}
