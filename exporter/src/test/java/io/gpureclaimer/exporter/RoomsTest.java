package io.gpureclaimer.exporter;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.ArrayList;
import java.util.List;

/** Which room may look into which; the table of DESIGN.md. */
@AnalyzeClasses(
    packages = "io.gpureclaimer.exporter",
    importOptions = ImportOption.DoNotIncludeTests.class)
class RoomsTest {
  private static final String EXPORTER = "io.gpureclaimer.exporter.";
  private static final String CORE = "io.gpureclaimer.core.";

  @ArchTest static final ArchRule sample = room("sample");

  @ArchTest static final ArchRule collect = room("collect", CORE + "nvml", EXPORTER + "sample");

  @ArchTest static final ArchRule driver = room("collect.driver", CORE + "nvml..");

  @ArchTest
  static final ArchRule pass =
      room(
          "collect.pass",
          CORE + "nvml",
          EXPORTER + "collect",
          EXPORTER + "collect.driver",
          EXPORTER + "sample");

  @ArchTest
  static final ArchRule fields =
      room("collect.fields", CORE + "nvml..", EXPORTER + "collect", EXPORTER + "sample");

  @ArchTest
  static final ArchRule computed =
      room(
          "collect.computed",
          CORE + "nvml",
          CORE + "health",
          EXPORTER + "collect",
          EXPORTER + "sample");

  @ArchTest
  static final ArchRule attribution = room("attribution", CORE + "kubelet", EXPORTER + "sample");

  @ArchTest
  static final ArchRule attributionKubernetes =
      room(
          "attribution.kubernetes",
          CORE + "kubernetes",
          EXPORTER + "attribution",
          EXPORTER + "sample");

  @ArchTest
  static final ArchRule attributionProcess =
      room("attribution.process", EXPORTER + "sample", EXPORTER + "attribution");

  @ArchTest
  static final ArchRule activity = room("activity", EXPORTER + "sample", EXPORTER + "attribution");

  @ArchTest
  static final ArchRule exposition =
      room(
          "exposition",
          EXPORTER + "exposition.text",
          EXPORTER + "exposition.own",
          EXPORTER + "sample",
          EXPORTER + "attribution",
          EXPORTER + "activity",
          EXPORTER + "counters");

  @ArchTest
  static final ArchRule text =
      room("exposition.text", EXPORTER + "sample", EXPORTER + "activity", EXPORTER + "counters");

  @ArchTest
  static final ArchRule own =
      room("exposition.own", CORE + "health", EXPORTER + "sample", EXPORTER + "attribution");

  @ArchTest static final ArchRule counters = room("counters");

  @ArchTest
  static final ArchRule countersKubernetes =
      room("counters.kubernetes", CORE + "kubernetes", EXPORTER + "counters");

  @ArchTest
  static final ArchRule http =
      room("http", EXPORTER + "exposition..", EXPORTER + "config", EXPORTER + "web");

  @ArchTest static final ArchRule web = room("web", CORE + "config");

  @ArchTest static final ArchRule dump = room("dump", EXPORTER + "sample");

  @ArchTest
  static final ArchRule status =
      room(
          "http.status",
          CORE + "allocation",
          CORE + "cdi",
          CORE + "doctor",
          CORE + "health",
          CORE + "health.device",
          CORE + "kubelet",
          CORE + "plugin",
          EXPORTER + "deviceplugin",
          EXPORTER + "config",
          EXPORTER + "exposition..",
          EXPORTER + "sample",
          EXPORTER + "attribution",
          EXPORTER + "activity",
          EXPORTER + "counters");

  @ArchTest
  static final ArchRule config =
      room(
          "config",
          EXPORTER + "activity",
          EXPORTER + "counters",
          CORE + "nvml.simulated",
          CORE + "program",
          CORE + "kubernetes",
          CORE + "nodeconfig",
          EXPORTER + "devices");

  @ArchTest
  static final ArchRule devicePlugin =
      room(
          "deviceplugin",
          CORE + "allocation",
          CORE + "cdi",
          CORE + "config",
          CORE + "doctor",
          CORE + "files",
          CORE + "health.device",
          CORE + "inventory",
          CORE + "kubelet",
          CORE + "labels",
          CORE + "mps",
          CORE + "nodeconfig",
          CORE + "nodeevents",
          CORE + "nvml",
          CORE + "plugin",
          EXPORTER + "collect.driver",
          EXPORTER + "exposition");

  @ArchTest
  static final ArchRule devicePluginKubernetes =
      room(
          "deviceplugin.kubernetes",
          CORE + "kubernetes",
          CORE + "labels..",
          CORE + "nodeconfig..",
          CORE + "nodeevents..");

  @ArchTest static final ArchRule devices = room("devices", EXPORTER + "sample");

  @ArchTest
  static final ArchRule cli = room("cli", CORE + "program", CORE + "config", EXPORTER + "devices");

  /** Devices and names are values that every room may mention. */
  private static ArchRule room(String name, String... mayLookAt) {
    var allowed = new ArrayList<>(List.of(EXPORTER + name, CORE + "device", CORE + "vocabulary"));
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
