package io.gpureclaimer.simulator;

import io.gpureclaimer.common.PackageRules;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final PackageRules RULES =
      new PackageRules("simulator", Map.ofEntries(Map.entry("simulator", Set.of("nvml.binding"))));

  @Test
  void eachPackageHasARow() {
    RULES.checkThatEachPackageHasARow();
  }

  @Test
  void packagesDependOnlyOnThoseOfTheirRow() {
    RULES.checkDependencies();
  }

  @Test
  void theClockIsInjected() {
    RULES.checkThatTheClockIsInjected();
  }
}
