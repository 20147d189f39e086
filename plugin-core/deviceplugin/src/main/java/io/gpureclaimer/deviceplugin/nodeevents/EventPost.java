package io.gpureclaimer.deviceplugin.nodeevents;

import io.gpureclaimer.common.retry.Backoff;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink.Delivery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers Events in order, with retries and a rate limit. Drops Events that are an hour old.
 * Confined to the thread that delivers, {@link #isWaiting} aside.
 */
public final class EventPost {
  private static final Logger log = LoggerFactory.getLogger(EventPost.class);

  /** The API server forgets Events then, too. */
  private static final Duration NEWS = Duration.ofHours(1);

  private final EventSink sink;
  private final Backoff backoff;
  private final RateLimit allowance = new RateLimit();
  private final Deque<NodeEvent> waiting = new ArrayDeque<>();

  private volatile boolean anyWaiting;
  private Instant next = Instant.MIN;
  private String logged = "";

  /**
   * @param sink where they go
   * @param backoff how long to wait after a failure
   */
  public EventPost(EventSink sink, Backoff backoff) {
    this.sink = sink;
    this.backoff = backoff;
  }

  /** Whether there are some that could not be delivered yet; for any thread. */
  public boolean isWaiting() {
    return anyWaiting;
  }

  /** Delivers these after those that wait, if it is time. */
  public void deliver(List<NodeEvent> events, Instant now) {
    events.forEach(event -> accept(event, now));
    waiting.removeIf(event -> event.at().plus(NEWS).isBefore(now));
    while (!waiting.isEmpty() && !now.isBefore(next)) {
      switch (sink.write(waiting.getFirst())) {
        case Delivery.Delivered() -> {
          waiting.removeFirst();
          backoff.reset();
          logState("");
        }
        case Delivery.Failed(var why) -> {
          next = now.plus(backoff.next());
          logState("not written to " + sink.target() + ", and will be tried again: " + why);
        }
      }
    }
    anyWaiting = !waiting.isEmpty();
  }

  private void accept(NodeEvent event, Instant now) {
    if (allowance.tryAcquire(now)) {
      waiting.addLast(event);
    } else {
      log.info("event rate limit reached; not sent: {}: {}", event.reason(), event.message());
    }
  }

  private void logState(String trouble) {
    if (!trouble.equals(logged)) {
      logged = trouble;
      if (trouble.isEmpty()) {
        log.info("Events are written to {} again", sink.target());
      } else {
        log.warn("Events: {}", trouble);
      }
    }
  }

  /** Rate limit of Events: a burst, then one per interval. Confined to one thread. */
  private static final class RateLimit {
    /** As many as the components of Kubernetes allow themselves for one object. */
    private static final int MOST = 25;

    private static final Duration ANOTHER_AFTER = Duration.ofMinutes(5);

    private int left = MOST;
    private Instant counted = Instant.MIN;

    /** Whether one more is within it, which then is used up. */
    boolean tryAcquire(Instant now) {
      refill(now);
      if (left == 0) {
        return false;
      }
      left--;
      return true;
    }

    private void refill(Instant now) {
      if (left == MOST || now.isBefore(counted)) {
        counted = now;
        return;
      }
      long more = Duration.between(counted, now).dividedBy(ANOTHER_AFTER);
      left = (int) Math.min(MOST, left + more);
      counted = counted.plus(ANOTHER_AFTER.multipliedBy(more));
    }
  }
}
