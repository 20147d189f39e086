package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.cluster.Leadership;

/** Never leads: for commands that only look. */
record Onlooker() implements Leadership {

  @Override
  public boolean isHeld() {
    return false;
  }

  @Override
  public String holder() {
    return "";
  }
}
