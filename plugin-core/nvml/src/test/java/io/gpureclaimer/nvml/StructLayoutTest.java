package io.gpureclaimer.nvml;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlBar1Memory;
import io.gpureclaimer.nvml.binding.NvmlConfComputeSystemState;
import io.gpureclaimer.nvml.binding.NvmlConstants;
import io.gpureclaimer.nvml.binding.NvmlDeviceAttributes;
import io.gpureclaimer.nvml.binding.NvmlEccSramErrorStatus;
import io.gpureclaimer.nvml.binding.NvmlEventData;
import io.gpureclaimer.nvml.binding.NvmlFieldIds;
import io.gpureclaimer.nvml.binding.NvmlFieldValue;
import io.gpureclaimer.nvml.binding.NvmlGpmMetrics;
import io.gpureclaimer.nvml.binding.NvmlGpmSupport;
import io.gpureclaimer.nvml.binding.NvmlGpuFabricInfo;
import io.gpureclaimer.nvml.binding.NvmlGridLicensableFeature;
import io.gpureclaimer.nvml.binding.NvmlGridLicensableFeatures;
import io.gpureclaimer.nvml.binding.NvmlGridLicenseExpiry;
import io.gpureclaimer.nvml.binding.NvmlMarginTemperature;
import io.gpureclaimer.nvml.binding.NvmlMemory;
import io.gpureclaimer.nvml.binding.NvmlMemoryV2;
import io.gpureclaimer.nvml.binding.NvmlPciInfo;
import io.gpureclaimer.nvml.binding.NvmlPlatformInfo;
import io.gpureclaimer.nvml.binding.NvmlProcessInfo;
import io.gpureclaimer.nvml.binding.NvmlProcessUtilizationSample;
import io.gpureclaimer.nvml.binding.NvmlRowRemapperHistogramValues;
import io.gpureclaimer.nvml.binding.NvmlSample;
import io.gpureclaimer.nvml.binding.NvmlUtilization;
import io.gpureclaimer.nvml.binding.NvmlValue;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Java takes the structs and constants of nvml.h to be is what a C compiler says they are. */
class StructLayoutTest {
  private static final Runtime RUNTIME = Runtime.getSystemRuntime();
  private static final Map<String, Struct> STRUCTS =
      Map.ofEntries(
          Map.entry("nvmlPciInfo_t", new NvmlPciInfo(RUNTIME)),
          Map.entry("nvmlUtilization_t", new NvmlUtilization(RUNTIME)),
          Map.entry("nvmlMemory_t", new NvmlMemory(RUNTIME)),
          Map.entry("nvmlMemory_v2_t", new NvmlMemoryV2(RUNTIME)),
          Map.entry("nvmlValue_t", new NvmlValue(RUNTIME)),
          Map.entry("nvmlFieldValue_t", new NvmlFieldValue(RUNTIME)),
          Map.entry("nvmlGridLicenseExpiry_t", new NvmlGridLicenseExpiry(RUNTIME)),
          Map.entry("nvmlGridLicensableFeature_t", new NvmlGridLicensableFeature(RUNTIME)),
          Map.entry("nvmlGridLicensableFeatures_t", new NvmlGridLicensableFeatures(RUNTIME)),
          Map.entry("nvmlBAR1Memory_t", new NvmlBar1Memory(RUNTIME)),
          Map.entry(
              "nvmlRowRemapperHistogramValues_t", new NvmlRowRemapperHistogramValues(RUNTIME)),
          Map.entry("nvmlGpmSupport_t", new NvmlGpmSupport(RUNTIME)),
          Map.entry("nvmlConfComputeSystemState_t", new NvmlConfComputeSystemState(RUNTIME)),
          Map.entry("nvmlMarginTemperature_v1_t", new NvmlMarginTemperature(RUNTIME)),
          Map.entry("nvmlEccSramErrorStatus_v1_t", new NvmlEccSramErrorStatus(RUNTIME)),
          Map.entry("nvmlGpuFabricInfo_v3_t", new NvmlGpuFabricInfo(RUNTIME)),
          Map.entry("nvmlPlatformInfo_v2_t", new NvmlPlatformInfo(RUNTIME)),
          Map.entry("nvmlDeviceAttributes_t", new NvmlDeviceAttributes(RUNTIME)),
          Map.entry("nvmlEventData_t", new NvmlEventData(RUNTIME)),
          Map.entry("nvmlProcessInfo_v2_t", new NvmlProcessInfo(RUNTIME)),
          Map.entry("nvmlProcessUtilizationSample_t", new NvmlProcessUtilizationSample(RUNTIME)),
          Map.entry("nvmlSample_t", new NvmlSample(RUNTIME)));

  /** Structs that an older header may lack altogether. */
  private static final Set<String> NEWER_STRUCTS =
      Set.of(
          "nvmlConfComputeSystemState_t",
          "nvmlMarginTemperature_v1_t",
          "nvmlEccSramErrorStatus_v1_t",
          "nvmlGpuFabricInfo_v3_t",
          "nvmlPlatformInfo_v2_t");

  /** Newer than the header that Debian ships; an older library never uses it. */
  private static final Set<String> NEWER =
      Set.of(
          "offsetof nvmlValue_t siVal 0",
          "constant NVML_VALUE_TYPE_SIGNED_INT 5",
          "constant NVML_VALUE_TYPE_UNSIGNED_SHORT 6",
          "constant NVML_ERROR_DEPRECATED 26",
          "constant NVML_GPU_FABRIC_STATE_COMPLETED 3");

  /** {@code UINT_MAX} has no name in the header. */
  private static final Set<String> UNNAMED = Set.of("constant ALL_LINKS -1");

  @TempDir private Path folder;

  @Test
  void theStructsAreThoseOfTheStub() {
    assertThat(printed(List.of())).isEqualTo(layouts());
  }

  @Test
  void theStructsAreThoseOfTheRealHeader() {
    Set<String> real = printed(realHeader());
    real.removeIf(line -> !isLayout(line));

    Set<String> ours = layouts();
    NEWER_STRUCTS.stream()
        .filter(name -> real.stream().noneMatch(line -> line.startsWith("sizeof " + name)))
        .forEach(name -> ours.removeIf(line -> line.contains(' ' + name + ' ')));
    assertThat(real).isEqualTo(ours);
  }

  @Test
  void theFieldIdsAreThoseOfTheRealHeader_asFarAsItGoes() throws IOException {
    Set<String> ours = constants(NvmlFieldIds.class);
    Path asked = folder.resolve("field_ids.h");
    Files.write(
        asked,
        ours.stream()
            .map(line -> line.replaceAll("constant (\\S+) .*", "$1"))
            .map(name -> "#ifdef " + name + "\nCONSTANT(" + name + ");\n#endif")
            .toList());
    List<String> flags = new ArrayList<>(realHeader());
    flags.add("-DFIELD_IDS=\"" + asked + '"');

    Set<String> real = printed(flags);
    real.removeIf(line -> !line.startsWith("constant NVML_FI_"));

    assertThat(real).hasSizeGreaterThan(30);
    assertThat(ours).containsAll(real);
  }

  @Test
  void theConstantsAreThoseOfTheRealHeader() {
    Set<String> real = printed(realHeader());

    Set<String> ours = constants(NvmlConstants.class);
    ours.removeAll(NEWER);
    ours.removeAll(UNNAMED);
    assertThat(real).containsAll(ours);
  }

  @Test
  void theReturnCodesAreThoseOfTheRealHeader() {
    Set<String> real = printed(realHeader());
    real.removeIf(line -> !line.matches("constant NVML_(ERROR_.*|SUCCESS \\d+)"));

    Set<String> ours =
        Arrays.stream(NvmlReturn.values())
            .map(code -> "constant " + cName(code) + ' ' + code.code())
            .collect(toCollection(TreeSet::new));
    assertThat(ours).containsAll(real);
  }

  @Test
  void theVersionOfTheVersionedStructIsThatOfTheRealHeader() {
    assertThat(printed(realHeader()))
        .contains("version nvmlMemory_v2 " + NvmlMemoryV2.structVersion(new NvmlMemoryV2(RUNTIME)));
  }

  @Test
  void theVersionsOfNewerStructsAreThoseOfTheRealHeader_ifItHasThem() {
    var fabric = new NvmlGpuFabricInfo(RUNTIME);
    Set<String> ours =
        Set.of(
            "version nvmlMemory_v2 " + NvmlMemoryV2.structVersion(new NvmlMemoryV2(RUNTIME)),
            "version nvmlMarginTemperature_v1 "
                + NvmlMarginTemperature.structVersion(new NvmlMarginTemperature(RUNTIME)),
            "version nvmlEccSramErrorStatus_v1 "
                + NvmlEccSramErrorStatus.structVersion(new NvmlEccSramErrorStatus(RUNTIME)),
            "version nvmlGpuFabricInfo_v2 " + NvmlGpuFabricInfo.structVersion2(fabric),
            "version nvmlGpuFabricInfo_v3 " + NvmlGpuFabricInfo.structVersion3(fabric),
            "version nvmlPlatformInfo_v2 "
                + NvmlPlatformInfo.structVersion(new NvmlPlatformInfo(RUNTIME)));

    Set<String> real = printed(realHeader());
    real.removeIf(line -> !line.startsWith("version "));
    assertThat(ours).containsAll(real);
  }

  @Test
  void noFunctionTakesMoreArgumentsThanTheBindingCanPass() {
    assertThat(LibNvml.class.getMethods())
        .allSatisfy(function -> assertThat(function.getParameterCount()).isLessThanOrEqualTo(6));
  }

  private static String cName(NvmlReturn code) {
    return code == NvmlReturn.SUCCESS ? "NVML_SUCCESS" : "NVML_ERROR_" + code.name();
  }

  private static List<String> realHeader() {
    return List.of("-DREAL_HEADER", "-I" + NvmlPackages.header().getParent());
  }

  private Set<String> printed(List<String> flags) {
    CCompiler cc = new CCompiler(folder);
    Path program = cc.program("layouts", "struct_layouts.c", flags);
    return cc.output(List.of(program.toString())).lines().collect(toCollection(TreeSet::new));
  }

  private static boolean isLayout(String line) {
    return line.startsWith("sizeof ") || line.startsWith("offsetof ");
  }

  private static Set<String> layouts() {
    Set<String> lines = new TreeSet<>();
    new TreeMap<>(STRUCTS)
        .forEach(
            (name, struct) -> {
              lines.add("sizeof " + name + ' ' + Struct.size(struct));
              struct.useMemory(Memory.allocateDirect(RUNTIME, Struct.size(struct)));
              members(struct)
                  .map(
                      member ->
                          "offsetof " + name + ' ' + member.getName() + ' ' + at(struct, member))
                  .forEach(lines::add);
            });
    lines.removeAll(NEWER);
    lines.addAll(gpmLayout());
    return lines;
  }

  /** Bound by offset, not as a struct. */
  private static Set<String> gpmLayout() {
    return Set.of(
        "sizeof nvmlGpmMetric_t " + NvmlGpmMetrics.METRIC_BYTES,
        "offsetof nvmlGpmMetric_t metricId " + NvmlGpmMetrics.METRIC_ID_AT,
        "offsetof nvmlGpmMetric_t nvmlReturn " + NvmlGpmMetrics.NVML_RETURN_AT,
        "offsetof nvmlGpmMetric_t value " + NvmlGpmMetrics.VALUE_AT,
        "offsetof nvmlGpmMetricsGet_t version " + NvmlGpmMetrics.VERSION_AT,
        "offsetof nvmlGpmMetricsGet_t numMetrics " + NvmlGpmMetrics.NUM_METRICS_AT,
        "offsetof nvmlGpmMetricsGet_t sample1 " + NvmlGpmMetrics.SAMPLE_1_AT,
        "offsetof nvmlGpmMetricsGet_t sample2 " + NvmlGpmMetrics.SAMPLE_2_AT,
        "offsetof nvmlGpmMetricsGet_t metrics " + NvmlGpmMetrics.METRICS_AT);
  }

  private static Stream<Field> members(Struct struct) {
    return Arrays.stream(struct.getClass().getDeclaredFields())
        .filter(field -> Modifier.isPublic(field.getModifiers()))
        .filter(field -> !Modifier.isStatic(field.getModifiers()));
  }

  private static long at(Struct struct, Field field) {
    try {
      return switch (field.get(struct)) {
        case Struct.NumberField number -> number.offset();
        case Struct.String text -> text.offset();
        case Struct inner -> probe(struct, inner);
        case Struct.NumberField[] numbers -> numbers[0].offset();
        case Struct[] inner -> probe(struct, inner[0]);
        default -> throw new IllegalStateException("no member of a struct: " + field);
      };
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes a one into the first number of an inner struct, and looks where it has landed. */
  private static long probe(Struct struct, Struct inner) throws IllegalAccessException {
    Pointer memory = Struct.getMemory(struct);
    int size = Struct.size(struct);
    memory.setMemory(0, size, (byte) 0);
    Field first = members(inner).findFirst().orElseThrow();
    switch (first.get(inner)) {
      case Struct.Signed32 number -> number.set(1);
      case Struct.Unsigned32 number -> number.set(1);
      case Struct.Double number -> number.set(Double.longBitsToDouble(1));
      default -> throw new IllegalStateException("cannot write " + first);
    }
    return IntStream.range(0, size).filter(at -> memory.getByte(at) != 0).findFirst().orElseThrow();
  }

  private static Set<String> constants(Class<?> names) {
    return Arrays.stream(names.getFields())
        .map(
            field -> {
              try {
                return "constant " + field.getName() + ' ' + field.getInt(null);
              } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
              }
            })
        .collect(toCollection(TreeSet::new));
  }
}
