package io.gpureclaimer.reclaimer.cluster;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
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
import java.util.Set;

@AnalyzeClasses(packages = "io.gpureclaimer", importOptions = DoNotIncludeTests.class)
class ClusterArrowsTest {
  private static final String CORE_DEVICE = "io.gpureclaimer.common.device";
  private static final String VOCABULARY = "io.gpureclaimer.common.vocabulary";
  private static final String CORE_KUBERNETES = "io.gpureclaimer.common.kubernetes";
  private static final String PORT = "io.gpureclaimer.reclaimer.cluster";
  private static final String KUBERNETES = PORT + ".kubernetes..";
  private static final String SIMULATED = PORT + ".simulated..";

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

  @ArchTest static final ArchRule THE_PORT_KNOWS_NOBODY = mayLookAt(PORT, CORE_DEVICE, PORT);

  @ArchTest
  static final ArchRule KUBERNETES_LOOKS_AT_THE_PORT =
      mayLookAt(KUBERNETES, VOCABULARY, CORE_DEVICE, CORE_KUBERNETES, PORT, KUBERNETES);

  @ArchTest
  static final ArchRule THE_SIMULATOR_LOOKS_AT_THE_PORT =
      mayLookAt(
          SIMULATED,
          VOCABULARY,
          CORE_DEVICE,
          PORT,
          SIMULATED,
          "io.gpureclaimer.reclaimer.evidence");

  @ArchTest
  static final ArchRule READING_IS_PURE =
      noClasses()
          .that()
          .resideInAPackage(PORT + ".kubernetes.reading")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.fabric8.kubernetes.client..", "org.slf4j..", "java.net..");

  @ArchTest
  static final ArchRule ONLY_KUBERNETES_KNOWS_FABRIC8 =
      noClasses()
          .that()
          .resideInAPackage("io.gpureclaimer.reclaimer..")
          .and()
          .resideOutsideOfPackage(KUBERNETES)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.fabric8..");

  @ArchTest
  static final ArchRule NOTHING_IS_DELETED_AND_NO_SECRET_READ =
      noClasses()
          .that()
          .resideInAPackage(KUBERNETES)
          .should()
          .callCodeUnitWhere(forbiddenVerb())
          .orShould()
          .dependOnClassesThat(
              describe(
                  "are Secrets", (JavaClass type) -> type.getSimpleName().startsWith("Secret")));

  private static DescribedPredicate<JavaCall<?>> forbiddenVerb() {
    return describe(
        "is one of " + FORBIDDEN_VERBS + " of the Kubernetes client",
        call ->
            call.getTargetOwner().getPackageName().startsWith("io.fabric8")
                && FORBIDDEN_VERBS.contains(call.getName()));
  }

  private static ArchRule mayLookAt(String from, String... rooms) {
    return classes()
        .that()
        .resideInAPackage(from)
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(rooms)
                .or(resideInAnyPackage(PackageRules.FOUNDATION.toArray(String[]::new)))
                .or(DescribedPredicate.not(resideInAnyPackage("io.gpureclaimer.."))));
  }
}
