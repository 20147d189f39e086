package io.gpureclaimer.reclaimer.cluster;

/**
 * A taint that a pod tolerates, with Kubernetes' meaning of empty fields: an empty key tolerates
 * all keys, an empty effect all effects.
 *
 * @param key the taint's key, or empty
 * @param anyValue whether the operator is {@code Exists}
 * @param value the taint's value when the operator is {@code Equal}
 * @param effect the taint's effect, or empty
 */
public record Toleration(String key, boolean anyValue, String value, String effect) {

  /** Whether this toleration covers the taint. */
  public boolean covers(Taint taint) {
    boolean sameKey = key.isEmpty() ? anyValue : key.equals(taint.key());
    boolean sameValue = anyValue || value.equals(taint.value());
    boolean sameEffect = effect.isEmpty() || effect.equals(taint.effect());
    return sameKey && sameValue && sameEffect;
  }
}
