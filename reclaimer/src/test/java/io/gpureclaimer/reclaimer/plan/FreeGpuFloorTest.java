package io.gpureclaimer.reclaimer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FreeGpuFloorTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "8xH100, H100, 8, 1, 8 H100, 8xH100",
    "1xH100, H100, 1, 1, 1 H100, 1xH100",
    "2x8xH100, H100, 2, 8, 2 blocks of 8 H100, 2x8xH100",
    "1x8xH100, H100, 1, 8, 1 block of 8 H100, 1x8xH100",
    "4x1xL4, L4, 4, 1, 4 L4, 4xL4",
    "3xNVIDIA-A100-SXM4-80GB, NVIDIA-A100-SXM4-80GB, 3, 1, 3 NVIDIA-A100-SXM4-80GB,"
        + " 3xNVIDIA-A100-SXM4-80GB",
    "2x5090, 5090, 2, 1, 2 5090, 2x5090"
  })
  void readsGpus_orBlocksOfGpus(
      String text, String model, int blocks, int gpus, String amount, String written) {
    var floor = new FreeGpuFloor(model, blocks, gpus);

    assertThat(FreeGpuFloor.parse(text)).isEqualTo(Optional.of(floor));
    assertThat(floor.amount()).isEqualTo(amount);
    assertThat(floor).hasToString(written);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "4xH100:mig-1g.10gb, nvidia.com/mig-1g.10gb, 4, 1, 4 mig-1g.10gb of H100, H100:mig-1g.10gb",
    "2x3xH100:mig-1g.10gb.me, nvidia.com/mig-1g.10gb.me, 2, 3, 2 blocks of 3 mig-1g.10gb.me of H100,"
        + " H100:mig-1g.10gb.me",
    "1xH100:mig-1c.2g.20gb, nvidia.com/mig-1c.2g.20gb, 1, 1, 1 mig-1c.2g.20gb of H100,"
        + " H100:mig-1c.2g.20gb",
    "9xH100:gpu.shared, nvidia.com/gpu.shared, 9, 1, 9 gpu.shared of H100, H100:gpu.shared",
    "9xH100:mig-1g.10gb.shared, nvidia.com/mig-1g.10gb.shared, 9, 1, 9 mig-1g.10gb.shared of H100,"
        + " H100:mig-1g.10gb.shared"
  })
  void readsOtherDevicesByTheirResource(
      String text, String resource, int blocks, int devices, String amount, String pool) {
    var floor = new FreeGpuFloor("H100", resource, blocks, devices);

    assertThat(FreeGpuFloor.parse(text)).isEqualTo(Optional.of(floor));
    assertThat(floor.amount()).isEqualTo(amount);
    assertThat(floor.pool()).isEqualTo(pool);
    assertThat(floor).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "8",
        "H100",
        "8H100",
        "8x",
        "xH100",
        "0xH100",
        "-1xH100",
        "8xH100 ",
        " 8xH100",
        "8 x H100",
        "2x0xH100",
        "08xH100",
        "10000xH100",
        "1.5xH100",
        "8xH100-",
        "8x-H100",
        "8*H100",
        "8XH100",
        "8xH100:",
        "8xH100:1g.10gb",
        "8xH100:mig-10gb",
        "8xH100:mig-1g.10gb+me",
        "8xH100:nvidia.com/mig-1g.10gb",
        "8xH100:gpu",
        "2x2xH100:gpu.shared",
        "2x2xH100:mig-1g.10gb.shared"
      })
  void readsNothingElse(String text) {
    assertThat(FreeGpuFloor.parse(text)).isEmpty();
  }

  @ParameterizedTest(name = "{0} is {1}: {2}")
  @CsvSource({
    "NVIDIA-H100-80GB-HBM3, H100, true",
    "NVIDIA-H100-80GB-HBM3, h100, true",
    "NVIDIA-H100-80GB-HBM3, H100-80GB, true",
    "NVIDIA-H100-80GB-HBM3, NVIDIA-H100-80GB-HBM3, true",
    "NVIDIA-H100-80GB-HBM3, H10, false",
    "NVIDIA-H100-80GB-HBM3, 100, false",
    "NVIDIA-H100-80GB-HBM3, H100-HBM3, false",
    "NVIDIA-GH100-96GB, H100, false",
    "NVIDIA-H100-NVL, H100-80GB, false"
  })
  void modelIsWordsOfTheLabel(String product, String model, boolean included) {
    assertThat(new FreeGpuFloor(model, 1, 1).includes(product)).isEqualTo(included);
  }

  @Test
  void countsTheDevicesOfAllBlocks() {
    assertThat(new FreeGpuFloor("H100", 2, 8).allDevices()).isEqualTo(16);
  }
}
