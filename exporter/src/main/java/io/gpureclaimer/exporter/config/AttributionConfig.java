package io.gpureclaimer.exporter.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where to learn who holds which device. Bound from {@code attribution.*}.
 *
 * @param podsFile a file that says so; nobody is known to hold anything if not given
 */
@Context
@ConfigurationProperties("attribution")
public record AttributionConfig(@Nullable Path podsFile) {}
