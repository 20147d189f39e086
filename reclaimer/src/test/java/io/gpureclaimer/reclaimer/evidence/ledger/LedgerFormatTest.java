package io.gpureclaimer.reclaimer.evidence.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LedgerFormatTest {

  @Test
  void asksForEveryPod() {
    assertThat(new LedgerFormat().allPods())
        .containsExactly(
            """
            label_replace((timestamp(gpu_pod_observed_until_timestamp_seconds) \
            - timestamp(gpu_pod_last_active_timestamp_seconds) > 0), \
            "_kind", "lag", "", "")\
            """,
            """
            label_replace(label_replace((max by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (timestamp(gpu_pod_observed_until_timestamp_seconds)) \
            - max by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (timestamp(gpu_pod_last_signal_timestamp_seconds)) > 0), \
            "_field", "signal", "", ""), \
            "_kind", "lag", "", "")\
            """,
            """
            label_replace(max by (signal, watched, UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (gpu_pod_last_signal_timestamp_seconds), \
            "_kind", "signal", "", "")\
            """,
            """
            label_replace(max by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (gpu_pod_busy_seconds_total \
            unless on (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            gpu_pod_last_active_timestamp_seconds > time() - 60), \
            "_kind", "busy", "", "")\
            """,
            """
            label_replace(min by (pod_uid, exported_pod_uid, instance) \
            (timestamp(gpu_pod_observed_until_timestamp_seconds)), \
            "_kind", "sampled_at", "", "")\
            """,
            """
            label_replace(min by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (gpu_pod_observed_until_timestamp_seconds), \
            "_kind", "until", "", "")\
            """,
            """
            label_replace(max by (pod_uid, exported_pod_uid, instance) \
            (gpu_pod_device_count), \
            "_kind", "count", "", "")\
            """,
            """
            label_replace(max by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (gpu_pod_last_active_timestamp_seconds), \
            "_kind", "active", "", "")\
            """,
            """
            label_replace(max by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (gpu_pod_observed_since_timestamp_seconds), \
            "_kind", "since", "", "")\
            """);
  }

  @Test
  void asksForOnePod_andEverySignOfItsGpusAtWork() {
    String query = onePod(pod("uid-1", "GPU-a", "GPU-b"));

    assertThat(query)
        .startsWith(
            """
            label_replace((timestamp(gpu_pod_observed_until_timestamp_seconds{pod_uid="uid-1"}) \
            - timestamp(gpu_pod_last_active_timestamp_seconds{pod_uid="uid-1"}) > 0), \
            "_kind", "lag", "", "") \
            """)
        .contains(
            """
            |gpu_pod_device_count",pod_uid="uid-1"} \
            or label_replace(gpu_pod_busy_seconds_total{pod_uid="uid-1"}, \
            "_kind", "busy", "", "") \
            or label_replace(label_replace((max by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (timestamp(gpu_pod_observed_until_timestamp_seconds{pod_uid="uid-1"})) \
            """)
        .contains(
            """
            or label_replace(max by (signal, watched, UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (gpu_pod_last_signal_timestamp_seconds{pod_uid="uid-1"}), \
            "_kind", "signal", "", "") \
            or label_replace(max by (UUID, GPU_I_ID) (\
            label_replace(floor(max_over_time(\
            DCGM_FI_DEV_GPU_UTIL{UUID=~"GPU-a|GPU-b",GPU_I_ID=""}[2m])), \
            "_field", "DCGM_FI_DEV_GPU_UTIL", "", "") or \
            """)
        .contains(
            """
            label_replace(floor(max_over_time(\
            DCGM_FI_PROF_GR_ENGINE_ACTIVE{UUID=~"GPU-a|GPU-b"}[2m]) * 100), \
            "_field", "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "", "")\
            """)
        .contains(
            """
            label_replace(clamp_min(max_over_time(\
            DCGM_FI_PROF_SM_ACTIVE{UUID=~"GPU-a|GPU-b"}[2m]) * 100 != 0, 1), \
            "_field", "DCGM_FI_PROF_SM_ACTIVE", "", "")\
            """)
        .contains("DCGM_FI_DEV_GPU_UTIL_RATIO{UUID=~\"GPU-a|GPU-b\",GPU_I_ID=\"\"}[2m]) * 100")
        .contains("DCGM_FI_DEV_MEM_COPY_UTIL{UUID=~\"GPU-a|GPU-b\",GPU_I_ID=\"\"}[2m])")
        .contains("|DCGM_FI_PROF_PIPE_FP64_ACTIVE|")
        .contains("UUID=~\"GPU-a|GPU-b\"}) * 100, \"_field\", \"newest\", \"\", \"\")")
        .endsWith("\"_kind\", \"utilization\", \"\", \"\")");
  }

  @Test
  void asksWhetherTheBusyTimeGrew_inTheSecondHalfOfTheIdleTime() {
    var idle =
        new DeviceActivity(
            new GpuUuid("GPU-a"),
            Optional.of(Instant.EPOCH.plusSeconds(100)),
            Instant.EPOCH,
            Instant.EPOCH.plusSeconds(700),
            Instant.EPOCH.plusSeconds(700),
            OptionalDouble.empty());

    assertThat(onePod(new PodActivity("uid-1", List.of(idle))))
        .contains(
            """
            label_replace(((gpu_pod_busy_seconds_total{pod_uid="uid-1"} \
            - gpu_pod_busy_seconds_total{pod_uid="uid-1"} offset 300s > 5.0) \
            and (gpu_pod_last_active_timestamp_seconds{pod_uid="uid-1"} \
            == gpu_pod_last_active_timestamp_seconds{pod_uid="uid-1"} offset 300s)), \
            "_kind", "busy_grew", "", "")\
            """);
    assertThat(onePod(pod("uid-1", "GPU-a"))).doesNotContain("busy_grew");
  }

  @Test
  void asksForNoUtilization_whenNoGpuIsKnown() {
    assertThat(onePod(pod("uid-1"))).doesNotContain("DCGM_FI_DEV_GPU_UTIL");
  }

  @Test
  void keepsEveryValueInsideItsString() {
    assertThat(onePod(pod("a\"} or up{b=\"\\\n", "GPU-1\".*|\\x")))
        .contains("pod_uid=\"a\\\"} or up{b=\\\"\\\\\\n\"")
        .contains("UUID=~\"GPU-1\\\"\\\\.\\\\*\\\\|\\\\\\\\x\"");
  }

  @Test
  void asksForPodsOfManyGpus_inQuestionsThatEveryServerTakes() {
    String[] gpus =
        IntStream.range(0, 16)
            .mapToObj(i -> String.format(Locale.ROOT, "GPU-00000000-0000-0000-0000-%012d", i))
            .toArray(String[]::new);

    List<String> questions = PromQl.queries(new LedgerFormat().onePod(pod("uid-1", gpus)));

    assertThat(questions).hasSize(2).allMatch(question -> question.length() <= 16_000);
    assertThat(String.join("", questions)).contains(gpus);
    assertThat(PromQl.queries(new LedgerFormat().onePod(pod("uid-1", "GPU-a")))).hasSize(1);
  }

  private static String onePod(PodActivity pod) {
    return String.join(" or ", new LedgerFormat().onePod(pod));
  }

  private static PodActivity pod(String uid, String... gpus) {
    List<DeviceActivity> devices =
        Arrays.stream(gpus)
            .map(
                gpu ->
                    new DeviceActivity(
                        new GpuUuid(gpu),
                        Optional.empty(),
                        Instant.EPOCH,
                        Instant.EPOCH,
                        Instant.EPOCH,
                        OptionalDouble.empty()))
            .toList();
    return new PodActivity(uid, devices);
  }
}
