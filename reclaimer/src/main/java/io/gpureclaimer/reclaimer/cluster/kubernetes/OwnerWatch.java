package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import java.util.Optional;

/** How far we have come with watching a kind that owns pods. */
sealed interface OwnerWatch {

  /** It was asked for a moment ago. */
  record Begun() implements OwnerWatch {}

  /**
   * Nobody could tell how the kind is served.
   *
   * @param why in words
   * @param atNanos when that was
   */
  record Failed(String why, long atNanos) implements OwnerWatch {}

  /** It is watched. */
  record Running(Watched<OwnerView> watched) implements OwnerWatch {}

  /** Why its objects cannot be read now; empty while they can. */
  default Optional<String> doubt() {
    return switch (this) {
      case Begun() -> Optional.of("it is not known yet how they are served");
      case Failed(var why, _) -> Optional.of(why);
      case Running(var watched) -> watched.doubt();
    };
  }

  /** Whether waiting would change nothing. */
  default boolean isSettled() {
    return switch (this) {
      case Begun() -> false;
      case Failed _ -> true;
      case Running(var watched) -> watched.hasAnswered() || watched.doubt().isEmpty();
    };
  }

  /** The object as it was known last, whoever may doubt it. */
  default Optional<OwnerView> lastKnown(String namespace, Owner owner) {
    return switch (this) {
      case Begun() -> Optional.empty();
      case Failed _ -> Optional.empty();
      case Running(var watched) ->
          watched
              .lastKnown(namespace, owner.name())
              .or(() -> watched.lastKnown("", owner.name()))
              .filter(view -> view.owner().uid().equals(owner.uid()));
    };
  }

  /** Ends it. */
  default void stop() {
    if (this instanceof Running(var watched)) {
      watched.stop();
    }
  }
}
