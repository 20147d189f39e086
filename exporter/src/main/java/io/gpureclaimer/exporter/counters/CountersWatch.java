package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.counters.CountersText.Look;
import io.gpureclaimer.exporter.counters.CountersText.Look.Found;
import io.gpureclaimer.exporter.counters.CountersText.Look.Missing;
import io.gpureclaimer.exporter.counters.CountersWatch.Judgment.Bad;
import io.gpureclaimer.exporter.counters.CountersWatch.Judgment.Good;
import io.gpureclaimer.exporter.counters.Parsing.Parsed;
import io.gpureclaimer.exporter.counters.Parsing.Refused;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a counters file: what is good takes effect with the next sampling pass, what is bad is
 * one warning, and the last good one stays in force. Confined to the job that looks, but for how it
 * stands.
 */
public final class CountersWatch {
  private static final Logger log = LoggerFactory.getLogger(CountersWatch.class);

  private final CountersText source;
  private final CountersGrammar grammar;
  private final CurrentCounters current;
  private final InstantSource clock;
  private final AtomicReference<Standing> standing;
  private Look judged;
  private Look last;

  private CountersWatch(
      CountersText source,
      CountersGrammar grammar,
      CurrentCounters current,
      Look first,
      InstantSource clock) {
    this.source = source;
    this.grammar = grammar;
    this.current = current;
    this.clock = clock;
    this.standing =
        new AtomicReference<>(new Standing(source.name(), clock.instant(), Optional.empty()));
    this.judged = first;
    this.last = first;
  }

  /**
   * How the file stands, for people.
   *
   * @param name what is read
   * @param inForceSince when the set in force was taken up
   * @param refusal why the newest one was not; empty if it was
   */
  public record Standing(String name, Instant inForceSince, Optional<String> refusal) {}

  /** What came of a look. */
  public enum Outcome {
    NOTHING_NEW,
    TAKEN_UP,
    REFUSED
  }

  /** What the text is good for. */
  sealed interface Judgment {
    record Good(CounterSet set) implements Judgment {}

    record Bad(String why) implements Judgment {}
  }

  /**
   * Reads the file for the first time.
   *
   * @param source where it is
   * @param grammar what its rows mean
   * @param inAnyCase fields that are asked for whether they are served or not
   * @param clock tells when a set is taken up
   * @throws IllegalArgumentException in one line, if there is none or it is bad
   */
  public static CountersWatch begin(
      CountersText source, CountersGrammar grammar, Set<DcgmField> inAnyCase, InstantSource clock) {
    var first = source.look();
    return switch (judge(first, grammar)) {
      case Bad(var why) -> throw new IllegalArgumentException(source.name() + " " + why);
      case Good(var set) ->
          new CountersWatch(source, grammar, new CurrentCounters(set, inAnyCase), first, clock);
    };
  }

  /** The set in force, for whoever serves it. */
  public CurrentCounters current() {
    return current;
  }

  /** Logs what the set in force serves, and what not. */
  public void tell() {
    tell(source, current.get().set());
  }

  /** How the file stands; for any thread. */
  public Standing standing() {
    return standing.get();
  }

  /**
   * Reads it again.
   *
   * @param atOnce judges it now; otherwise only if it has changed and then stayed the same for two
   *     looks, for somebody may just be writing it
   */
  public Outcome look(boolean atOnce) {
    if (!atOnce && !source.isCheap()) {
      return Outcome.NOTHING_NEW;
    }
    var now = source.look();
    boolean settled = now.equals(last) && !now.equals(judged);
    last = now;
    if (!atOnce && !settled) {
      return Outcome.NOTHING_NEW;
    }
    judged = now;
    return switch (judge(now, grammar)) {
      case Good(var set) -> {
        current.replaceBy(set);
        standing.set(new Standing(source.name(), clock.instant(), Optional.empty()));
        tell(source, set);
        yield Outcome.TAKEN_UP;
      }
      case Bad(var why) -> {
        standing.updateAndGet(
            before -> new Standing(before.name(), before.inForceSince(), Optional.of(why)));
        log.warn("{} {}; what it last said stays in force", source.name(), why);
        yield Outcome.REFUSED;
      }
    };
  }

  private static Judgment judge(Look look, CountersGrammar grammar) {
    return switch (look) {
      case Missing(var reason) -> new Bad(reason);
      case Found(var text) ->
          switch (grammar.parse(text)) {
            case Parsed(var set) -> new Good(set);
            case Refused refused -> new Bad("is refused: " + refused.inOneLine());
          };
    };
  }

  private static void tell(CountersText source, CounterSet set) {
    log.info(
        "{}: metrics {}, labels {}, rows not served {}",
        source.name(),
        set.counters().size(),
        set.labels().size(),
        set.skipped().size());
    for (Skipped row : set.skipped()) {
      log.info("{} in line {} is not served: it {}", row.name(), row.line(), row.reason());
    }
  }
}
