package io.gpureclaimer.reclaimer.policy;

/** A value of a policy and where it came from. */
public record Setting<T>(T value, Origin origin) {}
