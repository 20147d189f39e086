package io.gpureclaimer.reclaimer.plan;

import java.util.List;

/**
 * Whether what one look brought can be built on.
 *
 * @param census how much it has seen
 * @param trips why the circuit breaker is open; empty while it is closed
 */
public record Health(Census census, List<Trip> trips) {

  /** Nothing is known against it. */
  public static final Health GOOD = new Health(Census.EMPTY, List.of());

  public Health {
    trips = List.copyOf(trips);
  }

  /** Whether nothing new may be begun. */
  public boolean isOpen() {
    return !trips.isEmpty();
  }
}
