package io.gpureclaimer.deviceplugin.mps;

import java.time.Instant;

/** State of the daemon of a shared resource. */
public sealed interface MpsState {

  /** It answers: containers can be given shares. */
  record Ready(Instant since) implements MpsState {}

  /**
   * It does not: no device of the resource may be allocated, because a container would have the GPU
   * unshared, or not at all.
   *
   * @param reason for people
   * @param nextTry not before then is it started again
   */
  record Down(String reason, Instant nextTry) implements MpsState {}
}
