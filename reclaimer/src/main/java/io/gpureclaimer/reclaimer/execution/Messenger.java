package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.util.Optional;

/** Delivers messages to people who do not see the Events of the cluster. */
public interface Messenger {

  /** Delivers to no receiver. */
  Messenger NONE =
      new Messenger() {
        @Override
        public Optional<String> warn(Verdict.ToWarn verdict, Notice notice) {
          return Optional.empty();
        }

        @Override
        public void send(Verdict verdict, Notice notice) {}
      };

  /**
   * Delivers a warning to everybody who must have it before the grace may start.
   *
   * @return why it was not delivered; empty if it was
   */
  Optional<String> warn(Verdict.ToWarn verdict, Notice notice);

  /** Sends something that nothing depends on. Never waits. */
  void send(Verdict verdict, Notice notice);
}
