package io.gpureclaimer.reclaimer.policy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What one object asks for, as far as it can be understood.
 *
 * @param object whose wishes they are, for example {@code pod ml/train-0}
 * @param mode how far the reclaimer shall go
 * @param idleAfter how long the workload shall have been idle
 * @param warnBefore how long before the act it shall be warned
 * @param exclude whether it asks to be left alone
 * @param notUnderstood the annotations that cannot be understood, by key
 */
record Wishes(
    String object,
    Optional<Mode> mode,
    Optional<Duration> idleAfter,
    Optional<Duration> warnBefore,
    boolean exclude,
    List<Remark> notUnderstood) {
  Wishes {
    notUnderstood = List.copyOf(notUnderstood);
  }
}
