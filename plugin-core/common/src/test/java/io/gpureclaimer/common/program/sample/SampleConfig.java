package io.gpureclaimer.common.program.sample;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A program's configuration. */
@Context
@ConfigurationProperties("sample")
public record SampleConfig(
    @Nullable Duration staleAfter, @Nullable List<String> hosts, @Nullable String name) {}
