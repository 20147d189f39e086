package io.gpureclaimer.core;

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
import org.junit.jupiter.api.Test;

/** Holds the arrows between the packages, as DESIGN.md has them: a row for each package. */
class ArchitectureTest {
  private static final String CORE = "io.gpureclaimer.core.";
  private static final Map<String, Set<String>> MAY_LOOK_AT =
      Map.ofEntries(
          Map.entry("vocabulary", Set.of()),
          Map.entry("device", Set.of()),
          Map.entry("nvml.binding", Set.of()),
          Map.entry("retry", Set.of()),
          Map.entry("nvml", Set.of("nvml.binding", "device", "retry")),
          Map.entry("nvml.simulated", Set.of("nvml.binding")),
          Map.entry("inventory", Set.of("nvml", "device")),
          Map.entry("health", Set.of("device")),
          Map.entry("health.device", Set.of("health", "inventory", "nvml", "device")),
          Map.entry(
              "allocation", Set.of("allocation.preference", "inventory", "device", "vocabulary")),
          Map.entry("allocation.preference", Set.of("inventory", "device")),
          Map.entry("config", Set.of("allocation", "allocation.preference", "cdi", "vocabulary")),
          Map.entry("files", Set.of()),
          Map.entry(
              "cdi",
              Set.of("cdi.spec", "cdi.driver", "files", "inventory", "device", "vocabulary")),
          Map.entry("cdi.spec", Set.of()),
          Map.entry("cdi.driver", Set.of("files")),
          Map.entry("mps", Set.of("nvml", "device", "retry")),
          Map.entry("plugin", Set.of("allocation")),
          Map.entry("kubelet", Set.of("plugin", "allocation", "device", "retry")),
          Map.entry("labels", Set.of("allocation", "inventory", "device", "vocabulary", "retry")),
          Map.entry("labels.kubernetes", Set.of("labels", "kubernetes")),
          Map.entry("nodeconfig", Set.of()),
          Map.entry("nodeconfig.kubernetes", Set.of("nodeconfig", "kubernetes")),
          Map.entry("nodeevents", Set.of("retry")),
          Map.entry("nodeevents.kubernetes", Set.of("nodeevents", "kubernetes")),
          Map.entry("doctor", Set.of("files", "nvml", "inventory", "device")),
          Map.entry("kubernetes", Set.of("trust")),
          Map.entry("trust", Set.of()),
          Map.entry("program", Set.of("vocabulary")));
  private static final Set<String> BINDING = Set.of("nvml", "nvml.binding", "nvml.simulated");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.gpureclaimer.core");

  @Test
  void everyPackageHasARow() {
    Set<String> packages =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .map(name -> name.substring(CORE.length()))
            .collect(Collectors.toSet());

    assertThat(packages).isEqualTo(MAY_LOOK_AT.keySet());
  }

  @Test
  void noPackageLooksWhereItsRowDoesNotPoint() {
    MAY_LOOK_AT.forEach(
        (from, to) -> {
          List<String> allowed = new ArrayList<>(List.of(CORE + from));
          to.forEach(name -> allowed.add(CORE + name));
          noClasses()
              .that(resideInAPackage(CORE + from))
              .should()
              .dependOnClassesThat(
                  resideInAPackage("io.gpureclaimer..")
                      .and(not(resideInAnyPackage(allowed.toArray(String[]::new)))))
              .check(CLASSES);
        });
  }

  @Test
  void onlyTheBindingKnowsHowCIsCalled() {
    noClasses()
        .that(not(resideInAnyPackage(BINDING.stream().map(CORE::concat).toArray(String[]::new))))
        .should()
        .dependOnClassesThat(resideInAnyPackage("jnr..", "com.kenai.."))
        .check(CLASSES);
  }

  @Test
  void onlyTheKubeletsRoomsKnowItsProtocols() {
    noClasses()
        .that(not(resideInAnyPackage(CORE + "kubelet", CORE + "plugin")))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("v1", "v1beta1", "io.grpc..", "com.google.protobuf..", "io.netty.."))
        .check(CLASSES);
  }

  @Test
  void onlyTheirRoomsKnowTheApiServersClient() {
    noClasses()
        .that(
            not(
                resideInAnyPackage(
                    CORE + "kubernetes",
                    CORE + "labels.kubernetes",
                    CORE + "nodeconfig.kubernetes",
                    CORE + "nodeevents.kubernetes")))
        .should()
        .dependOnClassesThat(resideInAnyPackage("io.fabric8.."))
        .check(CLASSES);
  }

  @Test
  void nobodyLooksAtTheClock() {
    noClasses()
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(Clock.class, "systemUTC")
        .orShould()
        .callMethod(InstantSource.class, "system")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(CLASSES);
  }
}
