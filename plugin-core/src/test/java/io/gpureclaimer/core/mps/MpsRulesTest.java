package io.gpureclaimer.core.mps;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.core.device.ComputeCapability;
import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.inventory.GpuFacts;
import io.gpureclaimer.core.mps.MpsRules.Verdict.Impossible;
import io.gpureclaimer.core.mps.MpsRules.Verdict.Possible;
import io.gpureclaimer.core.mps.MpsShare.SharedGpu;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MpsRulesTest {
  private static final long BYTES = 80L << 30;

  @Test
  void sharesEachGpuByItsOwnNumber() {
    var replicas = new LinkedHashMap<GpuFacts, Integer>();
    replicas.put(gpu(0, "9.0", false), 4);
    replicas.put(gpu(1, "9.0", false), 3);

    assertThat(MpsRules.judge("nvidia.com/gpu", replicas))
        .isEqualTo(
            new Possible(
                new MpsShare(
                    "nvidia.com/gpu",
                    List.of(
                        new SharedGpu(new GpuUuid("GPU-0"), 4, BYTES),
                        new SharedGpu(new GpuUuid("GPU-1"), 3, BYTES)))));
  }

  @ParameterizedTest(name = "{0}: {1} replicas, possible {2}")
  @CsvSource({
    "9.0, 48, true",
    "9.0, 49, false",
    "7.0, 48, true",
    "6.1, 16, true",
    "6.1, 17, false",
    ", 16, true",
    ", 17, false",
    "9.0, 0, false"
  })
  void holdsToWhatMpsCanServe(@Nullable String capability, int replicas, boolean possible) {
    assertThat(
            MpsRules.judge("nvidia.com/gpu", Map.of(gpu(0, capability, false), replicas))
                instanceof Possible)
        .isEqualTo(possible);
  }

  @Test
  void refuses_whenAGpuIsDivided() {
    var replicas = new LinkedHashMap<GpuFacts, Integer>();
    replicas.put(gpu(0, "9.0", true), 4);
    replicas.put(gpu(1, "9.0", false), 100);

    assertThat(MpsRules.judge("nvidia.com/gpu", replicas))
        .isEqualTo(
            new Impossible(
                "nvidia.com/gpu cannot be shared through MPS: GPU-0 is divided by MIG; switch MIG"
                    + " off on it (nvidia-smi -mig 0), or share it by time slices; GPU-1 has 100"
                    + " replicas; MPS has at most 48 clients on it"));
  }

  @Test
  void refuses_whenThereIsNoGpu() {
    assertThat(MpsRules.judge("nvidia.com/gpu", Map.of()))
        .isEqualTo(new Impossible("nvidia.com/gpu cannot be shared through MPS: it has no GPU"));
  }

  private static GpuFacts gpu(int index, @Nullable String capability, boolean migOn) {
    return new GpuFacts(
        new Gpu(index, new GpuUuid("GPU-" + index), "00000000:19:00.0", "NVIDIA H100"),
        index,
        null,
        BYTES,
        capability == null
            ? null
            : new ComputeCapability(capability.charAt(0) - '0', capability.charAt(2) - '0'),
        migOn,
        List.of(),
        null,
        null);
  }
}
