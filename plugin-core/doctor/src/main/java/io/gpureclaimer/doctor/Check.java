package io.gpureclaimer.doctor;

/** Checks one thing that a node with GPUs needs. Changes nothing. */
interface Check {

  /** What it checks, in two or three words. */
  String name();

  Outcome run(ExaminedNode node);
}
