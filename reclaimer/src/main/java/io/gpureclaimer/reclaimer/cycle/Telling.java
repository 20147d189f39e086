package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.act.LookAgain;
import io.gpureclaimer.reclaimer.act.Witness;
import io.gpureclaimer.reclaimer.audit.Auditor;

/** Tells the auditor what is done while it is done. */
record Telling(Auditor auditor) implements Witness {

  @Override
  public void looksAgain(LookAgain look) {
    auditor.looksAgain(look);
  }

  @Override
  public void did(Deed deed) {
    auditor.did(deed);
  }
}
