package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Daemon that is polled, and restarted after a pause. Confined to one thread. */
final class SupervisedDaemon {
  private static final Logger log = LoggerFactory.getLogger(MpsSupervisor.class);

  /** One that has been up for so long is not to pay for what was before. */
  private static final Duration STEADY = Duration.ofMinutes(5);

  private final MpsDaemon daemon;
  private final Backoff backoff =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), () -> 0);
  private MpsShare share;
  private List<GpuUuid> visible = List.of();
  private MpsState state = new MpsState.Down("not started yet", Instant.MIN);

  SupervisedDaemon(MpsDaemon daemon, MpsShare share) {
    this.daemon = daemon;
    this.share = share;
  }

  MpsShare share() {
    return share;
  }

  MpsState state() {
    return state;
  }

  /** Starts it when its time has come, and asks it whether it is well. */
  void poll(Instant now, Optional<String> blocker) {
    switch (state) {
      case MpsState.Ready(var since) -> {
        Optional<String> problem = blocker.or(() -> daemon.check(share));
        if (problem.isEmpty() && since.plus(STEADY).isBefore(now)) {
          backoff.reset();
        }
        problem.ifPresent(reason -> down(reason, now));
      }
      case MpsState.Down(_, var nextTry) -> {
        if (!now.isBefore(nextTry)) {
          blocker
              .or(() -> daemon.start(share))
              .ifPresentOrElse(reason -> down(reason, now), () -> ready(now));
        }
      }
    }
  }

  /**
   * Whether it can go on with another share. One that is up can do without a GPU, for one that is
   * lost must not end the work on the others; it cannot see one more.
   */
  boolean canServe(MpsShare other) {
    return switch (state) {
      case MpsState.Ready _ -> visible.containsAll(other.uuids());
      case MpsState.Down _ -> true;
    };
  }

  /** Goes on with a share that it can serve. */
  void serve(MpsShare other, Instant now) {
    share = other;
    switch (state) {
      case MpsState.Ready _ -> daemon.change(other).ifPresent(reason -> down(reason, now));
      case MpsState.Down _ -> {}
    }
  }

  void stop() {
    daemon.stop().forEach(problem -> log.error("MPS of {}: {}", share.resource(), problem));
    log.info("MPS of {} has ended", share.resource());
  }

  private void ready(Instant now) {
    state = new MpsState.Ready(now);
    visible = share.uuids();
    log.info("MPS of {} is ready", share.resource());
  }

  private void down(String reason, Instant now) {
    boolean isNew = !(state instanceof MpsState.Down(var before, _) && before.equals(reason));
    state = new MpsState.Down(reason, now.plus(backoff.next()));
    if (isNew) {
      log.error(
          "MPS of {} is down, so its devices are not allocated: {}", share.resource(), reason);
    }
  }
}
