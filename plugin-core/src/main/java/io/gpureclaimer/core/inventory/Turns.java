package io.gpureclaimer.core.inventory;

import java.util.Optional;
import java.util.function.Supplier;

/** How one GPU after the other is asked, so that one which hangs does not keep the others. */
public interface Turns {

  /** Each on the calling thread; one that hangs keeps it. */
  Turns HERE =
      new Turns() {
        @Override
        public <T> Optional<T> take(int gpu, Supplier<T> questions) {
          return Optional.of(questions.get());
        }
      };

  /**
   * Puts questions to one GPU.
   *
   * @param gpu the driver's index of it
   * @return empty if it does not come back in time, or has not from an earlier turn
   */
  <T> Optional<T> take(int gpu, Supplier<T> questions);
}
