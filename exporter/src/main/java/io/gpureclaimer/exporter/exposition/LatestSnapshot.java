package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.common.program.Readiness;
import io.gpureclaimer.common.program.Readiness.NotReady;
import io.gpureclaimer.common.program.Readiness.Ready;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.attribution.SourceState;
import io.gpureclaimer.exporter.attribution.SourceState.KubeletContact;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.exposition.ScrapeRenderer.RenderInput;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.gpureclaimer.exporter.exposition.own.UnmatchedConfig;
import io.gpureclaimer.exporter.exposition.text.OpenMetrics;
import io.gpureclaimer.exporter.exposition.text.SeriesStyle;
import io.gpureclaimer.exporter.exposition.text.TextBuffer;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.FailingCalls;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Last published snapshot: the sampling job publishes, request threads read. A snapshot is rendered
 * at the first request, once for all requests; one that has become too old is no longer served.
 */
public final class LatestSnapshot {
  private final OwnMetrics own;
  private final Duration staleAfter;
  private final MonotonicClock monotonic;
  private final ScrapeRenderer renderer;
  private final AtomicReference<@Nullable PublishedSnapshot> latest = new AtomicReference<>();

  /**
   * @param own what the agent says about itself, served in any case
   * @param staleAfter age from which on a snapshot is not served
   * @param style how series are written
   * @param monotonic monotonic clock
   */
  public LatestSnapshot(
      OwnMetrics own, Duration staleAfter, SeriesStyle style, MonotonicClock monotonic) {
    this.own = own;
    this.renderer = new ScrapeRenderer(own, style, monotonic);
    this.staleAfter = staleAfter;
    this.monotonic = monotonic;
  }

  /** Hands over all that was seen. Only the sampling job calls this. */
  public void publish(
      Snapshot snapshot, CounterSet counters, List<DeviceObservation> ledger, SourceState source) {
    publish(snapshot, snapshot, counters, UnmatchedConfig.NOTHING, ledger, source);
  }

  /**
   * Hands over. Only the sampling job calls this.
   *
   * @param snapshot all that was seen
   * @param selected the same, with those devices only whose series are served
   * @param unmatched what is selected and does not exist
   */
  public void publish(
      Snapshot snapshot,
      Snapshot selected,
      CounterSet counters,
      UnmatchedConfig unmatched,
      List<DeviceObservation> ledger,
      SourceState source) {
    own.observe(snapshot, source);
    own.unmatched(unmatched);
    long began = monotonic.nanos() - snapshot.report().took().toNanos();
    var input = new RenderInput(snapshot, selected, counters, unmatched, ledger, source);
    var scrape = new RenderedScrape(form -> renderer.render(input, form));
    var openMetrics = new RenderedScrape(form -> renderer.renderOpenMetrics(input, form));
    latest.set(
        new PublishedSnapshot(scrape, openMetrics, readiness(snapshot, source), input, began));
  }

  /**
   * What to answer to a scrape now; without the device and ledger series if there are none fresh.
   */
  public RenderedScrape scrape() {
    return fresh()
        .map(PublishedSnapshot::scrape)
        .orElseGet(
            () -> new RenderedScrape(form -> form.apply(new TextBuffer().append(own.text()))));
  }

  /** The same in OpenMetrics. */
  public RenderedScrape openMetrics() {
    return fresh()
        .map(PublishedSnapshot::openMetrics)
        .orElseGet(
            () ->
                new RenderedScrape(
                    form -> form.apply(OpenMetrics.of(new TextBuffer(), own.openMetrics()))));
  }

  private Optional<PublishedSnapshot> fresh() {
    var published = latest.get();
    return published == null || isStale(published) ? Optional.empty() : Optional.of(published);
  }

  /** What the last pass saw, however old it is; empty before the first. */
  public Optional<SnapshotView> last() {
    return Optional.ofNullable(latest.get())
        .map(
            published -> {
              var input = published.input();
              return new SnapshotView(
                  input.snapshot(),
                  input.unmatched(),
                  input.ledger(),
                  input.source(),
                  age(published),
                  isStale(published));
            });
  }

  /** Whether {@link #scrape()} has what there is to report about the GPUs. */
  public Readiness readiness() {
    var published = latest.get();
    if (published == null) {
      return new NotReady("no sampling pass has finished yet");
    }
    if (isStale(published)) {
      return new NotReady(
          "the last sampling pass began " + age(published).toMillis() / 1000 + " s ago");
    }
    return published.readiness();
  }

  /**
   * A node without GPUs is ready. A node is not ready if no GPU responds, or if utilization or
   * memory cannot be read of any. An agent to which the kubelet never responded probably has no
   * permission to query it: a rollout should stop there.
   */
  private static Readiness readiness(Snapshot snapshot, SourceState source) {
    int gpus = snapshot.gpus().size();
    return switch (snapshot.driver()) {
      case DriverState.Down(var reason) -> new NotReady("the driver is down: " + reason);
      case DriverState.Up _
          when gpus > 0 && snapshot.gpus().stream().noneMatch(OwnMetrics::answered) ->
          new NotReady("0 of " + gpus + " GPUs responding");
      case DriverState.Up _
          when gpus > 0 && snapshot.gpus().stream().allMatch(FailingCalls::misses) ->
          new NotReady(
              "utilization or memory cannot be read of any GPU: " + FailingCalls.of(snapshot));
      case DriverState.Up _
          when source
              instanceof OfKubelet(KubeletContact.NeverAnswered(var reason), _, _, _, _, _) ->
          new NotReady("the kubelet has not answered yet: " + reason);
      case DriverState.Up _ -> new Ready();
    };
  }

  private boolean isStale(PublishedSnapshot published) {
    return age(published).compareTo(staleAfter) > 0;
  }

  private Duration age(PublishedSnapshot published) {
    return Duration.ofNanos(monotonic.nanos() - published.began());
  }

  private record PublishedSnapshot(
      RenderedScrape scrape,
      RenderedScrape openMetrics,
      Readiness readiness,
      RenderInput input,
      long began) {}

  /**
   * Response in the requested format, rendered at the first request and reused. What is not
   * requested is never made.
   *
   * <p>Synchronized because two scrapers that ask first and at once must not both pay for it.
   */
  public static final class RenderedScrape {
    /** What {@link #text()} is. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** What {@link #text()} is of {@link LatestSnapshot#openMetrics()}. */
    public static final String OPENMETRICS_TYPE =
        "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final Written written;
    private byte @Nullable [] text;
    private byte @Nullable [] gzipped;

    /** A text that is written when it is needed, and valid only while it is being read. */
    @FunctionalInterface
    interface Written {
      /** What is made of the text. */
      byte[] as(Function<TextBuffer, byte[]> form);
    }

    RenderedScrape(Written written) {
      this.written = written;
    }

    /** As it was written. Not to be written to. */
    public synchronized byte[] text() {
      var known = text;
      if (known == null) {
        known = written.as(TextBuffer::toByteArray);
        text = known;
      }
      return known;
    }

    /** The same, compressed. Not to be written to. */
    public synchronized byte[] gzipped() {
      var known = gzipped;
      if (known == null) {
        known = written.as(RenderedScrape::gzip);
        gzipped = known;
      }
      return known;
    }

    private static byte[] gzip(TextBuffer text) {
      var out = new ByteArrayOutputStream(text.length() / 8);
      try (var gzip = new FastGzip(out)) {
        text.writeTo(gzip);
      } catch (IOException e) {
        throw new UncheckedIOException("memory cannot be written to", e);
      }
      return out.toByteArray();
    }

    /** A third of the default level's time for a few per cent more bytes. */
    private static final class FastGzip extends GZIPOutputStream {
      FastGzip(OutputStream out) throws IOException {
        super(out);
        def.setLevel(Deflater.BEST_SPEED);
      }
    }
  }
}
