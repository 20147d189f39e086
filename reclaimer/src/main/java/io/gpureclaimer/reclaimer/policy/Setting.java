package io.gpureclaimer.reclaimer.policy;

/**
 * A value of a policy and where it came from.
 *
 * @param value what holds
 * @param origin who says so
 */
public record Setting<T>(T value, Origin origin) {}
