package io.gpureclaimer.reclaimer.faults;

import java.util.Map;

/** What a pod may do while its GPUs rest, and how that is told. */
@SuppressWarnings("ImmutableEnumChecker") // a map of strings
enum Besides {
  /** It loads data, as the kubelet of its node tells of every pod. */
  CPU("container_cpu_usage_seconds_total", Map.of("container", "main")),
  /** It answers requests, as it tells itself, if it is a server. */
  REQUESTS("vllm:request_success_total", Map.of("finished_reason", "stop"));

  private final String counter;
  private final Map<String, String> labels;

  Besides(String counter, Map<String, String> labels) {
    this.counter = counter;
    this.labels = labels;
  }

  String counter() {
    return counter;
  }

  Map<String, String> labels() {
    return labels;
  }
}
