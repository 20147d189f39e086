package io.gpureclaimer.common;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final PackageRules RULES =
      new PackageRules(
          "common",
          Map.ofEntries(
              Map.entry("common.vocabulary", Set.of()),
              Map.entry("common.device", Set.of()),
              Map.entry("common.retry", Set.of()),
              Map.entry("common.time", Set.of()),
              Map.entry("common.http", Set.of("common.time")),
              Map.entry("common.json", Set.of()),
              Map.entry("common.flags", Set.of("common.time")),
              Map.entry("common.yaml", Set.of("common.vocabulary")),
              Map.entry("common.files", Set.of()),
              Map.entry("common.kubernetes", Set.of("common.trust")),
              Map.entry("common.trust", Set.of()),
              Map.entry("common.program", Set.of("common.vocabulary"))));

  @Test
  void eachPackageHasARow() {
    RULES.checkThatEachPackageHasARow();
  }

  @Test
  void packagesDependOnlyOnThoseOfTheirRow() {
    RULES.checkDependencies();
  }

  @Test
  void onlyTheClientsPackageUsesFabric8() {
    RULES.checkThatOnly(Set.of("common.kubernetes"), "io.fabric8..");
  }

  @Test
  void theClockIsInjected() {
    RULES.checkThatTheClockIsInjected();
  }
}
