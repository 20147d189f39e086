package io.gpureclaimer.nvml.inventory;

import java.util.function.Supplier;

/** How one GPU after the other is asked, so that one which hangs does not keep the others. */
public interface Turns {

  /** Each on the calling thread; one that hangs keeps it. */
  Turns HERE =
      new Turns() {
        @Override
        public <T> Turn<T> take(int gpu, boolean answered, Supplier<T> questions) {
          return new Turn.Taken<>(questions.get());
        }
      };

  /**
   * Puts questions to one GPU.
   *
   * @param gpu the driver's index of it
   * @param answered whether it has answered them before: then it is not waited for longer than such
   *     a GPU usually takes
   */
  <T> Turn<T> take(int gpu, boolean answered, Supplier<T> questions);
}
