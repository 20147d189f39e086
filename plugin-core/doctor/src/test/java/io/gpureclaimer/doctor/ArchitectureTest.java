package io.gpureclaimer.doctor;

import io.gpureclaimer.common.PackageRules;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final PackageRules RULES =
      new PackageRules(
          "doctor",
          Map.ofEntries(
              Map.entry(
                  "doctor",
                  Set.of(
                      "common.files",
                      "nvml",
                      "nvml.binding",
                      "nvml.poll",
                      "nvml.session",
                      "common.device",
                      "common.time"))));

  @Test
  void eachPackageHasARow() {
    RULES.checkThatEachPackageHasARow();
  }

  @Test
  void packagesDependOnlyOnThoseOfTheirRow() {
    RULES.checkDependencies();
  }

  @Test
  void noPackageCallsC() {
    RULES.checkThatOnly(Set.of(), "jnr..", "com.kenai..");
  }

  @Test
  void theClockIsInjected() {
    RULES.checkThatTheClockIsInjected();
  }
}
