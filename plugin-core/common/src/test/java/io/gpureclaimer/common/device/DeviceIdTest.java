package io.gpureclaimer.common.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.DeviceId.Named;
import io.gpureclaimer.common.device.DeviceId.Unmapped;
import io.gpureclaimer.common.device.DeviceName.ByFile;
import io.gpureclaimer.common.device.DeviceName.ByIndex;
import io.gpureclaimer.common.device.DeviceName.ByMigUuid;
import io.gpureclaimer.common.device.DeviceName.ByUuid;
import io.gpureclaimer.common.device.DeviceName.InstanceByFile;
import io.gpureclaimer.common.device.DeviceName.InstanceByIndex;
import io.gpureclaimer.common.device.DeviceName.InstanceByUuid;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceIdTest {
  private static final String PLAIN = "11111111-2222-3333-4444-555555555555";
  private static final String UUID = "GPU-" + PLAIN;
  private static final GpuUuid GPU = new GpuUuid(UUID);

  @Test
  void aGpuIsItsUuid() {
    assertThat(DeviceId.of(UUID)).isEqualTo(new Named(new ByUuid(GPU), null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "9", "12", "99999999999999999999"})
  void aReplicaIsAShareOfItsDevice(String number) {
    assertThat(DeviceId.of(UUID + "::" + number)).isEqualTo(new Named(new ByUuid(GPU), number));
    assertThat(DeviceId.of("MIG-" + PLAIN + "::" + number))
        .isEqualTo(new Named(new ByMigUuid("MIG-" + PLAIN), number));
  }

  @Test
  void aMigDeviceIsNamedByAUuidOfItsOwn() {
    assertThat(DeviceId.of("MIG-" + PLAIN))
        .isEqualTo(new Named(new ByMigUuid("MIG-" + PLAIN), null));
  }

  @Test
  void aMigDeviceOfAnOldDriverNamesItsGpuAndItsInstance() {
    assertThat(DeviceId.of("MIG-" + UUID + "/7/0"))
        .isEqualTo(new Named(new InstanceByUuid(GPU, 7), null));
    assertThat(DeviceId.of("MIG-" + UUID + "/7/0::1"))
        .isEqualTo(new Named(new InstanceByUuid(GPU, 7), "1"));
  }

  @Test
  void gkeCallsAGpuAsItsDeviceFile() {
    assertThat(DeviceId.of("nvidia0")).isEqualTo(new Named(new ByFile(0), null));
    assertThat(DeviceId.of("nvidia15")).isEqualTo(new Named(new ByFile(15), null));
    assertThat(DeviceId.of("nvidia0/gi1")).isEqualTo(new Named(new InstanceByFile(0, 1), null));
    assertThat(DeviceId.of("nvidia0/vgpu2")).isEqualTo(new Named(new ByFile(0), "2"));
    assertThat(DeviceId.of("nvidia0/gi1/vgpu2"))
        .isEqualTo(new Named(new InstanceByFile(0, 1), "2"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "GPU-",
        "MIG-",
        "MIG-11111111-2222-3333-4444-555555555555::",
        "MIG-11111111-2222-3333-4444-555555555555/1/0",
        "MIG-GPU-11111111-2222-3333-4444-555555555555",
        "MIG-GPU-11111111-2222-3333-4444-555555555555/1",
        "MIG-GPU-11111111-2222-3333-4444-555555555555/1/0/0",
        "MIG-GPU-11111111-2222-3333-4444-555555555555/9999999/0",
        "MIG-GPU-11111111-2222-3333-4444-555555555555/01/0",
        "nvidia",
        "nvidia00",
        "nvidia-1",
        "nvidia9999999",
        "nvidia0/",
        "nvidia0/gi",
        "nvidia0/ci1",
        "nvidia0/vgpu",
        "nvidia0/vgpu2/gi1",
        "nvidia0::1",
        "nvidia.com/gpu=0",
        "Nvidia0",
        "0",
        "gpu-11111111-2222-3333-4444-555555555555",
        "GPU-11111111-2222-3333-4444-555555555555::",
        "GPU-11111111-2222-3333-4444-555555555555:0",
        "GPU-11111111-2222-3333-4444-555555555555::x",
        "GPU-11111111-2222-3333-4444-555555555555::0::1",
        "GPU-11111111-2222-3333-4444-555555555555/1",
        "GPU-11111111-2222-3333-4444-555555555555-0",
        "GPU-11111111-2222-3333-4444-555555555555/vgpu1",
        " GPU-11111111-2222-3333-4444-555555555555",
        "GPU-11111111-2222-3333-4444-555555555555\n"
      })
  void nothingElseIsGuessed(String text) {
    assertThat(DeviceId.of(text)).isEqualTo(new Unmapped(text));
  }

  @Property
  void everySpellingIsReadAsItIsWritten(@ForAll("names") Named name) {
    assertThat(DeviceId.of(spelled(name))).isEqualTo(name);
  }

  @Property
  @Tag("fuzz")
  void whateverIsSaid_eitherNamesThatDeviceOrNone(@ForAll String text) {
    if (DeviceId.of(text) instanceof Named name) {
      assertThat(spelled(name)).isEqualTo(text);
    } else {
      assertThat(DeviceId.of(text)).isEqualTo(new Unmapped(text));
    }
  }

  @Property
  void oneLetterMoreNamesNothing(
      @ForAll("names") Named name, @ForAll("notADigit") char letter, @ForAll boolean inFront) {
    String text = spelled(name);
    String longer = inFront ? letter + text : text + letter;
    assertThat(DeviceId.of(longer)).isEqualTo(new Unmapped(longer));
  }

  /** The compute instance is not kept, so it is always the first. */
  private static String spelled(Named name) {
    return switch (name.device()) {
      case ByUuid(var gpu) -> gpu.value() + suffix("::", name.share());
      case ByMigUuid(var uuid) -> uuid + suffix("::", name.share());
      case InstanceByUuid(var gpu, int instance) ->
          "MIG-" + gpu.value() + "/" + instance + "/0" + suffix("::", name.share());
      case ByFile(int minor) -> "nvidia" + minor + suffix("/vgpu", name.share());
      case InstanceByFile(int gpu, int instance) ->
          "nvidia" + gpu + "/gi" + instance + suffix("/vgpu", name.share());
      case ByIndex _, InstanceByIndex _ -> throw new AssertionError("no device plugin counts so");
    };
  }

  private static String suffix(String separator, @Nullable String share) {
    return share == null ? "" : separator + share;
  }

  @Provide
  Arbitrary<Named> names() {
    var uuids = Arbitraries.create(java.util.UUID::randomUUID).map(java.util.UUID::toString);
    var gpus = uuids.map(uuid -> new GpuUuid("GPU-" + uuid));
    var numbers = Arbitraries.integers().between(0, 999_999);
    Arbitrary<DeviceName> devices =
        Arbitraries.oneOf(
            gpus.map(ByUuid::new),
            uuids.map(uuid -> new ByMigUuid("MIG-" + uuid)),
            numbers.map(ByFile::new),
            Combinators.combine(gpus, numbers).as(InstanceByUuid::new),
            Combinators.combine(numbers, numbers).as(InstanceByFile::new));
    return Combinators.combine(
            devices, Arbitraries.strings().numeric().ofMinLength(1).ofMaxLength(4).injectNull(0.5))
        .as(Named::new);
  }

  @Provide
  Arbitrary<Character> notADigit() {
    return Arbitraries.chars().filter(c -> c < '0' || c > '9');
  }
}
