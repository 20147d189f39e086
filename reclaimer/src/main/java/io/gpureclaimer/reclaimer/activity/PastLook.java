package io.gpureclaimer.reclaimer.activity;

import java.util.Map;

/**
 * What a look would have seen at a moment of the past.
 *
 * @param seen as it would have been, not joined yet
 * @param names of the pods that were seen, by UID; of those that no series names they are missing
 */
public record PastLook(Observation.Seen seen, Map<String, PodName> names) {}
