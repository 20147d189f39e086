package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.counters.CounterSet.UnservedRow;
import io.gpureclaimer.exporter.counters.CountersParseResult.Parsed;
import io.gpureclaimer.exporter.counters.CountersParseResult.Refused;
import io.gpureclaimer.exporter.counters.CountersSource.Content;
import io.gpureclaimer.exporter.counters.CountersSource.Content.Found;
import io.gpureclaimer.exporter.counters.CountersSource.Content.Missing;
import io.gpureclaimer.exporter.counters.CountersWatch.LoadResult.Invalid;
import io.gpureclaimer.exporter.counters.CountersWatch.LoadResult.Valid;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a counters file: what is good takes effect with the next sampling pass, what is bad is
 * one warning, and the last good one stays in force. Confined to the job that refreshes it, except
 * {@link #status}.
 */
public final class CountersWatch {
  private static final Logger log = LoggerFactory.getLogger(CountersWatch.class);

  private final CountersSource source;
  private final CountersGrammar grammar;
  private final CurrentCounters current;
  private final InstantSource clock;
  private final AtomicReference<CountersStatus> status;
  private Content judged;
  private Content last;

  private CountersWatch(
      CountersSource source,
      CountersGrammar grammar,
      CurrentCounters current,
      Content first,
      InstantSource clock) {
    this.source = source;
    this.grammar = grammar;
    this.current = current;
    this.clock = clock;
    this.status =
        new AtomicReference<>(new CountersStatus(source.name(), clock.instant(), Optional.empty()));
    this.judged = first;
    this.last = first;
  }

  /**
   * State of the counters file.
   *
   * @param name what is read
   * @param inForceSince when the set in force was taken up
   * @param refusal why the newest one was not; empty if it was
   */
  public record CountersStatus(String name, Instant inForceSince, Optional<String> refusal) {}

  /** Result of {@link #refresh}. */
  public enum Reload {
    UNCHANGED,
    LOADED,
    REJECTED
  }

  /** What the text is good for. */
  sealed interface LoadResult {
    record Valid(CounterSet set) implements LoadResult {}

    record Invalid(String why) implements LoadResult {}
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
      CountersSource source,
      CountersGrammar grammar,
      Set<DcgmField> inAnyCase,
      InstantSource clock) {
    var first = source.read();
    return switch (judge(first, grammar)) {
      case Invalid(var why) -> throw new IllegalArgumentException(source.name() + " " + why);
      case Valid(var set) ->
          new CountersWatch(source, grammar, new CurrentCounters(set, inAnyCase), first, clock);
    };
  }

  /** The set in force, for whoever serves it. */
  public CurrentCounters current() {
    return current;
  }

  /** Logs what the set in force serves, and what not. */
  public void logContent() {
    logContent(source, current.get().set());
  }

  /** State of the file; for any thread. */
  public CountersStatus status() {
    return status.get();
  }

  /**
   * Reads it again.
   *
   * @param atOnce judges it now; otherwise only if it has changed and then stayed the same for two
   *     looks, for somebody may just be writing it
   */
  public Reload refresh(boolean atOnce) {
    if (!atOnce && !source.isPolled()) {
      return Reload.UNCHANGED;
    }
    var now = source.read();
    boolean settled = now.equals(last) && !now.equals(judged);
    last = now;
    if (!atOnce && !settled) {
      return Reload.UNCHANGED;
    }
    judged = now;
    return switch (judge(now, grammar)) {
      case Valid(var set) -> {
        current.replaceBy(set);
        status.set(new CountersStatus(source.name(), clock.instant(), Optional.empty()));
        logContent(source, set);
        yield Reload.LOADED;
      }
      case Invalid(var why) -> {
        status.updateAndGet(
            before -> new CountersStatus(before.name(), before.inForceSince(), Optional.of(why)));
        log.warn("{} {}; what it last said stays in force", source.name(), why);
        yield Reload.REJECTED;
      }
    };
  }

  private static LoadResult judge(Content look, CountersGrammar grammar) {
    return switch (look) {
      case Missing(var reason) -> new Invalid(reason);
      case Found(var text) ->
          switch (grammar.parse(text)) {
            case Parsed(var set) -> new Valid(set);
            case Refused refused -> new Invalid("is refused: " + refused.inOneLine());
          };
    };
  }

  private static void logContent(CountersSource source, CounterSet set) {
    log.info(
        "{}: metrics {}, labels {}, rows not served {}",
        source.name(),
        set.counters().size(),
        set.labels().size(),
        set.skipped().size());
    for (UnservedRow row : set.skipped()) {
      log.info("{} in line {} is not served: it {}", row.name(), row.line(), row.reason());
    }
  }
}
