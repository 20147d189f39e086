package io.gpureclaimer.exporter.config;

import io.gpureclaimer.common.program.KnownKeys;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.env.Environment;

/** Stops the start when a key with one of our prefixes is unknown. */
@Context
final class ExporterKeysCheck {

  ExporterKeysCheck(BeanContext beans, Environment environment) {
    KnownKeys.of(beans, ExporterKeysCheck.class.getPackageName()).check(environment);
  }
}
