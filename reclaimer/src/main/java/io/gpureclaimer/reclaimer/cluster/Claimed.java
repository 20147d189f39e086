package io.gpureclaimer.reclaimer.cluster;

/** What a pod holds by resource claims, which its specification does not tell. */
public sealed interface Claimed {

  /** Nothing, as a pod without claims. */
  Claimed NOTHING = new Devices(0);

  /** So many GPUs and MIG instances together. */
  record Devices(int count) implements Claimed {
    public Devices {
      if (count < 0) {
        throw new IllegalArgumentException("count must not be negative, was " + count);
      }
    }
  }

  /** It cannot be told, and why. */
  record Unread(String why) implements Claimed {}
}
