package io.gpureclaimer.reclaimer;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.gpureclaimer.common.PackageRules;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Stream;

/** Whom the rooms that act, tell and show may look at, and who alone may write. */
@AnalyzeClasses(packages = "io.gpureclaimer.reclaimer", importOptions = DoNotIncludeTests.class)
class ReclaimerArrowsTest {
  private static final String ROOT = "io.gpureclaimer.reclaimer.";
  private static final String[] CORE = {
    "io.gpureclaimer.common.device",
    "io.gpureclaimer.common.vocabulary",
    "io.gpureclaimer.common.trust"
  };
  private static final Set<String> WRITES = Set.of("annotate", "evict", "tell");

  @ArchTest
  static final ArchRule ACT =
      room("act", "plan", "verdict", "policy", "workload", "cluster", "evidence");

  @ArchTest
  static final ArchRule AUDIT =
      room(
          "audit",
          "audit.record",
          "act",
          "plan",
          "verdict",
          "policy",
          "workload",
          "cluster",
          "evidence");

  @ArchTest
  static final ArchRule RECORD =
      room("audit.record", "json", "verdict", "policy", "workload", "cluster", "evidence");

  @ArchTest static final ArchRule JSON = room("json");

  @ArchTest static final ArchRule CLIENT = room("client");

  @ArchTest
  static final ArchRule NOTIFY =
      room(
          "notify",
          "audit",
          "client",
          "json",
          "act",
          "plan",
          "verdict",
          "policy",
          "workload",
          "cluster");

  @ArchTest
  static final ArchRule AUDIT_LOOKS_AT_WORDS_AND_RECORDS_OF_ACT =
      noClasses()
          .that()
          .resideInAnyPackage(ROOT + "audit", ROOT + "show", ROOT + "http")
          .should()
          .dependOnClassesThat(
              resideInAPackage(ROOT + "act").and(describe("do", ReclaimerArrowsTest::does)));

  @ArchTest
  static final ArchRule SHOW =
      room(
          "show",
          "audit",
          "backtest",
          "json",
          "act",
          "plan",
          "verdict",
          "policy",
          "workload",
          "evidence",
          "cluster");

  @ArchTest
  static final ArchRule BACKTEST =
      room("backtest", "verdict", "policy", "workload", "evidence", "cluster");

  @ArchTest static final ArchRule LINT = room("lint", "policy", "workload", "json");

  @ArchTest static final ArchRule HTTP = room("http", "audit", "show", "config");

  @ArchTest
  static final ArchRule CYCLE =
      noClasses()
          .that()
          .resideInAPackage(ROOT + "cycle")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ROOT + "http", ROOT + "cli", ROOT + "show");

  @ArchTest
  static final ArchRule NOBODY_LOOKS_AT_THE_COMMANDS =
      noClasses()
          .that(not(resideInAnyPackage(ROOT + "cli", "io.gpureclaimer.reclaimer")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROOT + "cli");

  @ArchTest
  static final ArchRule CONFIG_KNOWS_NO_CONDUCTOR =
      noClasses()
          .that()
          .resideInAPackage(ROOT + "config")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "act",
              ROOT + "audit",
              ROOT + "show",
              ROOT + "backtest",
              ROOT + "cycle",
              ROOT + "http",
              ROOT + "cli");

  @ArchTest
  static final ArchRule ONLY_ACT_WRITES =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + "act")
          .should()
          .callCodeUnitWhere(isAWrite());

  /** But for optional kinds: one that cannot be read must not take the cluster with it. */
  @ArchTest
  static final ArchRule ONLY_THE_JOB_AND_THE_COMMANDS_CATCH_AN_UNREACHABLE_CLUSTER =
      classes()
          .that(describe("catch ClusterUnreachable", ReclaimerArrowsTest::catchesUnreachable))
          .should()
          .haveFullyQualifiedName(ROOT + "cycle.CycleJob")
          .orShould()
          .haveFullyQualifiedName(ROOT + "cycle.FirstLook")
          .orShould()
          .haveFullyQualifiedName(ROOT + "cli.OneLook")
          .orShould()
          .haveFullyQualifiedName(ROOT + "cluster.kubernetes.KindWatches");

  @ArchTest
  static final ArchRule NOBODY_ASKS_THE_TIME_BUT_OF_A_CLOCK =
      noClasses()
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

  private static boolean does(JavaClass type) {
    boolean data =
        type.isRecord()
            || type.isEnum()
            || (type.isInterface() && type.getSimpleName().equals("Deed"));
    return !data && !type.getSimpleName().endsWith("Sentence");
  }

  private static boolean catchesUnreachable(JavaClass type) {
    return type.getCodeUnits().stream()
        .flatMap(unit -> unit.getTryCatchBlocks().stream())
        .flatMap(block -> block.getCaughtThrowables().stream())
        .anyMatch(caught -> caught.isEquivalentTo(ClusterUnreachable.class));
  }

  private static DescribedPredicate<JavaCall<?>> isAWrite() {
    return describe(
        "is one of " + WRITES + " of the cluster",
        call ->
            call.getTargetOwner().isAssignableTo(Cluster.class) && WRITES.contains(call.getName()));
  }

  private static ArchRule room(String name, String... neighbors) {
    String[] rooms =
        Stream.concat(
                Stream.concat(Stream.of(CORE), PackageRules.FOUNDATION.stream()),
                Stream.concat(Stream.of(name), Stream.of(neighbors)).map(ROOT::concat))
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(ROOT + name)
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(rooms).or(not(resideInAPackage("io.gpureclaimer.."))));
  }
}
