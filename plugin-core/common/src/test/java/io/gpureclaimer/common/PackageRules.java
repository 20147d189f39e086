package io.gpureclaimer.common;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Allowed dependencies between the packages of a module: one row for each package. */
public final class PackageRules {
  private static final String ROOT = "io.gpureclaimer.";

  /** Mechanisms without knowledge of GPUs or Kubernetes; any package may use them. */
  public static final List<String> FOUNDATION =
      List.of(
          ROOT + "common.time",
          ROOT + "common.json",
          ROOT + "common.yaml",
          ROOT + "common.files",
          ROOT + "common.flags",
          ROOT + "common.retry");

  private final String module;
  private final Map<String, Set<String>> allowed;
  private final JavaClasses classes;

  /**
   * @param module the module's package below {@code io.gpureclaimer}
   * @param allowed for each package of the module the packages it may depend on, all named below
   *     {@code io.gpureclaimer}
   */
  public PackageRules(String module, Map<String, Set<String>> allowed) {
    this.module = module;
    this.allowed = Map.copyOf(allowed);
    this.classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT + module)
            .that(resideInAnyPackage(ROOT + module, ROOT + module + ".."));
  }

  /** The main classes of the module. */
  public JavaClasses classes() {
    return classes;
  }

  /** Fails on a package without a row, and on a row without a package. */
  public void checkThatEachPackageHasARow() {
    Set<String> packages =
        classes.stream()
            .map(JavaClass::getPackageName)
            .map(name -> name.substring(ROOT.length()))
            .collect(Collectors.toSet());
    assertThat(packages).isEqualTo(allowed.keySet());
  }

  /** Fails on a dependency that the row of its package does not list. */
  public void checkDependencies() {
    allowed.forEach(
        (from, to) -> {
          List<String> packages = new ArrayList<>(FOUNDATION);
          packages.add(ROOT + from);
          to.forEach(name -> packages.add(ROOT + name));
          noClasses()
              .that(resideInAPackage(ROOT + from))
              .should()
              .dependOnClassesThat(
                  resideInAPackage("io.gpureclaimer..")
                      .and(not(resideInAnyPackage(packages.toArray(String[]::new)))))
              .check(classes);
        });
  }

  /**
   * Fails when a package outside of {@code permitted} depends on one of {@code libraries}.
   *
   * @param permitted packages below {@code io.gpureclaimer}
   * @param libraries package patterns, such as {@code io.fabric8..}
   */
  public void checkThatOnly(Set<String> permitted, String... libraries) {
    noClasses()
        .that(not(resideInAnyPackage(permitted.stream().map(ROOT::concat).toArray(String[]::new))))
        .should()
        .dependOnClassesThat(resideInAnyPackage(libraries))
        .allowEmptyShould(true)
        .check(classes);
  }

  /** Fails when a class reads the system clock itself instead of an injected one. */
  public void checkThatTheClockIsInjected() {
    noClasses()
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(Clock.class, "systemUTC")
        .orShould()
        .callMethod(InstantSource.class, "system")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .because(module + " must run in simulated time")
        .check(classes);
  }
}
