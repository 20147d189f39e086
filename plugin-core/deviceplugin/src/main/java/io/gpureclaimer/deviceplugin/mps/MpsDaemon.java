package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.deviceplugin.mps.MpsControl.ControlResult.Answered;
import io.gpureclaimer.deviceplugin.mps.MpsControl.ControlResult.Refused;
import io.gpureclaimer.deviceplugin.mps.MpsShare.SharedGpu;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Control daemon of one shared resource, with its preparation and cleanup. */
final class MpsDaemon {
  private static final String PROBE = "get_default_active_thread_percentage";
  private static final Pattern PERCENTAGE = Pattern.compile("[0-9]+(\\.[0-9]+)?");

  private final MpsPaths home;
  private final MpsControl control;
  private final ExclusiveUse exclusive;

  MpsDaemon(MpsPaths home, MpsControl control, ExclusiveUse exclusive) {
    this.home = home;
    this.control = control;
    this.exclusive = exclusive;
  }

  /**
   * Brings it up for these GPUs; says why not. One that is up already, because we were restarted
   * and it was not, stays: its clients would die with it.
   */
  Optional<String> start(MpsShare share) {
    try {
      boolean sameGpus = exclusive.taken().equals(share.uuids());
      Files.createDirectories(home.pipe());
      Files.createDirectories(home.log());
      Optional<String> blocker = exclusive.take(share.uuids());
      if (blocker.isPresent()) {
        return blocker;
      }
      if (sameGpus && probe().isEmpty()) {
        return configure(share);
      }
      end();
    } catch (IOException e) {
      return Optional.of("the folders of MPS cannot be made or read: " + e);
    }
    return switch (control.start(home, share.uuids())) {
      case Refused(var reason) -> Optional.of(reason);
      case Answered _ -> configure(share).or(this::probe);
    };
  }

  /** Goes on with GPUs that it sees, and other parts of them. Says what failed. */
  Optional<String> change(MpsShare share) {
    return exclusive.take(share.uuids()).or(() -> configure(share));
  }

  /** Whether it answers, and no process can bypass it; says what is wrong if not. */
  Optional<String> check(MpsShare share) {
    return probe().or(() -> exclusive.hold(share.uuids()));
  }

  /** Sets each client's part; servers that run keep what they have. Says what failed. */
  private Optional<String> configure(MpsShare share) {
    for (String command : commands(share)) {
      if (control.ask(home, command) instanceof Refused(var reason)) {
        return Optional.of("\"" + command + "\" failed: " + reason);
      }
    }
    return Optional.empty();
  }

  private Optional<String> probe() {
    return switch (control.ask(home, PROBE)) {
      case Answered(var text) when PERCENTAGE.matcher(text).matches() -> Optional.empty();
      case Answered(var text) ->
          Optional.of("the daemon was asked for a percentage, and said \"" + text + '"');
      case Refused(var reason) -> Optional.of(reason);
    };
  }

  /** Ends it, and makes its GPUs what they were, whether it ended or not. Says what failed. */
  List<String> stop() {
    List<String> problems;
    try {
      end();
    } finally {
      problems = exclusive.release();
    }
    return problems;
  }

  private void end() {
    if (control.ask(home, "quit") instanceof Refused) {
      control.kill(home);
    }
  }

  private static List<String> commands(MpsShare share) {
    var commands = new ArrayList<String>();
    for (SharedGpu gpu : share.gpus()) {
      gpu.memoryLimitMib()
          .ifPresent(
              mib ->
                  commands.add(
                      "set_default_device_pinned_mem_limit " + gpu.uuid() + " " + mib + "M"));
    }
    commands.add("set_default_active_thread_percentage " + share.threadPercentage());
    return commands;
  }
}
