package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.NvmlContract.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.DriverEvent.Xid;
import io.gpureclaimer.nvml.Nvml.Utilization;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A library that is not NVIDIA's: its answers are read, and its differences do no harm. */
class ForeignLibraryTest {
  private static final int GPUS = 4;

  @TempDir private static Path folder;
  private static ForeignLibrary foreign;

  private final Queue<DriverEvent> heard = new ConcurrentLinkedQueue<>();
  private final Set<GpuUuid> listened = ConcurrentHashMap.newKeySet();
  private final EventWatch watch =
      new EventWatch(List.of(new ForeignEvents()), Duration.ofMillis(5));
  private ForeignLibrary.ForeignControl driver;
  private Nvml nvml;

  @BeforeAll
  static void build() {
    foreign = ForeignLibrary.build(folder);
  }

  @BeforeEach
  void open() {
    driver = foreign.control();
    driver.foreign_reset(GPUS);
    nvml = Nvml.open(foreign.lib());
  }

  @AfterEach
  void close() {
    watch.close();
    nvml.close();
  }

  @Test
  void reportsWhatItKnows_andTheRestIsUnsupported() {
    GpuHandle gpu = value(nvml.handle(1));

    assertThat(
            List.of(
                nvml.pciBusId(gpu),
                nvml.powerMilliwatts(gpu),
                nvml.memory(gpu),
                nvml.utilization(gpu)))
        .isEqualTo(
            List.of(
                new Value<>("00000000:11:00.0"),
                new Value<>(95_000L),
                new Value<>(
                    new Memory(
                        85_899_345_920L, OptionalLong.of(1_073_741_824), 84_825_604_096L, 0)),
                new Value<>(new Utilization(12, 3))));
    assertThat(
            List.of(
                nvml.mig().devices(gpu),
                nvml.samples(gpu, SampleKind.GPU, 0),
                nvml.processes().utilization(gpu, 0),
                nvml.measure(gpu, new GpmQuery(List.of(1))),
                nvml.vgpuLicensed(gpu),
                nvml.numbers(gpu, List.of(DeviceNumbers.FABRIC_STATUS)).getFirst()))
        .containsOnly(new Unsupported<>());
  }

  @Test
  void anXidBelongsToItsGpu_whicheverThreadReceivesIt() {
    watch.attend(nvml, GPUS);
    await().until(() -> listened.size() == GPUS);

    for (int i = 0; i < 16; i++) {
      driver.foreign_xid(2, i + 1);
    }

    await().until(() -> heard.size() == 16);
    assertThat(heard).containsOnlyOnceElementsOf(xids(2, 16)).hasSize(16);
  }

  @Test
  void anXidIsNobodysElse_evenWhenItsGpuIsLost() {
    watch.attend(nvml, GPUS);
    await().until(() -> listened.size() == GPUS);

    driver.foreign_lose(2);
    driver.foreign_xid(2, 79);

    await().until(() -> !heard.isEmpty());
    assertThat(heard).containsExactly(new Xid(uuid(2), 79, OptionalInt.of(0)));
  }

  @Test
  void theOthersAreSubscribedTo_whenOneIsLost() {
    watch.attend(nvml, GPUS);
    await().until(() -> listened.size() == GPUS);

    driver.foreign_lose(2);

    await().until(() -> !listened.contains(uuid(2)));
    driver.foreign_xid(0, 31);
    await().until(() -> !heard.isEmpty());
    assertThat(listened).containsExactlyInAnyOrder(uuid(0), uuid(1), uuid(3));
    assertThat(driver.foreign_waits()).isLessThan(100);
  }

  @Test
  void itIsNotAskedAllTheTime_whenItDoesNotWait() {
    driver.foreign_eager();
    watch.attend(nvml, GPUS);
    await().until(() -> listened.size() == GPUS);

    driver.foreign_xid(3, 48);

    await().until(() -> !heard.isEmpty());
    assertThat(heard).containsExactly(new Xid(uuid(3), 48, OptionalInt.of(0)));
    assertThat(driver.foreign_waits()).isLessThan(100);
  }

  @Test
  void aLostGpuIsFoundNeitherByItsIndexNorByItsHandle() {
    GpuHandle gpu = value(nvml.handle(1));
    driver.foreign_lose(1);

    assertThat(List.of(nvml.handle(1), nvml.handle(gpu), nvml.uuid(gpu), nvml.memory(gpu)))
        .containsOnly(new Failed<>(NvmlReturn.GPU_IS_LOST, 15));
    assertThat(nvml.deviceCount()).isEqualTo(GPUS);
  }

  @Test
  void listsProcesses_whereTheOlderSpellingIsNotAnswered() {
    GpuHandle gpu = value(nvml.handle(1));
    for (int pass = 0; pass < 3; pass++) {
      driver.foreign_process(1, 100 + pass);

      assertThat(value(nvml.processes().running(gpu)))
          .hasSize(pass + 1)
          .contains(new GpuProcess(100 + pass, OptionalLong.of(1_073_741_824), OptionalInt.of(0)));
    }
  }

  @Test
  void aBoardWithoutLinksHasNoneDown() {
    GpuHandle gpu = value(nvml.handle(1));

    assertThat(nvml.links().states(gpu)).isEmpty();
    driver.foreign_links(0, 0);
    assertThat(nvml.links().states(gpu)).isEmpty();
  }

  @Test
  void aLinkThatTheBoardDoesNotHaveIsNotDown() {
    GpuHandle gpu = value(nvml.handle(1));
    driver.foreign_links(3, 2);

    assertThat(nvml.links().states(gpu))
        .isEqualTo(Map.of(0, new Value<>(true), 1, new Value<>(true), 2, new Value<>(false)));
  }

  private static List<DriverEvent> xids(int gpu, int count) {
    return IntStream.rangeClosed(1, count)
        .<DriverEvent>mapToObj(code -> new Xid(uuid(gpu), code, OptionalInt.of(0)))
        .toList();
  }

  private static GpuUuid uuid(int gpu) {
    return new GpuUuid("GPU-f0e14e00-0000-0000-0000-00000000000" + gpu);
  }

  private final class ForeignEvents implements EventWatch.Listener {
    @Override
    public void begins(GpuUuid gpu) {
      listened.add(gpu);
    }

    @Override
    public void ends(GpuUuid gpu) {
      listened.remove(gpu);
    }

    @Override
    public void happened(DriverEvent event) {
      heard.add(event);
    }
  }
}
