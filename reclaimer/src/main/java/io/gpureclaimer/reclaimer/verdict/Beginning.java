package io.gpureclaimer.reclaimer.verdict;

import java.time.Instant;

/**
 * Something after which a pod can be idle at the earliest.
 *
 * @param at when it was
 * @param what for people, what it was: {@code cpu said work}
 */
record Beginning(Instant at, String what) {}
