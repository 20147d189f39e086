package io.gpureclaimer.nvml;

import io.gpureclaimer.common.PackageRules;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final PackageRules RULES =
      new PackageRules(
          "nvml",
          Map.ofEntries(
              Map.entry("nvml.binding", Set.of()),
              Map.entry("nvml", Set.of("nvml.binding", "common.device", "common.retry")),
              Map.entry(
                  "nvml.poll", Set.of("nvml", "nvml.session", "common.device", "common.time")),
              Map.entry("nvml.session", Set.of("nvml", "nvml.binding"))));

  @Test
  void eachPackageHasARow() {
    RULES.checkThatEachPackageHasARow();
  }

  @Test
  void packagesDependOnlyOnThoseOfTheirRow() {
    RULES.checkDependencies();
  }

  @Test
  void onlyTheBindingCallsC() {
    RULES.checkThatOnly(Set.of("nvml", "nvml.binding"), "jnr..", "com.kenai..");
  }

  @Test
  void theClockIsInjected() {
    RULES.checkThatTheClockIsInjected();
  }
}
