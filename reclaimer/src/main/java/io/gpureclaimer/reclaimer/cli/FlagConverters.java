package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.program.ListenAddress;
import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.simulate.ComparedPolicy;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.Autoscaling.PoolSize;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters for the values of flags; the message of each failure contains the rule. */
final class FlagConverters {
  private FlagConverters() {}

  /** A duration as it is written in annotations. */
  static final class OfDuration implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return Durations.parse(text).orElseThrow(() -> invalid(Durations.RULE, text));
    }
  }

  /** An address to listen on. */
  static final class OfAddress implements ITypeConverter<ListenAddress> {
    @Override
    public ListenAddress convert(String text) {
      try {
        return ListenAddress.of(text);
      } catch (IllegalArgumentException e) {
        throw invalid(String.valueOf(e.getMessage()), text);
      }
    }
  }

  /** A URL. The message does not contain the value, which may hold a password. */
  static final class OfUrl implements ITypeConverter<URI> {
    @Override
    public URI convert(String text) {
      try {
        return new URI(text);
      } catch (URISyntaxException e) {
        throw new TypeConversionException(
            "must be a URL like http://prometheus.monitoring:9090: "
                + e.getReason().toLowerCase(Locale.ROOT));
      }
    }
  }

  /** A mode that a backtest can assume: one that acts, or report. */
  static final class OfMode implements ITypeConverter<Mode> {
    private static final List<Mode> ALLOWED = List.of(Mode.ALWAYS, Mode.ON_DEMAND, Mode.REPORT);

    @Override
    public Mode convert(String text) {
      return Mode.of(text)
          .filter(ALLOWED::contains)
          .orElseThrow(
              () ->
                  invalid(
                      "must be one of "
                          + ALLOWED.stream().map(Mode::text).collect(Collectors.joining(", ")),
                      text));
    }
  }

  /** A policy of a simulation. */
  static final class OfComparedPolicy implements ITypeConverter<ComparedPolicy> {
    @Override
    public ComparedPolicy convert(String text) {
      return ComparedPolicy.of(text)
          .orElseThrow(
              () ->
                  invalid(
                      "must be one of "
                          + Arrays.stream(ComparedPolicy.values())
                              .map(ComparedPolicy::code)
                              .collect(Collectors.joining(", ")),
                      text));
    }
  }

  /** A pool of nodes of one model that an autoscaler may change. */
  record ModelPool(String model, PoolSize size) {}

  static final class OfModelPool implements ITypeConverter<ModelPool> {
    private static final Pattern POOL = Pattern.compile("(.+)=(\\d{1,6})-(\\d{1,6})");

    @Override
    public ModelPool convert(String text) {
      Matcher parts = POOL.matcher(text);
      if (parts.matches()) {
        var size = new PoolSize(Integer.parseInt(parts.group(2)), Integer.parseInt(parts.group(3)));
        if (size.least() <= size.most()) {
          return new ModelPool(parts.group(1), size);
        }
      }
      throw invalid("must be a model with the least and most nodes like H100=8-64", text);
    }
  }

  /** A time in the past: a duration ago, or an instant. */
  @FunctionalInterface
  interface HistoryTime {
    static HistoryTime ago(Duration duration) {
      return now -> now.minus(duration).truncatedTo(ChronoUnit.SECONDS);
    }

    /** The instant, to the second. */
    Instant before(Instant now);
  }

  static final class OfHistoryTime implements ITypeConverter<HistoryTime> {
    @Override
    public HistoryTime convert(String text) {
      return Durations.parse(text)
          .map(HistoryTime::ago)
          .or(() -> instant(text).map(at -> _ -> at))
          .orElseThrow(
              () ->
                  invalid(
                      "must be a duration ago like 14d or 12h, or a time like 2026-03-01T18:00:00Z",
                      text));
    }

    static Optional<Instant> instant(String text) {
      try {
        return Optional.of(OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.SECONDS));
      } catch (DateTimeException _) {
        return Optional.empty();
      }
    }
  }

  /**
   * Where a trace is entered: after its begin, or at a time.
   *
   * @param after the begin of the trace; empty if a time is given
   * @param at the time; empty if a duration is given
   */
  record TraceTime(Optional<Duration> after, Optional<Instant> at) {}

  /** A duration, or a time, which is UTC if it does not say. */
  static final class OfTraceTime implements ITypeConverter<TraceTime> {
    @Override
    public TraceTime convert(String text) {
      Optional<Duration> duration = Durations.parse(text);
      return duration.isPresent()
          ? new TraceTime(duration, Optional.empty())
          : new TraceTime(Optional.empty(), Optional.of(at(text)));
    }

    private static Instant at(String text) {
      return OfHistoryTime.instant(text)
          .or(() -> OfHistoryTime.instant(text + "Z"))
          .or(() -> OfHistoryTime.instant(text + "T00:00:00Z"))
          .orElseThrow(
              () ->
                  invalid("must be a duration like 12h, or a time like 2026-03-01T18:00:00", text));
    }
  }

  private static TypeConversionException invalid(String rule, String text) {
    return new TypeConversionException(rule + ", was " + text);
  }
}
