package io.gpureclaimer.deviceplugin.labels;

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
 * Keeps the labels of the node as they should be: at once when they change, again after a failure
 * with growing pauses, and now and then even if nothing happened, in case somebody else changed
 * them. Confined to the thread that ticks, {@link #state} aside.
 */
public final class LabelPublication {
  private static final Logger log = LoggerFactory.getLogger(LabelPublication.class);

  private final LabelSink sink;
  private final Duration recheck;
  private final Backoff backoff;
  private final AtomicReference<PublicationState> state =
      new AtomicReference<>(PublicationState.NOTHING);

  private @Nullable NodeLabels published;
  private Instant next = Instant.MIN;
  private String said = "";

  /**
   * @param sink where the labels go
   * @param recheck after how long they are compared with what is there, though nothing changed
   * @param backoff how long to wait after a failure
   */
  public LabelPublication(LabelSink sink, Duration recheck, Backoff backoff) {
    this.sink = sink;
    this.recheck = recheck;
    this.backoff = backoff;
  }

  /**
   * How it stands.
   *
   * @param lastGood when the labels were last known to be as they should; null if never
   * @param written how often something was written
   * @param failures how many attempts in a row failed
   * @param contested labels that somebody else holds
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

  /** Makes the labels known, if that is due. */
  public void tick(NodeLabels wanted, Instant now) {
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

  private void good(
      NodeLabels labels, Instant now, int written, List<Published.Contested> contested) {
    backoff.reset();
    published = labels;
    next = now.plus(recheck);
    state.set(new PublicationState(now, written, 0, contested, null));
    say(
        contested.isEmpty()
            ? Optional.empty()
            : Optional.of(
                "left alone on " + sink.target() + ", being somebody else's: " + contested));
  }

  private void say(Optional<String> trouble) {
    String text = trouble.orElse("");
    if (text.equals(said)) {
      return;
    }
    said = text;
    if (trouble.isPresent()) {
      log.warn("labels: {}", text);
    } else {
      log.info("labels: {} has them as they should be", sink.target());
    }
  }
}
