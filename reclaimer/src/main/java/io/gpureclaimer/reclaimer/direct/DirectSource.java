package io.gpureclaimer.reclaimer.direct;

import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.core.vocabulary.Labels;
import io.gpureclaimer.core.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.activity.ActivitySource;
import io.gpureclaimer.reclaimer.activity.Gathering;
import io.gpureclaimer.reclaimer.activity.Mark;
import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.activity.PodActivity;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Scrapes the agents itself, for a cluster without Prometheus. Safe for any thread.
 *
 * <p>The pods of an agent that does not answer are not seen; if no agent answers, the source is
 * blind.
 */
public final class DirectSource implements ActivitySource {
  private static final String UTILIZATION = DcgmField.DEV_GPU_UTIL.metricName();
  private static final Map<String, Mark> MARKS =
      Map.of(
          LedgerMetrics.LAST_ACTIVE, Mark.LAST_ACTIVE,
          LedgerMetrics.OBSERVED_SINCE, Mark.OBSERVED_SINCE,
          LedgerMetrics.OBSERVED_UNTIL, Mark.OBSERVED_UNTIL);
  private static final Set<String> WANTED =
      Set.of(
          LedgerMetrics.LAST_ACTIVE,
          LedgerMetrics.OBSERVED_SINCE,
          LedgerMetrics.OBSERVED_UNTIL,
          UTILIZATION);

  private static final double MILLIS_PER_SECOND = 1_000.0;

  private final Scraper scraper;
  private final Clock clock;

  /**
   * @param clock tells when a scrape was made and when the look was over
   */
  public DirectSource(Agents agents, Clock clock) {
    this.scraper = new Scraper(agents, clock);
    this.clock = clock;
  }

  @Override
  public Observation lookAtAll() {
    return look(sample -> !sample.name().equals(UTILIZATION));
  }

  @Override
  public Observation lookAgainAt(PodActivity pod) {
    return look(
        sample ->
            sample.name().equals(UTILIZATION)
                || pod.uid().equals(sample.labels().get(Labels.POD_UID)));
  }

  private Observation look(Predicate<TextSample> interesting) {
    List<Scrape> scrapes = scraper.scrape(WANTED);
    if (scrapes.stream().noneMatch(Scrape.Answered.class::isInstance)) {
      return new Observation.Blind(
          "none of " + scrapes.size() + " agents answered; " + scrapes.getFirst());
    }
    var gathering = new Gathering();
    for (Scrape scrape : scrapes) {
      switch (scrape) {
        case Scrape.Answered(_, Instant at, List<TextSample> samples) -> {
          for (TextSample sample : samples) {
            if (interesting.test(sample)) {
              gather(gathering, sample, at);
            }
          }
        }
        case Scrape.Failed failed -> gathering.odd(failed + "; its pods are not seen");
      }
    }
    return gathering.seen(clock.instant());
  }

  private static void gather(Gathering gathering, TextSample sample, Instant at) {
    String pod = sample.labels().get(Labels.POD_UID);
    String gpu = sample.labels().get(Labels.UUID);
    Mark mark = MARKS.get(sample.name());
    if (mark == null) {
      gathering.utilization(gpu, sample.value());
      return;
    }
    gathering.mark(mark, pod, gpu, sample.value(), at);
    if (mark == Mark.OBSERVED_UNTIL) {
      // As a Prometheus would: the time of the scrape is that of the sample it brought.
      gathering.mark(Mark.SAMPLED_AT, pod, gpu, at.toEpochMilli() / MILLIS_PER_SECOND, at);
    }
  }
}
