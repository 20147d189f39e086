package io.gpureclaimer.reclaimer.policy;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * An annotation that people write for us.
 *
 * @param name the whole key
 * @param places on what it may be written
 * @param type of its values
 * @param parse the value that a text means; nothing where it means none
 * @param rule what the text must be, for people
 */
record PolicyKey<T>(
    String name,
    Set<Place> places,
    Class<T> type,
    Function<String, Optional<T>> parse,
    String rule) {
  PolicyKey {
    places = Set.copyOf(places);
  }
}
