package io.gpureclaimer.core.nvml;

import static java.util.Map.entry;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.core.nvml.binding.LibNvml;
import io.gpureclaimer.core.nvml.binding.NvmlConstants;
import io.gpureclaimer.core.nvml.binding.NvmlDeviceAttributes;
import io.gpureclaimer.core.nvml.binding.NvmlEventData;
import io.gpureclaimer.core.nvml.binding.NvmlFieldValue;
import io.gpureclaimer.core.nvml.binding.NvmlGridLicensableFeature;
import io.gpureclaimer.core.nvml.binding.NvmlGridLicensableFeatures;
import io.gpureclaimer.core.nvml.binding.NvmlGridLicenseExpiry;
import io.gpureclaimer.core.nvml.binding.NvmlMemory;
import io.gpureclaimer.core.nvml.binding.NvmlMemoryV2;
import io.gpureclaimer.core.nvml.binding.NvmlPciInfo;
import io.gpureclaimer.core.nvml.binding.NvmlProcessInfo;
import io.gpureclaimer.core.nvml.binding.NvmlProcessUtilizationSample;
import io.gpureclaimer.core.nvml.binding.NvmlSample;
import io.gpureclaimer.core.nvml.binding.NvmlUtilization;
import io.gpureclaimer.core.nvml.binding.NvmlValue;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
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
          entry("nvmlPciInfo_t", new NvmlPciInfo(RUNTIME)),
          entry("nvmlUtilization_t", new NvmlUtilization(RUNTIME)),
          entry("nvmlMemory_t", new NvmlMemory(RUNTIME)),
          entry("nvmlMemory_v2_t", new NvmlMemoryV2(RUNTIME)),
          entry("nvmlValue_t", new NvmlValue(RUNTIME)),
          entry("nvmlFieldValue_t", new NvmlFieldValue(RUNTIME)),
          entry("nvmlGridLicenseExpiry_t", new NvmlGridLicenseExpiry(RUNTIME)),
          entry("nvmlGridLicensableFeature_t", new NvmlGridLicensableFeature(RUNTIME)),
          entry("nvmlGridLicensableFeatures_t", new NvmlGridLicensableFeatures(RUNTIME)),
          entry("nvmlDeviceAttributes_t", new NvmlDeviceAttributes(RUNTIME)),
          entry("nvmlEventData_t", new NvmlEventData(RUNTIME)),
          entry("nvmlProcessInfo_v2_t", new NvmlProcessInfo(RUNTIME)),
          entry("nvmlProcessUtilizationSample_t", new NvmlProcessUtilizationSample(RUNTIME)),
          entry("nvmlSample_t", new NvmlSample(RUNTIME)));

  /** Newer than the header that Debian ships; an older library never uses it. */
  private static final Set<String> NEWER =
      Set.of("offsetof nvmlValue_t siVal 0", "constant NVML_VALUE_TYPE_SIGNED_INT 5");

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

    assertThat(real).isEqualTo(layouts());
  }

  @Test
  void theConstantsAreThoseOfTheRealHeader() {
    Set<String> real = printed(realHeader());

    Set<String> ours = constants();
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
    return lines;
  }

  private static Stream<Field> members(Struct struct) {
    return Arrays.stream(struct.getClass().getDeclaredFields())
        .filter(field -> Modifier.isPublic(field.getModifiers()));
  }

  private static long at(Struct struct, Field field) {
    try {
      return switch (field.get(struct)) {
        case Struct.NumberField number -> number.offset();
        case Struct.String text -> text.offset();
        case Struct inner -> probe(struct, inner);
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

  private static Set<String> constants() {
    return Arrays.stream(NvmlConstants.class.getFields())
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
