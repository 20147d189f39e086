package io.gpureclaimer.exporter.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;

/**
 * What the agent is on this node, besides a device plugin. Bound from {@code roles.*}.
 *
 * @param exporter whether it samples the GPUs and serves what they say
 */
@Context
@ConfigurationProperties("roles")
public record RolesConfig(boolean exporter) {}
