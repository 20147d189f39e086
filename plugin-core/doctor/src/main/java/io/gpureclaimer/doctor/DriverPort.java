package io.gpureclaimer.doctor;

/** Asks the driver. */
@FunctionalInterface
public interface DriverPort {

  /** What it says now; that it says nothing is an answer too. */
  DriverAnswer ask();
}
