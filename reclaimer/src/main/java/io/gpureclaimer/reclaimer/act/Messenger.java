package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.util.Optional;

/** Tells people outside the cluster, who may not look at Events. */
public interface Messenger {

  /** Nobody is to be told. */
  Messenger NOBODY =
      new Messenger() {
        @Override
        public Optional<String> warn(Verdict.ToWarn verdict, Notice notice) {
          return Optional.empty();
        }

        @Override
        public void tell(Verdict verdict, Notice notice) {}
      };

  /**
   * Delivers a warning to everybody who must have it before the grace may start.
   *
   * @return why it was not delivered; empty if it was
   */
  Optional<String> warn(Verdict.ToWarn verdict, Notice notice);

  /** Sends something that nothing depends on. Never waits. */
  void tell(Verdict verdict, Notice notice);
}
