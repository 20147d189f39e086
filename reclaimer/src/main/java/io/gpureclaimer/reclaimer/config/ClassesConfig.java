package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.policy.PolicyDefaults.ClassLimits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;

/**
 * How long a workload of each class must have been idle, where no annotation says otherwise. Bound
 * from {@code policy.classes.*}; {@code policy.idle-after} overrides all of them.
 *
 * @param interactive a person works in it
 * @param serving it waits for requests
 * @param batch it computes until it is done
 * @param elastic it grows and shrinks with its work
 * @param other what it is for is not known
 */
@Context
@ConfigurationProperties("policy.classes")
public record ClassesConfig(
    Duration interactive, Duration serving, Duration batch, Duration elastic, Duration other) {

  public ClassesConfig {
    new Property("policy.classes.interactive", interactive).mustBePositive();
    new Property("policy.classes.serving", serving).mustBePositive();
    new Property("policy.classes.batch", batch).mustBePositive();
    new Property("policy.classes.elastic", elastic).mustBePositive();
    new Property("policy.classes.other", other).mustBePositive();
  }

  /** The same for the judge. */
  ClassLimits limits() {
    return new ClassLimits(interactive, serving, batch, elastic, other);
  }
}
