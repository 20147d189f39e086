package io.gpureclaimer.doctor;

/** Looks at one thing that a node with GPUs needs. Changes nothing. */
interface Check {

  /** What it looks at, in two or three words. */
  String name();

  Outcome look(Node node);
}
