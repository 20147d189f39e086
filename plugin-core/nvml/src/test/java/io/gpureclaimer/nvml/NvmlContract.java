package io.gpureclaimer.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.Nvml.Utilization;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.binding.LibNvml;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a driver with at least one healthy GPU promises, whichever driver it is: no exact value is
 * expected, because a real card has its own.
 */
abstract class NvmlContract {
  private LibNvml lib;
  private Nvml nvml;

  /** The driver under test, with no session open. */
  abstract LibNvml driver();

  @BeforeEach
  void openSession() {
    lib = driver();
    nvml = Nvml.open(lib);
  }

  @AfterEach
  void closeSession() {
    if (nvml != null) {
      nvml.close();
    }
  }

  @Test
  void namesItsVersions() {
    assertThat(value(nvml.driverVersion())).matches("\\d+\\.\\d+(\\.\\d+)?");
    assertThat(value(nvml.nvmlVersion())).matches("\\d+(\\.\\d+){1,3}");
  }

  @Test
  void everyIndexBelowTheCountIsAGpuWithItsOwnIdentity() {
    List<Gpu> gpus = gpus();

    assertThat(gpus).isNotEmpty();
    assertThat(new HashSet<>(gpus.stream().map(Gpu::uuid).toList())).hasSameSizeAs(gpus);
    assertThat(new HashSet<>(gpus.stream().map(Gpu::pciBusId).toList())).hasSameSizeAs(gpus);
    assertThat(gpus)
        .allSatisfy(
            gpu ->
                assertThat(gpu.uuid().value()).matches("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-.{12}"));
  }

  @Test
  void identitiesAreTheSame_whenAskedAgainInAnotherSession() {
    List<Gpu> before = gpus();
    nvml.close();
    nvml = Nvml.open(lib);

    assertThat(gpus()).isEqualTo(before);
  }

  @Test
  void anIndexThatNoGpuHasFails() {
    assertThat(nvml.handle(nvml.deviceCount()))
        .isEqualTo(new Failed<>(NvmlReturn.INVALID_ARGUMENT, 2));
    assertThat(nvml.handle(-1)).isEqualTo(new Failed<>(NvmlReturn.INVALID_ARGUMENT, 2));
  }

  @Test
  void noQuestionFailsAboutAHealthyGpu() {
    for (int index = 0; index < nvml.deviceCount(); index++) {
      GpuHandle gpu = value(nvml.handle(index));
      questions()
          .forEach(
              (name, question) ->
                  assertThat(question.apply(gpu))
                      .as(name)
                      .isInstanceOfAny(Value.class, Unsupported.class));
    }
  }

  @Test
  void theSameIsSupported_whenAskedAgain() {
    GpuHandle gpu = value(nvml.handle(0));

    assertThat(supported(gpu)).isNotEmpty().isEqualTo(supported(gpu));
  }

  @Test
  void percentagesAreAtMostAHundred() {
    GpuHandle gpu = value(nvml.handle(0));

    if (nvml.utilization(gpu) instanceof Value<Utilization>(var utilization)) {
      assertThat(utilization.gpuPercent()).isBetween(0, 100);
      assertThat(utilization.memoryPercent()).isBetween(0, 100);
    }
    if (nvml.encoderUtilizationPercent(gpu) instanceof Value<Long>(var percent)) {
      assertThat(percent).isBetween(0L, 100L);
    }
    if (nvml.decoderUtilizationPercent(gpu) instanceof Value<Long>(var percent)) {
      assertThat(percent).isBetween(0L, 100L);
    }
    assertThat(
            nvml.numbers(
                gpu, List.of(DeviceNumbers.JPEG_UTILIZATION, DeviceNumbers.OFA_UTILIZATION)))
        .allSatisfy(
            answer -> {
              if (answer instanceof Value<Long>(var percent)) {
                assertThat(percent).isBetween(0L, 100L);
              }
            });
  }

  @Test
  void sensorsReadLikeSensors() {
    GpuHandle gpu = value(nvml.handle(0));

    assertThat(value(nvml.gpuTemperatureCelsius(gpu))).isBetween(1L, 120L);
    assertThat(value(nvml.smClockMegahertz(gpu))).isBetween(1L, 5_000L);
    assertThat(value(nvml.memoryClockMegahertz(gpu))).isBetween(1L, 20_000L);
    assertThat(value(nvml.powerMilliwatts(gpu))).isBetween(1_000L, 2_000_000L);
  }

  @Test
  void thePartsOfTheMemoryAreNotMoreThanTheWhole() {
    Memory memory = value(nvml.memory(value(nvml.handle(0))));

    assertThat(memory.totalBytes()).isPositive();
    assertThat(memory.freeBytes()).isPositive();
    assertThat(memory.usedBytes()).isNotNegative();
    assertThat(memory.freeBytes() + memory.usedBytes() + memory.reservedBytes().orElse(0))
        .isLessThanOrEqualTo(memory.totalBytes());
  }

  @Test
  void samplesAreInTheOrderOfTime_andNoneComesTwice() {
    GpuHandle gpu = value(nvml.handle(0));

    if (nvml.samples(gpu, SampleKind.GPU, 0) instanceof Value<List<UtilizationSample>>(var some)) {
      assertThat(some).extracting(UtilizationSample::atMicros).isSorted().doesNotHaveDuplicates();
      assertThat(some).allSatisfy(sample -> assertThat(sample.percent()).isBetween(0, 100));
      long last = some.isEmpty() ? 0 : some.getLast().atMicros();
      assertThat(value(nvml.samples(gpu, SampleKind.GPU, last)))
          .allSatisfy(sample -> assertThat(sample.atMicros()).isGreaterThan(last));
    }
  }

  @Test
  void aMigDeviceIsAPartOfItsGpu_withMemoryOfItsOwn() {
    for (int index = 0; index < nvml.deviceCount(); index++) {
      GpuHandle gpu = value(nvml.handle(index));
      if (nvml.mig().devices(gpu) instanceof Value<List<MigDevice>>(var devices)) {
        for (MigDevice mig : devices) {
          assertThat(mig.uuid()).startsWith("MIG-");
          assertThat(mig.profile()).matches("\\dg\\.\\d+gb(\\+.+)?");
          assertThat(nvml.mig().parent(mig.handle())).isEqualTo(nvml.uuid(gpu));
          assertThat(value(nvml.name(mig.handle()))).matches(".+ MIG (\\dc\\.)?\\dg\\.\\d+gb.*");
          assertThat(value(nvml.mig().size(mig.handle())))
              .satisfies(
                  size -> assertThat(size.computeSlices()).isBetween(1, size.gpuSlices()),
                  size -> assertThat(size.memoryMib()).isPositive());
          assertThat(value(nvml.memory(mig.handle())).totalBytes())
              .isPositive()
              .isLessThan(value(nvml.memory(gpu)).totalBytes());
        }
      }
    }
  }

  @Test
  void everyGpuHasADeviceFileOfItsOwn() {
    List<Long> minors = new ArrayList<>();
    for (int index = 0; index < nvml.deviceCount(); index++) {
      GpuHandle gpu = value(nvml.handle(index));
      minors.add(value(nvml.numbers(gpu, List.of(DeviceNumbers.MINOR)).getFirst()));
    }

    assertThat(minors).doesNotHaveDuplicates().allSatisfy(it -> assertThat(it).isNotNegative());
  }

  @Test
  void theWayBetweenTwoGpusIsTheSameBothWays_andOneThatNvmlNames() {
    GpuHandle first = value(nvml.handle(0));
    for (int index = 1; index < nvml.deviceCount(); index++) {
      GpuHandle other = value(nvml.handle(index));

      assertThat(nvml.links().commonAncestor(first, other))
          .isEqualTo(nvml.links().commonAncestor(other, first));
      assertThat(value(nvml.links().commonAncestor(first, other))).isIn(0, 10, 20, 30, 40, 50);
    }
  }

  @Test
  void aLinkToAGpuLeadsToAnotherOne() {
    for (int index = 0; index < nvml.deviceCount(); index++) {
      GpuHandle gpu = value(nvml.handle(index));
      assertThat(value(nvml.links().nvlinks(gpu)))
          .filteredOn(NvLink.ToGpu.class::isInstance)
          .doesNotContain(new NvLink.ToGpu(value(nvml.pciBusId(gpu))));
    }
  }

  @Test
  void aQuietGpuReportsNoEvent() {
    GpuHandle gpu = value(nvml.handle(0));

    if (nvml.events(gpu, new GpuUuid("GPU-0")) instanceof Value<EventSet>(var set)) {
      assertThat(set.await()).isEqualTo(new Value<>(Optional.empty()));
      assertThat(set.retire()).isTrue();
    }
  }

  @Test
  void countersNeverGoBack() {
    GpuHandle gpu = value(nvml.handle(0));

    for (var counter :
        List.<Function<GpuHandle, NvmlResult<Long>>>of(
            it -> field(it, FieldQuery.Field.of(83)),
            it -> field(it, FieldQuery.Field.ofAllLinks(138)),
            nvml::pcieReplays)) {
      if (counter.apply(gpu) instanceof Value<Long>(var before)) {
        assertThat(value(counter.apply(gpu))).isGreaterThanOrEqualTo(before).isNotNegative();
      }
    }
  }

  @Test
  void everyQuestionThrows_whenTheSessionIsClosed() {
    GpuHandle gpu = value(nvml.handle(0));
    nvml.close();

    Map<String, Function<GpuHandle, NvmlResult<?>>> all = questions();
    all.put("driverVersion", _ -> nvml.driverVersion());
    all.put("handle", _ -> nvml.handle(0));
    all.forEach(
        (name, question) ->
            assertThatThrownBy(() -> question.apply(gpu))
                .as(name)
                .isInstanceOf(NvmlException.class)
                .hasMessageMatching("nvml\\w+: the session is not open \\(code 1\\)"));
    assertThatThrownBy(nvml::deviceCount).isInstanceOf(NvmlException.class);
  }

  @Test
  void closingTwiceIsClosingOnce() {
    try (Nvml other = Nvml.open(lib)) {
      nvml.close();
      nvml.close();

      assertThat(other.deviceCount()).isPositive();
    }
  }

  private List<Gpu> gpus() {
    List<Gpu> gpus = new ArrayList<>();
    for (int index = 0; index < nvml.deviceCount(); index++) {
      GpuHandle gpu = value(nvml.handle(index));
      gpus.add(
          new Gpu(
              gpu.index(),
              value(nvml.uuid(gpu)),
              value(nvml.pciBusId(gpu)),
              value(nvml.name(gpu))));
    }
    return gpus;
  }

  private List<String> supported(GpuHandle gpu) {
    return questions().entrySet().stream()
        .filter(question -> question.getValue().apply(gpu) instanceof Value<?>)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** A driver 580 knows no other word than "unknown error" for the fields of other boards. */
  @Test
  void noFieldFailsAboutAHealthyGpu_exceptThatTheDriverMayNotKnowIt() {
    GpuHandle gpu = value(nvml.handle(0));
    List<FieldQuery.Field> fields =
        IntStream.rangeClosed(1, 300).mapToObj(FieldQuery.Field::of).toList();

    assertThat(value(nvml.fieldValues(gpu, new FieldQuery(fields))))
        .hasSameSizeAs(fields)
        .allSatisfy(
            answer -> {
              if (!(answer instanceof Failed<?>(var reason, _, _))
                  || reason != NvmlReturn.UNKNOWN) {
                assertThat(answer).isInstanceOfAny(Value.class, Unsupported.class);
              }
            });
  }

  @Test
  void whatCanBeMeasuredIsAShare() {
    GpuHandle gpu = value(nvml.handle(0));
    var query = new GpmQuery(List.of(1, 2, 3));

    if (nvml.measure(gpu, query) instanceof Value<List<NvmlResult<Double>>>(var first)) {
      assertThat(first).isEmpty();
      assertThat(value(nvml.measure(gpu, query)))
          .allSatisfy(
              answer -> {
                if (answer instanceof Value<Double>(var percent)) {
                  assertThat(percent).isBetween(0.0, 100.0);
                }
              });
    }
  }

  private NvmlResult<Long> field(GpuHandle gpu, FieldQuery.Field field) {
    return switch (value(nvml.fieldValues(gpu, new FieldQuery(List.of(field)))).getFirst()) {
      case Value<FieldValue>(var number) -> new Value<>(number.whole());
      case Unsupported<FieldValue>() -> new Unsupported<>();
      case Failed<FieldValue>(var reason, var code, _) -> new Failed<>(reason, code);
    };
  }

  private static Map<String, DeviceNumber> numbers() {
    Map<String, DeviceNumber> numbers = new TreeMap<>();
    for (Field constant : DeviceNumbers.class.getFields()) {
      try {
        numbers.put(constant.getName(), (DeviceNumber) constant.get(null));
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
    return numbers;
  }

  private Map<String, Function<GpuHandle, NvmlResult<?>>> questions() {
    Map<String, Function<GpuHandle, NvmlResult<?>>> all = new TreeMap<>();
    numbers()
        .forEach(
            (name, number) -> all.put(name, gpu -> nvml.numbers(gpu, List.of(number)).getFirst()));
    all.put("brand", gpu -> nvml.text(gpu, DeviceTexts.BRAND));
    all.put("serial", gpu -> nvml.text(gpu, DeviceTexts.SERIAL));
    all.put("vbiosVersion", gpu -> nvml.text(gpu, DeviceTexts.VBIOS_VERSION));
    all.put("inforomImage", gpu -> nvml.text(gpu, DeviceTexts.INFOROM_IMAGE_VERSION));
    all.put("fabricCluster", gpu -> nvml.text(gpu, DeviceTexts.FABRIC_CLUSTER));
    all.put("infinibandGuid", gpu -> nvml.text(gpu, DeviceTexts.INFINIBAND_GUID));
    all.put("chassisSerial", gpu -> nvml.text(gpu, DeviceTexts.CHASSIS_SERIAL));
    all.put("uuid", nvml::uuid);
    all.put("name", nvml::name);
    all.put("pciBusId", nvml::pciBusId);
    all.put("smClockMegahertz", nvml::smClockMegahertz);
    all.put("memoryClockMegahertz", nvml::memoryClockMegahertz);
    all.put("gpuTemperatureCelsius", nvml::gpuTemperatureCelsius);
    all.put("powerMilliwatts", nvml::powerMilliwatts);
    all.put("pcieReplays", nvml::pcieReplays);
    all.put("utilization", nvml::utilization);
    all.put("encoderUtilizationPercent", nvml::encoderUtilizationPercent);
    all.put("decoderUtilizationPercent", nvml::decoderUtilizationPercent);
    all.put("memory", nvml::memory);
    all.put("vgpuLicensed", nvml::vgpuLicensed);
    all.put("mig.isOn", nvml.mig()::isOn);
    all.put("mig.devices", nvml.mig()::devices);
    all.put("processes.running", nvml.processes()::running);
    all.put("processes.utilization", gpu -> nvml.processes().utilization(gpu, 0));
    for (SampleKind kind : SampleKind.values()) {
      all.put("samples " + kind, gpu -> nvml.samples(gpu, kind, 0));
    }
    all.put("nvlinkTo", gpu -> nvml.nvlinkTo(gpu, gpu));
    all.put("links.nvlinks", nvml.links()::nvlinks);
    all.put("cudaVersion", _ -> nvml.cudaVersion());
    all.put("events", gpu -> nvml.events(gpu, new GpuUuid("GPU-0")));
    return all;
  }

  /** What was answered; any other outcome fails the test. */
  static <T> T value(NvmlResult<T> result) {
    assertThat(result).isInstanceOf(Value.class);
    return switch (result) {
      case Value<T>(var value) -> value;
      case Unsupported<T>(), Failed<T> _ -> throw new AssertionError(result);
    };
  }
}
