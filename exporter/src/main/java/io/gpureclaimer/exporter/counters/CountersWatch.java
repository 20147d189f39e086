package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.files.ReloadingFile.Refresh;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult.Parsed;
import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult.Refused;
import io.gpureclaimer.exporter.counters.CountersWatch.LoadResult.Invalid;
import io.gpureclaimer.exporter.counters.CountersWatch.LoadResult.Unchanged;
import io.gpureclaimer.exporter.counters.CountersWatch.LoadResult.Valid;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads a counters file: valid content takes effect with the next sampling pass; invalid content
 * is one warning, and the last valid one stays in force. Confined to the job that refreshes it,
 * except {@link #status}.
 */
public final class CountersWatch {
  private static final Logger log = LoggerFactory.getLogger(CountersWatch.class);

  private final CountersSource source;
  private final CountersGrammar grammar;
  private final CurrentCounters current;
  private final InstantSource clock;
  private final AtomicReference<CountersStatus> status;

  private CountersWatch(
      CountersSource source,
      CountersGrammar grammar,
      CurrentCounters current,
      InstantSource clock) {
    this.source = source;
    this.grammar = grammar;
    this.current = current;
    this.clock = clock;
    this.status =
        new AtomicReference<>(new CountersStatus(source.name(), clock.instant(), Optional.empty()));
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

  /** Result of reading and parsing the source. */
  sealed interface LoadResult {
    record Unchanged() implements LoadResult {}

    record Valid(CounterSet set) implements LoadResult {}

    record Invalid(String why) implements LoadResult {}
  }

  /**
   * Reads the file for the first time.
   *
   * @param grammar of its rows
   * @param inAnyCase fields that are queried whether they are served or not
   * @throws IllegalArgumentException in one line, if the file is missing or invalid
   */
  public static CountersWatch begin(
      CountersSource source,
      CountersGrammar grammar,
      Set<DcgmField> inAnyCase,
      InstantSource clock) {
    return switch (parse(source.reload(), grammar)) {
      case Unchanged() -> throw new IllegalStateException(source.name() + " was not read");
      case Invalid(var why) -> throw new IllegalArgumentException(source.name() + ": " + why);
      case Valid(var set) ->
          new CountersWatch(source, grammar, new CurrentCounters(set, inAnyCase), clock);
    };
  }

  /** The set in force, for the components that serve it. */
  public CurrentCounters current() {
    return current;
  }

  /** Logs how much the set in force serves. */
  public void logContent() {
    logContent(source, current.get().set());
  }

  /** State of the file; for any thread. */
  public CountersStatus status() {
    return status.get();
  }

  /**
   * Reads the source again.
   *
   * @param atOnce applies the content also if it has not changed, or changed only just now
   */
  public Reload refresh(boolean atOnce) {
    return switch (parse(atOnce ? source.reload() : source.refresh(), grammar)) {
      case Unchanged() -> Reload.UNCHANGED;
      case Valid(var set) -> {
        current.replaceBy(set);
        status.set(new CountersStatus(source.name(), clock.instant(), Optional.empty()));
        logContent(source, set);
        yield Reload.LOADED;
      }
      case Invalid(var why) -> {
        status.updateAndGet(
            before -> new CountersStatus(before.name(), before.inForceSince(), Optional.of(why)));
        log.warn("{}: {}; the last valid content stays in use", source.name(), why);
        yield Reload.REJECTED;
      }
    };
  }

  private static LoadResult parse(Refresh<String> read, CountersGrammar grammar) {
    return switch (read) {
      case Refresh.Unchanged<String>() -> new Unchanged();
      case Refresh.Rejected<String>(var problem, _) -> new Invalid(problem);
      case Refresh.Loaded<String>(var text) ->
          switch (grammar.parse(text)) {
            case Parsed(var set) -> new Valid(set);
            case Refused refused -> new Invalid(refused.inOneLine());
          };
    };
  }

  private static void logContent(CountersSource source, CounterSet set) {
    log.info(
        "{}: loaded; metrics={}, labels={}, rows not served={}",
        source.name(),
        set.counters().size(),
        set.labels().size(),
        set.skipped().size());
  }
}
