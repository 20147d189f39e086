package io.gpureclaimer.nvml;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Size of a MIG device from its name, such as {@code NVIDIA H200 MIG 1c.2g.35gb}. Its memory does
 * not: a {@code 1g.18gb} has 16 GiB, and a {@code 7g.80gb} may have 79.
 */
public final class MigName {
  private static final Pattern PROFILE = Pattern.compile(".* MIG ((?:\\d+c\\.)?(\\d+g\\.\\S+))");

  /**
   * What a MIG device answered when it was asked for its name: a driver to which it is a wrong
   * argument has no names for such devices. Any other failure stays one, for the next answer may be
   * a name, and an instance must not be called now this and now that.
   */
  public static NvmlResult<String> of(NvmlResult<String> name) {
    return name instanceof NvmlResult.Failed<String>(var reason, _, _)
            && reason == NvmlReturn.INVALID_ARGUMENT
        ? new NvmlResult.Unsupported<>()
        : name;
  }

  /** The profile of the device, which may be a part of its GPU instance. */
  public static Optional<String> profile(String name) {
    return group(name, 1);
  }

  /** The profile of the GPU instance that it is in. */
  static Optional<String> instanceProfile(String name) {
    return group(name, 2);
  }

  private static Optional<String> group(String name, int group) {
    Matcher found = PROFILE.matcher(name);
    return found.matches() ? Optional.of(found.group(group)) : Optional.empty();
  }

  private MigName() {}
}
