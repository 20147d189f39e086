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
          Map.entry("nvml", Set.of("nvml.binding", "device")),
          Map.entry("nvml.simulated", Set.of("nvml.binding")),
          Map.entry("inventory", Set.of("nvml", "device")),
          Map.entry(
              "allocation", Set.of("allocation.preference", "inventory", "device", "vocabulary")),
          Map.entry("allocation.preference", Set.of("inventory", "device")),
          Map.entry("config", Set.of("allocation", "allocation.preference", "vocabulary")),
