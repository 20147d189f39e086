package io.gpureclaimer.reclaimer.evidence.direct;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.Gathering;
import io.gpureclaimer.reclaimer.evidence.Label;
import io.gpureclaimer.reclaimer.evidence.Mark;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodKey;
import io.gpureclaimer.reclaimer.evidence.SignalLimits;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Scrapes the agents itself, for a cluster without Prometheus. Safe for any thread.
 *
 * <p>The pods of an agent that does not answer are not seen; if no agent answers, the source is
 * blind.
 */
public final class DirectSource implements ActivitySource {
  private static final FormatName FORM =
      new FormatName("direct", "what the agents recorded, as they say themselves");
  private static final Map<String, Mark> MARKS =
      Map.of(
          LedgerMetrics.LAST_ACTIVE, Mark.LAST_ACTIVE,
          LedgerMetrics.OBSERVED_SINCE, Mark.OBSERVED_SINCE,
          LedgerMetrics.OBSERVED_UNTIL, Mark.OBSERVED_UNTIL);
  private static final Set<String> WANTED = wanted();

  private static final double MILLIS_PER_SECOND = 1_000.0;

  private final Scraper scraper;
  private final Clock clock;
  private final SignalLimits signals;
  private final MemoryTrail trail = new MemoryTrail();

  /** Looks at no signals. */
  public DirectSource(Agents agents, Clock clock) {
    this(agents, clock, SignalLimits.none());
  }

  /**
   * @param clock tells when a scrape was made and when the look was over
   */
  public DirectSource(Agents agents, Clock clock, SignalLimits signals) {
    this.scraper = new Scraper(agents, clock);
    this.clock = clock;
    this.signals = signals;
  }

  @Override
  public Observation fetchAll() {
    return look(_ -> true, false);
  }

  @Override
  public Observation fetchPod(PodActivity pod) {
    return look(sample -> pod.uid().equals(sample.labels().get(Labels.POD_UID)), true);
  }

  private Observation look(Predicate<TextSample> wanted, boolean rawToo) {
    List<Scrape> scrapes = scraper.scrape(WANTED);
    if (scrapes.stream().noneMatch(Scrape.Answered.class::isInstance)) {
      return new Observation.Blind(
          "none of " + scrapes.size() + " agents answered; " + scrapes.getFirst());
    }
    var gathering = new Gathering();
    var hardware = new Hardware(signals, trail);
    for (Scrape scrape : scrapes) {
      switch (scrape) {
        case Scrape.Answered(_, Instant at, List<TextSample> samples) -> {
          for (TextSample sample : samples) {
            if (isOfLedger(sample.name()) && wanted.test(sample)) {
              gather(gathering, sample, at);
            }
            hardware.gather(sample, gathering, rawToo);
          }
        }
        case Scrape.Failed failed -> gathering.odd(failed + "; its pods are not seen");
      }
    }
    Instant at = clock.instant();
    hardware.remember(at);
    return gathering.seen(at).from(FORM, Optional.empty());
  }

  private static boolean isOfLedger(String name) {
    return MARKS.containsKey(name)
        || name.equals(LedgerMetrics.DEVICE_COUNT)
        || name.equals(LedgerMetrics.BUSY);
  }

  private static void gather(Gathering gathering, TextSample sample, Instant at) {
    Optional<PodKey> pod = Gathering.uid(sample.labels().get(Labels.POD_UID));
    Label device = Hardware.device(sample);
    switch (sample.name()) {
      case LedgerMetrics.DEVICE_COUNT -> gathering.deviceCount(pod, sample.value());
      case LedgerMetrics.BUSY -> {
        if (sample.value() == 0) {
          gathering.neverActive(pod, device);
        }
      }
      default -> mark(gathering, pod, device, sample, at);
    }
  }

  private static void mark(
      Gathering gathering, Optional<PodKey> pod, Label device, TextSample sample, Instant at) {
    Mark mark = Objects.requireNonNull(MARKS.get(sample.name()), "a mark's name");
    gathering.mark(mark, pod, device, sample.value(), at);
    if (mark == Mark.OBSERVED_UNTIL) {
      // As a Prometheus would: the time of the scrape is that of the sample it brought.
      gathering.mark(Mark.SAMPLED_AT, pod, device, at.toEpochMilli() / MILLIS_PER_SECOND, at);
    }
  }

  private static Set<String> wanted() {
    var wanted = new HashSet<>(Hardware.wanted());
    wanted.addAll(MARKS.keySet());
    wanted.add(LedgerMetrics.DEVICE_COUNT);
    wanted.add(LedgerMetrics.BUSY);
    return Set.copyOf(wanted);
  }
}
