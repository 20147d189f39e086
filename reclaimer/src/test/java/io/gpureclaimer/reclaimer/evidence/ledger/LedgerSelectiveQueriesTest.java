package io.gpureclaimer.reclaimer.evidence.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LedgerSelectiveQueriesTest {

  @Test
  void asksForOneRowOfEachDevice() {
    assertThat(new LedgerSelectiveQueries().pods("pod_uid=\"u\""))
        .containsExactly(
            """
            label_replace((timestamp(gpu_pod_observed_until_timestamp_seconds{pod_uid="u"}) \
            - ignoring (watched) group_right () \
            (timestamp(gpu_pod_last_active_timestamp_seconds{pod_uid="u"}) \
            or max without (signal) \
            (timestamp(gpu_pod_last_signal_timestamp_seconds{pod_uid="u"}))) > 0), \
            "_kind", "lag", "", "")\
            """,
            """
            label_replace(min by (pod_uid, exported_pod_uid, instance) \
            (timestamp(gpu_pod_observed_until_timestamp_seconds{pod_uid="u"})), \
            "_kind", "sampled_at", "", "")\
            """,
            """
            label_replace(max by (pod_uid, exported_pod_uid, instance) \
            (gpu_pod_device_count{pod_uid="u"}), \
            "_kind", "count", "", "")\
            """,
            """
            label_replace(max by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (gpu_pod_last_active_timestamp_seconds{pod_uid="u"}), \
            "_kind", "active", "", "")\
            """,
            """
            label_replace((max by (signal, watched, UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (gpu_pod_last_signal_timestamp_seconds{pod_uid="u"}) \
            or on (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            0 * max by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (gpu_pod_observed_since_timestamp_seconds{pod_uid="u"})) \
            * on (UUID, GPU_I_ID, pod_uid, exported_pod_uid) group_left (since) \
            count_values by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) ("since", \
            max by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (gpu_pod_observed_since_timestamp_seconds{pod_uid="u"})) \
            * on (UUID, GPU_I_ID, pod_uid, exported_pod_uid) group_left (until) \
            count_values by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) ("until", \
            min by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (gpu_pod_observed_until_timestamp_seconds{pod_uid="u"})) \
            * on (UUID, GPU_I_ID, pod_uid, exported_pod_uid) group_left (busy) \
            count_values by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) ("busy", \
            max by (UUID, GPU_I_ID, pod_uid, exported_pod_uid) \
            (gpu_pod_busy_seconds_total{pod_uid="u"})), \
            "_kind", "device", "", "")\
            """);
  }
}
