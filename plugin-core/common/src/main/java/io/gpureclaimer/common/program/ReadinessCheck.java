package io.gpureclaimer.common.program;

/** A part of the agent that has to be ready before the agent is. */
@FunctionalInterface
public interface ReadinessCheck {

  /** Whether it is. */
  Readiness readiness();
}
