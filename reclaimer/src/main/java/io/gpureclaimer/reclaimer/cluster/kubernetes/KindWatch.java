package io.gpureclaimer.reclaimer.cluster.kubernetes;

import java.util.Optional;

/** How far we have come with watching a kind that not every cluster has. */
sealed interface KindWatch<V> {

  /** It was asked for a moment ago. */
  record Begun<V>() implements KindWatch<V> {}

  /**
   * Nobody could tell how the kind is served.
   *
   * @param why in words
   * @param atNanos when that was
   */
  record Failed<V>(String why, long atNanos) implements KindWatch<V> {}

  /** It is watched. */
  record Running<V>(Watched<V> watched) implements KindWatch<V> {}

  /** Why its objects cannot be read now; empty while they can. */
  default Optional<String> doubt() {
    return switch (this) {
      case Begun<V>() -> Optional.of("it is not known yet how they are served");
      case Failed<V>(var why, _) -> Optional.of(why);
      case Running<V>(var watched) -> watched.doubt();
    };
  }

  /** Whether waiting would change nothing. */
  default boolean isSettled() {
    return switch (this) {
      case Begun<V>() -> false;
      case Failed<V> _ -> true;
      case Running<V>(var watched) -> watched.hasAnswered() || watched.doubt().isEmpty();
    };
  }

  /** The object as it was known last, whoever may doubt it. */
  default Optional<V> lastKnown(String namespace, String name) {
    return switch (this) {
      case Begun<V>() -> Optional.empty();
      case Failed<V> _ -> Optional.empty();
      case Running<V>(var watched) ->
          watched.lastKnown(namespace, name).or(() -> watched.lastKnown("", name));
    };
  }

  /** Ends it. */
  default void stop() {
    if (this instanceof Running<V>(var watched)) {
      watched.stop();
    }
  }
}
