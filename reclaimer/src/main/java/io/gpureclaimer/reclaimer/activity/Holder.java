package io.gpureclaimer.reclaimer.activity;

import java.time.Instant;
import java.util.Optional;

/**
 * A pod that the cluster knows, as far as it matters for recognizing what was seen of it.
 *
 * @param uid its UID
 * @param name its namespace and name
 * @param startedAt when the last of its containers started; what was seen under its name before
 *     that may have been another pod
 */
public record Holder(String uid, PodName name, Optional<Instant> startedAt) {}
