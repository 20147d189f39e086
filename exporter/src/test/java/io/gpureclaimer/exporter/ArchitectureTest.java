package io.gpureclaimer.exporter;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.gpureclaimer.common.PackageRules;
import java.util.ArrayList;
import java.util.List;

/** Packages that each package of the exporter may use. */
@AnalyzeClasses(
    packages = "io.gpureclaimer.exporter",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String EXPORTER = "io.gpureclaimer.exporter.";
  private static final String ROOT = "io.gpureclaimer.";

  @ArchTest static final ArchRule sample = mayUse("sample");

  @ArchTest
  static final ArchRule collect =
      mayUse("collect", ROOT + "nvml", ROOT + "nvml.poll", EXPORTER + "sample");

  @ArchTest
  static final ArchRule pass =
      mayUse(
          "collect.pass",
          ROOT + "nvml",
          EXPORTER + "collect",
          ROOT + "nvml.poll",
          EXPORTER + "sample");

  @ArchTest
  static final ArchRule fields =
      mayUse("collect.fields", ROOT + "nvml..", EXPORTER + "collect", EXPORTER + "sample");

  @ArchTest
  static final ArchRule computed =
      mayUse(
          "collect.computed",
          ROOT + "nvml",
          ROOT + "nvml.poll",
          ROOT + "deviceplugin.health",
          EXPORTER + "collect",
          EXPORTER + "sample");

  @ArchTest
  static final ArchRule attribution =
      mayUse("attribution", ROOT + "deviceplugin.kubelet", ROOT + "nvml.poll", EXPORTER + "sample");

  @ArchTest
  static final ArchRule attributionKubernetes =
      mayUse(
          "attribution.kubernetes",
          ROOT + "common.kubernetes",
          EXPORTER + "attribution",
          EXPORTER + "sample");

  @ArchTest
  static final ArchRule attributionProcess =
      mayUse("attribution.process", EXPORTER + "sample", EXPORTER + "attribution");

  @ArchTest
  static final ArchRule activity =
      mayUse("activity", EXPORTER + "sample", EXPORTER + "attribution");

  @ArchTest
  static final ArchRule exposition =
      mayUse(
          "exposition",
          EXPORTER + "exposition.text",
          EXPORTER + "exposition.own",
          EXPORTER + "sample",
          EXPORTER + "attribution",
          EXPORTER + "activity",
          EXPORTER + "counters");

  @ArchTest
  static final ArchRule text =
      mayUse("exposition.text", EXPORTER + "sample", EXPORTER + "activity", EXPORTER + "counters");

  @ArchTest
  static final ArchRule own =
      mayUse(
          "exposition.own",
          ROOT + "deviceplugin.health",
          EXPORTER + "sample",
          EXPORTER + "attribution",
          EXPORTER + "counters");

  @ArchTest static final ArchRule counters = mayUse("counters");

  @ArchTest
  static final ArchRule countersKubernetes =
      mayUse("counters.kubernetes", ROOT + "common.kubernetes", EXPORTER + "counters");

  @ArchTest
  static final ArchRule http =
      mayUse(
          "http",
          ROOT + "common.http",
          ROOT + "common.time",
          EXPORTER + "exposition..",
          EXPORTER + "config",
          EXPORTER + "web");

  @ArchTest static final ArchRule web = mayUse("web");

  @ArchTest
  static final ArchRule status =
      mayUse(
          "http.status",
          ROOT + "deviceplugin.allocation",
          ROOT + "deviceplugin.cdi",
          ROOT + "doctor",
          ROOT + "deviceplugin.health",
          ROOT + "deviceplugin.health.device",
          ROOT + "deviceplugin.kubelet",
          ROOT + "deviceplugin.plugin",
          ROOT + "deviceplugin.runtime",
          EXPORTER + "config",
          EXPORTER + "exposition..",
          EXPORTER + "sample",
          EXPORTER + "attribution",
          EXPORTER + "activity",
          EXPORTER + "counters");

  @ArchTest
  static final ArchRule config =
      mayUse(
          "config",
          ROOT + "common.http",
          EXPORTER + "activity",
          EXPORTER + "counters",
          ROOT + "simulator",
          ROOT + "common.program",
          ROOT + "common.kubernetes",
          ROOT + "deviceplugin.nodeconfig",
          EXPORTER + "devices");

  @ArchTest static final ArchRule devices = mayUse("devices", EXPORTER + "sample");

  @ArchTest
  static final ArchRule cli =
      mayUse("cli", ROOT + "common.program", ROOT + "deviceplugin.config", EXPORTER + "devices");

  /** Devices and names are values that every room may mention. */
  private static ArchRule mayUse(String name, String... mayLookAt) {
    var allowed =
        new ArrayList<>(
            List.of(
                EXPORTER + name,
                ROOT + "common.device",
                ROOT + "common.vocabulary",
                ROOT + "common.program"));
    allowed.addAll(PackageRules.FOUNDATION);
    allowed.addAll(List.of(mayLookAt));
    return ArchRuleDefinition.classes()
        .that()
        .resideInAPackage(EXPORTER + name)
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.or(
                JavaClass.Predicates.resideInAnyPackage(allowed.toArray(String[]::new)),
                JavaClass.Predicates.resideOutsideOfPackage("io.gpureclaimer..")));
  }
}
