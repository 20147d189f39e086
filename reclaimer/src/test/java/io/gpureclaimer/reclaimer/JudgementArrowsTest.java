package io.gpureclaimer.reclaimer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;

@AnalyzeClasses(packages = "io.gpureclaimer", importOptions = DoNotIncludeTests.class)
class JudgementArrowsTest {
  private static final String ROOT = "io.gpureclaimer.reclaimer.";
  private static final String[] PURE = {
    ROOT + "evidence",
    ROOT + "workload",
    ROOT + "policy",
    ROOT + "verdict",
    ROOT + "plan",
    ROOT + "backtest"
  };

  @ArchTest
  static final ArchRule evidenceKnowsDevicesOnly =
      room("evidence", "io.gpureclaimer.common.device");

  @ArchTest static final ArchRule workloadKnowsTheClusterOnly = room("workload", ROOT + "cluster");

  @ArchTest
  static final ArchRule policyKnowsWorkloadsSignalsAndTheClusterOnly =
      room(
          "policy",
          ROOT + "workload",
          ROOT + "evidence",
          ROOT + "cluster",
          "io.gpureclaimer.common.vocabulary");

  @ArchTest
  static final ArchRule verdictKnowsPolicyAndEvidenceOnly =
      room(
          "verdict",
          ROOT + "policy",
          ROOT + "workload",
          ROOT + "evidence",
          ROOT + "cluster",
          "io.gpureclaimer.common.device",
          "io.gpureclaimer.common.vocabulary");

  @ArchTest
  static final ArchRule planKnowsVerdictsAndTheClusterOnly =
      room(
          "plan",
          ROOT + "verdict",
          ROOT + "policy",
          ROOT + "workload",
          ROOT + "cluster",
          ROOT + "evidence",
          "io.gpureclaimer.common.vocabulary");

  @ArchTest
  static final ArchRule theJudgmentHasNoClock =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class)
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime");

  private static ArchRule room(String name, String... neighbors) {
    String[] allowed =
        Stream.concat(
                Stream.of(
                    "java.lang..",
                    "java.util..",
                    "java.time..",
                    "org.jspecify..",
                    "io.gpureclaimer.common.time",
                    ROOT + name),
                Arrays.stream(neighbors))
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(ROOT + name)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed);
  }
}
