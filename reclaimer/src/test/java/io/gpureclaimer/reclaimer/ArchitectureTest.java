package io.gpureclaimer.reclaimer;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import io.gpureclaimer.common.PackageRules;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String ROOT = "io.gpureclaimer.reclaimer.";
  private static final Set<String> WRITES =
      Set.of("annotate", "change", "create", "delete", "evict", "recordEvent", "update");

  /** The one method through which objects are deleted. */
  private static final String DELETION = ROOT + "cluster.kubernetes.ApiServer.delete(";

  private static final String[] JUDGMENT = {
    ROOT + "evidence",
    ROOT + "workload",
    ROOT + "policy",
    ROOT + "verdict",
    ROOT + "plan",
    ROOT + "backtest"
  };

  /** What each evidence format may use; no format knows another one. */
  private static final Set<String> EVIDENCE_FORMAT =
      Set.of(
          "common.device",
          "common.vocabulary",
          "reclaimer.client",
          "reclaimer.evidence",
          "reclaimer.evidence.format",
          "reclaimer.evidence.prometheus");

  /** What the folder of an action may use; no action knows another one. */
  private static final Set<String> VERB =
      Set.of("reclaimer.action", "reclaimer.cluster", "reclaimer.workload");

  /** Verbs that no class of ours may call on the client, and what may not even be mentioned. */
  private static final Set<String> FORBIDDEN_VERBS =
      Set.of(
          "delete",
          "deletingExisting",
          "evict",
          "exec",
          "attach",
          "portForward",
          "secrets",
          "scale");

  private static final PackageRules RULES =
      new PackageRules(
          "reclaimer",
          Map.ofEntries(
              Map.entry("reclaimer", Set.of("reclaimer.cli")),
              Map.entry("reclaimer.access", Set.of("common.time", "reclaimer.cluster")),
              Map.entry(
                  "reclaimer.action",
                  Set.of(
                      "common.vocabulary",
                      "reclaimer.action.evict",
                      "reclaimer.action.scale",
                      "reclaimer.action.stop",
                      "reclaimer.action.suspend",
                      "reclaimer.cluster",
                      "reclaimer.workload")),
              Map.entry("reclaimer.action.scale", VERB),
              Map.entry("reclaimer.action.stop", VERB),
              Map.entry("reclaimer.action.suspend", VERB),
              Map.entry("reclaimer.action.evict", VERB),
              Map.entry(
                  "reclaimer.api",
                  Set.of(
                      "reclaimer.audit",
                      "reclaimer.cluster",
                      "reclaimer.json",
                      "reclaimer.page",
                      "reclaimer.plan",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.audit",
                  Set.of(
                      "common.device",
                      "reclaimer.action",
                      "reclaimer.audit.record",
                      "reclaimer.cluster",
                      "reclaimer.evidence",
                      "reclaimer.execution",
                      "reclaimer.plan",
                      "reclaimer.policy",
                      "reclaimer.reclamation",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.audit.record",
                  Set.of(
                      "common.device",
                      "reclaimer.action",
                      "reclaimer.cluster",
                      "reclaimer.evidence",
                      "reclaimer.json",
                      "reclaimer.policy",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.backtest",
                  Set.of(
                      "common.device",
                      "common.vocabulary",
                      "reclaimer.cluster",
                      "reclaimer.evidence",
                      "reclaimer.policy",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.cli",
                  Set.of(
                      "common.program",
                      "reclaimer.audit",
                      "reclaimer.audit.record",
                      "reclaimer.backtest",
                      "reclaimer.cluster",
                      "reclaimer.cluster.simulated",
                      "reclaimer.config",
                      "reclaimer.cycle",
                      "reclaimer.evidence",
                      "reclaimer.evidence.prometheus",
                      "reclaimer.execution",
                      "reclaimer.plan",
                      "reclaimer.evidence.source",
                      "reclaimer.evidence.utilization",
                      "reclaimer.json",
                      "reclaimer.lint",
                      "reclaimer.policy",
                      "reclaimer.reclamation",
                      "reclaimer.rightsize",
                      "reclaimer.show",
                      "reclaimer.simulate",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry("reclaimer.client", Set.of("common.trust")),
              Map.entry("reclaimer.cluster", Set.of()),
              Map.entry(
                  "reclaimer.cluster.kubernetes",
                  Set.of(
                      "common.kubernetes",
                      "reclaimer.cluster",
                      "reclaimer.cluster.kubernetes.lease",
                      "reclaimer.cluster.kubernetes.parser")),
              Map.entry("reclaimer.cluster.kubernetes.lease", Set.of("reclaimer.cluster")),
              Map.entry(
                  "reclaimer.cluster.kubernetes.parser",
                  Set.of("common.vocabulary", "reclaimer.cluster")),
              Map.entry(
                  "reclaimer.cluster.simulated",
                  Set.of("common.device", "common.vocabulary", "reclaimer.cluster")),
              Map.entry(
                  "reclaimer.config",
                  Set.of(
                      "common.http",
                      "common.kubernetes",
                      "common.program",
                      "common.vocabulary",
                      "reclaimer.action",
                      "reclaimer.cluster.kubernetes",
                      "reclaimer.cluster.kubernetes.lease",
                      "reclaimer.cluster.kubernetes.parser",
                      "reclaimer.evidence",
                      "reclaimer.evidence.direct",
                      "reclaimer.evidence.prometheus",
                      "reclaimer.evidence.source",
                      "reclaimer.notify",
                      "reclaimer.plan",
                      "reclaimer.policy")),
              Map.entry(
                  "reclaimer.cycle",
                  Set.of(
                      "common.kubernetes",
                      "common.retry",
                      "reclaimer.action",
                      "reclaimer.audit",
                      "reclaimer.audit.record",
                      "reclaimer.cluster",
                      "reclaimer.cluster.kubernetes",
                      "reclaimer.cluster.kubernetes.lease",
                      "reclaimer.config",
                      "reclaimer.evidence",
                      "reclaimer.evidence.direct",
                      "reclaimer.evidence.prometheus",
                      "reclaimer.evidence.source",
                      "reclaimer.execution",
                      "reclaimer.notify",
                      "reclaimer.plan",
                      "reclaimer.policy",
                      "reclaimer.reclamation",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.reclamation",
                  Set.of(
                      "common.vocabulary",
                      "reclaimer.action",
                      "reclaimer.cluster",
                      "reclaimer.plan",
                      "reclaimer.policy",
                      "reclaimer.workload")),
              Map.entry("reclaimer.evidence", Set.of("common.device", "common.vocabulary")),
              Map.entry(
                  "reclaimer.evidence.direct",
                  Set.of(
                      "common.device",
                      "common.vocabulary",
                      "reclaimer.evidence",
                      "reclaimer.evidence.format",
                      "reclaimer.evidence.ledger")),
              Map.entry(
                  "reclaimer.evidence.format",
                  Set.of(
                      "common.device",
                      "common.vocabulary",
                      "reclaimer.client",
                      "reclaimer.evidence",
                      "reclaimer.evidence.prometheus")),
              Map.entry("reclaimer.evidence.ledger", EVIDENCE_FORMAT),
              Map.entry(
                  "reclaimer.evidence.prometheus",
                  Set.of("reclaimer.client", "reclaimer.evidence")),
              Map.entry("reclaimer.evidence.rules", EVIDENCE_FORMAT),
              Map.entry("reclaimer.evidence.series", EVIDENCE_FORMAT),
              Map.entry(
                  "reclaimer.evidence.source",
                  Set.of(
                      "common.device",
                      "reclaimer.evidence",
                      "reclaimer.evidence.format",
                      "reclaimer.evidence.ledger",
                      "reclaimer.evidence.prometheus",
                      "reclaimer.evidence.rules",
                      "reclaimer.evidence.series")),
              Map.entry(
                  "reclaimer.evidence.utilization",
                  Set.of(
                      "common.device",
                      "common.time",
                      "common.vocabulary",
                      "reclaimer.evidence",
                      "reclaimer.evidence.format",
                      "reclaimer.evidence.prometheus")),
              Map.entry(
                  "reclaimer.execution",
                  Set.of(
                      "common.retry",
                      "common.vocabulary",
                      "reclaimer.action",
                      "reclaimer.reclamation",
                      "reclaimer.cluster",
                      "reclaimer.evidence",
                      "reclaimer.plan",
                      "reclaimer.policy",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.http",
                  Set.of(
                      "common.files",
                      "common.http",
                      "common.time",
                      "reclaimer.access",
                      "reclaimer.api",
                      "reclaimer.audit",
                      "reclaimer.cluster",
                      "reclaimer.config",
                      "reclaimer.evidence.utilization",
                      "reclaimer.json",
                      "reclaimer.page",
                      "reclaimer.request",
                      "reclaimer.show",
                      "reclaimer.verdict")),
              Map.entry("reclaimer.json", Set.of()),
              Map.entry("reclaimer.lint", Set.of("reclaimer.json", "reclaimer.policy")),
              Map.entry(
                  "reclaimer.notify",
                  Set.of(
                      "reclaimer.action",
                      "reclaimer.audit",
                      "reclaimer.client",
                      "reclaimer.cluster",
                      "reclaimer.execution",
                      "reclaimer.json",
                      "reclaimer.plan",
                      "reclaimer.policy",
                      "reclaimer.reclamation",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.page",
                  Set.of(
                      "reclaimer.audit",
                      "reclaimer.cluster",
                      "reclaimer.evidence",
                      "reclaimer.evidence.utilization",
                      "reclaimer.execution",
                      "reclaimer.plan",
                      "reclaimer.policy",
                      "reclaimer.request",
                      "reclaimer.show",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.plan",
                  Set.of(
                      "common.vocabulary",
                      "reclaimer.action",
                      "reclaimer.cluster",
                      "reclaimer.evidence",
                      "reclaimer.policy",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.policy",
                  Set.of(
                      "common.vocabulary",
                      "reclaimer.cluster",
                      "reclaimer.evidence",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.request",
                  Set.of(
                      "common.vocabulary",
                      "reclaimer.access",
                      "reclaimer.cluster",
                      "reclaimer.policy",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.simulate",
                  Set.of(
                      "common.device",
                      "common.vocabulary",
                      "reclaimer.cluster",
                      "reclaimer.cluster.simulated",
                      "reclaimer.evidence")),
              Map.entry(
                  "reclaimer.rightsize",
                  Set.of(
                      "common.device",
                      "reclaimer.backtest",
                      "reclaimer.cluster",
                      "reclaimer.evidence",
                      "reclaimer.evidence.utilization",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.show",
                  Set.of(
                      "common.device",
                      "reclaimer.action",
                      "reclaimer.audit",
                      "reclaimer.backtest",
                      "reclaimer.cluster",
                      "reclaimer.evidence",
                      "reclaimer.execution",
                      "reclaimer.json",
                      "reclaimer.plan",
                      "reclaimer.policy",
                      "reclaimer.rightsize",
                      "reclaimer.simulate",
                      "reclaimer.verdict",
                      "reclaimer.workload")),
              Map.entry(
                  "reclaimer.verdict",
                  Set.of(
                      "common.device",
                      "common.vocabulary",
                      "reclaimer.action",
                      "reclaimer.cluster",
                      "reclaimer.evidence",
                      "reclaimer.policy",
                      "reclaimer.workload")),
              Map.entry("reclaimer.workload", Set.of("reclaimer.cluster"))));

  @Test
  void everyPackageHasARow() {
    RULES.checkThatEachPackageHasARow();
  }

  @Test
  void packagesDependOnlyOnThoseListed() {
    RULES.checkDependencies();
  }

  @Test
  void theJudgmentIsPure() {
    classes()
        .that()
        .resideInAnyPackage(JUDGMENT)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java.lang..", "java.util..", "java.time..", "org.jspecify..", "io.gpureclaimer..")
        .check(RULES.classes());
  }

  @Test
  void theJudgmentHasNoClock() {
    noClasses()
        .that()
        .resideInAnyPackage(JUDGMENT)
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .orShould()
        .callMethod(System.class, "nanoTime")
        .check(RULES.classes());
  }

  @Test
  void theClockIsInjected() {
    noClasses()
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(RULES.classes());
  }

  @Test
  void onlyActionsAndTheExecutionOfPlansWrite() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT + "action..",
            ROOT + "cluster",
            ROOT + "execution",
            ROOT + "reclamation",
            ROOT + "request")
        .should()
        .callCodeUnitWhere(
            describe(
                "is one of " + WRITES + " of the cluster",
                call ->
                    call.getTargetOwner().isAssignableTo(Cluster.class)
                        && WRITES.contains(call.getName())))
        .check(RULES.classes());
  }

  @Test
  void auditAndShowUseOnlyDataOfTheExecution() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + "audit", ROOT + "show", ROOT + "http")
        .should()
        .dependOnClassesThat(
            resideInAPackage(ROOT + "execution").and(describe("act", ArchitectureTest::acts)))
        .check(RULES.classes());
  }

  /**
   * Optional kinds are an exception: one that cannot be read must not take the cluster with it. So
   * are nominated nodes, which are tried again within a second.
   */
  @Test
  void onlyTheJobAndTheCommandsCatchAnUnreachableCluster() {
    classes()
        .that(describe("catch ClusterUnreachable", ArchitectureTest::catchesUnreachable))
        .should()
        .haveFullyQualifiedName(ROOT + "cycle.CycleJob")
        .orShould()
        .haveFullyQualifiedName(ROOT + "cycle.StartupWait")
        .orShould()
        .haveFullyQualifiedName(ROOT + "cli.SingleRun")
        .orShould()
        .haveFullyQualifiedName(ROOT + "cluster.kubernetes.KindWatches")
        .orShould()
        .haveFullyQualifiedName(ROOT + "reclamation.ReclamationReconciler")
        .orShould()
        .haveFullyQualifiedName(ROOT + "execution.NominatedNodes")
        .check(RULES.classes());
  }

  @Test
  void readersOfKubernetesObjectsArePure() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "cluster.kubernetes.parser")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.fabric8.kubernetes.client..", "org.slf4j..", "java.net..")
        .check(RULES.classes());
  }

  @Test
  void onlyTheKubernetesPackagesUseItsClient() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + "cluster.kubernetes..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.fabric8..")
        .check(RULES.classes());
  }

  /** Deletions go through the one method that the next rule leaves to the records of actions. */
  @Test
  void nothingIsDeletedElsewhereAndNoSecretIsRead() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "cluster.kubernetes..")
        .should()
        .callCodeUnitWhere(
            describe(
                "is one of " + FORBIDDEN_VERBS + " of the Kubernetes client",
                call ->
                    call.getTargetOwner().getPackageName().startsWith("io.fabric8")
                        && FORBIDDEN_VERBS.contains(call.getName())
                        && !call.getOrigin().getFullName().startsWith(DELETION)))
        .orShould()
        .dependOnClassesThat(
            describe("are Secrets", type -> type.getSimpleName().startsWith("Secret")))
        .check(RULES.classes());
  }

  @Test
  void onlyRecordsOfActionsAreDeleted() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(ROOT + "cluster.kubernetes.ReclamationApi")
        .should()
        .callCodeUnitWhere(
            describe("is " + DELETION, call -> call.getTarget().getFullName().startsWith(DELETION)))
        .check(RULES.classes());
  }

  private static boolean acts(JavaClass type) {
    return !type.isRecord() && !type.isInterface();
  }

  private static boolean catchesUnreachable(JavaClass type) {
    return type.getCodeUnits().stream()
        .flatMap(unit -> unit.getTryCatchBlocks().stream())
        .flatMap(block -> block.getCaughtThrowables().stream())
        .anyMatch(caught -> caught.isEquivalentTo(ClusterUnreachable.class));
  }
}
