package io.gpureclaimer.deviceplugin.cdi;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Hooks of NVIDIA's hook program. */
public enum HookName {
  /** Makes links to libraries. */
  CREATE_SYMLINKS("create-symlinks"),
  /** Prefers the image's own CUDA compatibility libraries where they are newer than the driver. */
  ENABLE_CUDA_COMPAT("enable-cuda-compat"),
  /** Makes the libraries known to the container's loader. */
  UPDATE_LDCACHE("update-ldcache"),
  /** Keeps programs in the container from making device files. */
  DISABLE_DEVICE_NODE_MODIFICATION("disable-device-node-modification"),
  /**
   * Shows EGL and Vulkan only the GPUs that the container has; only the newest programs know it.
   */
  UPDATE_APPLICATION_PROFILE("update-application-profile");

  /** What older programs of NVIDIA's do not know, and fail the container for. */
  public static final Set<HookName> OFF_UNLESS_ASKED_FOR = Set.of(UPDATE_APPLICATION_PROFILE);

  private final String text;

  HookName(String text) {
    this.text = text;
  }

  /** Empty for a name that is not NVIDIA's. */
  public static Optional<HookName> of(String text) {
    return Arrays.stream(values()).filter(hook -> hook.text.equals(text)).findFirst();
  }

  /** The arguments that hand it some values. */
  List<String> arguments(List<String> values) {
    return values.stream().flatMap(this::argument).toList();
  }

  private Stream<String> argument(String value) {
    return switch (this) {
      case CREATE_SYMLINKS -> Stream.of("--link", value);
      case UPDATE_LDCACHE -> Stream.of("--folder", value);
      case ENABLE_CUDA_COMPAT -> Stream.of("--host-driver-version=" + value);
      case DISABLE_DEVICE_NODE_MODIFICATION, UPDATE_APPLICATION_PROFILE ->
          throw new IllegalArgumentException(text + " takes no value, was given " + value);
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
