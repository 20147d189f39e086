package io.gpureclaimer.reclaimer.request;

import io.gpureclaimer.reclaimer.request.RequestReply.RequestOutcome;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;

/** Counts requests of people. Safe for several threads. */
public final class RequestCounter {
  private final Counter requests;

  public RequestCounter(CollectorRegistry registry) {
    requests =
        Counter.build(
                "gpu_reclaimer_user_requests_total",
                "Requests of users to keep or restore a workload, by result.")
            .labelNames("request", "outcome")
            .register(registry);
  }

  /**
   * Counts one.
   *
   * @param request {@code keep} or {@code restore}
   */
  public void add(String request, RequestOutcome outcome) {
    requests.labels(request, outcome.code()).inc();
  }
}
