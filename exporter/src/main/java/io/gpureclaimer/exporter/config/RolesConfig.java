package io.gpureclaimer.exporter.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;

/**
 * Roles of the agent on this node, in addition to the device plugin. Bound from {@code roles.*}.
 *
 * @param exporter whether it polls the GPUs and serves their metrics
 */
@Context
@ConfigurationProperties("roles")
public record RolesConfig(boolean exporter) {}
