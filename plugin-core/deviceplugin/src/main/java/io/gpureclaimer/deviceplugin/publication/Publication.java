package io.gpureclaimer.deviceplugin.publication;

import io.gpureclaimer.common.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a fact about the node published: at once after changes, and with growing pauses after
 * failures. Confined to the thread that ticks, {@link #state} aside.
 *
 * @param <T> what is published, as a value
 */
public final class Publication<T> {
  private static final Logger log = LoggerFactory.getLogger(Publication.class);

  private final String subject;
  private final PublicationSink<T> sink;
  private final Duration recheck;
  private final Backoff backoff;
  private final AtomicReference<PublicationState> state =
      new AtomicReference<>(PublicationState.NOTHING);

  private @Nullable T published;
  private Instant next = Instant.MIN;
  private String said = "";

  /**
   * @param subject what is published, for the log: {@code labels}
   * @param sink where it goes
   * @param recheck after how long it is published again, though nothing changed
   * @param backoff how long to wait after a failure
   */
  public Publication(String subject, PublicationSink<T> sink, Duration recheck, Backoff backoff) {
    this.subject = subject;
    this.sink = sink;
    this.recheck = recheck;
    this.backoff = backoff;
  }

  /**
   * State of a publication.
   *
   * @param lastGood when what is there was last known to be as it should; null if never
   * @param written how often something was written
   * @param failures how many attempts in a row failed
   * @param contested labels that another manager owns
   * @param problem the last failure in words, while it lasts; null if none
   */
  public record PublicationState(
      @Nullable Instant lastGood,
      int written,
      int failures,
      List<Published.Contested> contested,
      @Nullable String problem) {
    static final PublicationState NOTHING = new PublicationState(null, 0, 0, List.of(), null);

    public PublicationState {
      contested = List.copyOf(contested);
    }
  }

  /** How it stands; for any thread. */
  public PublicationState state() {
    return state.get();
  }

  /** Publishes it, if that is due. */
  public void tick(T wanted, Instant now) {
    boolean failing = state.get().failures() > 0;
    boolean changed = !failing && !wanted.equals(published);
    if (!changed && now.isBefore(next)) {
      return;
    }
    PublicationState before = state.get();
    switch (sink.publish(wanted)) {
      case Published.Same(var contested) -> good(wanted, now, before.written(), contested);
      case Published.Written(var contested) -> good(wanted, now, before.written() + 1, contested);
      case Published.Failed(var _, var text) -> {
        int failures = before.failures() + 1;
        next = now.plus(backoff.next());
        state.set(
            new PublicationState(
                before.lastGood(), before.written(), failures, before.contested(), text));
        say(Optional.of("not written to " + sink.target() + ", and will be tried again: " + text));
      }
    }
  }

  private void good(T wanted, Instant now, int written, List<Published.Contested> contested) {
    backoff.reset();
    published = wanted;
    next = now.plus(recheck);
    state.set(new PublicationState(now, written, 0, contested, null));
    say(
        contested.isEmpty()
            ? Optional.empty()
            : Optional.of(
                "left unchanged on " + sink.target() + ", owned by another manager: " + contested));
  }

  private void say(Optional<String> trouble) {
    String text = trouble.orElse("");
    if (text.equals(said)) {
      return;
    }
    said = text;
    if (trouble.isPresent()) {
      log.warn("{}: {}", subject, text);
    } else {
      log.info("{}: {} is up to date", subject, sink.target());
    }
  }
}
