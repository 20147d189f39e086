package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.policy.PolicyKeys.PolicyKey;
import io.gpureclaimer.reclaimer.policy.Setting.Origin;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one object asks for, as far as it can be understood.
 *
 * @param object whose wishes they are, for example {@code pod ml/train-0}
 * @param values by the name of their key
 * @param notUnderstood the annotations that cannot be understood, by key
 */
public record AnnotationValues(
    String object, Map<String, Object> values, List<Remark> notUnderstood) {
  public AnnotationValues {
    values = Map.copyOf(values);
    notUnderstood = List.copyOf(notUnderstood);
  }

  /** What it asks for with this key. */
  <T> Optional<T> of(PolicyKey<T> key) {
    return Optional.ofNullable(values.get(key.name())).map(key.type()::cast);
  }

  /** What it asks for with this key, and that it does. */
  <T> Optional<Setting<T>> setting(PolicyKey<T> key) {
    return of(key).map(value -> new Setting<>(value, new Origin.Annotation(object)));
  }
}
