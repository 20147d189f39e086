package io.gpureclaimer.nvml;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Latch that is closed once: admits calls until then, and reports when the last has ended. A thread
 * may enter again while it is inside. For any thread.
 */
final class CallGate {
  /** Who is inside holds it for reading. */
  private final ReentrantReadWriteLock inside = new ReentrantReadWriteLock();

  private volatile boolean shut;

  /** False if it is shut; after true, the same thread must {@link #leave}. */
  boolean enter() {
    if (shut) {
      return false;
    }
    inside.readLock().lock();
    if (shut) {
      inside.readLock().unlock();
      return false;
    }
    return true;
  }

  void leave() {
    inside.readLock().unlock();
  }

  boolean isShut() {
    return shut;
  }

  /**
   * Lets no further thread in.
   *
   * @param patience how long to wait for those who are inside
   * @return whether no thread is inside now
   */
  boolean shut(Duration patience) {
    shut = true;
    try {
      if (!inside.writeLock().tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
    inside.writeLock().unlock();
    return true;
  }
}
