package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.cluster.Leadership;

/**
 * May always act, because in a dry run acting writes nothing. It asks for no Lease, which would be
 * written, and which a replica that does act could lose to it.
 */
record Rehearsal() implements Leadership {

  @Override
  public boolean isHeld() {
    return true;
  }

  @Override
  public String holder() {
    return "";
  }
}
