package io.gpureclaimer.reclaimer.faults;

import java.util.Map;

/** What a pod may do while its GPUs are idle, and the counter that shows it. */
@SuppressWarnings("ImmutableEnumChecker") // a map of strings
enum SecondarySignal {
  /** It loads data, as the kubelet of its node reports for every pod. */
  CPU("container_cpu_usage_seconds_total", Map.of("container", "main")),
  /** It answers requests, as a server reports itself. */
  REQUESTS("vllm:request_success_total", Map.of("finished_reason", "stop"));

  private final String counter;
  private final Map<String, String> labels;

  SecondarySignal(String counter, Map<String, String> labels) {
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
