package io.gpureclaimer.reclaimer.prometheus;

import io.gpureclaimer.reclaimer.activity.ActivitySource;
import io.gpureclaimer.reclaimer.activity.Gathering;
import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.activity.PodActivity;
import java.time.Clock;

/**
 * Asks a Prometheus, or what speaks like one, what its agents recorded. Safe for any thread.
 *
 * <p>Each look is one instant query. Any answer that is not wholly as it should be is {@link
 * Observation.Blind}; an answer without series is not: it is complete, and says nothing of any pod.
 */
public final class PrometheusSource implements ActivitySource {
  private static final long LARGEST_ANSWER_BYTES = 512L * 1024 * 1024;

  private final QueryClient client;
  private final Clock clock;

  /**
   * @param clock for the time of an answer that has no samples, and so tells none itself
   */
  public PrometheusSource(PrometheusConnection connection, Clock clock) {
    this(connection, clock, LARGEST_ANSWER_BYTES);
  }

  PrometheusSource(PrometheusConnection connection, Clock clock, long largestAnswerBytes) {
    this.client = new QueryClient(connection, largestAnswerBytes);
    this.clock = clock;
  }

  @Override
  public Observation lookAtAll() {
    return look(Queries.everyPod());
  }

  @Override
  public Observation lookAgainAt(PodActivity pod) {
    return look(Queries.onePod(pod));
  }

  private Observation look(String query) {
    var gathering = new Gathering();
    var sorting = new Sorting(gathering);
    return switch (client.ask(query, Sorting.LABELS, sorting)) {
      case Answer.Complete() -> gathering.seen(sorting.at().orElseGet(clock::instant));
      case Answer.Unusable(var expected, var found) ->
          new Observation.Blind(
              "POST " + client.uri() + ": expected " + expected + ", found " + found);
    };
  }
}
